/* blocking_writes: what a blocking write has done when it returns, on the bare driver. OpenCL says that the memory may be used again, no more:
 * Intel's CPU runtimes 2023.2.4 and 2026.2.0 copy it aside and write later, so that another queue may read what was there before.
 * Exits with 1 where one does. No headers needed; OpenCL's names and values.
 *
 *     cc -O1 blocking_writes.c -o blocking_writes -l:libOpenCL.so.1 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void *handle;
typedef struct {
    uint32_t type;
    size_t width, height, depth, array_size, row_pitch, slice_pitch;
    uint32_t mip_levels, samples;
    handle buffer;
} image_desc;
extern int32_t clGetPlatformIDs(uint32_t, handle *, uint32_t *);
extern int32_t clGetDeviceIDs(handle, uint64_t, uint32_t, handle *, uint32_t *);
extern handle clCreateContext(void *, uint32_t, handle *, void *, void *, int32_t *);
extern handle clCreateCommandQueueWithProperties(handle, handle, uint64_t *, int32_t *);
extern handle clCreateBuffer(handle, uint64_t, size_t, void *, int32_t *);
extern handle clCreateImage(handle, uint64_t, const uint32_t[2], const image_desc *, void *, int32_t *);
extern int32_t clEnqueueWriteBuffer(handle, handle, uint32_t, size_t, size_t, const void *, uint32_t, handle *, handle *);
extern int32_t clEnqueueReadBuffer(handle, handle, uint32_t, size_t, size_t, void *, uint32_t, handle *, handle *);
extern int32_t clEnqueueWriteImage(handle, handle, uint32_t, const size_t *, const size_t *, size_t, size_t, const void *, uint32_t,
                                   handle *, handle *);
extern int32_t clEnqueueReadImage(handle, handle, uint32_t, const size_t *, const size_t *, size_t, size_t, void *, uint32_t,
                                  handle *, handle *);
extern int32_t clGetEventInfo(handle, uint32_t, size_t, void *, size_t *);
extern int32_t clWaitForEvents(uint32_t, handle *);
extern int32_t clReleaseEvent(handle);

enum { ROUNDS = 200, LARGE = 256, SMALL = 8, ALL = -1, READ_WRITE = 1, STATUS = 0x11D3, COMPLETE = 0, IMAGE_2D = 0x10F1 };
static const uint32_t RGBA_BYTES[2] = {0x10B5, 0x10DA};

#define MUST(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%d: %s\n", __LINE__, #condition);                                                         \
            exit(2);                                                                                                   \
        }                                                                                                              \
    } while (0)

static handle writes, reads;
static unsigned char from[LARGE * LARGE * 4], to[LARGE * LARGE * 4];

/* Writes on one queue, reads on the other; how often that read something else. */
static int try(const char *what, handle memory, size_t side, int is_image) {
    size_t origin[3] = {0}, region[3] = {side, side, 1}, bytes = side * side * 4;
    int early = 0, old = 0;
    for (int round = 1; round <= ROUNDS; ++round) {
        int32_t status = -1;
        handle event;
        memset(from, round, bytes);
        if (is_image) {
            MUST(clEnqueueWriteImage(writes, memory, 1, origin, region, 0, 0, from, 0, NULL, &event) == 0);
        } else {
            MUST(clEnqueueWriteBuffer(writes, memory, 1, 0, bytes, from, 0, NULL, &event) == 0);
        }
        MUST(clGetEventInfo(event, STATUS, sizeof(status), &status, NULL) == 0);
        early += status != COMPLETE;
        memset(from, 0, bytes); /* Allowed from here on. */
        if (is_image) {
            MUST(clEnqueueReadImage(reads, memory, 1, origin, region, 0, 0, to, 0, NULL, NULL) == 0);
        } else {
            MUST(clEnqueueReadBuffer(reads, memory, 1, 0, bytes, to, 0, NULL, NULL) == 0);
        }
        int differs = 0;
        for (size_t i = 0; i < bytes; ++i) differs |= to[i] != (unsigned char)round;
        old += differs;
        MUST(clWaitForEvents(1, &event) == 0 && clReleaseEvent(event) == 0);
    }
    printf("%-20s not complete when it returns: %3d of %d; read too early by another queue: %3d\n", what, early, ROUNDS, old);
    return old;
}

int main(void) {
    handle platform, device;
    uint32_t found;
    int32_t code;
    MUST(clGetPlatformIDs(1, &platform, &found) == 0 && clGetDeviceIDs(platform, (uint32_t)ALL, 1, &device, &found) == 0);
    handle context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    MUST(context != NULL);
    writes = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    reads = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    MUST(writes && reads);
    int old = 0;
    for (int large = 0; large < 2; ++large) {
        size_t side = large ? LARGE : SMALL;
        image_desc desc = {.type = IMAGE_2D, .width = side, .height = side};
        handle image = clCreateImage(context, READ_WRITE, RGBA_BYTES, &desc, NULL, &code);
        handle buffer = clCreateBuffer(context, READ_WRITE, side * side * 4, NULL, &code);
        MUST(image && buffer);
        old += try(large ? "image, 256 KiB" : "image, 256 bytes", image, side, 1);
        old += try(large ? "buffer, 256 KiB" : "buffer, 256 bytes", buffer, side, 0);
    }
    return old > 0;
}
