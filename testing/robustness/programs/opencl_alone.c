/* opencl_alone usm|slots [loose]: two steps of `pi-robustness stress` on the bare driver, without a plugin: whose fault it is when threads
 * break something. `loose`: every second command goes to an out-of-order queue. No headers needed; OpenCL's names and values.
 *
 *     cc -O1 opencl_alone.c -o opencl_alone -l:libOpenCL.so.1 -lpthread */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void *handle;
extern int32_t clGetPlatformIDs(uint32_t, handle *, uint32_t *);
extern int32_t clGetDeviceIDs(handle, uint64_t, uint32_t, handle *, uint32_t *);
extern handle clCreateContext(void *, uint32_t, handle *, void *, void *, int32_t *);
extern handle clCreateCommandQueueWithProperties(handle, handle, uint64_t *, int32_t *);
extern handle clCreateBuffer(handle, uint64_t, size_t, void *, int32_t *);
extern int32_t clEnqueueWriteBuffer(handle, handle, uint32_t, size_t, size_t, const void *, uint32_t, handle *, handle *);
extern int32_t clEnqueueReadBuffer(handle, handle, uint32_t, size_t, size_t, void *, uint32_t, handle *, handle *);
extern int32_t clReleaseEvent(handle);
extern void *clGetExtensionFunctionAddressForPlatform(handle, const char *);

enum { THREADS = 8, SECONDS = 6, ALL = -1, PROPERTIES = 0x1093, OUT_OF_ORDER = 1 };

static handle platform, device, context, queues[2], buffer;
static int usm;
static volatile int stop;
static long steps[THREADS];
static void *(*shared_alloc)(handle, handle, void *, size_t, uint32_t, int32_t *);
static int32_t (*blocking_free)(handle, void *);
static int32_t (*fill)(handle, void *, const void *, size_t, size_t, uint32_t, handle *, handle *);
static int32_t (*copy)(handle, uint32_t, void *, const void *, size_t, uint32_t, handle *, handle *);

#define MUST(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%d: %s\n", __LINE__, #condition);                                                         \
            _exit(1);                                                                                                  \
        }                                                                                                              \
    } while (0)

static void set_copy_and_free(handle queue, unsigned *seed) {
    size_t size = (size_t)64 << (rand_r(seed) % 8);
    unsigned char value = (unsigned char)rand_r(seed);
    handle event;
    int32_t code;
    unsigned char *one = shared_alloc(context, device, NULL, size, 0, &code);
    unsigned char *two = shared_alloc(context, device, NULL, size, 0, &code);
    MUST(one && two);
    MUST(fill(queue, one, &value, 1, size, 0, NULL, &event) == 0);
    MUST(copy(queue, 1, two, one, size, 1, &event, NULL) == 0 && clReleaseEvent(event) == 0);
    for (size_t i = 0; i < size; ++i) MUST(two[i] == value);
    MUST(blocking_free(context, one) == 0);
    MUST(blocking_free(context, two) == 0);
}

static void write_and_read(handle queue, long thread, unsigned *seed) {
    int values[64], back[64] = {0};
    handle event;
    for (int i = 0; i < 64; ++i) values[i] = rand_r(seed);
    MUST(clEnqueueWriteBuffer(queue, buffer, 0, (size_t)thread * 256, 256, values, 0, NULL, &event) == 0);
    MUST(clEnqueueReadBuffer(queue, buffer, 1, (size_t)thread * 256, 256, back, 1, &event, NULL) == 0);
    MUST(clReleaseEvent(event) == 0 && memcmp(values, back, 256) == 0);
}

static void *run(void *number) {
    long thread = (long)number;
    unsigned seed = (unsigned)thread + 1;
    while (!stop) {
        handle queue = queues[rand_r(&seed) & 1];
        if (usm) set_copy_and_free(queue, &seed);
        else write_and_read(queue, thread, &seed);
        ++steps[thread];
    }
    return NULL;
}

int main(int count, char **args) {
    uint32_t found;
    int32_t code;
    uint64_t loose[] = {PROPERTIES, OUT_OF_ORDER, 0};
    MUST(count >= 2);
    usm = strcmp(args[1], "usm") == 0;
    MUST(clGetPlatformIDs(1, &platform, &found) == 0 && clGetDeviceIDs(platform, (uint32_t)ALL, 1, &device, &found) == 0);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    MUST(context != NULL);
    queues[0] = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    queues[1] = count > 2 ? clCreateCommandQueueWithProperties(context, device, loose, &code) : queues[0];
    buffer = clCreateBuffer(context, 1, 4096, NULL, &code);
    MUST(queues[0] && queues[1] && buffer);
    if (usm) {
        *(void **)&shared_alloc = clGetExtensionFunctionAddressForPlatform(platform, "clSharedMemAllocINTEL");
        *(void **)&blocking_free = clGetExtensionFunctionAddressForPlatform(platform, "clMemBlockingFreeINTEL");
        *(void **)&fill = clGetExtensionFunctionAddressForPlatform(platform, "clEnqueueMemFillINTEL");
        *(void **)&copy = clGetExtensionFunctionAddressForPlatform(platform, "clEnqueueMemcpyINTEL");
        MUST(shared_alloc && blocking_free && fill && copy);
    }
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, run, (void *)i);
    sleep(SECONDS);
    stop = 1;
    long sum = 0;
    for (int i = 0; i < THREADS; ++i) {
        pthread_join(threads[i], NULL);
        sum += steps[i];
    }
    printf("%ld steps\n", sum);
    return 0;
}
