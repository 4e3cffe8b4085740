/* add_two_vectors IMAGES [PLUGIN]: one kernel on the first device. */
#include "support.h"

enum { LENGTH = 1024 };

int main(int count, char **args) {
  if (count < 2) return 2;
  pi_runtime *session;
  check(pi_runtime_open(count > 2 ? args[2] : NULL, 0, &session), "open");
  register_image(args[1], "vadd_free");

  /* Memory of a session is shared: the host and the device can reach it. */
  void *a, *b, *sum;
  check(pi_runtime_alloc(session, LENGTH * sizeof(float), &a), "alloc");
  check(pi_runtime_alloc(session, LENGTH * sizeof(float), &b), "alloc");
  check(pi_runtime_alloc(session, LENGTH * sizeof(float), &sum), "alloc");
  for (int i = 0; i < LENGTH; i++) {
    ((float *)a)[i] = 1.5f;
    ((float *)b)[i] = 2.25f;
  }

  pi_runtime_arg arguments[] = {
      {PI_RUNTIME_ARG_ADDRESS, 0, a}, {PI_RUNTIME_ARG_ADDRESS, 0, b}, {PI_RUNTIME_ARG_ADDRESS, 0, sum}};
  size_t global = LENGTH, local = 64;
  check(pi_runtime_launch(session, "__sycl_kernel_vadd", 1, &global, &local, arguments, 3), "launch");

  for (int i = 0; i < LENGTH; i++) {
    if (((float *)sum)[i] != 3.75f) return 1;
  }
  printf("%s: 1.5 + 2.25 = %g\n", pi_runtime_device_name(session), ((float *)sum)[0]);
  pi_runtime_close(session);
  return 0;
}
