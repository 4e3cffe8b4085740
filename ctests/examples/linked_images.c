/* linked_images IMAGES [PLUGIN]: a kernel calls a function of a second image, which calls a function of a third one. */
#include "support.h"

int main(int count, char **args) {
  if (count < 2) return 2;
  pi_runtime *session;
  check(pi_runtime_open(count > 2 ? args[2] : NULL, 0, &session), "open");
  register_image(args[1], "dl_a");
  register_image(args[1], "dl_b");
  register_image(args[1], "dl_c");

  void *memory;
  check(pi_runtime_alloc(session, sizeof(int32_t), &memory), "alloc");
  int32_t *value = memory;
  *value = 4;
  pi_runtime_arg argument = {PI_RUNTIME_ARG_ADDRESS, 0, memory};
  size_t one = 1;
  /* The runtime finds the images that export what the kernel imports, and links them. */
  check(pi_runtime_launch(session, "_ZTS3DlA", 1, &one, NULL, &argument, 1), "launch");

  int32_t result = *value;
  printf("%s: (4 + 3) * 10 + 1 = %d\n", pi_runtime_device_name(session), (int)result);
  pi_runtime_close(session);
  return result == 71 ? 0 : 1;
}
