/* What a frame around a driver call costs: clFinish of an idle queue, called directly, through one function, through two; and,
 * on x86-64, through one that returns by a jump, and through one that puts its own address in the place of its caller's.
 *
 *   cc -O2 -fno-optimize-sibling-calls -o frames benches/programs/frames.c -lOpenCL
 *   cargo xtask env --driver intel-2023 -- ./frames 12     # called from so many frames down; 0 if left out
 *
 * Needs Debian's opencl-headers and ocl-icd-opencl-dev. docs/reports/benchmark-notes.md says what it is the evidence for. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef __x86_64__
enum { ROUNDS = 601, CALLS = 60, WAYS = 5 };
#else
enum { ROUNDS = 601, CALLS = 60, WAYS = 3 };
#endif
static const char *const NAMES[] = {"direct", "one frame", "two frames", "one frame, left by a jump", "return address changed"};

/* As a plugin does it: call, look at the answer, return. */
__attribute__((noinline)) static cl_int one(cl_command_queue queue) {
    cl_int code = clFinish(queue);
    return code ? code - 1 : 0;
}
__attribute__((noinline)) static cl_int two(cl_command_queue queue) {
    cl_int code = one(queue);
    return code ? code - 1 : 0;
}

#ifdef __x86_64__
/* Whether it is the return that costs: the processor predicts where a jump goes by other means. The first leaves the predictions
 * of all returns behind it one off, which costs nothing where they are lost anyway; the second breaks unwinding. */
cl_int left_by_a_jump(cl_command_queue queue);
cl_int return_changed(cl_command_queue queue);
void *changed;
__asm__(".text\n"
        ".p2align 6\n"
        "left_by_a_jump:\n"
        "  sub $8, %rsp\n"
        "  call clFinish@PLT\n"
        "  add $8, %rsp\n"
        "  test %eax, %eax\n"
        "  jnz 1f\n"
        "  pop %rcx\n"
        "  jmp *%rcx\n"
        "1: dec %eax\n"
        "  ret\n"
        ".p2align 6\n"
        "return_changed:\n"
        "  pop changed(%rip)\n"
        "  lea 2f(%rip), %rax\n"
        "  push %rax\n"
        "  jmp clFinish@PLT\n"
        "2: test %eax, %eax\n"
        "  jnz 3f\n"
        "  jmp *changed(%rip)\n"
        "3: dec %eax\n"
        "  jmp *changed(%rip)\n");
#endif

/* A caller deep down in a program. */
__attribute__((noinline)) static cl_int below(int frames, cl_int (*way)(cl_command_queue), cl_command_queue queue) {
    cl_int code = frames > 0 ? below(frames - 1, way, queue) : way(queue);
    __asm__ volatile("" : "+r"(code));
    return code;
}

static double nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e9 + now.tv_nsec;
}

static int ascending(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

int main(int count, char **arguments) {
    int frames = count > 1 ? atoi(arguments[1]) : 0;
    cl_int (*const ways[WAYS])(cl_command_queue) = {
        clFinish,
        one,
        two,
#ifdef __x86_64__
        left_by_a_jump,
        return_changed,
#endif
    };
    static double times[WAYS][ROUNDS];
    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL)) {
        fputs("no OpenCL device\n", stderr);
        return 1;
    }
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    if (code) {
        fprintf(stderr, "no queue: %d\n", code);
        return 1;
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int step = 0; step < WAYS; step++) {
            int way = (round + step) % WAYS;
            double start = nanoseconds();
            for (int call = 0; call < CALLS; call++) {
                code |= below(frames, ways[way], queue);
            }
            times[way][round] = (nanoseconds() - start) / CALLS;
        }
    }
    for (int way = 0; way < WAYS; way++) {
        qsort(times[way], ROUNDS, sizeof(double), ascending);
        printf("%s: median %.1f ns, quartiles %.1f to %.1f\n", NAMES[way], times[way][ROUNDS / 2],
               times[way][ROUNDS / 4], times[way][ROUNDS * 3 / 4]);
    }
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return code != 0;
}
