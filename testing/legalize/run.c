// run: prints the platform's name, the driver's version, the device's type, the most sub-groups and the most work-items of a
// group, and whether it has half precision.
// run FILE ITEMS [BYTES ...]: runs kernel `k` of a SPIR-V file in one work-group of ITEMS, such as 64 or 4x4x4, and prints what it
// writes.
//
// Its first argument is a buffer of the numbers 1, 2, 3 and so on, and its second one a buffer for the results, with a
// 32-bit number for each work-item. Each of BYTES, in hexadecimal, is a further argument.
#define CL_TARGET_OPENCL_VERSION 210
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

// Some drivers compile some kernels for ever, and take all memory for it.
static void limit(void)
{
    struct rlimit seconds = {20, 20}, bytes = {1ul << 30, 1ul << 30};
    if (setrlimit(RLIMIT_CPU, &seconds) != 0 || setrlimit(RLIMIT_DATA, &bytes) != 0) {
        puts("setrlimit failed");
        exit(2);
    }
}

static void check(cl_int code, const char *call)
{
    if (code != CL_SUCCESS) {
        printf("%s: %d\n", call, code);
        fflush(stdout);
        _Exit(1);
    }
}

static cl_mem buffer(cl_context context, cl_uint *numbers, size_t items)
{
    cl_int code;
    cl_mem memory =
        clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, items * sizeof(cl_uint), numbers, &code);
    check(code, "clCreateBuffer");
    return memory;
}

static void describe(cl_platform_id platform, cl_device_id device)
{
    static char extensions[1 << 16];
    char name[256], version[256];
    cl_uint sub_groups = 0;
    cl_device_type kind = 0;
    size_t items = 0;
    check(clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL), "clGetPlatformInfo");
    check(clGetDeviceInfo(device, CL_DRIVER_VERSION, sizeof version, version, NULL), "clGetDeviceInfo");
    check(clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof kind, &kind, NULL), "clGetDeviceInfo");
    check(clGetDeviceInfo(device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof sub_groups, &sub_groups, NULL), "clGetDeviceInfo");
    check(clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof items, &items, NULL), "clGetDeviceInfo");
    check(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL), "clGetDeviceInfo");
    const char *halves = strstr(extensions, "cl_khr_fp16") ? "halves" : "no halves";
    printf("%s\n%s\n%s\n%u\n%zu\n%s\n", name, version, kind & CL_DEVICE_TYPE_CPU ? "CPU" : "no CPU", sub_groups, items, halves);
    fflush(stdout);
    _Exit(0);
}

int main(int count, char **words)
{
    static unsigned char module[1 << 20];
    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    limit();
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    if (count < 3)
        describe(platform, device);
    FILE *file = fopen(words[1], "rb");
    if (!file) {
        printf("%s cannot be opened\n", words[1]);
        return 2;
    }
    size_t length = fread(module, 1, sizeof module, file), shape[3] = {1, 1, 1};
    sscanf(words[2], "%zux%zux%zu", &shape[0], &shape[1], &shape[2]);
    size_t items = shape[0] * shape[1] * shape[2];
    fclose(file);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    check(code, "clCreateCommandQueueWithProperties");
    cl_program program = clCreateProgramWithIL(context, module, length, &code);
    check(code, "clCreateProgramWithIL");
    code = clBuildProgram(program, 1, &device, "", NULL, NULL);
    if (code == CL_BUILD_PROGRAM_FAILURE) {
        static char log[1 << 16];
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        puts(log);
    }
    check(code, "clBuildProgram");
    cl_kernel kernel = clCreateKernel(program, "k", &code);
    check(code, "clCreateKernel");
    cl_uint *numbers = malloc(items * sizeof(cl_uint));
    for (size_t at = 0; at < items; at++)
        numbers[at] = (cl_uint)at + 1;
    cl_mem in = buffer(context, numbers, items), out = buffer(context, numbers, items);
    check(clSetKernelArg(kernel, 0, sizeof in, &in), "clSetKernelArg");
    check(clSetKernelArg(kernel, 1, sizeof out, &out), "clSetKernelArg");
    for (int word = 3; word < count; word++) {
        unsigned char bytes[256];
        size_t size = strlen(words[word]) / 2;
        for (size_t at = 0; at < size && at < sizeof bytes; at++)
            sscanf(words[word] + 2 * at, "%2hhx", bytes + at);
        check(clSetKernelArg(kernel, (cl_uint)word - 1, size, bytes), "clSetKernelArg");
    }
    check(clEnqueueNDRangeKernel(queue, kernel, 3, NULL, shape, shape, 0, NULL, NULL), "clEnqueueNDRangeKernel");
    check(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, items * sizeof(cl_uint), numbers, 0, NULL, NULL),
          "clEnqueueReadBuffer");
    for (size_t at = 0; at < items; at++)
        printf("%u ", numbers[at]);
    puts("");
    fflush(stdout);
    // Some drivers crash at a normal end of the process, which is not what this is about.
    _Exit(0);
}
