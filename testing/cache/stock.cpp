// Gets kernels of registered images ready with the stock libsycl, by `sycl::get_kernel_bundle<bundle_state::executable>`:
// from memory, from its persistent cache, or by a build.
//
// Usage: stock IMAGES.so KERNEL... . All kernels are asked for at once, or with ONE_BY_ONE in the environment one after the
// other. Prints one JSON line: seconds to open the device, to get all kernels, to get them once more.
//
// A wheel of libsycl has no headers: the few things that are needed are declared here, as its symbols' names say. Its
// objects are a shared_ptr each. The device and its context come from the C API of dpctl's wheel.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "clock.h"

namespace sycl {
inline namespace _V1 {

enum class bundle_state : char { input, object, executable };

struct device {
  std::shared_ptr<void> impl;
};
struct context {
  std::shared_ptr<void> impl;
};
struct kernel_id {
  std::shared_ptr<void> impl;
};
struct kernel {
  std::shared_ptr<void> impl;
};

namespace detail {

class kernel_bundle_impl;

kernel_id get_kernel_id_impl(std::string name);
std::shared_ptr<kernel_bundle_impl> get_kernel_bundle_impl(const context &, const std::vector<device> &,
                                                           const std::vector<kernel_id> &, bundle_state);

class kernel_bundle_plain {
public:
  explicit kernel_bundle_plain(std::shared_ptr<kernel_bundle_impl> bundle) : impl(std::move(bundle)) {}
  kernel get_kernel(const kernel_id &) const;

private:
  std::shared_ptr<kernel_bundle_impl> impl;
};

} // namespace detail
} // namespace _V1
} // namespace sycl

extern "C" {
void *DPCTLDefaultSelector_Create();
sycl::device *DPCTLDevice_CreateFromSelector(void *selector);
sycl::context *DPCTLContext_Create(sycl::device *device, void *handler, int properties);
}

static void make_ready(const sycl::context &context, const sycl::device &device, int count, char **names) {
  std::vector<sycl::kernel_id> ids;
  for (int k = 0; k < count; ++k)
    ids.push_back(sycl::detail::get_kernel_id_impl(names[k]));
  const sycl::detail::kernel_bundle_plain bundle(
      sycl::detail::get_kernel_bundle_impl(context, {device}, ids, sycl::bundle_state::executable));
  for (const auto &id : ids)
    bundle.get_kernel(id);
}

int main(int count, char **words) {
  if (count < 2)
    return 2;
  const double start = now();
  sycl::device *device = DPCTLDevice_CreateFromSelector(DPCTLDefaultSelector_Create());
  sycl::context *context = device ? DPCTLContext_Create(device, nullptr, 0) : nullptr;
  if (!context) {
    std::fprintf(stderr, "no device, or no context\n");
    return 1;
  }
  const double opened = now();
  // Its constructor registers the images.
  if (!dlopen(words[1], RTLD_NOW)) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  double ready[3] = {now()}, work[3] = {computed()};
  for (int round = 1; round < 3; ++round) {
    if (!std::getenv("ONE_BY_ONE"))
      make_ready(*context, *device, count - 2, words + 2);
    else
      for (int k = 2; k < count; ++k)
        make_ready(*context, *device, 1, words + k);
    ready[round] = now();
    work[round] = computed();
  }
  std::printf("{\"open\": %.9f, \"first\": %.9f, \"again\": %.9f, \"first_cpu\": %.9f, \"again_cpu\": %.9f, \"kernels\": %d}\n", opened - start,
              ready[1] - ready[0], ready[2] - ready[1], work[1] - work[0], work[2] - work[1], count - 2);
  return 0;
}
