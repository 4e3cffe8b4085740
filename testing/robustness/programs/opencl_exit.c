// Ends the process within an event's callback, on the bare driver: it should end with 7 and soon. Intel's CPU runtime of
// 2026 hangs (6 of 6 runs), that of 2023.2.4 ends well (3 of 3).
//
//     cc -o opencl_exit opencl_exit.c -lOpenCL && timeout 15 ./opencl_exit; echo $?
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdlib.h>
#include <unistd.h>

static void CL_CALLBACK end(cl_event event, cl_int status, void *data) {
    (void)event, (void)status, (void)data;
    exit(7);
}

int main(void) {
    cl_platform_id platform;
    cl_device_id device;
    if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
        return 1;
    cl_int error;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
    size_t size = 1 << 26;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, size, NULL, &error);
    cl_event event;
    int zero = 0;
    if (clEnqueueFillBuffer(queue, buffer, &zero, sizeof zero, 0, size, 0, NULL, &event)) return 2;
    if (clSetEventCallback(event, CL_COMPLETE, end, NULL)) return 3;
    clFlush(queue);
    for (;;) pause();
}
