// SYCL C++ that is compiled while the program runs, by the compiler in libsycl of 2025.3 and newer: the example of docs/guide/compile.md.
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include <sycl/sycl.hpp>

namespace syclex = sycl::ext::oneapi::experimental;

static const char source[] = R"(
#include <sycl/sycl.hpp>
namespace syclex = sycl::ext::oneapi::experimental;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>))
void scale(float *values, float factor) {
  values[sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_linear_id()] *= factor;
}
)";

int main() {
  sycl::queue queue;
  std::vector<std::string> options;
#if __LIBSYCL_MAJOR_VERSION < 9
  options.push_back("-fno-sycl-device-lib=all"); // the packages of 2025.3 lack libraries of device code
#endif
  auto bundle = syclex::create_kernel_bundle_from_source(queue.get_context(), syclex::source_language::sycl, source);
  auto built = syclex::build(bundle, syclex::properties{syclex::build_options{options}});
  sycl::kernel scale = built.ext_oneapi_get_kernel("scale");

  float *values = sycl::malloc_shared<float>(16, queue);
  std::fill(values, values + 16, 2.0f);
  queue.submit([&](sycl::handler &handler) {
    handler.set_args(values, 3.0f);
    handler.parallel_for(sycl::nd_range<1>(16, 16), scale);
  });
  queue.wait_and_throw();
  std::cout << values[0] << "\n";
  sycl::free(values, queue);
  return 0;
}
