/* What the examples in C share: opening a session, and images from files. */
#ifndef SUPPORT_H
#define SUPPORT_H

#include <pi/pi_runtime.h>
#include <stdio.h>
#include <stdlib.h>

/* CTest takes this exit code for "skipped". */
#define NO_DEVICE 77

static inline void check(int32_t code, const char *what) {
  if (code == PI_RUNTIME_OK) return;
  fprintf(stderr, "%s: %s\n", what, pi_runtime_error());
  exit(code == PI_RUNTIME_NO_DEVICE ? NO_DEVICE : 1);
}

/* The content of a file, with a zero byte behind it. */
static inline char *read_file(const char *folder, const char *name, const char *extension, size_t *size) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s%s", folder, name, extension);
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    exit(1);
  }
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  char *content = calloc(*size + 1, 1);
  if (!content || fread(content, 1, *size, file) != *size) exit(1);
  fclose(file);
  return content;
}

/* Registers an image that DPC++ compiled: its code and its properties. */
static inline void register_image(const char *folder, const char *name) {
  size_t code_size, size;
  char *code = read_file(folder, name, ".spv", &code_size);
  char *properties = read_file(folder, name, ".props.json", &size);
  check(pi_runtime_register_spirv(name, code, code_size, properties), name);
  free(code);
  free(properties);
}

#endif
