/* Calls whose arguments decide how much memory they need, while the process gets none: each answers PI_ERROR_OUT_OF_HOST_MEMORY, and the
 * process goes on.
 *
 * The n-th large allocation fails, for n from 1 on until a call makes fewer. */
#define _GNU_SOURCE
#include "failing_malloc.h"
#include "host.h"

#include <stdint.h>

/* What a call is given has SIZE bytes. */
enum { SIZE = 1 << 20 };

static struct host host;
static unsigned char *bytes;

static pi_result program_from_il(void) {
    pi_program program = NULL;
    pi_result result = host.pi->piProgramCreate(host.context, bytes, SIZE, &program);
    if (result == PI_SUCCESS) MUST(host.pi->piProgramRelease(program) == PI_SUCCESS);
    return result;
}

static pi_result program_from_binary(void) {
    pi_program program = NULL;
    size_t size = SIZE;
    const unsigned char *binary = bytes;
    pi_int32 status;
    pi_result result = host.pi->piProgramCreateWithBinary(host.context, 1, &host.device, &size, &binary, 0, NULL, &status,
                                                          &program);
    if (result == PI_SUCCESS) MUST(host.pi->piProgramRelease(program) == PI_SUCCESS);
    return result;
}

static pi_result recorded_fill(void) {
    pi_ext_command_buffer buffer = NULL;
    pi_mem mem = NULL;
    MUST(host.pi->piextCommandBufferCreate(host.context, host.device, NULL, &buffer) == PI_SUCCESS);
    int which = atomic_exchange(&failing, 0);
    MUST(host.pi->piMemBufferCreate(host.context, PI_MEM_FLAGS_ACCESS_RW, SIZE, NULL, &mem, NULL) == PI_SUCCESS);
    atomic_store(&failing, which);
    pi_result result =
        host.pi->piextCommandBufferMemBufferFill(buffer, mem, bytes, SIZE, 0, SIZE, 0, NULL, NULL);
    MUST(host.pi->piextCommandBufferRelease(buffer) == PI_SUCCESS);
    MUST(host.pi->piMemRelease(mem) == PI_SUCCESS);
    return result;
}

/* A module of OpNop, but for what every module has. */
static void write_module(void) {
    static const uint32_t start[] = {0x07230203, 0x00010200, 0, 10, 0, 0x00020011, 4, 0x00020011, 6, 0x00020011, 5,
                                     0x0003000e, 2, 2};
    uint32_t *words = (uint32_t *)bytes;
    for (size_t i = 0; i < SIZE / 4; i++) words[i] = 0x00010000;
    memcpy(words, start, sizeof start);
}

/* A text of spaces, but for what PTX starts with. Level Zero takes it for native code until the program is built. */
static void write_ptx(void) {
    static const char start[] = ".version 7.0\n.target sm_50\n.address_size 64\n";
    memset(bytes, ' ', SIZE);
    memcpy(bytes, start, sizeof start - 1);
}

static void each_fails(const char *name, pi_result (*call)(void)) {
    for (int which = 1; which < 100; which++) {
        atomic_store(&made, 0);
        atomic_store(&failing, which);
        pi_result result = call();
        atomic_store(&failing, 0);
        if (atomic_load(&made) < which) {
            MUST(which > 1);
            MUST(result == PI_SUCCESS);
            printf("%s: %d\n", name, which - 1);
            return;
        }
        if (result != PI_ERROR_OUT_OF_HOST_MEMORY) fprintf(stderr, "%s, allocation %d: %d\n", name, which, result);
        MUST(result == PI_ERROR_OUT_OF_HOST_MEMORY);
    }
    MUST(!"a call with fewer than 100 allocations");
}

int main(void) {
    open_host(&host);
    bytes = (unsigned char *)malloc(SIZE);
    MUST(bytes != NULL);
    if (strstr(getenv("PI_ROBUST_PLUGIN"), "opencl") != NULL) {
        /* Programs are the driver's, which has what it is given from the caller's memory. */
        for (size_t i = 0; i < SIZE; i++) bytes[i] = (unsigned char)(i * 7 + i / 253);
        each_fails("a recorded fill", recorded_fill);
    } else {
        write_module();
        each_fails("a program from SPIR-V", program_from_il);
        write_ptx();
        each_fails("a program from a binary", program_from_binary);
    }
    release_all(&host);
    tear_down(&host);
    return 0;
}
