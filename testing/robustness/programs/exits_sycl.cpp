// exits_sycl KIND: as exits.cpp, for what the C API of dpctl has not: host tasks, graphs and OpenCL's user events. It needs the release's
// headers of SYCL, which any C++ compiler takes for programs without kernels.
#include <sycl/sycl.hpp>

#include <sycl/backend/opencl.hpp>

#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace graphs = sycl::ext::oneapi::experimental;

static constexpr std::size_t size = 1 << 24;

static sycl::queue new_queue() { return sycl::queue(sycl::cpu_selector_v); }
static void *memory_of(const sycl::queue &queue) { return sycl::malloc_shared(size, queue); }

static void sleep_for(int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }

template <class F> static sycl::event host_task(sycl::queue &queue, const sycl::event &after, F task) {
  return queue.submit([&](sycl::handler &handler) {
    handler.depends_on(after);
    handler.host_task(task);
  });
}

static void host_task_after_command() {
  sycl::queue queue = new_queue();
  host_task(queue, queue.memset(memory_of(queue), 1, size), [] {});
}

static void command_after_host_task() {
  sycl::queue queue = new_queue();
  void *memory = memory_of(queue);
  sycl::event task = host_task(queue, queue.memset(memory, 1, size), [] { sleep_for(20); });
  queue.memset(memory, 2, size, task);
}

static void slow_host_task() {
  sycl::queue queue = new_queue();
  host_task(queue, queue.memset(memory_of(queue), 1, size), [] { sleep_for(300); });
}

static void host_task_drops_queue() {
  sycl::queue queue = new_queue();
  host_task(queue, queue.memset(memory_of(queue), 1, size), [] {
    sycl::queue other = new_queue();
    other.memset(memory_of(other), 1, size);
  });
}

static void endless_host_task() {
  sycl::queue queue = new_queue();
  std::atomic<bool> started{false};
  host_task(queue, queue.memset(memory_of(queue), 1, size), [&] {
    started = true;
    for (;;)
      pause();
  });
  while (!started)
    std::this_thread::yield();
  // Nothing else ends a process whose host task does not end: libsycl waits for it.
  std::quick_exit(0);
}

static void event_of_host_task_in_static() {
  static sycl::event event;
  sycl::queue queue = new_queue();
  event = host_task(queue, queue.memset(memory_of(queue), 1, size), [] { sleep_for(20); });
}

static auto new_graph(sycl::queue &queue, void *memory) {
  graphs::command_graph graph(queue.get_context(), queue.get_device());
  graph.begin_recording(queue);
  for (int i = 0; i < 4; ++i)
    queue.memcpy(static_cast<char *>(memory) + size / 2, memory, size / 2);
  graph.end_recording(queue);
  return graph.finalize();
}

static void graph_runs() {
  sycl::queue queue = new_queue();
  auto graph = new_graph(queue, memory_of(queue));
  queue.ext_oneapi_graph(graph);
}

static void graph_runs_twice() {
  sycl::queue queue = new_queue();
  auto graph = new_graph(queue, memory_of(queue));
  queue.ext_oneapi_graph(graph);
  queue.ext_oneapi_graph(graph);
}

static void static_graph() {
  static sycl::queue queue = new_queue();
  static auto graph = new_graph(queue, memory_of(queue));
  queue.ext_oneapi_graph(graph);
}

static void graph_leaks() {
  sycl::queue queue = new_queue();
  auto *graph = new auto(new_graph(queue, memory_of(queue)));
  queue.ext_oneapi_graph(*graph);
}

static void event_of_graph_in_static() {
  static sycl::event event;
  sycl::queue queue = new_queue();
  auto graph = new_graph(queue, memory_of(queue));
  event = queue.ext_oneapi_graph(graph);
}

// Of OpenCL's library, which is loaded by then.
template <class F> static F *of_opencl(const char *name) {
  void *library = dlopen("libOpenCL.so.1", RTLD_NOW);
  void *function = library ? dlsym(library, name) : nullptr;
  if (!function)
    _exit(99);
  return reinterpret_cast<F *>(function);
}

static cl_event new_user_event(const sycl::queue &queue) {
  auto context = sycl::get_native<sycl::backend::opencl>(queue.get_context());
  cl_int code = 0;
  cl_event event = of_opencl<decltype(clCreateUserEvent)>("clCreateUserEvent")(context, &code);
  if (code != CL_SUCCESS)
    _exit(99);
  return event;
}

static void wait_for_user_event(sycl::queue &queue, cl_event native) {
  // sycl::make_event does not compile for OpenCL.
  auto handle = reinterpret_cast<ur_native_handle_t>(native);
  sycl::event event = sycl::detail::make_event(handle, queue.get_context(), sycl::backend::opencl);
  queue.memset(memory_of(queue), 1, size, event);
}

static void user_event_never_completes() {
  sycl::queue queue = new_queue();
  wait_for_user_event(queue, new_user_event(queue));
}

static void user_event_never_completes_and_queue_leaks() {
  auto *queue = new sycl::queue(new_queue());
  wait_for_user_event(*queue, new_user_event(*queue));
}

static void user_event_never_completes_and_queue_is_static() {
  static sycl::queue queue = new_queue();
  wait_for_user_event(queue, new_user_event(queue));
}

static void user_event_completes_in_thread() {
  sycl::queue queue = new_queue();
  cl_event native = new_user_event(queue);
  wait_for_user_event(queue, native);
  std::thread([native] {
    sleep_for(20);
    of_opencl<decltype(clSetUserEventStatus)>("clSetUserEventStatus")(native, CL_COMPLETE);
  }).detach();
}

static const struct {
  const char *name;
  void (*run)();
} KINDS[] = {
#define KIND(name) {#name, name}
    KIND(host_task_after_command),
    KIND(command_after_host_task),
    KIND(slow_host_task),
    KIND(host_task_drops_queue),
    KIND(endless_host_task),
    KIND(event_of_host_task_in_static),
    KIND(graph_runs),
    KIND(graph_runs_twice),
    KIND(static_graph),
    KIND(graph_leaks),
    KIND(event_of_graph_in_static),
    KIND(user_event_never_completes),
    KIND(user_event_never_completes_and_queue_leaks),
    KIND(user_event_never_completes_and_queue_is_static),
    KIND(user_event_completes_in_thread),
};

int main(int count, char **arguments) {
  if (count == 1)
    for (const auto &kind : KINDS)
      std::printf("%s 0\n", kind.name);
  for (const auto &kind : KINDS)
    if (count == 2 && std::strcmp(arguments[1], kind.name) == 0)
      kind.run();
}
