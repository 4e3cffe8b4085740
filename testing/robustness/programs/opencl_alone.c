/* opencl_alone usm|slots [out-of-order]: two steps of `testing-robustness stress` on the bare driver, without a plugin: whose fault it is when threads
 * break something. `out-of-order`: every second command goes to an out-of-order queue. No headers needed; OpenCL's names and values.
 *
 * opencl_alone usm [new-queues] [free-now]: PoCL 6.0 and 7.1 end the process in clMemBlockingFreeINTEL, because it retains all queues of the context
 * and their last events, also those that another thread is destroying. `new-queues`: each step has a queue of its own, which it releases
 * before it frees its memory (7.1 only). `free-now`: clMemFreeINTEL instead, with which 6.0 ends well. 7.1 ends some runs with "Overlapping
 * BDA pointer": it forgets an address after it has freed it.
 *
 * opencl_alone waits [out-of-order] [in-turn]: each thread has a context and a queue of its own, and waits for its own commands. With `out-of-order` Intel's
 * CPU runtimes 2023.2.4 and 2026.2.0 hang on two processors. `in-turn`: one thread at a time waits in the driver, the others look at
 * their events meanwhile, as the plugin does it.
 *
 * opencl_alone queues [finish]: one thread looks at its commands until they are done, and releases its out-of-order queue then. 2026.2.0
 * hangs within ten queues, not where clFinish comes before the release.
 *
 *     cc -O1 opencl_alone.c -o opencl_alone -l:libOpenCL.so.1 -lpthread */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
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
extern int32_t clWaitForEvents(uint32_t, handle *);
extern int32_t clFlush(handle);
extern int32_t clFinish(handle);
extern int32_t clReleaseCommandQueue(handle);
extern int32_t clGetEventInfo(handle, uint32_t, size_t, void *, size_t *);
extern void *clGetExtensionFunctionAddressForPlatform(handle, const char *);

enum { THREADS = 8, SECONDS = 6, ALL = -1, PROPERTIES = 0x1093, OUT_OF_ORDER = 1, STATUS = 0x11D3 };

static handle platform, device, context, queues[2], buffer;
static int usm, waits, releases, out_of_order, in_turn, finish, new_queues, free_now;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
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
    if (new_queues) MUST(clReleaseCommandQueue(queue) == 0);
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

static void wait_for(handle queue, handle event) {
    int32_t status = 1;
    if (!in_turn) MUST(clWaitForEvents(1, &event) == 0);
    MUST(clFlush(queue) == 0);
    for (; in_turn && status > 0; sched_yield()) {
        if (pthread_mutex_trylock(&turn) == 0) {
            MUST(clWaitForEvents(1, &event) == 0);
            MUST(pthread_mutex_unlock(&turn) == 0);
        }
        MUST(clGetEventInfo(event, STATUS, sizeof status, &status, NULL) == 0);
    }
    MUST(clReleaseEvent(event) == 0);
}

static void wait_alone(long thread) {
    uint64_t properties[] = {PROPERTIES, out_of_order ? OUT_OF_ORDER : 0, 0};
    int32_t code;
    handle own = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    handle queue = clCreateCommandQueueWithProperties(own, device, properties, &code);
    handle memory = clCreateBuffer(own, 1, 4096, NULL, &code);
    MUST(own && queue && memory);
    for (char from[4096], to[4096]; !stop; ++steps[thread]) {
        handle event;
        memset(from, (int)steps[thread], sizeof from);
        MUST(clEnqueueWriteBuffer(queue, memory, 0, 0, sizeof from, from, 0, NULL, &event) == 0);
        wait_for(queue, event);
        MUST(clEnqueueReadBuffer(queue, memory, 0, 0, sizeof to, to, 0, NULL, &event) == 0);
        wait_for(queue, event);
        MUST(memcmp(from, to, sizeof from) == 0);
    }
}

static void release_alone(long thread) {
    uint64_t properties[] = {PROPERTIES, OUT_OF_ORDER, 0};
    int32_t code;
    for (char from[4096] = {0}; !stop; ++steps[thread]) {
        handle queue = clCreateCommandQueueWithProperties(context, device, properties, &code);
        for (int command = 0; command < 3; ++command) {
            handle event;
            int32_t status = 1;
            MUST(clEnqueueWriteBuffer(queue, buffer, 0, 0, sizeof from, from, 0, NULL, &event) == 0 && clFlush(queue) == 0);
            while (status > 0) MUST(clGetEventInfo(event, STATUS, sizeof status, &status, NULL) == 0);
            MUST(clReleaseEvent(event) == 0);
        }
        if (finish) MUST(clFinish(queue) == 0);
        MUST(clReleaseCommandQueue(queue) == 0);
    }
}

static void *run(void *number) {
    long thread = (long)number;
    unsigned seed = (unsigned)thread + 1;
    if (waits) wait_alone(thread);
    if (releases && thread == 0) release_alone(thread);
    if (releases) return NULL;
    while (!stop) {
        handle queue = queues[rand_r(&seed) & 1];
        int32_t code;
        if (new_queues) MUST((queue = clCreateCommandQueueWithProperties(context, device, NULL, &code)) != NULL);
        if (usm) set_copy_and_free(queue, &seed);
        else write_and_read(queue, thread, &seed);
        ++steps[thread];
    }
    return NULL;
}

int main(int count, char **args) {
    uint32_t found;
    int32_t code;
    uint64_t properties[] = {PROPERTIES, OUT_OF_ORDER, 0};
    MUST(count >= 2);
    usm = strcmp(args[1], "usm") == 0;
    waits = strcmp(args[1], "waits") == 0;
    releases = strcmp(args[1], "queues") == 0;
    for (int i = 2; i < count; ++i) {
        out_of_order |= strcmp(args[i], "out-of-order") == 0;
        in_turn |= strcmp(args[i], "in-turn") == 0;
        finish |= strcmp(args[i], "finish") == 0;
        new_queues |= strcmp(args[i], "new-queues") == 0;
        free_now |= strcmp(args[i], "free-now") == 0;
    }
    MUST(clGetPlatformIDs(1, &platform, &found) == 0 && clGetDeviceIDs(platform, (uint32_t)ALL, 1, &device, &found) == 0);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    MUST(context != NULL);
    queues[0] = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    queues[1] = out_of_order ? clCreateCommandQueueWithProperties(context, device, properties, &code) : queues[0];
    buffer = clCreateBuffer(context, 1, 4096, NULL, &code);
    MUST(queues[0] && queues[1] && buffer);
    if (usm) {
        *(void **)&shared_alloc = clGetExtensionFunctionAddressForPlatform(platform, "clSharedMemAllocINTEL");
        *(void **)&blocking_free = clGetExtensionFunctionAddressForPlatform(platform, free_now ? "clMemFreeINTEL" : "clMemBlockingFreeINTEL");
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
