/* Calls of libpi_runtime.so whose arguments decide how much memory they need, while the process gets none: each answers
 * PI_RUNTIME_MEMORY_ALLOCATION, and the next call is right again.
 *
 * PI_ROBUST_RUNTIME: the library. PI_ROBUST_PLUGIN: a plugin. PI_ROBUST_FOLDER: a folder to write in. */
#define _GNU_SOURCE
#include "failing_malloc.h"

#include <dlfcn.h>
#include <pi/pi_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MUST(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #condition, error == NULL ? "" : error());          \
            _exit(1);                                                                                                  \
        }                                                                                                              \
    } while (0)

enum { SIZE = 1 << 20, COUNT = 1 << 17 };

static const char *(*error)(void);
static __typeof__(pi_runtime_open) *open_session;
static __typeof__(pi_runtime_register_spirv) *register_spirv;
static __typeof__(pi_runtime_register_file) *register_file;
static __typeof__(pi_runtime_set_constant) *set_constant;
static __typeof__(pi_runtime_prepare_all) *prepare_all;
static __typeof__(pi_runtime_launch) *launch;
static __typeof__(pi_runtime_register_device_global) *register_global;
static __typeof__(pi_runtime_copy_to_global) *copy_to_global;
static __typeof__(pi_runtime_copy_from_global) *copy_from_global;

static pi_runtime *session;
static unsigned char *bytes;
static char *text;

static void *function(void *library, const char *name) {
    void *found = dlsym(library, name);
    MUST(found != NULL);
    return found;
}

/* A call of this code, and the result that is right. */
static void each_fails(const char *name, int32_t (*call)(void), int32_t right) {
    for (int which = 1; which < 100; which++) {
        atomic_store(&made, 0);
        atomic_store(&failing, which);
        int32_t result = call();
        atomic_store(&failing, 0);
        if (atomic_load(&made) < which) {
            MUST(which > 1);
            MUST(result == right);
            printf("%s: %d\n", name, which - 1);
            return;
        }
        if (result != PI_RUNTIME_MEMORY_ALLOCATION) fprintf(stderr, "%s, allocation %d: %d\n", name, which, result);
        MUST(result == PI_RUNTIME_MEMORY_ALLOCATION);
        MUST(strstr(error(), "memory") != NULL);
    }
    MUST(!"a call with fewer than 100 allocations");
}

static int32_t module_alone(void) {
    return register_spirv("nops.spv", bytes, SIZE, NULL);
}

static int32_t module_with_properties(void) {
    return register_spirv("nops.spv", bytes, SIZE, text);
}

static int32_t constant(void) {
    return set_constant(session, "a", bytes, SIZE);
}

static int32_t many_names(void) {
    static const char *names[COUNT];
    for (int i = 0; i < COUNT; i++) names[i] = "no such kernel";
    return prepare_all(session, names, COUNT);
}

static int32_t many_arguments(void) {
    static pi_runtime_arg arguments[COUNT];
    size_t size = 1;
    for (int i = 0; i < COUNT; i++) arguments[i].kind = PI_RUNTIME_ARG_UNUSED;
    return launch(session, "no such kernel", 1, &size, NULL, arguments, COUNT);
}

static int32_t to_global(void) {
    return copy_to_global(session, "global", 0, bytes, SIZE);
}

static int32_t from_global(void) {
    static unsigned char to[SIZE];
    return copy_from_global(session, "global", 0, to, SIZE);
}

static char path[4096];

static int32_t whole_file(void) {
    return register_file(path);
}

/* A module of OpNop, but for what every module has, that says it has half a million ids. */
static void write_module(void) {
    static const uint32_t start[] = {0x07230203, 0x00010200, 0, 500000, 0, 0x00020011, 4, 0x00020011, 6, 0x00020011, 5,
                                     0x0003000e, 2, 2};
    uint32_t *words = (uint32_t *)bytes;
    for (size_t i = 0; i < SIZE / 4; i++) words[i] = 0x00010000;
    memcpy(words, start, sizeof start);
}

/* A property file with one long value. Its length in front, in bits, is 0 digits: it is wrong for sets that are known. */
static void write_properties(const char *set) {
    size_t start = (size_t)sprintf(text, "[%s]\nlong=2|", set);
    memset(text + start, 'A', SIZE);
    strcpy(text + start + SIZE, "\n");
}

int main(void) {
    void *library = dlopen(getenv("PI_ROBUST_RUNTIME"), RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) fprintf(stderr, "%s\n", dlerror());
    MUST(library != NULL);
    error = (const char *(*)(void))function(library, "pi_runtime_error");
    *(void **)&open_session = function(library, "pi_runtime_open");
    *(void **)&register_spirv = function(library, "pi_runtime_register_spirv");
    *(void **)&register_file = function(library, "pi_runtime_register_file");
    *(void **)&set_constant = function(library, "pi_runtime_set_constant");
    *(void **)&prepare_all = function(library, "pi_runtime_prepare_all");
    *(void **)&launch = function(library, "pi_runtime_launch");
    *(void **)&register_global = function(library, "pi_runtime_register_device_global");
    *(void **)&copy_to_global = function(library, "pi_runtime_copy_to_global");
    *(void **)&copy_from_global = function(library, "pi_runtime_copy_from_global");
    MUST(open_session(getenv("PI_ROBUST_PLUGIN"), 0, &session) == PI_RUNTIME_OK);
    bytes = (unsigned char *)malloc(SIZE);
    text = (char *)malloc(SIZE + 100);
    MUST(bytes != NULL && text != NULL);

    write_module();
    each_fails("a module", module_alone, PI_RUNTIME_OK);
    write_properties("SYCL/of another compiler");
    each_fails("a module with a property that is not known", module_with_properties, PI_RUNTIME_OK);
    snprintf(path, sizeof path, "%s/nops.so", getenv("PI_ROBUST_FOLDER"));
    FILE *file = fopen(path, "wb");
    MUST(file != NULL && fwrite(bytes, 1, SIZE, file) == SIZE && fclose(file) == 0);
    each_fails("a file that is no program", whole_file, PI_RUNTIME_IMAGE);
    each_fails("a specialization constant", constant, PI_RUNTIME_OK);
    MUST(set_constant(session, NULL, NULL, 0) == PI_RUNTIME_OK);
    each_fails("a list of names", many_names, PI_RUNTIME_NOT_FOUND);
    each_fails("a list of arguments", many_arguments, PI_RUNTIME_NOT_FOUND);
    MUST(register_global(&session, "global", SIZE, 1) == PI_RUNTIME_OK);
    each_fails("a copy from a device global", from_global, PI_RUNTIME_OK);
    each_fails("a copy to a device global", to_global, PI_RUNTIME_OK);
    return 0;
}
