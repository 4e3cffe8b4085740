/* Counts references to the objects of every OpenCL driver that the ICD loader finds: each call that makes or retains one adds, each release
 * takes away. The functions in the drivers' tables (cl_khr_icd) are replaced by ones that count, so no call gets past. x86-64 Linux: all
 * arguments of these functions are words. */
#define _GNU_SOURCE
#include "counter.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef uintptr_t word;
typedef word (*any)();

enum kind { CONTEXT, QUEUE, MEMORY, SAMPLER, PROGRAM, KERNEL, EVENT, DEVICE, ALLOCATION, COMMAND_BUFFER, KINDS };
static const char *const NAMES[KINDS] = {"context", "queue", "memory object", "sampler", "program",
                                         "kernel",  "event", "sub-device",    "allocation", "command buffer"};
static atomic_long live[KINDS];
/* Set once the table counts. */
static int counts;

static void add(enum kind kind, long change) {
    atomic_fetch_add(&live[kind], change);
}

#define P2 word a1, word a2
#define P1 word a1
#define P3 P2, word a3
#define P4 P3, word a4
#define P5 P4, word a5
#define P6 P5, word a6
#define P7 P6, word a7
#define P8 P7, word a8
#define P9 P8, word a9
#define P10 P9, word a10
#define P11 P10, word a11
#define P12 P11, word a12
#define P13 P12, word a13
#define P14 P13, word a14
#define A1 a1
#define A2 A1, a2
#define A3 A2, a3
#define A4 A3, a4
#define A5 A4, a5
#define A6 A5, a6
#define A7 A6, a7
#define A8 A7, a8
#define A9 A8, a9
#define A10 A9, a10
#define A11 A10, a11
#define A12 A11, a12
#define A13 A12, a13
#define A14 A13, a14

/* Slot in the table, or -1 for an extension's function; name; number of arguments; what it means. */
#define FUNCTIONS(MAKES, CHANGES, ENQUEUES)                                                                             \
    MAKES(4, clCreateContext, 6, CONTEXT)                                                                              \
    MAKES(5, clCreateContextFromType, 5, CONTEXT)                                                                      \
    CHANGES(6, clRetainContext, CONTEXT, 1)                                                                            \
    CHANGES(7, clReleaseContext, CONTEXT, -1)                                                                          \
    MAKES(9, clCreateCommandQueue, 4, QUEUE)                                                                           \
    CHANGES(10, clRetainCommandQueue, QUEUE, 1)                                                                        \
    CHANGES(11, clReleaseCommandQueue, QUEUE, -1)                                                                      \
    MAKES(14, clCreateBuffer, 5, MEMORY)                                                                               \
    MAKES(15, clCreateImage2D, 8, MEMORY)                                                                              \
    MAKES(16, clCreateImage3D, 10, MEMORY)                                                                             \
    CHANGES(17, clRetainMemObject, MEMORY, 1)                                                                          \
    CHANGES(18, clReleaseMemObject, MEMORY, -1)                                                                        \
    MAKES(22, clCreateSampler, 5, SAMPLER)                                                                             \
    CHANGES(23, clRetainSampler, SAMPLER, 1)                                                                           \
    CHANGES(24, clReleaseSampler, SAMPLER, -1)                                                                         \
    MAKES(26, clCreateProgramWithSource, 5, PROGRAM)                                                                   \
    MAKES(27, clCreateProgramWithBinary, 7, PROGRAM)                                                                   \
    CHANGES(28, clRetainProgram, PROGRAM, 1)                                                                           \
    CHANGES(29, clReleaseProgram, PROGRAM, -1)                                                                         \
    MAKES(34, clCreateKernel, 3, KERNEL)                                                                               \
    CHANGES(36, clRetainKernel, KERNEL, 1)                                                                             \
    CHANGES(37, clReleaseKernel, KERNEL, -1)                                                                           \
    CHANGES(43, clRetainEvent, EVENT, 1)                                                                               \
    CHANGES(44, clReleaseEvent, EVENT, -1)                                                                             \
    ENQUEUES(48, clEnqueueReadBuffer, 9)                                                                               \
    ENQUEUES(49, clEnqueueWriteBuffer, 9)                                                                              \
    ENQUEUES(50, clEnqueueCopyBuffer, 9)                                                                               \
    ENQUEUES(51, clEnqueueReadImage, 11)                                                                               \
    ENQUEUES(52, clEnqueueWriteImage, 11)                                                                              \
    ENQUEUES(53, clEnqueueCopyImage, 9)                                                                                \
    ENQUEUES(54, clEnqueueCopyImageToBuffer, 9)                                                                        \
    ENQUEUES(55, clEnqueueCopyBufferToImage, 9)                                                                        \
    ENQUEUES(58, clEnqueueUnmapMemObject, 6)                                                                           \
    ENQUEUES(59, clEnqueueNDRangeKernel, 9)                                                                            \
    ENQUEUES(60, clEnqueueTask, 5)                                                                                     \
    ENQUEUES(61, clEnqueueNativeKernel, 10)                                                                            \
    ENQUEUES(62, clEnqueueMarker, 2)                                                                                   \
    MAKES(82, clCreateSubBuffer, 5, MEMORY)                                                                            \
    MAKES(84, clCreateUserEvent, 2, EVENT)                                                                             \
    ENQUEUES(86, clEnqueueReadBufferRect, 14)                                                                          \
    ENQUEUES(87, clEnqueueWriteBufferRect, 14)                                                                         \
    ENQUEUES(88, clEnqueueCopyBufferRect, 13)                                                                          \
    CHANGES(94, clRetainDevice, DEVICE, 1)                                                                             \
    CHANGES(95, clReleaseDevice, DEVICE, -1)                                                                           \
    MAKES(96, clCreateImage, 6, MEMORY)                                                                                \
    MAKES(97, clCreateProgramWithBuiltInKernels, 5, PROGRAM)                                                           \
    MAKES(99, clLinkProgram, 9, PROGRAM)                                                                               \
    ENQUEUES(102, clEnqueueFillBuffer, 9)                                                                              \
    ENQUEUES(103, clEnqueueFillImage, 8)                                                                               \
    ENQUEUES(104, clEnqueueMigrateMemObjects, 7)                                                                       \
    ENQUEUES(105, clEnqueueMarkerWithWaitList, 4)                                                                      \
    ENQUEUES(106, clEnqueueBarrierWithWaitList, 4)                                                                     \
    MAKES(123, clCreateCommandQueueWithProperties, 4, QUEUE)                                                           \
    MAKES(124, clCreatePipe, 6, MEMORY)                                                                                \
    MAKES(126, clSVMAlloc, 4, ALLOCATION)                                                                              \
    ENQUEUES(129, clEnqueueSVMMemcpy, 8)                                                                               \
    ENQUEUES(130, clEnqueueSVMMemFill, 8)                                                                              \
    ENQUEUES(131, clEnqueueSVMMap, 8)                                                                                  \
    ENQUEUES(132, clEnqueueSVMUnmap, 5)                                                                                \
    MAKES(133, clCreateSamplerWithProperties, 3, SAMPLER)                                                              \
    MAKES(137, clCloneKernel, 2, KERNEL)                                                                               \
    MAKES(138, clCreateProgramWithIL, 4, PROGRAM)                                                                      \
    ENQUEUES(139, clEnqueueSVMMigrateMem, 8)                                                                           \
    MAKES(146, clCreateBufferWithProperties, 6, MEMORY)                                                                \
    MAKES(147, clCreateImageWithProperties, 7, MEMORY)                                                                 \
    MAKES(-1, clCreateCommandBufferKHR, 4, COMMAND_BUFFER)                                                             \
    CHANGES(-1, clRetainCommandBufferKHR, COMMAND_BUFFER, 1)                                                           \
    CHANGES(-1, clReleaseCommandBufferKHR, COMMAND_BUFFER, -1)                                                         \
    ENQUEUES(-1, clEnqueueCommandBufferKHR, 6)                                                                         \
    MAKES(-1, clHostMemAllocINTEL, 5, ALLOCATION)                                                                      \
    MAKES(-1, clDeviceMemAllocINTEL, 6, ALLOCATION)                                                                    \
    MAKES(-1, clSharedMemAllocINTEL, 6, ALLOCATION)                                                                    \
    ENQUEUES(-1, clEnqueueMemcpyINTEL, 8)                                                                              \
    ENQUEUES(-1, clEnqueueMemFillINTEL, 8)                                                                             \
    ENQUEUES(-1, clEnqueueMigrateMemINTEL, 7)                                                                          \
    ENQUEUES(-1, clEnqueueMemAdviseINTEL, 7)                                                                           \
    ENQUEUES(-1, clEnqueueReadGlobalVariableINTEL, 10)                                                                 \
    ENQUEUES(-1, clEnqueueWriteGlobalVariableINTEL, 10)

#define MAKES(slot, name, n, kind)                                                                                     \
    static any real_##name;                                                                                            \
    static word count_##name(P##n) {                                                                                   \
        word made = real_##name(A##n);                                                                                 \
        if (made) add(kind, 1);                                                                                        \
        return made;                                                                                                   \
    }
#define CHANGES(slot, name, kind, change)                                                                              \
    static any real_##name;                                                                                            \
    static word count_##name(P1) {                                                                                     \
        word code = real_##name(A1);                                                                                   \
        if ((int)code == 0) add(kind, change);                                                                         \
        return code;                                                                                                   \
    }
#define ENQUEUES(slot, name, n)                                                                                        \
    static any real_##name;                                                                                            \
    static word count_##name(P##n) {                                                                                   \
        word code = real_##name(A##n);                                                                                 \
        if ((int)code == 0 && a##n) add(EVENT, 1);                                                                     \
        return code;                                                                                                   \
    }
FUNCTIONS(MAKES, CHANGES, ENQUEUES)
#undef MAKES
#undef CHANGES
#undef ENQUEUES

static any real_clCreateKernelsInProgram, real_clEnqueueMapBuffer, real_clEnqueueMapImage, real_clCreateSubDevices,
    real_clSVMFree, real_clMemFreeINTEL, real_clMemBlockingFreeINTEL, real_clGetExtensionFunctionAddressForPlatform,
    real_clGetExtensionFunctionAddress;

static word count_clCreateKernelsInProgram(P4) {
    unsigned made = 0;
    word code = real_clCreateKernelsInProgram(a1, a2, a3, &made);
    if ((int)code == 0 && a3) add(KERNEL, (long)made);
    if (a4) *(unsigned *)a4 = made;
    return code;
}

static word count_clEnqueueMapBuffer(P10) {
    word start = real_clEnqueueMapBuffer(A10);
    if (start && a9) add(EVENT, 1);
    return start;
}

static word count_clEnqueueMapImage(P12) {
    word start = real_clEnqueueMapImage(A12);
    if (start && a11) add(EVENT, 1);
    return start;
}

static word count_clCreateSubDevices(P5) {
    unsigned all = 0;
    word code = real_clCreateSubDevices(a1, a2, a3, a4, &all);
    if (a5) *(unsigned *)a5 = all;
    if ((int)code == 0 && a4) add(DEVICE, (long)((unsigned)a3 < all ? (unsigned)a3 : all));
    return code;
}

static word count_clSVMFree(P2) {
    word nothing = real_clSVMFree(A2);
    if (a2) add(ALLOCATION, -1);
    return nothing;
}

static word count_clMemFreeINTEL(P2) {
    word code = real_clMemFreeINTEL(A2);
    if ((int)code == 0 && a2) add(ALLOCATION, -1);
    return code;
}

static word count_clMemBlockingFreeINTEL(P2) {
    word code = real_clMemBlockingFreeINTEL(A2);
    if ((int)code == 0 && a2) add(ALLOCATION, -1);
    return code;
}

static word count_clGetExtensionFunctionAddressForPlatform(P2);
static word count_clGetExtensionFunctionAddress(P1);

static struct function {
    int slot;
    const char *name;
    any counting, *real;
} functions[] = {
#define MAKES(slot, name, n, kind) {slot, #name, (any)count_##name, &real_##name},
#define CHANGES(slot, name, kind, change) {slot, #name, (any)count_##name, &real_##name},
#define ENQUEUES(slot, name, n) {slot, #name, (any)count_##name, &real_##name},
    FUNCTIONS(MAKES, CHANGES, ENQUEUES)
#define OTHER(slot, name) {slot, #name, (any)count_##name, &real_##name},
    OTHER(35, clCreateKernelsInProgram)
    OTHER(56, clEnqueueMapBuffer)
    OTHER(57, clEnqueueMapImage)
    OTHER(65, clGetExtensionFunctionAddress)
    OTHER(93, clCreateSubDevices)
    OTHER(107, clGetExtensionFunctionAddressForPlatform)
    OTHER(127, clSVMFree)
    OTHER(-1, clMemFreeINTEL)
    OTHER(-1, clMemBlockingFreeINTEL)
};
enum { COUNT = sizeof functions / sizeof *functions };

static word instead(const char *name, word real) {
    for (int i = 0; real && i < COUNT; ++i) {
        if (functions[i].slot < 0 && strcmp(functions[i].name, name) == 0) {
            *functions[i].real = (any)real;
            return (word)functions[i].counting;
        }
    }
    return real;
}

static word count_clGetExtensionFunctionAddressForPlatform(P2) {
    return instead((const char *)a2, real_clGetExtensionFunctionAddressForPlatform(A2));
}

static word count_clGetExtensionFunctionAddress(P1) {
    return instead((const char *)a1, real_clGetExtensionFunctionAddress(A1));
}

/* The first driver's table: its functions stay known, the ones that count take their places. */
__attribute__((constructor)) static void begin(void) {
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    any get, info;
    if (!library || !(*(void **)&get = dlsym(library, "clGetPlatformIDs"))) return;
    *(void **)&info = dlsym(library, "clGetPlatformInfo");
    word **platform = NULL;
    char version[128] = "";
    if ((int)get((word)1, &platform, (word)0) != 0) return;
    info(platform, (word)0x0901, (word)sizeof version, version, (word)0);
    int major = 1, minor = 0;
    sscanf(version, "OpenCL %d.%d", &major, &minor);
    int slots = major >= 3 ? 149 : major == 2 ? (minor >= 2 ? 146 : minor == 1 ? 144 : 137) : 123;
    word *table = *platform;
    word page = (word)sysconf(_SC_PAGESIZE), start = (word)table & ~(page - 1), end = (word)(table + slots);
    if (mprotect((void *)start, end - start, PROT_READ | PROT_WRITE) != 0) return;
    for (int i = 0; i < COUNT; ++i) {
        int slot = functions[i].slot;
        if (slot < 0 || slot >= slots || table[slot] == 0) continue;
        *functions[i].real = (any)table[slot];
        table[slot] = (word)functions[i].counting;
    }
    counts = 1;
}

size_t count_objects(char *room, size_t size) {
    size_t used = 0;
    if (size) *room = 0;
    if (!counts) return 0;
    for (int kind = 0; kind < KINDS; ++kind) {
        char line[64];
        int length = snprintf(line, sizeof line, "%s %ld\n", NAMES[kind], atomic_load(&live[kind]));
        if (used + (size_t)length < size) memcpy(room + used, line, (size_t)length + 1);
        used += (size_t)length;
    }
    return used;
}
