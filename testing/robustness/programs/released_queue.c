/* released_queue: an out-of-order queue is released while its commands wait for a user event, on the bare driver. OpenCL lets the commands
 * run to their end. With Intel's CPU runtimes 2023.2.4 and 2026.2.0 the last of them now and then runs inside clFinish of another queue,
 * frees its own queue there, and waits for itself for ever. SIGALRM ends the process then, after ten seconds.
 * No headers needed; OpenCL's names and values.
 *
 *     cc -O1 released_queue.c -o released_queue -l:libOpenCL.so.1
 *     ./released_queue [rounds] [in-order] */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef void *handle;
extern int32_t clGetPlatformIDs(uint32_t, handle *, uint32_t *);
extern int32_t clGetDeviceIDs(handle, uint64_t, uint32_t, handle *, uint32_t *);
extern handle clCreateContext(void *, uint32_t, handle *, void *, void *, int32_t *);
extern handle clCreateCommandQueueWithProperties(handle, handle, uint64_t *, int32_t *);
extern int32_t clReleaseCommandQueue(handle);
extern handle clCreateBuffer(handle, uint64_t, size_t, void *, int32_t *);
extern handle clCreateProgramWithSource(handle, uint32_t, const char **, size_t *, int32_t *);
extern int32_t clBuildProgram(handle, uint32_t, handle *, const char *, void *, void *);
extern handle clCreateKernel(handle, const char *, int32_t *);
extern int32_t clSetKernelArg(handle, uint32_t, size_t, const void *);
extern handle clCreateUserEvent(handle, int32_t *);
extern int32_t clSetUserEventStatus(handle, int32_t);
extern int32_t clReleaseEvent(handle);
extern int32_t clEnqueueNDRangeKernel(handle, handle, uint32_t, size_t *, size_t *, size_t *, uint32_t, handle *, handle *);
extern int32_t clEnqueueWriteBuffer(handle, handle, uint32_t, size_t, size_t, const void *, uint32_t, handle *, handle *);
extern int32_t clFlush(handle);
extern int32_t clFinish(handle);

enum { SIZE = 4096, SECONDS = 10, READ_WRITE = 1, COMPLETE = 0, QUEUE_PROPERTIES = 0x1093, OUT_OF_ORDER = 1 };

static const char *SOURCE = "kernel void quick(global int *p) { p[get_global_id(0)] = 1; }"
                            "kernel void slow(global int *p) { for (int i = 0; i < 3000000; ++i) p[0] += p[1] + i; }";

#define MUST(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%d: %s\n", __LINE__, #condition);                                                         \
            exit(2);                                                                                                   \
        }                                                                                                              \
    } while (0)

int main(int count, char **args) {
    int rounds = count > 1 ? atoi(args[1]) : 400;
    uint64_t properties[] = {QUEUE_PROPERTIES, count > 2 ? 0 : OUT_OF_ORDER, 0};
    static char bytes[SIZE];
    size_t many = SIZE / 4, one = 1;
    int32_t code;
    handle platform, device;
    MUST(clGetPlatformIDs(1, &platform, NULL) == 0 && clGetDeviceIDs(platform, ~0u, 1, &device, NULL) == 0);
    handle context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    handle buffer = clCreateBuffer(context, READ_WRITE, SIZE, NULL, &code);
    handle other = clCreateCommandQueueWithProperties(context, device, properties, &code);
    handle program = clCreateProgramWithSource(context, 1, &SOURCE, NULL, &code);
    MUST(buffer && other && program && clBuildProgram(program, 1, &device, "", NULL, NULL) == 0);
    handle quick = clCreateKernel(program, "quick", &code), slow = clCreateKernel(program, "slow", &code);
    MUST(clSetKernelArg(quick, 0, sizeof buffer, &buffer) == 0 && clSetKernelArg(slow, 0, sizeof buffer, &buffer) == 0);
    for (int round = 0; round < rounds; ++round) {
        alarm(SECONDS);
        handle queue = clCreateCommandQueueWithProperties(context, device, properties, &code);
        handle gate = round % 2 ? clCreateUserEvent(context, &code) : NULL, *gates = gate ? &gate : NULL;
        MUST(queue && clEnqueueNDRangeKernel(queue, quick, 1, NULL, &many, NULL, gate != NULL, gates, NULL) == 0);
        MUST(clEnqueueWriteBuffer(queue, buffer, 0, 0, SIZE, bytes, gate != NULL, gates, NULL) == 0);
        MUST(clFlush(queue) == 0 && clReleaseCommandQueue(queue) == 0);
        /* Threads of the runtime are busy with it, so that clFinish runs what is left. */
        MUST(clEnqueueNDRangeKernel(other, slow, 1, NULL, &one, NULL, 0, NULL, NULL) == 0 && clFlush(other) == 0);
        if (round % 3) usleep(500);
        if (gate) MUST(clSetUserEventStatus(gate, COMPLETE) == 0 && clReleaseEvent(gate) == 0);
        MUST(clEnqueueWriteBuffer(other, buffer, 0, 0, SIZE, bytes, 0, NULL, NULL) == 0 && clFinish(other) == 0);
    }
    printf("%d rounds: each came to its end\n", rounds);
    return 0;
}
