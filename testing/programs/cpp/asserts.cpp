// Asserts in a kernel from SYCL source. Those that hold change nothing. On NVIDIA's GPUs, one that fails is an error of
// the wait. Other drivers end the process then, which is not tried here.
#include <iostream>

#include <sycl/sycl.hpp>

#include "report.hpp"
#include "source_kernels.hpp"

static const char source[] = R"(
#include <cassert>
#include <sycl/sycl.hpp>
namespace syclex = sycl::ext::oneapi::experimental;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>))
void add(unsigned *values, unsigned limit) {
  unsigned i = sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_linear_id();
  assert(i < limit);
  values[i] += i;
}
)";

int main() {
  sycl::queue queue;
  auto bundle = syclex::create_kernel_bundle_from_source(queue.get_context(), syclex::source_language::sycl, std::string(source));
  sycl::kernel add = syclex::build(bundle).ext_oneapi_get_kernel("add");
  unsigned *values = sycl::malloc_shared<unsigned>(64, queue);
  std::fill(values, values + 64, 5u);
  auto launch = [&](unsigned limit) {
    queue.submit([&](sycl::handler &handler) {
      handler.set_args(values, limit);
      handler.parallel_for(sycl::nd_range<1>(64, 32), add);
    });
    queue.wait_and_throw();
  };
  launch(64);
  std::cout << "the last of 64: " << values[63] << "\n";
  bool fails = true;
  const std::string vendor = queue.get_device().get_info<sycl::info::device::vendor>();
  if (vendor.find("NVIDIA") != std::string::npos) {
    try {
      launch(63);
      fails = false;
    } catch (const sycl::exception &) {
    }
  }
  std::cout << "an assert that fails is an error: " << fails << "\n";
  tell_adapters("libur_adapter_");
  std::cout.flush();
  // The context is lost, so that objects are not released.
  std::_Exit(0);
}
