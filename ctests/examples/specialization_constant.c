/* specialization_constant IMAGES [PLUGIN]: the same kernel with the default value and with another one. */
#include "support.h"

/* The symbolic id of `specialization_id<int> Factor{3}`. */
#define FACTOR "uid0123456789abcdef____ZL6Factor"

int main(int count, char **args) {
  if (count < 2) return 2;
  pi_runtime *session;
  check(pi_runtime_open(count > 2 ? args[2] : NULL, 0, &session), "open");
  register_image(args[1], "spec_one");

  void *output;
  check(pi_runtime_alloc(session, sizeof(int32_t), &output), "alloc");
  pi_runtime_arg argument = {PI_RUNTIME_ARG_ADDRESS, 0, output};
  size_t one = 1;
  check(pi_runtime_launch(session, "_ZTS7SpecOne", 1, &one, NULL, &argument, 1), "launch");
  int32_t with_default = *(int32_t *)output;

  int32_t seven = 7;
  check(pi_runtime_set_constant(session, FACTOR, &seven, sizeof seven), "set the constant");
  check(pi_runtime_launch(session, "_ZTS7SpecOne", 1, &one, NULL, &argument, 1), "launch");
  int32_t with_seven = *(int32_t *)output;

  printf("%s: 100 * 3 = %d, 100 * 7 = %d\n", pi_runtime_device_name(session), (int)with_default, (int)with_seven);
  pi_runtime_close(session);
  return with_default == 300 && with_seven == 700 ? 0 : 1;
}
