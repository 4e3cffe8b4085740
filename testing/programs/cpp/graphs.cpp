// Command graphs: kernels, copies and fills that are recorded once and replayed. Prints a line for each result.
#include <sycl/sycl.hpp>

#include <numeric>
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
)""";

constexpr int count = 128;

using Graph = syclex::command_graph<syclex::graph_state::modifiable>;

static sycl::event launch(sycl::queue &queue, const sycl::kernel &kernel, int *data, int value,
                          const std::vector<sycl::event> &after = {}) {
  return queue.submit([&](sycl::handler &h) {
    h.depends_on(after);
    h.set_args(data, value);
    h.parallel_for(sycl::nd_range<1>(count, 16), kernel);
  });
}

static void record(sycl::queue &queue, const sycl::kernel &add) {
  int *data = sycl::malloc_device<int>(count, queue), *result = sycl::malloc_shared<int>(count, queue);
  step("a recorded queue", [&] {
    Graph graph(queue.get_context(), queue.get_device());
    graph.begin_recording(queue);
    auto event = queue.fill(data, 1, count);
    for (int i = 0; i < 5; ++i)
      event = launch(queue, add, data, i, {event});
    queue.memcpy(result, data, count * sizeof(int), event);
    graph.end_recording(queue);
    say("nodes", graph.get_nodes().size());
    auto ready = graph.finalize();
    for (int i = 0; i < 3; ++i) {
      result[count - 1] = 0;
      queue.ext_oneapi_graph(ready).wait();
      say("value", result[count - 1]);
    }
    queue.submit([&](sycl::handler &h) { h.ext_oneapi_graph(ready); }).wait();
    say("required memory", ready.get_required_mem_size());
  });
  step("a recorded queue in order, with barrier and memset", [&] {
    sycl::queue in_order(queue.get_context(), queue.get_device(), sycl::property::queue::in_order());
    Graph graph(queue.get_context(), queue.get_device());
    graph.begin_recording(in_order);
    in_order.memset(data, 0, count * sizeof(int));
    in_order.ext_oneapi_submit_barrier();
    launch(in_order, add, data, 3);
    in_order.copy(data, result, count);
    graph.end_recording();
    auto ready = graph.finalize();
    in_order.ext_oneapi_graph(ready);
    in_order.ext_oneapi_graph(ready).wait();
    say("value", result[count - 1]);
  });
  sycl::free(data, queue);
  sycl::free(result, queue);
}

static void add_nodes(sycl::queue &queue, const sycl::kernel &add) {
  int *data = sycl::malloc_shared<int>(count, queue);
  step("added nodes, a host task among them", [&] {
    Graph graph(queue.get_context(), queue.get_device());
    int seen = 0;
    auto kernel = [&](int value) {
      return [=](sycl::handler &h) {
        h.set_args(data, value);
        h.parallel_for(sycl::nd_range<1>(count, 16), add);
      };
    };
    auto first = graph.add([&](sycl::handler &h) { h.fill(data, 10, count); });
    auto second = graph.add(kernel(1), syclex::property::node::depends_on(first));
    auto look = [&](sycl::handler &h) { h.host_task([=, &seen] { seen += data[5]; }); };
    auto task = graph.add(look, syclex::property::node::depends_on(second));
    graph.add(kernel(5), syclex::property::node::depends_on(task));
    auto ready = graph.finalize();
    queue.ext_oneapi_graph(ready).wait();
    queue.ext_oneapi_graph(ready).wait();
    say("value, and what the task saw", data[5], seen);
  });
  step("an updated node", [&] {
    Graph graph(queue.get_context(), queue.get_device());
    auto node = graph.add([&](sycl::handler &h) {
      h.set_args(data, 3);
      h.parallel_for(sycl::nd_range<1>(count, 16), add);
    });
    std::fill_n(data, count, 0);
    auto ready = graph.finalize(syclex::property::graph::updatable());
    queue.ext_oneapi_graph(ready).wait();
    node.update_nd_range(sycl::nd_range<1>(count / 2, 16));
    ready.update(node);
    queue.ext_oneapi_graph(ready).wait();
    say("first and last", data[0], data[count - 1]);
  });
  step("profiling of a graph", [&] {
    sycl::queue profiled(queue.get_context(), queue.get_device(), sycl::property::queue::enable_profiling());
    Graph graph(queue.get_context(), queue.get_device());
    graph.add([&](sycl::handler &h) { h.fill(data, 10, count); });
    auto ready = graph.finalize(syclex::property::graph::enable_profiling());
    auto event = profiled.ext_oneapi_graph(ready);
    event.wait();
    using namespace sycl::info::event_profiling;
    say("times are in order", event.get_profiling_info<command_start>() <= event.get_profiling_info<command_end>());
  });
  sycl::free(data, queue);
}

int main() {
  step("all", [] {
    sycl::queue queue;
    say("graphs", queue.get_device().has(sycl::aspect::ext_oneapi_graph));
    say("graphs without updates", queue.get_device().has(sycl::aspect::ext_oneapi_limited_graph));
    auto bundle = compile(queue, text);
    sycl::kernel add = bundle.ext_oneapi_get_kernel("add");
    record(queue, add);
    add_nodes(queue, add);
  });
  tell_adapters();
}
