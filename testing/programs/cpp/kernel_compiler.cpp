// Compiles kernels from source text at run time, and runs them: with a device global, a reduction and a specialization constant.
//
// Prints a line for each result. libsycl's kernel compiler does not lower `kernel_handler::get_specialization_constant`. So the text
// asks for the constant as the SPIR-V that DPC++ would make of it. The compiled code is then registered with the names that DPC++
// would have written: from there on it is an ordinary bundle, whose constant is set as SYCL says.
#include <sycl/sycl.hpp>

#include <numeric>
#include <vector>

#include "device_image.hpp"
#include "report.hpp"
#include "source_kernels.hpp"

static const char *text_with_global = R"""(
#include <sycl/sycl.hpp>
namespace syclex = sycl::ext::oneapi::experimental;

syclex::device_global<int> offset;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>))
void scale(const int *in, int *out) {
  size_t i = sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_linear_id();
  out[i] = in[i] * 2 + offset;
}

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>))
void sum(const int *in, int *out) {
  auto it = sycl::ext::oneapi::this_work_item::get_nd_item<1>();
  int part = sycl::reduce_over_group(it.get_group(), in[it.get_global_linear_id()], sycl::plus<>());
  if (it.get_local_linear_id() == 0) {
    sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device> total(*out);
    total += part;
  }
}
)""";

static const char *text_with_constant = R"""(
#include <sycl/sycl.hpp>
namespace syclex = sycl::ext::oneapi::experimental;

SYCL_EXTERNAL int __spirv_SpecConstant(int number, int standard);

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>))
void multiply(const int *in, int *out) {
  size_t i = sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_linear_id();
  out[i] = in[i] * __spirv_SpecConstant(0, 3);
}
)""";

constexpr sycl::specialization_id<int> factor{3};

// DPC++ writes this for each specialization constant.
template <> const char *sycl::detail::get_spec_constant_symbolic_ID<factor>() { return "factor"; }

constexpr int count = 1024, group = 64;

static void run(sycl::queue &queue, const sycl::kernel &kernel, const int *in, int *out) {
  queue.submit([&](sycl::handler &h) {
    h.set_args(in, out);
    h.parallel_for(sycl::nd_range<1>(count, group), kernel);
  });
  queue.wait_and_throw();
}

// A device global that the host sets, and a sum over groups.
static void global_and_reduction(sycl::queue &queue, const int *in, int *out) {
  auto bundle = compile(queue, text_with_global);
  sycl::kernel scale = bundle.ext_oneapi_get_kernel("scale"), sum = bundle.ext_oneapi_get_kernel("sum");
  const std::size_t size = bundle.ext_oneapi_get_device_global_size("offset");
  void *address = bundle.ext_oneapi_get_device_global_address("offset", queue.get_device());
  for (int value : {7, -5}) {
    queue.memcpy(address, &value, size).wait();
    run(queue, scale, in, out);
    out[count] = 0;
    run(queue, sum, out, out + count);
    const int expected = 2 * std::accumulate(in, in + count, 0) + count * value;
    say("sum, expected", out[count], expected);
  }
}

static void constant(sycl::queue &queue, const int *in, int *out) {
  auto bundle = compile(queue, text_with_constant);
  run(queue, bundle.ext_oneapi_get_kernel("multiply"), in, out);
  say("value of the text, expected", out[1], 3);
  RegisteredImage image(bundle.begin()->ext_oneapi_get_backend_content(), "__sycl_kernel_multiply", "factor", 3);
  std::vector<sycl::kernel_id> ids;
  for (const sycl::kernel_id &id : sycl::get_kernel_ids())
    if (std::strcmp(id.get_name(), "__sycl_kernel_multiply") == 0)
      ids.push_back(id);
  say("registered kernels", ids.size());
  for (int value : {0, 11, -4}) {
    auto input = sycl::get_kernel_bundle<sycl::bundle_state::input>(queue.get_context(), {queue.get_device()}, ids);
    if (value)
      input.set_specialization_constant<factor>(value);
    auto built = sycl::build(input);
    run(queue, built.get_kernel(ids.front()), in, out);
    say("native", built.native_specialization_constant());
    say("value of the bundle, of the kernel, expected", built.get_specialization_constant<factor>(), out[1], value ? value : 3);
  }
}

int main() {
  step("all", [] {
    sycl::queue queue;
    int *in = sycl::malloc_shared<int>(count, queue), *out = sycl::malloc_shared<int>(count + 1, queue);
    std::iota(in, in + count, 0);
    step("device global and reduction", [&] { global_and_reduction(queue, in, out); });
    step("specialization constant", [&] { constant(queue, in, out); });
    sycl::free(in, queue);
    sycl::free(out, queue);
  });
  tell_adapters();
}
