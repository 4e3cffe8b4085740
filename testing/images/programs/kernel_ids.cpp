// The names of all kernels that a stock libsycl knows. Its headers are not in the packages with the library: what is needed
// of the interface is declared here. SYCL names the namespace: sycl::_V1, or cl::sycl in releases of 2022.
#include <cstdio>
#include <memory>
#include <vector>

#ifdef OLD_NAMESPACE
#define SYCL cl::sycl
namespace cl {
namespace sycl {
#else
#define SYCL sycl
namespace sycl {
inline namespace _V1 {
#endif

namespace detail {
class kernel_id_impl;
}

class kernel_id {
 public:
  const char *get_name() const noexcept;

 private:
  std::shared_ptr<detail::kernel_id_impl> impl;
};

std::vector<kernel_id> get_kernel_ids();

}  // namespace
}  // namespace

int main() {
  for (const SYCL::kernel_id &kernel : SYCL::get_kernel_ids()) std::printf("%s\n", kernel.get_name());
  return 0;
}
