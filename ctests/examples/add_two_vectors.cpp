// add_two_vectors IMAGES [PLUGIN]: one kernel on the first device.
#include "support.hpp"

#include <algorithm>

int main(int count, char **args) {
  return run_example(count, args, [](const std::string &images, const char *plugin) {
    constexpr size_t length = 1024;
    Session session(plugin);
    register_image(images, "vadd_free");

    float *a = session.alloc<float>(length);
    float *b = session.alloc<float>(length);
    float *sum = session.alloc<float>(length);
    std::fill_n(a, length, 1.5f);
    std::fill_n(b, length, 2.25f);
    session.launch("__sycl_kernel_vadd", length, {address(a), address(b), address(sum)});

    std::cout << session.device_name() << ": 1.5 + 2.25 = " << sum[0] << '\n';
    return std::all_of(sum, sum + length, [](float value) { return value == 3.75f; });
  });
}
