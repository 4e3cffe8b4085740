// The program of the walk-through: device code is in the object that it is linked with, and is found by its kernels' names.
#include <cstdio>
#include <cstdlib>

#include "pi_runtime.h"

static pi_runtime *session;

static void check(int32_t code) {
  if (code == PI_RUNTIME_OK) return;
  std::fprintf(stderr, "%d: %s\n", code, pi_runtime_error());
  std::exit(1);
}

template <class T>
static T *allocate(size_t count) {
  void *memory = nullptr;
  check(pi_runtime_alloc(session, count * sizeof(T), &memory));
  return static_cast<T *>(memory);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s PLUGIN\n", argv[0]);
    return 2;
  }
  check(pi_runtime_open(argv[1], 0, &session));

  int count = 10;
  int *numbers = allocate<int>(count), *sum = allocate<int>(1);
  for (int i = 0; i < count; ++i) numbers[i] = i + 1;
  pi_runtime_arg of_sum[] = {{PI_RUNTIME_ARG_ADDRESS, 0, numbers},
                             {PI_RUNTIME_ARG_ADDRESS, 0, sum},
                             {PI_RUNTIME_ARG_VALUE, sizeof count, &count}};
  size_t one = 1;
  check(pi_runtime_launch(session, "sum_of_squares", 1, &one, nullptr, of_sum, 3));
  std::printf("sum of squares up to %d: %d\n", count, *sum);

  double *value = allocate<double>(1);
  *value = 21;
  pi_runtime_arg of_halve{PI_RUNTIME_ARG_ADDRESS, 0, value};
  check(pi_runtime_launch(session, "halve", 1, &one, nullptr, &of_halve, 1));
  std::printf("half of 21: %g\n", *value);

  // The image with this kernel was filtered out.
  int32_t code = pi_runtime_launch(session, "widen", 1, &one, nullptr, nullptr, 0);
  std::printf("widen: %s\n", code == PI_RUNTIME_NOT_FOUND ? "no image has it" : pi_runtime_error());
  pi_runtime_close(session);
  return 0;
}
