// exits KIND: one way to end a process whose SYCL objects are alive or whose commands still run. Through the C API of dpctl, which the wheels
// of all releases have; its references are SYCL's objects. Without KIND it names all kinds, each with the code that it ends with.
#include <dpctl_sycl_interface.h>

#include <unistd.h>

#include <sys/wait.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

// More than a processor writes in the moments until the end.
static constexpr std::size_t size = 1 << 24;
static constexpr int out_of_order = 0, in_order = DPCTL_IN_ORDER;

// Set where the program goes on while the runtime ends, which may refuse its calls then.
static std::atomic<bool> is_ending;

// Set in a thread that its owner joins: it stops at the first call that is refused.
static thread_local bool is_joined;

[[noreturn]] static void broken(const char *what) {
  if (is_ending && is_joined)
    throw std::runtime_error(what);
  for (; is_ending;)
    pause();
  std::fprintf(stderr, "%s failed\n", what);
  _exit(99);
}

template <class T> static T made(T object, const char *what) {
  if (!object)
    broken(what);
  return object;
}

static void failed(int code) {
  std::fprintf(stderr, "asynchronous error %d\n", code);
  _exit(98);
}

static DPCTLSyclDeviceRef device() {
  static auto *devices = made(DPCTLDeviceMgr_GetDevices(DPCTL_OPENCL | DPCTL_CPU), "the list of devices");
  return DPCTLDeviceVector_GetAt(devices, 0);
}

// An event that is kept or not, as by a SYCL program.
struct Event {
  DPCTLSyclEventRef ref = nullptr;
  Event() = default;
  explicit Event(DPCTLSyclEventRef ref) : ref(made(ref, "a command")) {}
  Event(Event &&other) : ref(std::exchange(other.ref, nullptr)) {}
  Event &operator=(Event &&other) {
    std::swap(ref, other.ref);
    return *this;
  }
  ~Event() {
    if (ref)
      DPCTLEvent_Delete(ref);
  }
};

struct Queue {
  DPCTLSyclQueueRef ref;
  unsigned *memory;
  explicit Queue(int properties = out_of_order)
      : ref(made(DPCTLQueue_CreateForDevice(device(), failed, properties), "a queue")),
        memory(static_cast<unsigned *>(static_cast<void *>(made(DPCTLmalloc_shared(size, ref), "an allocation")))) {}
  Queue(const Queue &) = delete;
  ~Queue() { DPCTLQueue_Delete(ref); }
  Event memset(int value = 1) { return Event(DPCTLQueue_Memset(ref, usm(), value, size)); }
  Event fill() { return Event(DPCTLQueue_Fill32(ref, usm(), 7, size / 16)); }
  Event barrier() { return Event(DPCTLQueue_SubmitBarrier(ref)); }
  Event after(const Event &event) { return Event(DPCTLQueue_SubmitBarrierForEvents(ref, &event.ref, 1)); }
  Event copy(std::size_t from, std::size_t to) {
    return Event(DPCTLQueue_Memcpy(ref, memory + to, memory + from, size / 4));
  }
  void *usm() { return memory; }
};

struct Kernel {
  DPCTLSyclKernelBundleRef bundle;
  DPCTLSyclKernelRef kernel;
  Kernel(const Queue &queue, const char *name) {
    static const char *text = "kernel void quick(global int *p) { p[get_global_id(0)] += 1; }"
                              "kernel void slow(global int *p) { for (int i = 0; i < 300000000; ++i) p[i & 15] += i; }"
                              "kernel void endless(global int *p) { while (*(volatile global int *)p != 42); }";
    auto *context = DPCTLQueue_GetContext(queue.ref);
    bundle = made(DPCTLKernelBundle_CreateFromOCLSource(context, device(), text, ""), "a program");
    kernel = made(DPCTLKernelBundle_GetKernel(bundle, name), "a kernel");
    DPCTLContext_Delete(context);
  }
  ~Kernel() {
    DPCTLKernel_Delete(kernel);
    DPCTLKernelBundle_Delete(bundle);
  }
  Event launch(Queue &queue, std::size_t items) {
    void *argument = queue.usm();
    DPCTLKernelArgType type = DPCTL_VOID_PTR;
    return Event(DPCTLQueue_SubmitRange(kernel, queue.ref, &argument, &type, 1, &items, 1, nullptr, 0));
  }
};

// Objects that live until static objects are destroyed.
static struct Statics {
  Queue *queue = nullptr;
  Kernel *kernel = nullptr;
  Event event;
  ~Statics() {
    delete kernel;
    delete queue;
  }
} statics;

// Objects that live until the thread ends.
static thread_local struct OfThread {
  Queue *queue = nullptr;
  ~OfThread() { delete queue; }
} of_thread;

static Queue *of_handler;

static void local_memset() { Queue().memset(); }
static void local_fill() { Queue().fill(); }
static void local_in_order() { Queue(in_order).memset(); }

static void local_barrier() {
  Queue queue;
  queue.memset();
  queue.barrier();
}

static void local_kernel() {
  Queue queue;
  Kernel(queue, "quick").launch(queue, 1 << 20);
}

static void local_slow_kernel() {
  Queue queue;
  Kernel(queue, "slow").launch(queue, 1);
}

static void local_endless_kernel() {
  Queue queue;
  Kernel(queue, "endless").launch(queue, 1);
}

static void local_endless_kernel_runs_a_second() {
  local_endless_kernel();
  std::this_thread::sleep_for(std::chrono::seconds(1));
}

static void local_copies() {
  Queue queue;
  Event last = queue.memset();
  for (std::size_t i = 0; i < 8; ++i) {
    Event next = queue.after(last);
    last = queue.copy(0, size / 16 * (1 + i % 3));
  }
}

static void local_twenty_queues() {
  for (int i = 0; i < 20; ++i)
    Queue(i % 4 == 3 ? in_order : out_of_order).memset(i);
}

static void two_queues_that_wait() {
  Queue one, two;
  Event event = one.memset();
  two.after(event);
  two.memset();
}

static void waited_beside() {
  Queue waited;
  Queue().memset();
  Event event = waited.memset();
  DPCTLEvent_Wait(event.ref);
}

static void event_outlives_queue() {
  statics.event = Queue().memset();
}

static void event_leaks() {
  Event event = Queue().memset();
  event.ref = nullptr;
}

static void many_events_leak() {
  static Queue queue;
  for (int i = 0; i < 100; ++i) {
    Event event = queue.fill();
    event.ref = nullptr;
  }
}

static void events_outlive_queues() {
  static Event events[20];
  for (Event &event : events)
    event = Queue().memset();
}

static void event_of_thread_outlives_it() {
  std::thread([] { statics.event = Queue().memset(); }).join();
}

static void thread_local_event_outlives_queue() {
  static thread_local Event event;
  event = Queue().memset();
}

static void queue_leaks() { (new Queue)->memset(); }
static void queue_leaks_in_order() { (new Queue(in_order))->memset(); }
static void queue_leaks_idle() { DPCTLQueue_Wait((new Queue)->ref); }

static void static_queue() {
  statics.queue = new Queue;
  statics.queue->memset();
}

static void static_queue_in_order() {
  statics.queue = new Queue(in_order);
  statics.queue->memset();
}

static void static_queue_and_event() {
  statics.queue = new Queue;
  statics.event = statics.queue->memset();
}

static void static_kernel() {
  statics.queue = new Queue;
  statics.kernel = new Kernel(*statics.queue, "quick");
  statics.event = statics.kernel->launch(*statics.queue, 1 << 20);
}

static void thread_local_queue() {
  of_thread.queue = new Queue;
  of_thread.queue->memset();
}

static void queue_of_exit_handler() {
  of_handler = new Queue;
  std::atexit([] { delete of_handler; });
  of_handler->memset();
}

static void command_in_exit_handler() {
  static Queue *queue = new Queue;
  DPCTLQueue_Wait(queue->ref);
  std::atexit([] {
    queue->memset();
    delete queue;
  });
}

static void queue_of_thread() { std::thread(local_memset).join(); }

static void thread_local_queue_of_thread() { std::thread(thread_local_queue).join(); }

static void detached_thread_works() {
  static std::atomic<bool> started;
  std::thread([] {
    Queue queue;
    for (;;) {
      Event event = queue.memset();
      started = true;
      DPCTLEvent_Wait(event.ref);
    }
  }).detach();
  while (!started)
    std::this_thread::yield();
  is_ending = true;
}

static void detached_thread_drops_queues() {
  static std::atomic<bool> started;
  std::thread([] {
    for (;;) {
      local_memset();
      started = true;
    }
  }).detach();
  while (!started)
    std::this_thread::yield();
  is_ending = true;
}

// A thread that works until its owner stops it. Its owner is destroyed in the middle of that.
struct Worker {
  std::atomic<bool> started{false}, stopped{false};
  std::thread thread;
  void start(void (*step)()) {
    thread = std::thread([this, step] {
      is_joined = true;
      try {
        while (!stopped) {
          step();
          started = true;
        }
      } catch (const std::runtime_error &) {
      }
    });
    while (!started)
      std::this_thread::yield();
  }
  ~Worker() {
    stopped = true;
    if (thread.joinable())
      thread.join();
  }
};

// Is destroyed after all that the first queue brings along.
static Worker early_worker;

static void static_joins_thread_that_drops_queues() {
  delete new Queue;
  static Worker worker;
  worker.start(local_memset);
}

static void early_static_joins_thread_that_drops_queues() {
  early_worker.start(local_memset);
  is_ending = true;
}

static void thread_waits() {
  static std::atomic<bool> started;
  std::thread([] {
    Queue queue;
    Kernel kernel(queue, "slow");
    kernel.launch(queue, 1);
    started = true;
    DPCTLQueue_Wait(queue.ref);
  }).detach();
  while (!started)
    std::this_thread::yield();
  is_ending = true;
}

static void std_exit() {
  local_memset();
  std::exit(0);
}

static void std_exit_with_queue() {
  Queue queue;
  queue.memset();
  std::exit(0);
}

static void exit_in_thread() {
  std::thread([] {
    local_memset();
    std::exit(0);
  }).join();
}

static void exit_while_thread_s_queue_runs() {
  local_memset();
  std::thread([] { std::exit(0); }).join();
}

static void quick() {
  local_memset();
  std::quick_exit(0);
}

static void quick_with_handler() {
  of_handler = new Queue;
  std::at_quick_exit([] { delete of_handler; });
  of_handler->memset();
  std::quick_exit(0);
}

static void at_once() {
  local_memset();
  _exit(0);
}

static void uncaught_exception() {
  Queue queue;
  queue.memset();
  throw std::runtime_error("nobody catches this");
}

static void caught_exception() {
  try {
    Queue queue;
    queue.memset();
    throw std::runtime_error("caught");
  } catch (const std::runtime_error &) {
  }
}

static void memory_is_freed() {
  Queue queue;
  queue.memset();
  // Waits for the command.
  DPCTLfree_with_queue(static_cast<DPCTLSyclUSMRef>(queue.usm()), queue.ref);
  DPCTLQueue_Memset(queue.ref, made(DPCTLmalloc_device(size, queue.ref), "an allocation"), 2, size);
}

static int child_of(void (*before)(), void (*in_child)()) {
  before();
  pid_t child = fork();
  if (child == 0) {
    in_child();
    std::exit(0);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child)
    broken("a fork");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void nothing() {}

static void child_exits() { std::exit(child_of(local_memset, nothing)); }

static void child_exits_at_once() {
  std::exit(child_of(local_memset, [] { _exit(0); }));
}

static void child_is_first_to_work() {
  std::exit(child_of(nothing, local_memset));
}

static void child_executes() {
  std::exit(child_of(local_memset, [] { execl("/bin/true", "true", nullptr); }));
}

// Tells which file of ours or the vendor's is loaded.
static void files() {
  device();
  std::ifstream maps("/proc/self/maps");
  std::set<std::string> names;
  for (std::string line; std::getline(maps, line);)
    if (line.find("libpi_opencl") != std::string::npos || line.find("libur_adapter_opencl") != std::string::npos)
      names.insert(line.substr(line.find('/')));
  for (const std::string &name : names)
    std::puts(name.c_str());
}

static const struct {
  const char *name;
  void (*run)();
  int code;
} KINDS[] = {
#define KIND(name) {#name, name, 0}
    KIND(local_memset),
    KIND(local_fill),
    KIND(local_barrier),
    KIND(local_kernel),
    KIND(local_slow_kernel),
    KIND(local_endless_kernel),
    KIND(local_endless_kernel_runs_a_second),
    KIND(local_copies),
    KIND(local_twenty_queues),
    KIND(local_in_order),
    KIND(two_queues_that_wait),
    KIND(waited_beside),
    KIND(memory_is_freed),
    KIND(caught_exception),
    {"uncaught_exception", uncaught_exception, -6},
    KIND(event_outlives_queue),
    KIND(event_leaks),
    KIND(many_events_leak),
    KIND(events_outlive_queues),
    KIND(event_of_thread_outlives_it),
    KIND(thread_local_event_outlives_queue),
    KIND(queue_leaks),
    KIND(queue_leaks_in_order),
    KIND(queue_leaks_idle),
    KIND(static_queue),
    KIND(static_queue_in_order),
    KIND(static_queue_and_event),
    KIND(static_kernel),
    KIND(thread_local_queue),
    KIND(queue_of_exit_handler),
    KIND(command_in_exit_handler),
    KIND(queue_of_thread),
    KIND(thread_local_queue_of_thread),
    KIND(detached_thread_works),
    KIND(detached_thread_drops_queues),
    KIND(static_joins_thread_that_drops_queues),
    KIND(early_static_joins_thread_that_drops_queues),
    KIND(thread_waits),
    KIND(std_exit),
    KIND(std_exit_with_queue),
    KIND(exit_in_thread),
    KIND(exit_while_thread_s_queue_runs),
    KIND(quick),
    KIND(quick_with_handler),
    KIND(at_once),
    KIND(child_exits),
    KIND(child_exits_at_once),
    KIND(child_is_first_to_work),
    KIND(child_executes),
};

int main(int count, char **arguments) {
  if (count == 1)
    for (const auto &kind : KINDS)
      std::printf("%s %d\n", kind.name, kind.code);
  if (count == 2 && std::strcmp(arguments[1], "files") == 0)
    files();
  for (const auto &kind : KINDS)
    if (count == 2 && std::strcmp(arguments[1], kind.name) == 0)
      kind.run();
}
