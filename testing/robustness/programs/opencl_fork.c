// Forks children of a process whose queue has commands in flight, on the bare driver: each should end soon. Prints how
// many of them hung in the driver's own exit handlers. The first argument is the number of children, 200 without one.
//
//     cc -o opencl_fork opencl_fork.c -lOpenCL && ./opencl_fork
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 10, SIZE = 1 << 16 };

int main(int count, char **arguments) {
    int children = count > 1 ? atoi(arguments[1]) : 200, hung = 0, others = 0;
    cl_platform_id platform;
    cl_device_id device;
    if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
        return 2;
    cl_int error;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    const cl_queue_properties out_of_order[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, out_of_order, &error);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, SIZE, NULL, &error);
    int zero = 0;
    for (int child = 0; child < children; child++) {
        for (int command = 0; command < 3; command++)
            if (clEnqueueFillBuffer(queue, buffer, &zero, sizeof zero, 0, SIZE, 0, NULL, NULL)) return 2;
        clFlush(queue);
        pid_t pid = fork();
        if (pid == 0) {
            alarm(SECONDS);
            exit(0);
        }
        int status = 0;
        if (pid < 0 || waitpid(pid, &status, 0) != pid) return 2;
        if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
            hung++;
        else if (status != 0)
            others++;
        clFinish(queue);
    }
    printf("%d children: %d hung, %d ended badly\n", children, hung, others);
    return hung || others;
}
