/* opencl_faults CASE: what ends the process of a driver without any plugin. Prints what each call answered. No headers needed; OpenCL's
 * names and values. In brackets the drivers that it ends; on the others the last line is `finish`.
 *
 * sub-device     [PoCL 3.1] its last reference is given back while a queue still uses it; OpenCL keeps it until that is gone.
 * parts-released [PoCL 3.1] all is given back in order, sub-devices last: in one run of eight the driver's thread has an event left and reads the
 *                sub-device that is gone. valgrind shows it; it ends well.
 * mapping        [PoCL 3.1 to 7.1] taken away by an out-of-order queue before the command that fills it ran; OpenCL leaves that order to the caller.
 * part           [PoCL 3.1 and 6.0] a box is copied from a sub-buffer. The plugin names the whole buffer instead.
 * recorded       [PoCL 3.1] a launch with a local size that does not divide the global one, recorded in a command buffer. The plugin
 *                replays ordinary commands instead.
 * foreign-event  [Intel 2023.2.4 and 2026.2.0] a command in an out-of-order queue waits for an event of another context: the driver refuses it,
 *                and the queue's next command ends the process.
 * refused-event  [Intel 2026.2.0] a command in an in-order queue waits for an event of another context: it is refused, but leaves an event of
 *                its own behind, whose command the driver has freed and reads when the process exits. valgrind shows it; it may end well.
 * image-as-buffer [Intel 2023.2.4 and 2026.2.0] an image is copied to a buffer by the call for buffers. OpenCL wants CL_INVALID_MEM_OBJECT;
 *                these take the bytes for pixels and write past the buffer's end.
 * part-image     [PoCL 3.1 and 6.0] a command on an image in the queue of a sub-device. The plugin refuses it.
 * array          [PoCL 3.1 to 7.1] a box beyond the last image of an array: taken, and written past the end of the memory. The plugin refuses it.
 * foreign-buffer [PoCL 3.1 to 7.1] an image is made of a buffer of another context. The plugin refuses it.
 * built-again    [PoCL 3.1 to 7.1] a program from a binary is built a second time. The plugin refuses it.
 * header         [PoCL 3.1 to 7.1, Intel 2026.2.0] a program from a binary is a header of a compile. The plugin refuses it.
 * empty-module   [Intel 2026.2.0] a constant is set of a SPIR-V module without functions. The plugin refuses that.
 * link-options   [Intel 2023.2.4 and 2026.2.0] an option of clLinkProgram that the driver does not know: valgrind shows its check reading an
 *                allocator's block that it has freed itself. It is refused all the same.
 * failed-command [Intel 2023.2.4 and 2026.2.0] a command in an out-of-order queue waits for a user event that fails, and the queue is released.
 * foreign-device [Intel 2023.2.4 and 2026.2.0] a program is compiled for a device that is not of its context; building it for that is refused.
 *                The plugin refuses both.
 * uncompiled     [PoCL 3.1] a program that could not be compiled is linked. OpenCL wants an error. The plugin refuses it.
 * fill-other     [PoCL 6.0 and 7.1] a fill of memory that is no USM of the queue's context. The plugin refuses it.
 * copy-refused   [PoCL 6.0 and 7.1] a copy of USM onto itself, with an event: the driver refuses it, and writes to the event that it has not made.
 *                So it does where the copy leaves a block or waits for an event of another context. The plugin refuses all three.
 * argument       [PoCL 7.1] an argument of no bytes: the driver reads its value, whatever the size, here where nothing may be read.
 * references     On PoCL 6.0 the context's count grows with each block of USM that is freed, and the queue's after commands on one. A context
 *                is never destroyed, and each block takes longer than the one before.
 * alignment      On PoCL 6.0 and 7.1 USM is not aligned as asked. The plugin frees it and refuses.
 * local-size     On PoCL 6.0 CL_KERNEL_LOCAL_MEM_SIZE is 0 after a local argument is set.
 * cloned-local   [Intel until 2025.1.1] a clone of a kernel with local memory as an argument is launched: it has lost the size. The plugin sets it again.
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
extern handle clCloneKernel(handle, int32_t *);
extern int32_t clEnqueueNDRangeKernel(handle, handle, uint32_t, const size_t *, const size_t *, const size_t *, uint32_t, handle *, handle *);
extern void *clGetExtensionFunctionAddressForPlatform(handle, const char *);
extern handle clCreateImage(handle, uint64_t, const void *, const void *, void *, int32_t *);
extern int32_t clEnqueueWriteImage(handle, handle, uint32_t, const size_t *, const size_t *, size_t, size_t, const void *, uint32_t, handle *,
                                   handle *);
extern int32_t clEnqueueCopyBuffer(handle, handle, handle, size_t, size_t, size_t, uint32_t, handle *, handle *);
extern int32_t clGetProgramInfo(handle, uint32_t, size_t, void *, size_t *);
extern handle clCreateProgramWithBinary(handle, uint32_t, handle *, const size_t *, const unsigned char **, int32_t *, int32_t *);
extern handle clCreateProgramWithIL(handle, const void *, size_t, int32_t *);
extern int32_t clSetProgramSpecializationConstant(handle, uint32_t, size_t, const void *);
extern handle clLinkProgram(handle, uint32_t, handle *, const char *, uint32_t, handle *, void *, void *, int32_t *);
extern int32_t clFinish(handle);
extern int32_t clReleaseCommandQueue(handle);
extern int32_t clReleaseMemObject(handle);
extern int32_t clReleaseContext(handle);
extern int32_t clGetContextInfo(handle, uint32_t, size_t, void *, size_t *);
extern int32_t clGetCommandQueueInfo(handle, uint32_t, size_t, void *, size_t *);
extern int32_t clGetKernelWorkGroupInfo(handle, handle, uint32_t, size_t, void *, size_t *);
extern void *mmap(void *, size_t, int, int, int, long);

struct format { uint32_t order, type; };
struct desc { uint32_t type; size_t width, height, depth, array, row, slice; uint32_t levels, samples; handle buffer; };
static const struct format rgba = {0x10B5, 0x10DE};

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

static int parts_released(handle device) {
    const intptr_t one_each[] = {PARTITION_EQUALLY, 1, 0};
    handle parts[256];
    uint32_t found;
    int32_t code = 0;
    for (int round = 0; round < ROUNDS && code == 0; ++round) {
        if (clCreateSubDevices(device, one_each, 256, parts, &found) != 0 || found < 2) return 2;
        handle context = clCreateContext(NULL, 2, parts, NULL, NULL, &code);
        handle writes = clCreateCommandQueueWithProperties(context, parts[0], NULL, &code);
        handle reads = clCreateCommandQueueWithProperties(context, parts[1], NULL, &code);
        handle buffer = clCreateBuffer(context, 1, SIZE, NULL, &code);
        clEnqueueWriteBuffer(writes, buffer, 1, 0, SIZE, host, 0, NULL, NULL);
        code = clEnqueueReadBuffer(reads, buffer, 1, 0, SIZE, host, 0, NULL, NULL);
        clReleaseMemObject(buffer);
        clReleaseCommandQueue(writes);
        clReleaseCommandQueue(reads);
        clReleaseContext(context);
        for (uint32_t i = 0; i < found; ++i) clReleaseDevice(parts[i]);
    }
    printf("last read: %d\nfinish: %d\n", code, code);
    return 0;
}

static int mapping(handle device) {
    uint64_t out_of_order[] = {PROPERTIES, OUT_OF_ORDER, 0};
    int32_t code, unmapped;
    handle context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    handle queue = clCreateCommandQueueWithProperties(context, device, out_of_order, &code);
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
    uint64_t out_of_order[] = {PROPERTIES, OUT_OF_ORDER, 0};
    int32_t code;
    handle context = clCreateContext(NULL, 1, &device, NULL, NULL, &code), other = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    handle queue = clCreateCommandQueueWithProperties(context, device, out_of_order, &code);
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

static int refused_event(handle device) {
    int32_t code;
    handle context = clCreateContext(NULL, 1, &device, NULL, NULL, &code), other = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    handle queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    handle buffer = clCreateBuffer(context, 1, SIZE, NULL, &code);
    handle event = clCreateUserEvent(other, &code), own = NULL;
    printf("write: %d", clEnqueueWriteBuffer(queue, buffer, 0, 0, SIZE, host, 1, &event, &own));
    printf(", event: %s\n", own ? "one" : "none");
    printf("finish: %d\n", clFinish(queue));
    use_freed_memory();
    return 0;
}

static int image_as_buffer(handle device) {
    const struct desc flat = {.type = 0x10F1, .width = 64, .height = 16};
    int32_t code;
    handle context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    handle queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    handle image = clCreateImage(context, 1, &rgba, &flat, NULL, &code), small = clCreateBuffer(context, 1, 64, NULL, &code);
    for (int round = 0; round < ROUNDS; ++round) {
        code = clEnqueueCopyBuffer(queue, image, small, 0, 0, 64, 0, NULL, NULL);
        if (round == 0) printf("copy: %d\n", code);
        clFinish(queue);
        use_freed_memory();
    }
    printf("finish: %d\n", clFinish(queue));
    return 0;
}

static int part_image(handle device) {
    const intptr_t one_each[] = {PARTITION_EQUALLY, 1, 0};
    const struct desc flat = {.type = 0x10F1, .width = 4, .height = 4};
    const size_t corner[3] = {0}, box[] = {4, 4, 1};
    handle parts[256];
    uint32_t found;
    int32_t code;
    if (clCreateSubDevices(device, one_each, 256, parts, &found) != 0) return 2;
    handle context = clCreateContext(NULL, 1, parts, NULL, NULL, &code);
    handle queue = clCreateCommandQueueWithProperties(context, parts[0], NULL, &code);
    handle image = clCreateImage(context, 1, &rgba, &flat, NULL, &code);
    printf("image: %d\n", code);
    printf("write: %d\n", clEnqueueWriteImage(queue, image, 1, corner, box, 0, 0, host, 0, NULL, NULL));
    printf("finish: %d\n", clFinish(queue));
    return 0;
}

static int array(handle device) {
    const struct desc two = {.type = 0x10F5, .width = 8, .array = 2};
    const size_t corner[3] = {0}, box[] = {8, 16, 1};
    int32_t code;
    handle context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    handle queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    handle image = clCreateImage(context, 1, &rgba, &two, NULL, &code);
    for (int round = 0; round < ROUNDS; ++round) {
        code = clEnqueueWriteImage(queue, image, 1, corner, box, 0, 0, host, 0, NULL, NULL);
        if (round == 0) printf("write: %d\n", code);
        use_freed_memory();
    }
    printf("finish: %d\n", clFinish(queue));
    return 0;
}

static int foreign_buffer(handle device) {
    int32_t code;
    handle context = clCreateContext(NULL, 1, &device, NULL, NULL, &code), other = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    const struct desc of = {.type = 0x10F6, .width = 16, .height = 1, .buffer = clCreateBuffer(other, 1, SIZE, NULL, &code)};
    clCreateImage(context, 1, &rgba, &of, NULL, &code);
    printf("image: %d\n", code);
    puts("finish");
    return 0;
}

/* A program made of what the driver built. */
static handle from_binary(handle context, handle device) {
    const char *source = "kernel void nothing() {}";
    size_t size = 0;
    int32_t code;
    handle program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    clBuildProgram(program, 1, &device, "", NULL, NULL);
    clGetProgramInfo(program, 0x1165, sizeof size, &size, NULL);
    unsigned char *binary = malloc(size);
    clGetProgramInfo(program, 0x1166, sizeof binary, &binary, NULL);
    handle made = clCreateProgramWithBinary(context, 1, &device, &size, (const unsigned char **)&binary, NULL, &code);
    printf("program: %d\n", code);
    return made;
}

static int built_again(handle device) {
    int32_t code;
    handle program = from_binary(clCreateContext(NULL, 1, &device, NULL, NULL, &code), device);
    printf("build: %d\n", clBuildProgram(program, 1, &device, "", NULL, NULL));
    printf("build: %d\n", clBuildProgram(program, 1, &device, "", NULL, NULL));
    puts("finish");
    return 0;
}

static int header(handle device) {
    const char *source = "kernel void nothing() {}", *name = "a.h";
    int32_t code;
    handle context = clCreateContext(NULL, 1, &device, NULL, NULL, &code), with = from_binary(context, device);
    handle program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    printf("compile: %d\n", clCompileProgram(program, 1, &device, "", 1, &with, &name, NULL, NULL));
    puts("finish");
    return 0;
}

static int empty_module(handle device) {
    /* Magic, version 1.0, generator, bound, schema; Addresses, Kernel; physical 64, OpenCL. */
    const uint32_t module[] = {0x07230203, 0x10000, 0, 8, 0, 2 << 16 | 17, 4, 2 << 16 | 17, 6, 3 << 16 | 14, 2, 2};
    const uint32_t value = 1;
    int32_t code;
    handle program = clCreateProgramWithIL(clCreateContext(NULL, 1, &device, NULL, NULL, &code), module, sizeof module, &code);
    printf("program: %d\n", code);
    if (program) printf("constant: %d\n", clSetProgramSpecializationConstant(program, 2, sizeof value, &value));
    puts("finish");
    return 0;
}

static int failed_command(handle device) {
    uint64_t out_of_order[] = {PROPERTIES, OUT_OF_ORDER, 0};
    int32_t code;
    handle context = clCreateContext(NULL, 1, &device, NULL, NULL, &code), event;
    handle queue = clCreateCommandQueueWithProperties(context, device, out_of_order, &code);
    handle buffer = clCreateBuffer(context, 1, SIZE, NULL, &code), start = clCreateUserEvent(context, &code);
    printf("read: %d\n", clEnqueueReadBuffer(queue, buffer, 0, 0, SIZE, host, 1, &start, &event));
    printf("set: %d\n", clSetUserEventStatus(start, -5));
    printf("wait: %d\n", clWaitForEvents(1, &event));
    printf("finish: %d\n", clReleaseCommandQueue(queue));
    return 0;
}

static int link_options(handle device) {
    const char *source = "kernel void nothing() {}";
    int32_t code;
    handle context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    handle program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    printf("compile: %d\n", clCompileProgram(program, 1, &device, "", 0, NULL, NULL, NULL, NULL));
    clLinkProgram(context, 1, &device, "-no-such-option", 1, &program, NULL, NULL, &code);
    printf("link: %d\n", code);
    puts("finish");
    return 0;
}

static int uncompiled(handle device) {
    const char *source = "kernel void nothing() { no such thing }";
    int32_t code;
    handle context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    handle program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    printf("compile: %d\n", clCompileProgram(program, 1, &device, "", 0, NULL, NULL, NULL, NULL));
    clLinkProgram(context, 1, &device, "", 1, &program, NULL, NULL, &code);
    printf("link: %d\n", code);
    puts("finish");
    return 0;
}

static int cloned_local(handle device) {
    const char *source = "kernel void last(global int *out, local int *scratch) { scratch[get_local_id(0)] = get_local_id(0);"
                         " barrier(CLK_LOCAL_MEM_FENCE); if (get_local_id(0) == 0) *out = scratch[get_local_size(0) - 1]; }";
    const size_t global = 1024;
    int32_t code;
    handle context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    handle queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    handle program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    printf("build: %d\n", clBuildProgram(program, 1, &device, "", NULL, NULL));
    handle kernel = clCreateKernel(program, "last", &code), buffer = clCreateBuffer(context, 1, SIZE, NULL, &code), clone;
    printf("set: %d\n", clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    printf("set: %d\n", clSetKernelArg(kernel, 1, global * sizeof(int32_t), NULL));
    clone = clCloneKernel(kernel, &code);
    printf("clone: %d\n", code);
    for (int run = 0; run < 50; ++run) {
        clEnqueueNDRangeKernel(queue, clone, 1, NULL, &global, NULL, 0, NULL, NULL);
        clFinish(queue);
    }
    puts("finish");
    return 0;
}

typedef void *allocate(handle, const uint64_t *, size_t, uint32_t, int32_t *);
typedef int32_t release(handle, void *);
typedef int32_t fill(handle, void *, const void *, size_t, size_t, uint32_t, handle *, handle *);
typedef int32_t copy(handle, uint32_t, void *, const void *, size_t, uint32_t, handle *, handle *);

static int usm(handle platform, handle device, const char *what) {
    allocate *allocate_host = (allocate *)clGetExtensionFunctionAddressForPlatform(platform, "clHostMemAllocINTEL");
    release *free_block = (release *)clGetExtensionFunctionAddressForPlatform(platform, "clMemFreeINTEL");
    fill *fill_block = (fill *)clGetExtensionFunctionAddressForPlatform(platform, "clEnqueueMemFillINTEL");
    copy *copy_block = (copy *)clGetExtensionFunctionAddressForPlatform(platform, "clEnqueueMemcpyINTEL");
    int32_t code;
    uint32_t of_context = 0, of_queue = 0;
    if (!allocate_host || !free_block || !fill_block || !copy_block) return 2;
    handle context = clCreateContext(NULL, 1, &device, NULL, NULL, &code), event;
    handle queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    void *block = allocate_host(context, NULL, SIZE, 0, &code);
    if (strcmp(what, "fill-other") == 0) printf("fill: %d\n", fill_block(queue, host, "", 1, SIZE, 0, NULL, NULL));
    if (strcmp(what, "copy-refused") == 0) printf("copy: %d\n", copy_block(queue, 0, block, block, SIZE, 0, NULL, &event));
    for (uint32_t alignment = 1 << 10; strcmp(what, "alignment") == 0 && alignment <= 1 << 24; alignment <<= 2) {
        void *aligned = allocate_host(context, NULL, 64, alignment, &code);
        printf("alignment %u: %d, %zu bytes off\n", alignment, code, (size_t)((uintptr_t)aligned % alignment));
    }
    for (int round = 0; strcmp(what, "references") == 0 && round < 3; ++round) {
        void *other = allocate_host(context, NULL, 64, 0, &code);
        fill_block(queue, other, "", 1, 64, 0, NULL, NULL);
        clFinish(queue);
        free_block(context, other);
        clGetContextInfo(context, 0x1080, sizeof of_context, &of_context, NULL);
        clGetCommandQueueInfo(queue, 0x1092, sizeof of_queue, &of_queue, NULL);
        printf("references: context %u, queue %u\n", of_context, of_queue);
    }
    printf("finish: %d\n", clFinish(queue));
    return 0;
}

static int argument(handle device, int is_local) {
    const char *source = "kernel void one(global int *out, local int *scratch, int4 value) { *scratch = value.x; *out = *scratch; }";
    int32_t code;
    uint64_t bytes = 0;
    handle context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    handle program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    printf("build: %d\n", clBuildProgram(program, 1, &device, "", NULL, NULL));
    handle kernel = clCreateKernel(program, "one", &code);
    /* PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS */
    const void *unreadable = mmap(NULL, SIZE, 0, 0x22, -1, 0);
    for (uint32_t index = 0; !is_local && index < 3; ++index) printf("set: %d\n", clSetKernelArg(kernel, index, 0, unreadable));
    if (is_local) {
        printf("set: %d\n", clSetKernelArg(kernel, 1, SIZE, NULL));
        clGetKernelWorkGroupInfo(kernel, device, 0x11B2, sizeof bytes, &bytes, NULL);
        printf("local memory: %u\n", (uint32_t)bytes);
    }
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
    if (strcmp(args[1], "parts-released") == 0) return parts_released(device);
    if (strcmp(args[1], "mapping") == 0) return mapping(device);
    if (strcmp(args[1], "part") == 0) return part(device);
    if (strcmp(args[1], "recorded") == 0) return recorded(platform, device);
    if (strcmp(args[1], "foreign-event") == 0) return foreign_event(device);
    if (strcmp(args[1], "failed-command") == 0) return failed_command(device);
    if (strcmp(args[1], "foreign-device") == 0) return foreign_device(device);
    if (strcmp(args[1], "refused-event") == 0) return refused_event(device);
    if (strcmp(args[1], "image-as-buffer") == 0) return image_as_buffer(device);
    if (strcmp(args[1], "part-image") == 0) return part_image(device);
    if (strcmp(args[1], "array") == 0) return array(device);
    if (strcmp(args[1], "foreign-buffer") == 0) return foreign_buffer(device);
    if (strcmp(args[1], "built-again") == 0) return built_again(device);
    if (strcmp(args[1], "header") == 0) return header(device);
    if (strcmp(args[1], "empty-module") == 0) return empty_module(device);
    if (strcmp(args[1], "cloned-local") == 0) return cloned_local(device);
    if (strcmp(args[1], "uncompiled") == 0) return uncompiled(device);
    if (strcmp(args[1], "link-options") == 0) return link_options(device);
    if (strcmp(args[1], "argument") == 0) return argument(device, 0);
    if (strcmp(args[1], "local-size") == 0) return argument(device, 1);
    for (const char **name = (const char *[]){"fill-other", "copy-refused", "references", "alignment", NULL}; *name; ++name)
        if (strcmp(args[1], *name) == 0) return usm(platform, device, *name);
    return fprintf(stderr, "no such case: %s\n", args[1]), 2;
}
