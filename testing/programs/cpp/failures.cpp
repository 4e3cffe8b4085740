// What C++ programs see when something goes wrong: builds that fail, kernels that cannot be launched, handlers that are called.
// Prints codes and messages: users search for them.
#include <sycl/sycl.hpp>

#include <algorithm>
#include <vector>

#include "report.hpp"
#include "source_kernels.hpp"

static const char *text = R"""(
#include <sycl/sycl.hpp>
namespace syclex = sycl::ext::oneapi::experimental;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>))
void one(int *data) { data[0] += 1; }

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>))
[[sycl::reqd_work_group_size(8)]] void eight(int *data) { data[0] += 8; }
)""";

static const char *no_code = "int main( {";

static const char *no_function = R"""(
#include <sycl/sycl.hpp>
namespace syclex = sycl::ext::oneapi::experimental;
SYCL_EXTERNAL int is_nowhere(int);
extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>))
void one(int *data) { data[0] = is_nowhere(1); }
)""";

// The lines of a log that have the word, without addresses and numbers of temporary files.
static void say_lines(const std::string &log, const std::string &word) {
  std::size_t begin = 0, lines = 0;
  while (begin < log.size()) {
    const std::size_t end = std::min(log.find('\n', begin), log.size());
    lines += log.substr(begin, end - begin).find(word) != std::string::npos;
    begin = end + 1;
  }
  say(("lines with \"" + word + "\"").c_str(), lines);
}

static void builds(sycl::queue &queue) {
  for (const char *wrong : {no_code, no_function}) {
    step(wrong == no_code ? "a text that is no C++" : "a function that is nowhere", [&] {
      std::string log, what;
      try {
        compile(queue, wrong, &log);
      } catch (const sycl::exception &error) {
        what = error.what();
        say("it is a build error", error.code() == sycl::errc::build);
      }
      say_lines(log, "error");
      say_lines(what, "error");
      say_lines(what, "is_nowhere");
      say_lines(what, "Build program log for");
    });
  }
  step("SPIR-V that is none", [&] {
    std::vector<std::byte> bytes(64);
    auto source = syclex::create_kernel_bundle_from_source(queue.get_context(), syclex::source_language::spirv, bytes);
    syclex::build(source);
  });
  step("a kernel that is not there", [&] { compile(queue, text).ext_oneapi_get_kernel("two"); });
  step("a device global that is not there", [&] { compile(queue, text).ext_oneapi_get_device_global_size("two"); });
}

static void launches(sycl::queue &queue) {
  auto bundle = compile(queue, text);
  sycl::kernel one = bundle.ext_oneapi_get_kernel("one"), eight = bundle.ext_oneapi_get_kernel("eight");
  int *data = sycl::malloc_shared<int>(1, queue);
  auto launch = [&](const char *name, const sycl::kernel &kernel, std::size_t global, std::size_t local) {
    step(name, [&] {
      *data = 0;
      queue.submit([&](sycl::handler &h) {
             h.set_args(data);
             h.parallel_for(sycl::nd_range<1>(global, local), kernel);
           })
          .wait_and_throw();
      say("value", *data > 0);
    });
  };
  launch("a group that is not a divisor", one, 10, 4);
  launch("a group that is too large", one, 1 << 20, 1 << 20);
  launch("a group of none", one, 16, 0);
  launch("no work-items", one, 0, 16);
  launch("the required group", eight, 8, 8);
  launch("another than the required group", eight, 16, 16);
  step("an argument that is missing", [&] {
    queue.submit([&](sycl::handler &h) { h.parallel_for(sycl::nd_range<1>(1, 1), eight); }).wait_and_throw();
  });
  sycl::free(data, queue);
}

static void kernel_queries(sycl::queue &queue) {
  namespace wanted = sycl::info::kernel_device_specific;
  auto bundle = compile(queue, text);
  sycl::kernel eight = bundle.ext_oneapi_get_kernel("eight");
  const sycl::device device = queue.get_device();
  step("queries of a kernel", [&] {
    say("name", eight.get_info<sycl::info::kernel::function_name>());
    say("arguments", eight.get_info<sycl::info::kernel::num_args>());
    say("attributes", eight.get_info<sycl::info::kernel::attributes>());
    say("largest group", eight.get_info<wanted::work_group_size>(device));
    say("required group", eight.get_info<wanted::compile_work_group_size>(device)[0]);
    say("multiple", eight.get_info<wanted::preferred_work_group_size_multiple>(device));
    say("private memory", eight.get_info<wanted::private_mem_size>(device));
    say("largest sub-group", eight.get_info<wanted::max_sub_group_size>(device));
    say("sub-groups", eight.get_info<wanted::max_num_sub_groups>(device));
    say("required sub-group", eight.get_info<wanted::compile_sub_group_size>(device));
  });
  step("a query for special kernels only", [&] { eight.get_info<wanted::global_work_size>(device); });
}

static void handlers() {
  step("what a host task throws reaches the handler", [] {
    int caught = 0;
    sycl::queue queue([&](sycl::exception_list list) { caught += static_cast<int>(list.size()); });
    queue.submit([](sycl::handler &h) { h.host_task([] { throw std::runtime_error("of the task"); }); });
    queue.wait_and_throw();
    say("caught", caught);
  });
  step("memory of another context", [] {
    sycl::queue first, second(sycl::context(first.get_device()), first.get_device());
    int *data = sycl::malloc_device<int>(16, first);
    sycl::free(data, second);
    sycl::free(data, first);
  });
  step("a device that is not in the context", [] {
    sycl::device device;
    auto parts = device.create_sub_devices<sycl::info::partition_property::partition_equally>(1);
    sycl::queue(sycl::context(parts.front()), parts.back());
  });
}

int main() {
  step("all", [] {
    sycl::queue queue;
    builds(queue);
    launches(queue);
    kernel_queries(queue);
    handlers();
  });
  tell_adapters();
}
