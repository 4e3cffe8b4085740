// What C++ programs do with queues: kernels, copies and fills in order and out of order, events, barriers, host tasks, profiling,
// sub-devices. Prints a line for each result; the kernels come from source text.
#include <sycl/sycl.hpp>

#include <atomic>
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

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>))
void multiply(int *data, int value) {
  data[sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_linear_id()] *= value;
}
)""";

constexpr int count = 256, group = 32;

using Events = std::vector<sycl::event>;

static sycl::event launch(sycl::queue &queue, const sycl::kernel &kernel, int *data, int value, const Events &after = {}) {
  return queue.submit([&](sycl::handler &h) {
    h.depends_on(after);
    h.set_args(data, value);
    h.parallel_for(sycl::nd_range<1>(count, group), kernel);
  });
}

static void orders(sycl::queue &queue, const sycl::kernel &add, const sycl::kernel &multiply) {
  int *data = sycl::malloc_device<int>(count, queue);
  std::vector<int> host(count);
  step("out of order, with dependencies", [&] {
    auto filled = queue.fill(data, 5, count);
    auto added = launch(queue, add, data, 2, {filled});
    auto multiplied = launch(queue, multiply, data, 3, {added});
    queue.memcpy(host.data(), data, count * sizeof(int), multiplied).wait();
    say("first and last", host.front(), host.back());
    say("complete", added.get_info<sycl::info::event::command_execution_status>() == sycl::info::event_command_status::complete);
    say("waits for", multiplied.get_wait_list().size());
  });
  step("in order", [&] {
    sycl::queue in_order(queue.get_context(), queue.get_device(), sycl::property::queue::in_order());
    in_order.memset(data, 0, count * sizeof(int));
    for (int i = 1; i <= 50; ++i)
      launch(in_order, i % 2 ? add : multiply, data, i % 3);
    in_order.copy(data, host.data(), count).wait();
    say("first and last", host.front(), host.back());
    say("empty", in_order.ext_oneapi_empty());
  });
  step("barriers", [&] {
    auto filled = queue.fill(data, 1, count);
    auto barrier = queue.ext_oneapi_submit_barrier({filled});
    auto added = launch(queue, add, data, 1, {barrier});
    queue.ext_oneapi_submit_barrier();
    launch(queue, multiply, data, 10);
    queue.ext_oneapi_submit_barrier().wait();
    queue.copy(data, host.data(), count).wait();
    say("first and last", host.front(), host.back());
  });
  sycl::free(data, queue);
}

static void host_tasks(sycl::queue &queue, const sycl::kernel &add) {
  int *data = sycl::malloc_shared<int>(count, queue);
  step("host tasks between kernels", [&] {
    std::fill_n(data, count, 0);
    std::atomic<int> seen = 0;
    auto event = launch(queue, add, data, 4);
    for (int i = 0; i < 20; ++i) {
      event = queue.submit([&](sycl::handler &h) {
        h.depends_on(event);
        h.host_task([=, &seen] {
          seen += data[7];
          data[0] += 100;
        });
      });
      event = launch(queue, add, data, 1, {event});
    }
    event.wait();
    say("sum that the tasks saw", seen.load());
    say("first and last", data[0], data[count - 1]);
  });
  sycl::free(data, queue);
}

static void memory(sycl::queue &queue, const sycl::kernel &add) {
  step("memory of each kind", [&] {
    for (auto kind : {sycl::usm::alloc::host, sycl::usm::alloc::device, sycl::usm::alloc::shared}) {
      int *data = sycl::aligned_alloc<int>(256, count, queue, kind);
      queue.fill(data, 9, count).wait();
      queue.prefetch(data, count * sizeof(int)).wait();
      queue.mem_advise(data, count * sizeof(int), 0).wait();
      launch(queue, add, data, 1).wait();
      int last = 0;
      queue.memcpy(&last, data + count - 1, sizeof last).wait();
      say("value", last);
      say("kind", sycl::get_pointer_type(data + 3, queue.get_context()) == kind);
      say("device", sycl::get_pointer_device(data, queue.get_context()) == queue.get_device());
      sycl::free(data, queue);
    }
    int local = 0;
    say("kind of other memory", int(sycl::get_pointer_type(&local, queue.get_context())));
    say("an impossible size", sycl::malloc_device(std::size_t(1) << 60, queue) == nullptr);
  });
  step("patterns of each size", [&] {
    unsigned char *data = sycl::malloc_shared<unsigned char>(4096, queue);
    auto fill = [&](auto pattern) {
      queue.fill(data, pattern, 4096 / sizeof pattern).wait();
      say("sum", std::accumulate(data, data + 4096 / sizeof pattern * sizeof pattern, 0));
    };
    fill(std::uint8_t(3));
    fill(std::uint16_t(0x0102));
    fill(sycl::vec<std::uint8_t, 3>(1, 2, 3));
    fill(std::uint64_t(0x0102030405060708));
    fill(std::array<std::uint8_t, 5>{1, 2, 3, 4, 5});
    fill(std::array<std::uint8_t, 48>{7});
    sycl::free(data, queue);
  });
}

static void profiling(const sycl::queue &plain, const sycl::kernel &add) {
  using namespace sycl::info::event_profiling;
  sycl::queue queue(plain.get_context(), plain.get_device(), sycl::property::queue::enable_profiling());
  int *data = sycl::malloc_shared<int>(count, queue);
  auto ordered = [](const sycl::event &event) {
    const auto submitted = event.get_profiling_info<command_submit>(), started = event.get_profiling_info<command_start>();
    return submitted > 0 && submitted <= started && started <= event.get_profiling_info<command_end>();
  };
  step("profiling", [&] {
    auto filled = queue.fill(data, 0, count);
    auto added = launch(queue, add, data, 1, {filled});
    added.wait();
    say("the fill's times are in order", ordered(filled));
    say("the kernel's times are in order", ordered(added));
    say("the kernel starts after the fill", filled.get_profiling_info<command_end>() <= added.get_profiling_info<command_start>());
  });
  step("a host task's profile", [&] {
    auto event = queue.submit([](sycl::handler &h) { h.host_task([] {}); });
    event.wait();
    say("its times are in order", ordered(event));
  });
  step("a profiling tag", [&] {
    auto tag = syclex::submit_profiling_tag(queue);
    tag.wait();
    say("it has a time", tag.get_profiling_info<command_start>() > 0);
  });
  step("a profile without profiling", [&] {
    sycl::queue other(plain.get_context(), plain.get_device());
    auto event = launch(other, add, data, 1);
    event.wait();
    event.get_profiling_info<command_start>();
  });
  sycl::free(data, queue);
}

static void sub_devices(const sycl::device &device) {
  using sycl::info::partition_property;
  step("sub-devices", [&] {
    const auto units = device.get_info<sycl::info::device::max_compute_units>();
    auto parts = device.create_sub_devices<partition_property::partition_equally>(1);
    say("one for each compute unit", parts.size() == units);
    sycl::device part = parts.front();
    say("its compute units", part.get_info<sycl::info::device::max_compute_units>());
    say("its parent is the device", part.get_info<sycl::info::device::parent_device>() == device);
    say("its kind of partition", part.get_info<sycl::info::device::partition_type_property>() == partition_property::partition_equally);
    sycl::queue queue(part);
    auto kernel = compile(queue, text).ext_oneapi_get_kernel("add");
    int *data = sycl::malloc_shared<int>(count, queue);
    queue.fill(data, 1, count).wait();
    launch(queue, kernel, data, 41).wait();
    say("value", data[count - 1]);
    sycl::free(data, queue);
  });
  step("sub-devices of given sizes", [&] {
    auto parts = device.create_sub_devices<partition_property::partition_by_counts>(std::vector<std::size_t>{1});
    say("count", parts.size());
  });
  step("sub-devices of memory", [&] {
    device.create_sub_devices<partition_property::partition_by_affinity_domain>(sycl::info::partition_affinity_domain::numa);
  });
  step("too many compute units", [&] { device.create_sub_devices<partition_property::partition_equally>(1 << 20); });
}

int main() {
  step("all", [] {
    sycl::queue queue;
    auto bundle = compile(queue, text);
    sycl::kernel add = bundle.ext_oneapi_get_kernel("add"), multiply = bundle.ext_oneapi_get_kernel("multiply");
    orders(queue, add, multiply);
    host_tasks(queue, add);
    memory(queue, add);
    profiling(queue, add);
    sub_devices(queue.get_device());
    step("priorities", [&] {
      namespace property = sycl::ext::oneapi::property::queue;
      for (const sycl::property_list &properties : {sycl::property_list{property::priority_high()}, {property::priority_low()}})
        sycl::queue(queue.get_context(), queue.get_device(), properties).ext_oneapi_submit_barrier().wait();
    });
  });
  tell_adapters();
}
