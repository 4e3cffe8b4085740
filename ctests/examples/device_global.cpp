// device_global IMAGES [PLUGIN]: the host copies a value to a device global, a kernel adds to it, the host copies it back.
#include "support.hpp"

// The host's side of `device_global<int> Counter`; only its address matters.
static const int counter = 0;

int main(int count, char **args) {
  return run_example(count, args, [](const std::string &images, const char *plugin) {
    Session session(plugin);
    register_image(images, "dg_basic");
    pi_runtime_add_device_global(&counter, "_Z7Counter");

    int32_t number = 37;
    const int32_t five = 5;
    check(pi_runtime_memcpy_to_device_global(session.get(), &counter, 0, &number, sizeof number));
    session.launch("_ZTS5DgAdd", 1, {value(five)});
    check(pi_runtime_memcpy_from_device_global(session.get(), &counter, 0, &number, sizeof number));

    std::cout << session.device_name() << ": 37 + 5 = " << number << '\n';
    return number == 42;
  });
}
