/* A libnvvm for tests of what happens to its process. Its PTX has the IR's last line and the option for optimization. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct { char ir[65536], ptx[70000]; } program;

const char *nvvmGetErrorString(int result) { return result ? "NVVM_ERROR" : "NVVM_SUCCESS"; }
int nvvmCreateProgram(program **out) { return !(*out = calloc(1, sizeof **out)); }
int nvvmDestroyProgram(program **it) { free(*it); *it = 0; return 0; }
int nvvmAddModuleToProgram(program *it, const char *bytes, size_t size, const char *name) {
    (void)name;
    if (size >= sizeof it->ir) return 1;
    memcpy(it->ir, bytes, size);
    return 0;
}
int nvvmLazyAddModuleToProgram(program *it, const char *bytes, size_t size, const char *name) {
    (void)it, (void)bytes, (void)size, (void)name;
    return 0;
}
int nvvmVerifyProgram(program *it, int count, const char **options) { (void)it, (void)count, (void)options; return 0; }
int nvvmCompileProgram(program *it, int count, const char **options) {
    const char *level = "";
    for (int i = 0; i < count; i++) if (!strncmp(options[i], "-opt=", 5)) level = options[i];
    if (strstr(it->ir, "slow")) usleep(500000);
    if (strstr(it->ir, "busy") && !strcmp(level, "-opt=3")) for (volatile int forever = 1; forever;) {}
    if (strstr(it->ir, "asleep") && !strcmp(level, "-opt=3")) for (;;) pause();
    if (strstr(it->ir, "loud")) for (int i = 0; i < 3000; i++) puts("a line of output"), fflush(stdout);
    if (strstr(it->ir, "crash") && !strcmp(level, "-opt=3")) fputs("LLVM ERROR: stand-in\n", stderr), abort();
    snprintf(it->ptx, sizeof it->ptx, "// stand-in, V1.2.3\n.version 8.0\n// %s %s\n", level, it->ir);
    return 0;
}
int nvvmGetCompiledResultSize(program *it, size_t *size) { *size = strlen(it->ptx) + 1; return 0; }
int nvvmGetCompiledResult(program *it, char *out) { strcpy(out, it->ptx); return 0; }
int nvvmGetProgramLogSize(program *it, size_t *size) { (void)it; *size = 1; return 0; }
int nvvmGetProgramLog(program *it, char *out) { (void)it; *out = 0; return 0; }
