/* Builds a SPIR-V file with the OpenCL driver that the environment offers, and no plugin: exits with 0 if it builds, with 1 and
   the build log if it is refused, with 2 if there is no driver, and with a signal if the driver dies of it.
   usage: bare_build FILE */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define FUNCTION(type, name, ...) type (*name)(__VA_ARGS__) = (type (*)(__VA_ARGS__))find(library, #name)

static void *find(void *library, const char *name) {
  void *function = dlsym(library, name);
  if (!function) {
    fprintf(stderr, "libOpenCL.so.1 has no %s\n", name);
    exit(2);
  }
  return function;
}

int main(int argc, char **argv) {
  void *library = dlopen("libOpenCL.so.1", RTLD_NOW);
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  if (!library || !file) {
    fprintf(stderr, "%s\n", library ? "usage: bare_build FILE" : dlerror());
    return 2;
  }
  FUNCTION(int32_t, clGetPlatformIDs, uint32_t, void **, uint32_t *);
  FUNCTION(int32_t, clGetDeviceIDs, void *, uint64_t, uint32_t, void **, uint32_t *);
  FUNCTION(void *, clCreateContext, const intptr_t *, uint32_t, void **, void *, void *, int32_t *);
  FUNCTION(void *, clCreateProgramWithIL, void *, const void *, size_t, int32_t *);
  FUNCTION(int32_t, clBuildProgram, void *, uint32_t, void **, const char *, void *, void *);
  FUNCTION(int32_t, clGetProgramBuildInfo, void *, void *, uint32_t, size_t, void *, size_t *);

  fseek(file, 0, SEEK_END);
  size_t size = (size_t)ftell(file);
  rewind(file);
  void *code = malloc(size + 1);
  if (!code || fread(code, 1, size, file) != size)
    return 2;
  void *platform = NULL, *device = NULL;
  int32_t error = clGetPlatformIDs(1, &platform, NULL);
  if (error || clGetDeviceIDs(platform, 0xffffffff, 1, &device, NULL)) {
    fprintf(stderr, "there is no OpenCL device\n");
    return 2;
  }
  void *context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  void *program = error ? NULL : clCreateProgramWithIL(context, code, size, &error);
  if (error) {
    printf("clCreateProgramWithIL: %d\n", error);
    return 1;
  }
  error = clBuildProgram(program, 1, &device, "", NULL, NULL);
  if (error) {
    char log[4096] = "";
    clGetProgramBuildInfo(program, device, 0x1183 /* CL_PROGRAM_BUILD_LOG */, sizeof log - 1, log, NULL);
    printf("%d: %s\n", error, log);
  }
  return error != 0;
}
