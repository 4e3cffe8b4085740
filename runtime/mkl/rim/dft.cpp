// libmkl_sycl_dft: transforms.
//
// A descriptor stays the vendor's object: its own functions make, set and read it, and this file stands in for the three that need a device.
// What a descriptor that was committed to a queue of ours needs is kept beside it.
#include "native.hpp"
#include <algorithm>
#include <mutex>
#include <unordered_map>

namespace oneapi::mkl::dft {
enum class precision : int { single = 35, double_ = 36 };
enum class domain : int { real = 33, complex = 32 };
// The numbers that the compilers of dpnp's modules have written into their calls.
enum class config_param : int;
enum class config_value : int;

template <precision P, domain D> class descriptor {
  public:
    ~descriptor();
    void commit(sycl::queue &queue);
    // The vendor's, which are called through these names.
    void get_value(config_param, config_value *) const;
    void get_value(config_param, std::int64_t *) const;
    void get_value(config_param, std::vector<std::int64_t> *) const;
};
} // namespace oneapi::mkl::dft

