/* list_devices [PLUGIN]: the devices of a plugin, or those that SYCL programs find here. */
#include "support.h"

int main(int count, char **args) {
  const char *plugin = count > 1 ? args[1] : NULL;
  for (uint32_t number = 0;; number++) {
    pi_runtime *session;
    int32_t code = pi_runtime_open(plugin, number, &session);
    /* After the last device. */
    if (code == PI_RUNTIME_NO_DEVICE && number > 0) return 0;
    check(code, "open");
    printf("%u: %s\n", number, pi_runtime_device_name(session));
    pi_runtime_close(session);
  }
}
