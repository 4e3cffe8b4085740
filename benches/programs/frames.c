/* What a frame around a driver call costs: clFinish of an idle queue, called directly, through one function, through two.
 *
 *   cc -O2 -o frames benches/programs/frames.c -lOpenCL && cargo xtask env --driver intel-2023 -- ./frames
 *
 * Needs Debian's opencl-headers and ocl-icd-opencl-dev. benches/NOTES.md says what it is the evidence for. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 601, CALLS = 60, WAYS = 3 };

/* As a plugin does it: call, look at the answer, return. */
__attribute__((noinline)) static cl_int one(cl_command_queue queue) {
    cl_int code = clFinish(queue);
    return code ? code - 1 : 0;
}
__attribute__((noinline)) static cl_int two(cl_command_queue queue) {
    cl_int code = one(queue);
    return code ? code - 1 : 0;
}

static double nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e9 + now.tv_nsec;
}

static int ascending(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

int main(void) {
    cl_int (*const ways[WAYS])(cl_command_queue) = {clFinish, one, two};
    static double times[WAYS][ROUNDS];
    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL)) {
        fputs("no OpenCL device\n", stderr);
        return 1;
    }
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    if (code) {
        fprintf(stderr, "no queue: %d\n", code);
        return 1;
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int step = 0; step < WAYS; step++) {
            int way = (round + step) % WAYS;
            double start = nanoseconds();
            for (int call = 0; call < CALLS; call++) {
                code |= ways[way](queue);
            }
            times[way][round] = (nanoseconds() - start) / CALLS;
        }
    }
    for (int way = 0; way < WAYS; way++) {
        qsort(times[way], ROUNDS, sizeof(double), ascending);
        printf("%d frames more: median %.1f ns, quartiles %.1f to %.1f\n", way, times[way][ROUNDS / 2],
               times[way][ROUNDS / 4], times[way][ROUNDS * 3 / 4]);
    }
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return code != 0;
}
