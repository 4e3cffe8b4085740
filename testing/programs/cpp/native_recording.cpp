// Command graphs that the adapter captures itself, instead of libsycl: the property enable_native_recording. The vendor's OpenCL
// adapter cannot do it, so what this prints is compared with native_recording.expected.
#include <sycl/sycl.hpp>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "report.hpp"
#include "source_kernels.hpp"

static const char *text = R"""(
#include <sycl/sycl.hpp>
namespace syclex = sycl::ext::oneapi::experimental;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>))
void add(int *data, int value) {
  data[sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_linear_id()] += value;
}

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>))
void set(int *data, int value) {
  data[sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_linear_id()] = value;
}

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>))
void multiply(int *data, int value) {
  data[sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_linear_id()] *= value;
}
)""";

constexpr int count = 1024;

using Graph = syclex::command_graph<syclex::graph_state::modifiable>;

// What the steps work with: three queues in order, two kernels and memory.
struct Objects {
  sycl::queue one{sycl::property::queue::in_order()};
  sycl::queue two{one.get_context(), one.get_device(), sycl::property::queue::in_order()};
  sycl::queue three{one.get_context(), one.get_device(), sycl::property::queue::in_order()};
  sycl::kernel_bundle<sycl::bundle_state::executable> bundle = compile(one, text);
  sycl::kernel add = bundle.ext_oneapi_get_kernel("add"), multiply = bundle.ext_oneapi_get_kernel("multiply");
  sycl::kernel set = bundle.ext_oneapi_get_kernel("set");
  int *left = sycl::malloc_device<int>(count, one), *right = sycl::malloc_device<int>(count, one);
  int *out = sycl::malloc_host<int>(2 * count, one);

  ~Objects() {
    for (int *memory : {left, right, out})
      sycl::free(memory, one);
  }

  Graph graph() const {
    return Graph(one.get_context(), one.get_device(), {syclex::property::graph::enable_native_recording()});
  }
};

static sycl::event launch(sycl::queue &queue, const sycl::kernel &kernel, int *data, int value,
                          const std::vector<sycl::event> &after = {}) {
  return queue.submit([&](sycl::handler &h) {
    h.depends_on(after);
    h.set_args(data, value);
    h.parallel_for(sycl::nd_range<1>(count, 32), kernel);
  });
}

static bool is_recording(const sycl::queue &queue) {
  return queue.ext_oneapi_get_state() == syclex::queue_state::recording;
}

// What a refusal throws: the text is libsycl's own.
template <class Body> static void refused(const char *what, Body &&body) {
  try {
    body();
    say(what, "no exception");
  } catch (const sycl::exception &) {
    say(what, "an exception");
  }
}

static void one_queue(Objects &o) {
  step("one queue", [&] {
    launch(o.one, o.set, o.left, -1).wait();
    Graph graph = o.graph();
    say("empty", graph.empty(), is_recording(o.one));
    graph.begin_recording(o.one);
    o.one.memset(o.left, 0, count * sizeof(int));
    launch(o.one, o.add, o.left, 5);
    for (int value : {1, 2}) {
      launch(o.one, o.add, o.left, value);
      o.one.ext_oneapi_submit_barrier();
      launch(o.one, o.multiply, o.left, 3);
    }
    o.one.memcpy(o.out, o.left, count * sizeof(int));
    say("recording, and the graph is this one", is_recording(o.one), o.one.ext_oneapi_get_graph().get_id() == graph.get_id());
    graph.end_recording(o.one);
    say("empty", graph.empty(), is_recording(o.one));
    auto ready = graph.finalize(), again = graph.finalize();
    o.one.memcpy(o.out, o.left, count * sizeof(int)).wait();
    say("before", o.out[0], o.out[count - 1]);
    for (auto &executable : {ready, again, ready}) {
      std::fill_n(o.out, count, 0);
      o.one.ext_oneapi_graph(executable).wait();
      say("value", o.out[0], o.out[count - 1]);
    }
    // Runs and commands of one queue follow each other.
    o.one.ext_oneapi_graph(ready);
    launch(o.one, o.add, o.left, 1);
    o.one.memcpy(o.out, o.left, count * sizeof(int)).wait();
    say("after a run and a launch", o.out[0], o.out[count - 1]);
  });
}

static void several_queues(Objects &o) {
  step("queues that join", [&] {
    for (int *memory : {o.left, o.right})
      launch(o.one, o.set, memory, 1).wait();
    Graph graph = o.graph();
    graph.begin_recording(o.one);
    auto start = launch(o.one, o.add, o.left, 1);
    say("before", is_recording(o.one), is_recording(o.two), is_recording(o.three));
    auto second = o.two.memcpy(o.right, o.left, count * sizeof(int), start);
    launch(o.two, o.multiply, o.right, 10);
    auto third = o.three.ext_oneapi_submit_barrier({second, start});
    say("after", is_recording(o.one), is_recording(o.two), is_recording(o.three));
    auto joined = o.two.ext_oneapi_submit_barrier({third});
    launch(o.one, o.multiply, o.left, 2, {joined});
    o.one.memcpy(o.out, o.left, count * sizeof(int));
    o.one.memcpy(o.out + count, o.right, count * sizeof(int));
    graph.end_recording();
    say("at the end", is_recording(o.one), is_recording(o.two), is_recording(o.three));
    auto ready = graph.finalize();
    for (int run = 0; run < 3; ++run) {
      o.two.ext_oneapi_graph(ready).wait();
      say("values", o.out[0], o.out[count - 1], o.out[count], o.out[2 * count - 1]);
    }
  });
}

static void refusals(Objects &o) {
  step("what is refused", [&] {
    auto outside = launch(o.two, o.set, o.right, 3);
    Graph graph = o.graph(), other = o.graph();
    graph.begin_recording(o.one);
    other.begin_recording(o.three);
    auto event = launch(o.one, o.set, o.left, 2);
    refused("waiting for an event", [&] { event.wait(); });
    refused("waiting for the queue", [&] { o.one.wait(); });
    refused("an event from outside", [&] { launch(o.one, o.add, o.left, 1, {outside}); });
    refused("an event of another graph", [&] { launch(o.three, o.add, o.left, 1, {event}); });
    other.end_recording(o.three);
    launch(o.one, o.add, o.left, 5);
    graph.end_recording(o.one);
    refused("an event of a graph", [&] { launch(o.two, o.add, o.left, 1, {event}); });
    refused("finalizing nothing", [&] { other.finalize(); });
    auto ready = graph.finalize();
    o.one.ext_oneapi_graph(ready);
    o.one.memcpy(o.out, o.left, count * sizeof(int)).wait();
    say("value", o.out[0], o.out[count - 1]);
    outside.wait();
  });
  step("a queue that is left out", [&] {
    Graph graph = o.graph();
    graph.begin_recording(o.one);
    auto start = launch(o.one, o.set, o.left, 2);
    launch(o.two, o.add, o.left, 1, {start});
    refused("the end", [&] { graph.end_recording(o.one); });
    say("recording", is_recording(o.one), is_recording(o.two));
  });
}

static void facts(Objects &o) {
  step("what a graph tells", [&] {
    int called = 0;
    std::string path = "native_recording.dot";
    {
      Graph graph = o.graph();
      graph.set_destruction_callback([&called] { ++called; });
      graph.begin_recording(o.one);
      launch(o.one, o.add, o.left, 1);
      graph.end_recording(o.one);
      graph.print_graph(path);
      say("called", called);
    }
    say("called", called);
    std::ifstream file(path);
    std::string printed(std::istreambuf_iterator<char>(file), {});
    say("the text", printed.substr(0, 7), printed.find("add") != std::string::npos);
    std::remove(path.c_str());
  });
}

int main() {
  step("all", [] {
    Objects o;
    one_queue(o);
    several_queues(o);
    refusals(o);
    facts(o);
  });
  tell_adapters("libur_adapter_");
}
