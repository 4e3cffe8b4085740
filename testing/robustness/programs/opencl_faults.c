/* opencl_faults CASE: what ends the process of a driver without any plugin. Prints what each call answered. No headers needed; OpenCL's
 * names and values. In brackets the drivers that it ends; on the others the last line is `finish`.
 *
 * sub-device     [PoCL 3.1] its last reference is given back while a queue still uses it; OpenCL keeps it until that is gone.
 * mapping        [PoCL 3.1] taken away by an out-of-order queue before the command that fills it ran; OpenCL leaves that order to the caller.
 * part           [PoCL 3.1] a box is copied from a sub-buffer. The plugin names the whole buffer instead.
 * recorded       [PoCL 3.1] a launch with a local size that does not divide the global one, recorded in a command buffer. The plugin first has
 *                the driver judge the launch alone.
 * foreign-event  [Intel 2023.2.4 and 2026.2.0] a command in an out-of-order queue waits for an event of another context: the driver refuses it,
 *                and the queue's next command ends the process.
 * foreign-device [Intel 2023.2.4 and 2026.2.0] a program is compiled for a device that is not of its context; building it for that is refused.
 *                The plugin refuses both.
 *
 *     cc -O1 opencl_faults.c -o opencl_faults -l:libOpenCL.so.1 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void *handle;
extern int32_t clGetPlatformIDs(uint32_t, handle *, uint32_t *);
extern int32_t clGetDeviceIDs(handle, uint64_t, uint32_t, handle *, uint32_t *);
extern int32_t clCreateSubDevices(handle, const intptr_t *, uint32_t, handle *, uint32_t *);
extern int32_t clReleaseDevice(handle);
extern handle clCreateContext(void *, uint32_t, handle *, void *, void *, int32_t *);
extern handle clCreateCommandQueueWithProperties(handle, handle, uint64_t *, int32_t *);
extern handle clCreateBuffer(handle, uint64_t, size_t, void *, int32_t *);
extern handle clCreateUserEvent(handle, int32_t *);
extern int32_t clSetUserEventStatus(handle, int32_t);
extern int32_t clEnqueueWriteBuffer(handle, handle, uint32_t, size_t, size_t, const void *, uint32_t, handle *, handle *);
extern void *clEnqueueMapBuffer(handle, handle, uint32_t, uint64_t, size_t, size_t, uint32_t, handle *, handle *, int32_t *);
extern int32_t clEnqueueUnmapMemObject(handle, handle, void *, uint32_t, handle *, handle *);
extern int32_t clWaitForEvents(uint32_t, handle *);
extern int32_t clEnqueueReadBuffer(handle, handle, uint32_t, size_t, size_t, void *, uint32_t, handle *, handle *);
extern int32_t clEnqueueCopyBufferRect(handle, handle, handle, const size_t *, const size_t *, const size_t *, size_t, size_t, size_t, size_t,
                                       uint32_t, handle *, handle *);
extern handle clCreateSubBuffer(handle, uint64_t, uint32_t, const void *, int32_t *);
extern handle clCreateProgramWithSource(handle, uint32_t, const char **, const size_t *, int32_t *);
extern int32_t clBuildProgram(handle, uint32_t, handle *, const char *, void *, void *);
extern int32_t clCompileProgram(handle, uint32_t, handle *, const char *, uint32_t, handle *, const char **, void *, void *);
extern handle clCreateKernel(handle, const char *, int32_t *);
extern int32_t clSetKernelArg(handle, uint32_t, size_t, const void *);
extern void *clGetExtensionFunctionAddressForPlatform(handle, const char *);
extern int32_t clFinish(handle);

enum { SIZE = 4096, PARTITION_EQUALLY = 0x1086, PROPERTIES = 0x1093, OUT_OF_ORDER = 1, MAP_READ = 1, ROUNDS = 1000, REGION = 0x1220 };
static char host[SIZE];

/* The allocator's free memory is used again, as it would be sooner or later. */
static void use_freed_memory(void) {
    for (size_t size = 16; size < 1 << 13; size += 16) {
        void *block = malloc(size);
        if (block) memset(block, 0x41, size);
    }
}

static int sub_device(handle device) {
    const intptr_t one_each[] = {PARTITION_EQUALLY, 1, 0};
    handle parts[256];
    uint32_t found;
    int32_t code;
    if (clCreateSubDevices(device, one_each, 256, parts, &found) != 0) return 2;
    handle context = clCreateContext(NULL, 1, parts, NULL, NULL, &code);
    handle queue = clCreateCommandQueueWithProperties(context, parts[0], NULL, &code);
    handle buffer = clCreateBuffer(context, 1, SIZE, NULL, &code);
    printf("write: %d\n", clEnqueueWriteBuffer(queue, buffer, 1, 0, SIZE, host, 0, NULL, NULL));
    printf("release of the sub-device: %d\n", clReleaseDevice(parts[0]));
    use_freed_memory();
    printf("write: %d\n", clEnqueueWriteBuffer(queue, buffer, 1, 0, SIZE, host, 0, NULL, NULL));
    printf("finish: %d\n", clFinish(queue));
    return 0;
}

static int mapping(handle device) {
    uint64_t loose[] = {PROPERTIES, OUT_OF_ORDER, 0};
    int32_t code, unmapped;
    handle context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    handle queue = clCreateCommandQueueWithProperties(context, device, loose, &code);
    handle buffer = clCreateBuffer(context, 1, SIZE, NULL, &code);
    for (int round = 0; round < ROUNDS; ++round) {
        handle start = clCreateUserEvent(context, &code), gone;
        void *there = clEnqueueMapBuffer(queue, buffer, 0, MAP_READ, 0, SIZE, 1, &start, NULL, &code);
        unmapped = clEnqueueUnmapMemObject(queue, buffer, there, 0, NULL, &gone);
        if (round == 0) printf("map: %d, unmap: %d\n", code, unmapped);
        if (code != 0 || unmapped != 0 || clWaitForEvents(1, &gone) != 0) return 2;
        use_freed_memory();
        clSetUserEventStatus(start, 0);
        code = clFinish(queue);
    }
    printf("finish: %d\n", code);
    return 0;
}

static int part(handle device) {
    const size_t place[] = {0, 1024}, corner[3] = {0}, box[] = {4, 4, 1};
    int32_t code;
    handle context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    handle queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    handle whole = clCreateBuffer(context, 1, SIZE, NULL, &code), other = clCreateBuffer(context, 1, SIZE, NULL, &code);
    handle of_whole = clCreateSubBuffer(whole, 1, REGION, place, &code);
    printf("sub-buffer: %d\n", code);
    printf("copy: %d\n", clEnqueueCopyBufferRect(queue, of_whole, other, corner, corner, box, 64, 0, 64, 0, 0, NULL, NULL));
    printf("finish: %d\n", clFinish(queue));
    return 0;
}

static int recorded(handle platform, handle device) {
    const char *source = "kernel void one(global int *data) { data[get_global_id(0)] = 1; }";
    const size_t global = 8, local = 3;
    uint32_t point;
    int32_t code;
    handle (*create)(uint32_t, handle *, const uint64_t *, int32_t *);
    int32_t (*record)(handle, handle, const void *, handle, uint32_t, const size_t *, const size_t *, const size_t *, uint32_t, const uint32_t *,
                      uint32_t *, void *);
    *(void **)&create = clGetExtensionFunctionAddressForPlatform(platform, "clCreateCommandBufferKHR");
    *(void **)&record = clGetExtensionFunctionAddressForPlatform(platform, "clCommandNDRangeKernelKHR");
    if (!create || !record) return puts("the driver has no command buffers"), 2;
    handle context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    handle queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    handle buffer = clCreateBuffer(context, 1, SIZE, NULL, &code);
    handle program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    if (clBuildProgram(program, 1, &device, "", NULL, NULL) != 0) return 2;
    handle kernel = clCreateKernel(program, "one", &code);
    clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    handle commands = create(1, &queue, NULL, &code);
    printf("command buffer: %d\n", code);
    printf("launch: %d\n", record(commands, NULL, NULL, kernel, 1, NULL, &global, &local, 0, NULL, &point, NULL));
    printf("finish: %d\n", clFinish(queue));
    return 0;
}

static int foreign_event(handle device) {
    uint64_t loose[] = {PROPERTIES, OUT_OF_ORDER, 0};
    int32_t code;
    handle context = clCreateContext(NULL, 1, &device, NULL, NULL, &code), other = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    handle queue = clCreateCommandQueueWithProperties(context, device, loose, &code);
    handle buffer = clCreateBuffer(context, 1, SIZE, NULL, &code);
    handle event = clCreateUserEvent(other, &code);
    printf("read: %d\n", clEnqueueReadBuffer(queue, buffer, 0, 0, SIZE, host, 1, &event, NULL));
    printf("finish: %d\n", clFinish(queue));
    return 0;
}

static int foreign_device(handle device) {
    const intptr_t one_each[] = {PARTITION_EQUALLY, 1, 0};
    const char *source = "kernel void nothing() {}";
    handle parts[256];
    uint32_t found;
    int32_t code;
    if (clCreateSubDevices(device, one_each, 256, parts, &found) != 0) return 2;
    handle context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    handle program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    printf("build: %d\n", clBuildProgram(program, 1, parts, "", NULL, NULL));
    printf("compile: %d\n", clCompileProgram(program, 1, parts, "", 0, NULL, NULL, NULL, NULL));
    puts("finish");
    return 0;
}

int main(int count, char **args) {
    handle platform, device;
    uint32_t found;
    setbuf(stdout, NULL);
    if (count < 2 || clGetPlatformIDs(1, &platform, &found) != 0) return 2;
    if (clGetDeviceIDs(platform, (uint32_t)-1, 1, &device, &found) != 0) return 2;
    if (strcmp(args[1], "sub-device") == 0) return sub_device(device);
    if (strcmp(args[1], "mapping") == 0) return mapping(device);
    if (strcmp(args[1], "part") == 0) return part(device);
    if (strcmp(args[1], "recorded") == 0) return recorded(platform, device);
    if (strcmp(args[1], "foreign-event") == 0) return foreign_event(device);
    if (strcmp(args[1], "foreign-device") == 0) return foreign_device(device);
    return fprintf(stderr, "no such case: %s\n", args[1]), 2;
}
