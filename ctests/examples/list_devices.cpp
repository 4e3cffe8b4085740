// list_devices [PLUGIN]: the devices of a plugin, or those that SYCL programs find here.
#include "support.hpp"

int main(int count, char **args) {
  const char *plugin = count > 1 ? args[1] : nullptr;
  for (uint32_t number = 0;; number++) {
    try {
      std::cout << number << ": " << Session(plugin, number).device_name() << '\n';
    } catch (const Failure &failure) {
      // After the last device.
      if (failure.code == PI_RUNTIME_NO_DEVICE && number > 0) return EXIT_SUCCESS;
      std::cerr << failure.what() << '\n';
      return failure.code == PI_RUNTIME_NO_DEVICE ? 77 : EXIT_FAILURE;
    }
  }
}
