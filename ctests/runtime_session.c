/* runtime_session PLUGIN IMAGES: sizes, arguments, options and refusals of a session, from C. */
#define _POSIX_C_SOURCE 200112L
#include <pi/pi_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int failures = 0;

static void expect(int is_right, int line, const char *what) {
  if (is_right) return;
  fprintf(stderr, "line %d: %s; the last message is: %s\n", line, what, pi_runtime_error());
  ++failures;
}

#define EXPECT(condition) expect((condition), __LINE__, #condition)
/* The last message contains a text. */
#define SAYS(text) EXPECT(strstr(pi_runtime_error(), text) != NULL)

/* The numbers of programs that were loaded and built. */
static uint64_t programs(pi_runtime *session) {
  uint64_t loaded = 0, built = 0;
  EXPECT(pi_runtime_cache_counts(session, &loaded, &built) == PI_RUNTIME_OK);
  return loaded + built;
}

static void add(const char *folder, const char *image) {
  char *texts[2];
  size_t sizes[2];
  for (int at = 0; at < 2; ++at) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.%s", folder, image, at ? "props.json" : "spv");
    FILE *stream = fopen(path, "rb");
    if (!stream) exit(1);
    fseek(stream, 0, SEEK_END);
    sizes[at] = (size_t)ftell(stream);
    rewind(stream);
    texts[at] = calloc(sizes[at] + 1, 1);
    if (!texts[at] || fread(texts[at], 1, sizes[at], stream) != sizes[at]) exit(1);
    fclose(stream);
  }
  EXPECT(pi_runtime_register_spirv(image, texts[0], sizes[0], texts[1]) == PI_RUNTIME_OK);
  for (int at = 0; at < 2; ++at) free(texts[at]);
}

static void opening(const char *plugin) {
  pi_runtime *session = NULL;
  EXPECT(pi_runtime_open(plugin, 0, NULL) == PI_RUNTIME_INVALID);
  EXPECT(pi_runtime_open(plugin, 1000, &session) == PI_RUNTIME_NO_DEVICE && !session);
  SAYS("number 1000 was asked for");
  EXPECT(pi_runtime_open("/nowhere/libpi_nothing.so", 0, &session) != PI_RUNTIME_OK && !session);
  SAYS("/nowhere/libpi_nothing.so");
  EXPECT(pi_runtime_open("\xff", 0, &session) == PI_RUNTIME_INVALID && !session);
  SAYS("the plugin's path is not UTF-8");
  EXPECT(pi_runtime_device_name(NULL) == NULL);
  pi_runtime_close(NULL);
}

static void without_a_session(void) {
  void *memory = NULL;
  int number = 0;
  const size_t one = 1;
  const int32_t codes[] = {
      pi_runtime_set_constant(NULL, "name", &number, sizeof number),
      pi_runtime_set_build_options(NULL, NULL, NULL),
      pi_runtime_alloc(NULL, 4, &memory),
      pi_runtime_free(NULL, &number),
      pi_runtime_launch(NULL, "kernel", 1, &one, NULL, NULL, 0),
      pi_runtime_prepare(NULL, "kernel"),
      pi_runtime_prepare_all(NULL, NULL, 0),
      pi_runtime_cache_counts(NULL, NULL, NULL),
      pi_runtime_copy_to_global(NULL, "id", 0, &number, sizeof number),
      pi_runtime_copy_from_global(NULL, "id", 0, &number, sizeof number),
      pi_runtime_memcpy_to_device_global(NULL, &number, 0, &number, sizeof number),
      pi_runtime_memcpy_from_device_global(NULL, &number, 0, &number, sizeof number),
  };
  for (size_t at = 0; at < sizeof codes / sizeof *codes; ++at)
    if (codes[at] != PI_RUNTIME_INVALID) expect(0, (int)at, "a call without a session is not refused");
  SAYS("the session is null");
}

/* What each work-item finds: the sizes in its own order, which is the reverse of SYCL's. */
static const char *source =
    "kernel void sizes(global int *out, local int *room, int first) {\n"
    "  size_t at = get_global_id(1) * get_global_size(0) + get_global_id(0);\n"
    "  room[get_local_id(0)] = first;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  out[at] = room[get_local_size(0) - 1 - get_local_id(0)] + 1000 * TENS * (int)get_local_size(0)\n"
    "          + 100 * HUNDREDS * (int)get_local_size(1) + (int)at;\n"
    "}\n";

static void launches(pi_runtime *session) {
  EXPECT(pi_runtime_register_source("sizes.cl", source, "-DTENS=1 -DHUNDREDS=1 -cl-std=CL1.2") == PI_RUNTIME_OK);
  void *memory = NULL;
  EXPECT(pi_runtime_alloc(session, 16 * sizeof(int), &memory) == PI_RUNTIME_OK);
  int *found = memory, first = 50;
  const size_t global[] = {2, 8, 1, 1}, local[] = {1, 4}, wide[] = {1, 3}, large[] = {2, 0};
  pi_runtime_arg args[] = {
      {PI_RUNTIME_ARG_ADDRESS, 0, memory},
      {PI_RUNTIME_ARG_LOCAL, 4 * sizeof(int), NULL},
      {PI_RUNTIME_ARG_VALUE, sizeof first, &first},
  };
  EXPECT(pi_runtime_launch(session, "sizes", 2, global, local, args, 3) == PI_RUNTIME_OK);
  for (int at = 0; at < 16; ++at) EXPECT(found[at] == 50 + 4000 + 100 + at);
  EXPECT(pi_runtime_launch(session, "sizes", 0, global, NULL, args, 3) == PI_RUNTIME_ND_RANGE);
  EXPECT(pi_runtime_launch(session, "sizes", 4, global, NULL, args, 3) == PI_RUNTIME_ND_RANGE);
  SAYS("4 dimensions were given");
  EXPECT(pi_runtime_launch(session, "sizes", 2, NULL, local, args, 3) == PI_RUNTIME_ND_RANGE);
  EXPECT(pi_runtime_launch(session, "sizes", 2, global, wide, args, 3) == PI_RUNTIME_ND_RANGE);
  EXPECT(pi_runtime_launch(session, "sizes", 2, global, large, args, 3) == PI_RUNTIME_ND_RANGE);
  EXPECT(pi_runtime_launch(session, "sizes", 2, global, local, NULL, 3) == PI_RUNTIME_INVALID);
  EXPECT(pi_runtime_launch(session, "sizes", 2, global, local, args, 2) == PI_RUNTIME_INVALID);
  EXPECT(pi_runtime_launch(session, NULL, 2, global, local, args, 3) == PI_RUNTIME_INVALID);
  SAYS("the kernel's name is null");
  /* More memory than any device has for a group, a kind that there is not, and nothing where something is wanted. */
  args[1].size = (size_t)1 << 40;
  EXPECT(pi_runtime_launch(session, "sizes", 2, global, local, args, 3) != PI_RUNTIME_OK);
  args[1].size = 4 * sizeof(int);
  args[1].kind = 4;
  EXPECT(pi_runtime_launch(session, "sizes", 2, global, local, args, 3) == PI_RUNTIME_INVALID);
  SAYS("4 is not a kind of argument");
  args[1].kind = PI_RUNTIME_ARG_UNUSED;
  EXPECT(pi_runtime_launch(session, "sizes", 2, global, local, args, 3) == PI_RUNTIME_INVALID);
  SAYS("nothing");
  args[2].data = NULL;
  args[1].kind = PI_RUNTIME_ARG_LOCAL;
  EXPECT(pi_runtime_launch(session, "sizes", 2, global, local, args, 3) == PI_RUNTIME_INVALID);
  for (int at = 0; at < 16; ++at) EXPECT(found[at] == 50 + 4000 + 100 + at);

  /* Memory is freed once, and only the session's. */
  EXPECT(pi_runtime_free(session, &first) == PI_RUNTIME_INVALID);
  SAYS("the memory does not belong to this session");
  EXPECT(pi_runtime_free(session, found + 1) == PI_RUNTIME_INVALID);
  EXPECT(found[15] == 50 + 4000 + 100 + 15);
  EXPECT(pi_runtime_free(session, memory) == PI_RUNTIME_OK);
  EXPECT(pi_runtime_free(session, memory) == PI_RUNTIME_INVALID);
  EXPECT(pi_runtime_alloc(session, 4, NULL) == PI_RUNTIME_INVALID);
  EXPECT(pi_runtime_alloc(session, SIZE_MAX, &memory) != PI_RUNTIME_OK);
}

/* A prepared kernel has the constants and options of a later launch. */
static void constants_and_options(pi_runtime *session) {
  void *memory = NULL;
  int32_t factor = 9;
  const size_t one = 1;
  const char *name = "uid0123456789abcdef____ZL6Factor", *kernel = "_ZTS7SpecOne";
  EXPECT(pi_runtime_alloc(session, sizeof factor, &memory) == PI_RUNTIME_OK);
  const pi_runtime_arg out = {PI_RUNTIME_ARG_ADDRESS, 0, memory};
  for (int all = 0; all < 2; ++all, ++factor) {
    EXPECT(pi_runtime_set_constant(session, name, &factor, sizeof factor) == PI_RUNTIME_OK);
    const uint64_t before = programs(session);
    EXPECT((all ? pi_runtime_prepare_all(session, &kernel, 1) : pi_runtime_prepare(session, kernel)) == PI_RUNTIME_OK);
    EXPECT(programs(session) == before + 1);
    EXPECT(pi_runtime_launch(session, kernel, 1, &one, NULL, &out, 1) == PI_RUNTIME_OK);
    EXPECT(programs(session) == before + 1);
    EXPECT(*(int32_t *)memory == 100 * factor);
  }
  EXPECT(pi_runtime_set_constant(session, name, NULL, 4) == PI_RUNTIME_INVALID);
  EXPECT(pi_runtime_set_constant(session, NULL, NULL, 0) == PI_RUNTIME_OK);

  /* Options of a link are options of the program, too, and those of the environment are there without any. */
  const char *other = "_ZTS5DgGet";
  EXPECT(pi_runtime_prepare(session, other) == PI_RUNTIME_OK);
  const uint64_t before = programs(session);
  EXPECT(pi_runtime_set_build_options(session, NULL, "-cl-finite-math-only") == PI_RUNTIME_OK);
  EXPECT(pi_runtime_prepare(session, other) == PI_RUNTIME_OK);
  EXPECT(programs(session) == before + 1);
  EXPECT(pi_runtime_set_build_options(session, "-cl-no-signed-zeros", NULL) == PI_RUNTIME_OK);
  EXPECT(pi_runtime_prepare(session, other) == PI_RUNTIME_OK);
  EXPECT(programs(session) == before + 2);
  setenv("SYCL_PROGRAM_COMPILE_OPTIONS", "-cl-mad-enable", 1);
  EXPECT(pi_runtime_set_build_options(session, NULL, NULL) == PI_RUNTIME_OK);
  unsetenv("SYCL_PROGRAM_COMPILE_OPTIONS");
  EXPECT(pi_runtime_prepare(session, other) == PI_RUNTIME_OK);
  EXPECT(programs(session) == before + 3);
  EXPECT(pi_runtime_set_build_options(session, NULL, NULL) == PI_RUNTIME_OK);
  EXPECT(pi_runtime_prepare(session, other) == PI_RUNTIME_OK);
  EXPECT(programs(session) == before + 3);
}

static void variables(pi_runtime *session) {
  static const int pair[2] = {0, 0};
  const int two[] = {6, 8};
  int found[3] = {77, 77, 77};
  EXPECT(pi_runtime_register_device_global(pair, "_Z5Twins", sizeof pair, 0) == PI_RUNTIME_OK);
  EXPECT(pi_runtime_copy_to_global(session, "_Z5Twins", 0, two, sizeof two) == PI_RUNTIME_OK);
  EXPECT(pi_runtime_copy_to_global(session, "_Z5Twins", 4, two, 4) == PI_RUNTIME_OK);
  EXPECT(pi_runtime_copy_from_global(session, "_Z5Twins", 0, found, sizeof two) == PI_RUNTIME_OK);
  EXPECT(found[0] == 6 && found[1] == 6 && found[2] == 77);
  EXPECT(pi_runtime_memcpy_to_device_global(session, pair, 4, two + 1, 4) == PI_RUNTIME_OK);
  EXPECT(pi_runtime_copy_from_global(session, "_Z5Twins", 4, found + 1, 4) == PI_RUNTIME_OK);
  EXPECT(pi_runtime_memcpy_from_device_global(session, pair, 4, found, 4) == PI_RUNTIME_OK);
  EXPECT(found[0] == 8 && found[1] == 8 && found[2] == 77);
  /* Nothing is written by a call that fails, and no memory is needed for nothing. */
  EXPECT(pi_runtime_copy_from_global(session, "_Z5Twins", 4, found, sizeof two) == PI_RUNTIME_INVALID);
  EXPECT(found[0] == 8 && found[1] == 8);
  EXPECT(pi_runtime_copy_from_global(session, "_Z5Twins", 0, NULL, 4) == PI_RUNTIME_INVALID);
  EXPECT(pi_runtime_copy_from_global(session, "_Z5Twins", 0, NULL, 0) == PI_RUNTIME_OK);
  EXPECT(pi_runtime_copy_to_global(session, "_Z5Twins", 0, NULL, 4) == PI_RUNTIME_INVALID);
  EXPECT(pi_runtime_copy_to_global(session, NULL, 0, two, 4) == PI_RUNTIME_INVALID);
  /* Every number but 0 means image scope. */
  static const int scoped = 0;
  EXPECT(pi_runtime_register_device_global(&scoped, "_Z6Scoped", sizeof scoped, 2) == PI_RUNTIME_OK);
  EXPECT(pi_runtime_register_device_global(&scoped, "_Z6Scoped", sizeof scoped, 1) == PI_RUNTIME_OK);
  EXPECT(pi_runtime_register_device_global(&scoped, "_Z6Scoped", sizeof scoped, 0) == PI_RUNTIME_INVALID);
  pi_runtime_add_device_global(&scoped, NULL);
  SAYS("the unique id of a device global is null");
}

int main(int count, char **args) {
  if (count != 3) return 2;
  pi_runtime *session = NULL;
  const int32_t opened = pi_runtime_open(args[1], 0, &session);
  if (opened == PI_RUNTIME_NO_DEVICE) {
    printf("skipped: %s\n", pi_runtime_error());
    return 77;
  }
  EXPECT(opened == PI_RUNTIME_OK);
  if (failures) return 1;
  opening(args[1]);
  without_a_session();
  launches(session);
  add(args[2], "spec_one");
  add(args[2], "dg_basic");
  constants_and_options(session);
  variables(session);
  EXPECT(pi_runtime_register_file("no_such_file.so") != PI_RUNTIME_OK);
  SAYS("no_such_file.so");
  EXPECT(pi_runtime_register_file("./no_such_file.so") != PI_RUNTIME_OK);
  /* No library of that name is loaded, so it is a file, and one without images. */
  EXPECT(chdir(args[2]) == 0);
  EXPECT(pi_runtime_register_file("spec_one.spv") == PI_RUNTIME_IMAGE);
  EXPECT(pi_runtime_prepare(session, "\xff") == PI_RUNTIME_INVALID);
  SAYS("the kernel's name is not UTF-8");
  pi_runtime_close(session);
  if (failures) return 1;
  printf("as expected\n");
  return 0;
}
