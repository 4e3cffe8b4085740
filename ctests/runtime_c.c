/* runtime_c PLUGIN IMAGES: a device global, a specialization constant and launches by name, from C. */
#include <pi/pi_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(int32_t code, const char *what) {
  if (code != PI_RUNTIME_OK) {
    fprintf(stderr, "%s: %s\n", what, pi_runtime_error());
    exit(1);
  }
}

/* A file with a zero byte behind it. */
static char *content(const char *folder, const char *file, size_t *size) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, file);
  FILE *stream = fopen(path, "rb");
  if (!stream) {
    perror(path);
    exit(1);
  }
  fseek(stream, 0, SEEK_END);
  *size = (size_t)ftell(stream);
  rewind(stream);
  char *text = calloc(*size + 1, 1);
  if (!text || fread(text, 1, *size, stream) != *size) exit(1);
  fclose(stream);
  return text;
}

static void add(const char *folder, const char *image) {
  char file[256];
  size_t code_size, size;
  snprintf(file, sizeof file, "%s.spv", image);
  char *code = content(folder, file, &code_size);
  snprintf(file, sizeof file, "%s.props.json", image);
  char *properties = content(folder, file, &size);
  check(pi_runtime_register_spirv(image, code, code_size, properties), image);
  free(code);
  free(properties);
}

int main(int count, char **args) {
  if (count != 3) return 2;
  pi_runtime *session;
  int32_t opened = pi_runtime_open(args[1], 0, &session);
  if (opened == PI_RUNTIME_NO_DEVICE) {
    printf("skipped: %s\n", pi_runtime_error());
    return 77;
  }
  check(opened, "open");
  if (pi_runtime_register_file(NULL) != PI_RUNTIME_INVALID) return 1;
  if (pi_runtime_register_file("libc.so.6") != PI_RUNTIME_IMAGE || !strstr(pi_runtime_error(), "no device image")) return 1;
  add(args[2], "dg_basic");
  add(args[2], "spec_one");

  int32_t number = 37, five = 5;
  size_t one = 1;
  check(pi_runtime_copy_to_global(session, "_Z7Counter", 0, &number, sizeof number), "to the global");
  pi_runtime_arg value = {PI_RUNTIME_ARG_VALUE, sizeof five, &five};
  check(pi_runtime_launch(session, "_ZTS5DgAdd", 1, &one, NULL, &value, 1), "DgAdd");
  check(pi_runtime_copy_from_global(session, "_Z7Counter", 0, &number, sizeof number), "from the global");
  if (number != 42) return 1;
  static const int counter = 0;
  if (pi_runtime_memcpy_to_device_global(session, &counter, 0, &five, sizeof five) != PI_RUNTIME_NOT_FOUND) return 1;
  pi_runtime_add_device_global(&counter, "_Z7Counter");
  check(pi_runtime_memcpy_from_device_global(session, &counter, 0, &number, sizeof number), "from the host's address");
  if (number != 42) return 1;
  check(pi_runtime_memcpy_to_device_global(session, &counter, 0, &five, sizeof five), "to the host's address");
  check(pi_runtime_copy_from_global(session, "_Z7Counter", 0, &number, sizeof number), "from the global");
  if (number != 5) return 1;
  if (pi_runtime_memcpy_to_device_global(session, &counter, 1, &five, sizeof five) != PI_RUNTIME_INVALID) return 1;
  /* Sizes that nothing has, and a name that nothing has. */
  static const size_t sizes[] = {SIZE_MAX, (size_t)1 << 62, (size_t)1 << 47};
  for (size_t at = 0; at < sizeof sizes / sizeof *sizes; ++at)
    for (int known = 0; known < 2; ++known) {
      const char *variable = known ? "_Z7Counter" : "_Z7Countre";
      int32_t refused = pi_runtime_copy_from_global(session, variable, 0, &number, sizes[at]);
      if (refused != (known ? PI_RUNTIME_INVALID : PI_RUNTIME_NOT_FOUND)) return 1;
      if (!known && !strstr(pi_runtime_error(), "is it _Z7Counter?")) return 1;
    }
  if (pi_runtime_copy_to_global(session, "_Z7Counter", 0, &number, SIZE_MAX) != PI_RUNTIME_INVALID) return 1;
  if (pi_runtime_prepare_all(session, (const char *const *)&number, SIZE_MAX / 8) != PI_RUNTIME_INVALID) return 1;
  if (pi_runtime_device_name(session)[0] == 0) return 1;

  /* With size and scope: bounds are known although no image has the variable. A contradiction is refused. */
  static const int pair[2] = {0, 0};
  check(pi_runtime_register_device_global(pair, "_Z4Pair", sizeof pair, 0), "register");
  check(pi_runtime_memcpy_to_device_global(session, pair, 4, &five, sizeof five), "to the registered");
  check(pi_runtime_memcpy_from_device_global(session, pair, 4, &number, sizeof number), "from the registered");
  if (number != 5) return 1;
  if (pi_runtime_memcpy_to_device_global(session, pair, 8, &five, sizeof five) != PI_RUNTIME_INVALID) return 1;
  if (pi_runtime_register_device_global(pair, "_Z4Pair", sizeof pair, 1) != PI_RUNTIME_INVALID) return 1;

  void *memory;
  int32_t factor = 7;
  check(pi_runtime_alloc(session, sizeof(int32_t), &memory), "alloc");
  check(pi_runtime_set_constant(session, "uid0123456789abcdef____ZL6Factor", &factor, sizeof factor), "constant");
  pi_runtime_arg address = {PI_RUNTIME_ARG_ADDRESS, 0, memory};
  check(pi_runtime_launch(session, "_ZTS7SpecOne", 1, &one, NULL, &address, 1), "SpecOne");
  if (*(int32_t *)memory != 700) return 1;
  check(pi_runtime_free(session, memory), "free");

  /* Other kernels have no such constant. */
  check(pi_runtime_set_constant(session, NULL, NULL, 0), "no constant");
  uint64_t loaded = 0, built = 0, more = 0;
  check(pi_runtime_cache_counts(session, &loaded, &built), "counts");
  check(pi_runtime_prepare(session, "_ZTS5DgGet"), "prepare");
  check(pi_runtime_cache_counts(session, NULL, &more), "counts");
  if (more != built) return 1; /* DgAdd's program has it. */
  const char *several[] = {"_ZTS5DgGet", "_ZTS7SpecOne", "_ZTS5DgAdd"};
  check(pi_runtime_prepare_all(session, several, 3), "prepare_all");
  check(pi_runtime_prepare_all(session, NULL, 0), "prepare_all of none");
  if (pi_runtime_prepare_all(session, NULL, 1) == PI_RUNTIME_OK) return 1;

  if (pi_runtime_launch(session, "_ZTS7SpecTwo", 1, &one, NULL, NULL, 0) != PI_RUNTIME_NOT_FOUND) return 1;
  if (!strstr(pi_runtime_error(), "is it _ZTS7SpecOne")) return 1;
  /* Other options make another program. */
  check(pi_runtime_cache_counts(session, &loaded, &built), "counts");
  check(pi_runtime_set_build_options(session, "-cl-mad-enable", NULL), "build options");
  check(pi_runtime_prepare(session, "_ZTS5DgGet"), "prepare with options");
  uint64_t loaded_more = 0;
  check(pi_runtime_cache_counts(session, &loaded_more, &more), "counts");
  if (loaded_more + more != loaded + built + 1) return 1;
  check(pi_runtime_set_build_options(session, NULL, NULL), "no build options");

  /* From source. */
  const char *source = "kernel void twice(global int *out) { *out = TWO * 21; }";
  check(pi_runtime_register_source("twice.cl", source, "-DTWO=2 -cl-std=CL1.2"), "source");
  check(pi_runtime_alloc(session, sizeof(int32_t), &memory), "alloc");
  address.data = memory;
  check(pi_runtime_launch(session, "twice", 1, &one, NULL, &address, 1), "twice");
  if (*(int32_t *)memory != 42) return 1;
  if (pi_runtime_register_source("wrong.cl", source, NULL) != PI_RUNTIME_BUILD) return 1;
  if (!strstr(pi_runtime_error(), "wrong.cl:1:") || !strstr(pi_runtime_error(), "'TWO'")) return 1;
  if (pi_runtime_register_source("null.cl", NULL, NULL) != PI_RUNTIME_INVALID) return 1;
  pi_runtime_close(session);
  printf("42 and 700\n");
  return 0;
}
