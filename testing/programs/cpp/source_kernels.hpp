// Kernels from source text, built by the compiler in libsycl's wheel.
#pragma once

#include <sycl/sycl.hpp>

#include <string>
#include <vector>

namespace syclex = sycl::ext::oneapi::experimental;

// Builds kernels for the queue's context. `log` gets what the compiler says.
inline sycl::kernel_bundle<sycl::bundle_state::executable> compile(const sycl::queue &queue, const char *text,
                                                                   std::string *log = nullptr) {
  std::string ignored;
  auto source = syclex::create_kernel_bundle_from_source(queue.get_context(), syclex::source_language::sycl, text);
  std::vector<std::string> options;
#if __LIBSYCL_MAJOR_VERSION < 9
  // These wheels have no libraries that the compiler could link device code with, and the kernels need none.
  options.push_back("-fno-sycl-device-lib=all");
#endif
  return syclex::build(source, syclex::properties{syclex::build_options{options}, syclex::save_log{log ? log : &ignored}});
}
