// A layer for OpenCL that leaves of a driver's memory features only coarse-grained shared virtual memory, as rusticl has
// on GPUs, and that holds its caller to the rules of such memory:
//
// - The host may use an allocation only while it is mapped. At any other time its pages are protected.
// - A command may use an allocation only while it is not mapped. Otherwise the call returns CL_INVALID_OPERATION.
// - A kernel may use only allocations that are its arguments, or that CL_KERNEL_EXEC_INFO_SVM_PTRS names. Other pages
//   are protected while it runs.
//
// Commands are complete when their calls return. Callers on several threads take turns.
#define CL_TARGET_OPENCL_VERSION 300
#define _GNU_SOURCE
#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <CL/cl_layer.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MOST_BLOCKS = 1 << 16, MOST_KERNELS = 1 << 12, MOST_ARGUMENTS = 256, PAGE = 4096 };

struct block {
    char *start;
    size_t size;
    int is_mapped;
};

// What a kernel may use, by the pointers that it was told.
struct kernel {
    cl_kernel handle;
    const void *arguments[MOST_ARGUMENTS];
    const void **named;
    size_t count;
};

static struct _cl_icd_dispatch ours;
static const struct _cl_icd_dispatch *driver;
static struct block blocks[MOST_BLOCKS];
static struct kernel kernels[MOST_KERNELS];
static size_t block_count, kernel_count;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static void complain(const char *call, const char *text)
{
    fprintf(stderr, "coarse-svm: %s: %s\n", call, text);
    fflush(stderr);
}

static struct block *block_of(const void *pointer)
{
    for (size_t at = 0; at < block_count; at++) {
        const char *start = blocks[at].start;
        if (start && (const char *)pointer >= start && (const char *)pointer < start + blocks[at].size)
            return &blocks[at];
    }
    return NULL;
}

static void protect(struct block *block, int protection)
{
    if (block)
        mprotect(block->start, (block->size + PAGE - 1) / PAGE * PAGE, protection);
}

// The kernel's record, which takes the place of an earlier kernel's at this address.
static struct kernel *kernel_of(cl_kernel handle)
{
    for (size_t at = 0; at < kernel_count; at++)
        if (kernels[at].handle == handle)
            return &kernels[at];
    if (kernel_count == MOST_KERNELS) {
        complain("kernel", "too many kernels");
        abort();
    }
    kernels[kernel_count].handle = handle;
    return &kernels[kernel_count++];
}

static void forget_kernel(cl_kernel handle)
{
    struct kernel *kernel = kernel_of(handle);
    free(kernel->named);
    memset(kernel, 0, sizeof *kernel);
    kernel->handle = handle;
}

static cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info name, size_t size, void *value, size_t *size_ret)
{
    cl_int code = driver->clGetDeviceInfo(device, name, size, value, size_ret);
    if (name == CL_DEVICE_SVM_CAPABILITIES && code == CL_SUCCESS && value)
        *(cl_device_svm_capabilities *)value = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
    if (name == CL_DEVICE_EXTENSIONS && code == CL_SUCCESS && value) {
        static const char usm[] = "cl_intel_unified_shared_memory";
        char *found = strstr(value, usm);
        if (found)
            memset(found, ' ', sizeof usm - 1);
    }
    return code;
}

static void *CL_API_CALL get_extension_function(cl_platform_id platform, const char *name)
{
    static const char *const hidden[] = {
        "clHostMemAllocINTEL", "clDeviceMemAllocINTEL", "clSharedMemAllocINTEL", "clMemFreeINTEL", "clMemBlockingFreeINTEL",
        "clGetMemAllocInfoINTEL", "clSetKernelArgMemPointerINTEL", "clEnqueueMemFillINTEL", "clEnqueueMemcpyINTEL",
        "clEnqueueMigrateMemINTEL", "clEnqueueMemAdviseINTEL"};
    for (size_t at = 0; at < sizeof hidden / sizeof *hidden; at++)
        if (!strcmp(name, hidden[at]))
            return NULL;
    return driver->clGetExtensionFunctionAddressForPlatform(platform, name);
}

static void *CL_API_CALL svm_alloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment)
{
    if (flags & (CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS)) {
        complain("clSVMAlloc", "the device has coarse grains only");
        return NULL;
    }
    if (size == 0 || alignment > 128)
        return NULL;
    // Whole pages that the driver knows nothing of: it has system memory, and nothing else shares them.
    (void)context;
    char *start = mmap(NULL, (size + PAGE - 1) / PAGE * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED)
        return NULL;
    pthread_mutex_lock(&turn);
    size_t at = 0;
    while (at < block_count && blocks[at].start)
        at++;
    if (at == MOST_BLOCKS) {
        complain("clSVMAlloc", "too many blocks");
        abort();
    }
    blocks[at] = (struct block){start, size, 0};
    block_count = at == block_count ? at + 1 : block_count;
    pthread_mutex_unlock(&turn);
    return start;
}

static void CL_API_CALL svm_free(cl_context context, void *pointer)
{
    (void)context;
    pthread_mutex_lock(&turn);
    struct block *block = block_of(pointer);
    if (block) {
        munmap(block->start, (block->size + PAGE - 1) / PAGE * PAGE);
        block->start = NULL;
    } else if (pointer) {
        complain("clSVMFree", "this is no allocation");
    }
    pthread_mutex_unlock(&turn);
}

static cl_int CL_API_CALL set_kernel_arg(cl_kernel handle, cl_uint index, size_t size, const void *value)
{
    pthread_mutex_lock(&turn);
    if (index < MOST_ARGUMENTS)
        kernel_of(handle)->arguments[index] = NULL;
    pthread_mutex_unlock(&turn);
    return driver->clSetKernelArg(handle, index, size, value);
}

static cl_int CL_API_CALL set_kernel_arg_svm_pointer(cl_kernel handle, cl_uint index, const void *value)
{
    pthread_mutex_lock(&turn);
    if (index < MOST_ARGUMENTS)
        kernel_of(handle)->arguments[index] = value;
    pthread_mutex_unlock(&turn);
    return driver->clSetKernelArgSVMPointer(handle, index, value);
}

static cl_int CL_API_CALL set_kernel_exec_info(cl_kernel handle, cl_kernel_exec_info name, size_t size, const void *value)
{
    if (name == CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM)
        return *(const cl_bool *)value ? CL_INVALID_OPERATION : CL_SUCCESS;
    if (name != CL_KERNEL_EXEC_INFO_SVM_PTRS)
        return driver->clSetKernelExecInfo(handle, name, size, value);
    cl_int code = CL_SUCCESS;
    pthread_mutex_lock(&turn);
    struct kernel *kernel = kernel_of(handle);
    free(kernel->named);
    kernel->named = malloc(size + 1);
    kernel->count = size / sizeof(void *);
    memcpy(kernel->named, value, size);
    for (size_t at = 0; at < kernel->count; at++)
        code = block_of(kernel->named[at]) ? code : CL_INVALID_VALUE;
    pthread_mutex_unlock(&turn);
    return code;
}

static cl_kernel CL_API_CALL create_kernel(cl_program program, const char *name, cl_int *code)
{
    cl_kernel made = driver->clCreateKernel(program, name, code);
    pthread_mutex_lock(&turn);
    if (made)
        forget_kernel(made);
    pthread_mutex_unlock(&turn);
    return made;
}

static cl_kernel CL_API_CALL clone_kernel(cl_kernel source, cl_int *code)
{
    cl_kernel made = driver->clCloneKernel(source, code);
    pthread_mutex_lock(&turn);
    if (made) {
        forget_kernel(made);
        memcpy(kernel_of(made)->arguments, kernel_of(source)->arguments, sizeof kernels->arguments);
    }
    pthread_mutex_unlock(&turn);
    return made;
}

// Waits for what a command waits for, and for the commands before it. The turn is not taken meanwhile.
static void settle(cl_command_queue queue, cl_uint n, const cl_event *waits)
{
    if (n)
        driver->clWaitForEvents(n, waits);
    driver->clFinish(queue);
}

static cl_int CL_API_CALL enqueue_map(cl_command_queue queue, cl_bool blocking, cl_map_flags flags, void *pointer, size_t size,
                                      cl_uint n, const cl_event *waits, cl_event *event)
{
    (void)blocking, (void)flags, (void)size;
    settle(queue, n, waits);
    pthread_mutex_lock(&turn);
    struct block *block = block_of(pointer);
    cl_int code = block ? CL_SUCCESS : CL_INVALID_VALUE;
    if (block) {
        block->is_mapped = 1;
        protect(block, PROT_READ | PROT_WRITE);
    }
    pthread_mutex_unlock(&turn);
    return code == CL_SUCCESS ? driver->clEnqueueMarkerWithWaitList(queue, 0, NULL, event) : code;
}

static cl_int CL_API_CALL enqueue_unmap(cl_command_queue queue, void *pointer, cl_uint n, const cl_event *waits, cl_event *event)
{
    settle(queue, n, waits);
    pthread_mutex_lock(&turn);
    struct block *block = block_of(pointer);
    cl_int code = block && block->is_mapped ? CL_SUCCESS : CL_INVALID_VALUE;
    if (code == CL_SUCCESS) {
        block->is_mapped = 0;
        protect(block, PROT_NONE);
    } else {
        complain("clEnqueueSVMUnmap", "this is not mapped");
    }
    pthread_mutex_unlock(&turn);
    return code == CL_SUCCESS ? driver->clEnqueueMarkerWithWaitList(queue, 0, NULL, event) : code;
}

// Waits for the end of a command, and gives its event to the caller or releases it.
static void finish(cl_event own, cl_event *event)
{
    driver->clWaitForEvents(1, &own);
    if (event)
        *event = own;
    else
        driver->clReleaseEvent(own);
}

// Gives a command the block of a pointer, if there is one. Returns whether the command may use it.
static int lend(const char *call, const void *pointer)
{
    struct block *block = block_of(pointer);
    if (block && block->is_mapped) {
        complain(call, "a command uses memory that is mapped");
        return 0;
    }
    protect(block, PROT_READ | PROT_WRITE);
    return 1;
}

static void take_back(const void *pointer)
{
    struct block *block = block_of(pointer);
    if (block && !block->is_mapped)
        protect(block, PROT_NONE);
}

static cl_int CL_API_CALL enqueue_memcpy(cl_command_queue queue, cl_bool blocking, void *dst, const void *src, size_t size,
                                         cl_uint n, const cl_event *waits, cl_event *event)
{
    (void)blocking;
    settle(queue, n, waits);
    pthread_mutex_lock(&turn);
    cl_int code = CL_INVALID_OPERATION;
    if (lend("clEnqueueSVMMemcpy", dst) && lend("clEnqueueSVMMemcpy", src)) {
        cl_event own;
        code = driver->clEnqueueSVMMemcpy(queue, CL_FALSE, dst, src, size, 0, NULL, &own);
        if (code == CL_SUCCESS)
            finish(own, event);
    }
    take_back(dst);
    take_back(src);
    pthread_mutex_unlock(&turn);
    return code;
}

static cl_int CL_API_CALL enqueue_fill(cl_command_queue queue, void *pointer, const void *pattern, size_t length, size_t size,
                                       cl_uint n, const cl_event *waits, cl_event *event)
{
    settle(queue, n, waits);
    pthread_mutex_lock(&turn);
    cl_int code = CL_INVALID_OPERATION;
    if (lend("clEnqueueSVMMemFill", pointer)) {
        cl_event own;
        code = driver->clEnqueueSVMMemFill(queue, pointer, pattern, length, size, 0, NULL, &own);
        if (code == CL_SUCCESS)
            finish(own, event);
    }
    take_back(pointer);
    pthread_mutex_unlock(&turn);
    return code;
}

static cl_int CL_API_CALL enqueue_kernel(cl_command_queue queue, cl_kernel handle, cl_uint dims, const size_t *offset,
                                         const size_t *global, const size_t *local, cl_uint n, const cl_event *waits,
                                         cl_event *event)
{
    settle(queue, n, waits);
    pthread_mutex_lock(&turn);
    struct kernel *kernel = kernel_of(handle);
    int is_lent = 1;
    for (size_t at = 0; at < MOST_ARGUMENTS; at++)
        is_lent &= lend("clEnqueueNDRangeKernel", kernel->arguments[at]);
    for (size_t at = 0; at < kernel->count; at++)
        is_lent &= lend("clEnqueueNDRangeKernel", kernel->named[at]);
    cl_int code = CL_INVALID_OPERATION;
    if (is_lent) {
        cl_event own;
        code = driver->clEnqueueNDRangeKernel(queue, handle, dims, offset, global, local, 0, NULL, &own);
        if (code == CL_SUCCESS)
            finish(own, event);
    }
    for (size_t at = 0; at < MOST_ARGUMENTS; at++)
        take_back(kernel->arguments[at]);
    for (size_t at = 0; at < kernel->count; at++)
        take_back(kernel->named[at]);
    pthread_mutex_unlock(&turn);
    return code;
}

CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t size, void *value, size_t *size_ret)
{
    static const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    static const char text[] = "coarse-svm";
    const void *answer = name == CL_LAYER_API_VERSION ? (const void *)&version : text;
    size_t length = name == CL_LAYER_API_VERSION ? sizeof version : sizeof text;
    if (value && size < length)
        return CL_INVALID_VALUE;
    if (value)
        memcpy(value, answer, length);
    if (size_ret)
        *size_ret = length;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint count, const cl_icd_dispatch *target, cl_uint *own_count,
                                            const cl_icd_dispatch **own)
{
    size_t size = count * sizeof(void *) < sizeof ours ? count * sizeof(void *) : sizeof ours;
    memcpy(&ours, target, size);
    driver = target;
    ours.clGetDeviceInfo = get_device_info;
    ours.clGetExtensionFunctionAddressForPlatform = get_extension_function;
    ours.clSVMAlloc = svm_alloc;
    ours.clSVMFree = svm_free;
    ours.clSetKernelArg = set_kernel_arg;
    ours.clSetKernelArgSVMPointer = set_kernel_arg_svm_pointer;
    ours.clSetKernelExecInfo = set_kernel_exec_info;
    ours.clCreateKernel = create_kernel;
    ours.clCloneKernel = clone_kernel;
    ours.clEnqueueSVMMap = enqueue_map;
    ours.clEnqueueSVMUnmap = enqueue_unmap;
    ours.clEnqueueSVMMemcpy = enqueue_memcpy;
    ours.clEnqueueSVMMemFill = enqueue_fill;
    ours.clEnqueueNDRangeKernel = enqueue_kernel;
    *own = &ours;
    *own_count = (cl_uint)(sizeof ours / sizeof(void *));
    return CL_SUCCESS;
}

// Newer OpenCL libraries call these two.
CL_API_ENTRY cl_int CL_API_CALL clInitLayerWithProperties(cl_uint count, const cl_icd_dispatch *target, cl_uint *own_count,
                                                          const cl_icd_dispatch **own, const intptr_t *properties)
{
    (void)properties;
    return clInitLayer(count, target, own_count, own);
}

CL_API_ENTRY cl_int CL_API_CALL clDeinitLayer(void)
{
    return CL_SUCCESS;
}
