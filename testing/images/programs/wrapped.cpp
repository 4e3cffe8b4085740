// Images that `pi image wrap` put into an object, run by a C++ program on libpi_runtime.so.
//
// usage: wrapped PLUGIN [LIBRARY KERNEL]: with a library, its kernel is there while it is loaded, and only then.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "pi_runtime.h"

static void check(const char *what, int32_t code) {
  if (code == PI_RUNTIME_OK) return;
  std::fprintf(stderr, "%s: %d: %s\n", what, code, pi_runtime_error());
  std::exit(1);
}

template <class T>
static T once(pi_runtime *session, const char *kernel, T value) {
  void *memory = nullptr;
  check("pi_runtime_alloc", pi_runtime_alloc(session, sizeof(T), &memory));
  *static_cast<T *>(memory) = value;
  pi_runtime_arg argument{PI_RUNTIME_ARG_ADDRESS, 0, memory};
  size_t one = 1;
  check(kernel, pi_runtime_launch(session, kernel, 1, &one, nullptr, &argument, 1));
  T result = *static_cast<T *>(memory);
  check("pi_runtime_free", pi_runtime_free(session, memory));
  return result;
}

int main(int argc, char **argv) {
  if (argc != 2 && argc != 4) return 2;
  pi_runtime *session = nullptr;
  check("pi_runtime_open", pi_runtime_open(argv[1], 0, &session));
  if (argc == 2) {
    std::printf("KScale %g\n", once(session, "_ZTS6KScale", 2.5f));
    std::printf("KAddOne %d\n", once(session, "_ZTS7KAddOne", 41));
    std::printf("KDouble %g\n", once(session, "_ZTS7KDouble", 3.0));
  } else {
    void *library = dlopen(argv[2], RTLD_NOW);
    if (!library) {
      std::fprintf(stderr, "%s\n", dlerror());
      return 1;
    }
    std::printf("loaded %d\n", once(session, argv[3], 4));
    dlclose(library);
    size_t one = 1;
    int32_t code = pi_runtime_launch(session, argv[3], 1, &one, nullptr, nullptr, 0);
    std::printf("unloaded %s\n", code == PI_RUNTIME_NOT_FOUND ? "not found" : pi_runtime_error());
  }
  pi_runtime_close(session);
  return 0;
}
