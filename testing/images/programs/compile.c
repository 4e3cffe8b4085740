/* compile IN.spv OUT: the first OpenCL device's own code for a SPIR-V module, as an ahead-of-time compiler makes it. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { PROGRAM_BINARY_SIZES = 0x1165, PROGRAM_BINARIES = 0x1166, PROGRAM_BUILD_LOG = 0x1183 };

static void *opencl;

static void *function(const char *name) {
    void *found = dlsym(opencl, name);
    if (!found) {
        fprintf(stderr, "libOpenCL has no %s\n", name);
        exit(1);
    }
    return found;
}

static void check(const char *what, int32_t code) {
    if (code != 0) {
        fprintf(stderr, "%s: %d\n", what, code);
        exit(1);
    }
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    opencl = dlopen("libOpenCL.so.1", RTLD_NOW);
    if (!opencl) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    FILE *in = fopen(argv[1], "rb");
    if (!in) return 1;
    static char code[1 << 24];
    size_t length = fread(code, 1, sizeof code, in);
    fclose(in);

    void *platform, *device;
    int32_t (*get_platforms)(uint32_t, void **, uint32_t *) = function("clGetPlatformIDs");
    int32_t (*get_devices)(void *, uint64_t, uint32_t, void **, uint32_t *) = function("clGetDeviceIDs");
    void *(*create_context)(const intptr_t *, uint32_t, void **, void *, void *, int32_t *) = function("clCreateContext");
    void *(*create)(void *, const void *, size_t, int32_t *) = function("clCreateProgramWithIL");
    int32_t (*build)(void *, uint32_t, void **, const char *, void *, void *) = function("clBuildProgram");
    int32_t (*get_info)(void *, uint32_t, size_t, void *, size_t *) = function("clGetProgramInfo");
    int32_t (*get_log)(void *, void *, uint32_t, size_t, void *, size_t *) = function("clGetProgramBuildInfo");

    int32_t code_of;
    check("clGetPlatformIDs", get_platforms(1, &platform, NULL));
    check("clGetDeviceIDs", get_devices(platform, 0xffffffff, 1, &device, NULL));
    void *context = create_context(NULL, 1, &device, NULL, NULL, &code_of);
    check("clCreateContext", code_of);
    void *program = create(context, code, length, &code_of);
    check("clCreateProgramWithIL", code_of);
    code_of = build(program, 1, &device, "", NULL, NULL);
    if (code_of != 0) {
        static char log[65536];
        get_log(program, device, PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        fprintf(stderr, "%s\n", log);
    }
    check("clBuildProgram", code_of);
    size_t size;
    check("clGetProgramInfo", get_info(program, PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    unsigned char *binary = malloc(size);
    if (!binary) return 1;
    check("clGetProgramInfo", get_info(program, PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    FILE *out = fopen(argv[2], "wb");
    if (!out || fwrite(binary, 1, size, out) != size || fclose(out) != 0) return 1;
    return 0;
}
