/* device_global IMAGES [PLUGIN]: the host copies a value to a device global, a kernel adds to it, the host copies it back. */
#include "support.h"

/* The host's side of `device_global<int> Counter`; only its address matters. */
static const int counter = 0;

int main(int count, char **args) {
  if (count < 2) return 2;
  pi_runtime *session;
  check(pi_runtime_open(count > 2 ? args[2] : NULL, 0, &session), "open");
  register_image(args[1], "dg_basic");
  pi_runtime_add_device_global(&counter, "_Z7Counter");

  int32_t value = 37, five = 5;
  check(pi_runtime_memcpy_to_device_global(session, &counter, 0, &value, sizeof value), "to the device global");
  size_t one = 1;
  pi_runtime_arg argument = {PI_RUNTIME_ARG_VALUE, sizeof five, &five};
  check(pi_runtime_launch(session, "_ZTS5DgAdd", 1, &one, NULL, &argument, 1), "launch");
  check(pi_runtime_memcpy_from_device_global(session, &counter, 0, &value, sizeof value), "from the device global");

  printf("%s: 37 + 5 = %d\n", pi_runtime_device_name(session), (int)value);
  pi_runtime_close(session);
  return value == 42 ? 0 : 1;
}
