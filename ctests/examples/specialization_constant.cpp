// specialization_constant IMAGES [PLUGIN]: the same kernel with the default value and with another one.
#include "support.hpp"

int main(int count, char **args) {
  return run_example(count, args, [](const std::string &images, const char *plugin) {
    // The symbolic id of `specialization_id<int> Factor{3}`.
    constexpr const char *factor = "uid0123456789abcdef____ZL6Factor";
    Session session(plugin);
    register_image(images, "spec_one");

    auto *output = session.alloc<int32_t>(1);
    session.launch("_ZTS7SpecOne", 1, {address(output)});
    const int32_t with_default = *output;
    const int32_t seven = 7;
    check(pi_runtime_set_constant(session.get(), factor, &seven, sizeof seven));
    session.launch("_ZTS7SpecOne", 1, {address(output)});

    std::cout << session.device_name() << ": 100 * 3 = " << with_default << ", 100 * 7 = " << *output << '\n';
    return with_default == 300 && *output == 700;
  });
}
