/* Streams that wait for a value which the host has not written yet, and what then blocks in NVIDIA's driver. Plain CUDA, without a plugin.
 *
 *     cc -o cuda_streams cuda_streams.c -ldl && ./cuda_streams
 *
 * Each line is one process: so many streams wait, each with a command behind the wait, or one stream with so many commands. Then a new
 * stream gets copies. "hangs": a call has not returned after three seconds, and its process was ended. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

typedef void *stream;
typedef unsigned long long address;

static void *libcuda;

static void must(const char *what, int code) {
    if (code == 0) return;
    printf("%s: error %d\n", what, code);
    fflush(stdout);
    _exit(1);
}

/* Calls a function of the driver. All are called with as many arguments as they have. */
#define CUDA(name, types, ...) must(#name, ((int(*) types)dlsym(libcuda, #name))(__VA_ARGS__))

static stream new_stream(void) {
    stream new;
    CUDA(cuStreamCreate, (stream *, unsigned), &new, 1);
    return new;
}

static void copy(address to, address from, stream stream) {
    CUDA(cuMemcpyAsync, (address, address, size_t, void *), to, from, 64, stream);
}


static void case_of(int streams, int commands) {
    int device;
    void *context, *word;
    address flag, memory;
    static char pageable[64];
    CUDA(cuInit, (unsigned), 0);
    CUDA(cuDeviceGet, (int *, int), &device, 0);
    CUDA(cuDevicePrimaryCtxRetain, (void **, int), &context, device);
    CUDA(cuCtxSetCurrent, (void *), context);
    CUDA(cuMemHostAlloc, (void **, size_t, unsigned), &word, 4, 3);
    *(volatile uint32_t *)word = 0;
    CUDA(cuMemHostGetDevicePointer_v2, (address *, void *, unsigned), &flag, word, 0);
    CUDA(cuMemAlloc_v2, (address *, size_t), &memory, 4096);
    for (int i = 0; i < streams; i++) {
        stream behind = new_stream();
        CUDA(cuStreamWaitValue32_v2, (void *, address, uint32_t, unsigned), behind, flag, 1, 0);
        for (int j = 0; j < commands; j++) copy(memory, memory + 64, behind);
    }
    stream other = new_stream();
    copy(memory, memory + 64, other);
    copy((address)(uintptr_t)pageable, memory, other);
}

int main(void) {
    static const int cases[][2] = {{1, 1}, {4, 1}, {8, 1}, {16, 1}, {32, 1}, {33, 1}, {64, 1}, {1, 1000}, {1, 1100}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        printf("%2d streams, %4d commands each: ", cases[i][0], cases[i][1]);
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            libcuda = dlopen("libcuda.so.1", RTLD_NOW);
            if (libcuda == NULL) printf("%s\n", dlerror()), fflush(stdout), _exit(2);
            alarm(3);
            case_of(cases[i][0], cases[i][1]);
            _exit(0);
        }
        int status;
        waitpid(child, &status, 0);
        puts(WIFSIGNALED(status) ? "hangs" : WEXITSTATUS(status) == 0 ? "returns" : "");
    }
    return 0;
}
