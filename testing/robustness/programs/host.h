/* What every program here starts from: the plugin, a device with a context, a queue and a buffer, and a kernel that is busy.
 *
 * PI_ROBUST_PLUGIN: the plugin. PI_ROBUST_CODE: a file with the kernels of testing/conformance/kernels/basic.cl, and PI_ROBUST_KIND
 * what it is: "spirv", "source" or "image". A program ends with 0 when all was well, with 77 where the backend lacks what it is about. */
#ifndef PI_ROBUST_HOST_H
#define PI_ROBUST_HOST_H

#include <dlfcn.h>
#include <pi/pi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct host {
    void *library;
    pi_plugin plugin;
    pi_function_table_15_47 *pi;
    pi_platform platform;
    pi_device device;
    pi_context context;
    pi_queue queue;
    pi_mem buffer;
    pi_program program;
    pi_kernel slow;
};

/* Ends the process at once: nothing that is under test runs after a mistake. */
#define MUST(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                            \
            _exit(1);                                                                                                  \
        }                                                                                                              \
    } while (0)

static inline void open_plugin(struct host *host) {
    const char *path = getenv("PI_ROBUST_PLUGIN");
    MUST(path != NULL);
    host->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (host->library == NULL) fprintf(stderr, "%s\n", dlerror());
    MUST(host->library != NULL);
    pi_result (*init)(pi_plugin *);
    *(void **)&init = dlsym(host->library, "piPluginInit");
    MUST(init != NULL);
    memset(&host->plugin, 0, sizeof host->plugin);
    strcpy(host->plugin.PiVersion, "15.47");
    MUST(init(&host->plugin) == PI_SUCCESS);
    host->pi = &host->plugin.PiFunctionTable;
}

static inline char *whole_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    MUST(file != NULL);
    MUST(fseek(file, 0, SEEK_END) == 0);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = (char *)calloc(*size + 1, 1);
    MUST(bytes != NULL && fread(bytes, 1, *size, file) == *size);
    fclose(file);
    return bytes;
}

static inline pi_program program_of(struct host *host) {
    const char *path = getenv("PI_ROBUST_CODE"), *kind = getenv("PI_ROBUST_KIND");
    MUST(path != NULL && kind != NULL);
    size_t size;
    char *code = whole_file(path, &size);
    pi_program program = NULL;
    if (strcmp(kind, "spirv") == 0) {
        MUST(host->pi->piProgramCreate(host->context, code, size, &program) == PI_SUCCESS);
    } else if (strcmp(kind, "source") == 0) {
        pi_result (*create)(pi_context, pi_uint32, const char **, const size_t *, pi_program *);
        *(void **)&create = dlsym(host->library, "piclProgramCreateWithSource");
        const char *text = code;
        MUST(create != NULL && create(host->context, 1, &text, NULL, &program) == PI_SUCCESS);
    } else {
        const unsigned char *image = (const unsigned char *)code;
        pi_int32 status;
        MUST(host->pi->piProgramCreateWithBinary(host->context, 1, &host->device, &size, &image, 0, NULL, &status,
                                                 &program) == PI_SUCCESS);
    }
    free(code);
    MUST(host->pi->piProgramBuild(program, 1, &host->device, "", NULL, NULL) == PI_SUCCESS);
    return program;
}

static inline pi_queue queue_of(struct host *host) {
    pi_queue_properties list[] = {PI_QUEUE_FLAGS, 0, 0};
    pi_queue queue = NULL;
    MUST(host->pi->piextQueueCreate(host->context, host->device, list, &queue) == PI_SUCCESS);
    return queue;
}

static inline void open_host(struct host *host) {
    memset(host, 0, sizeof *host);
    open_plugin(host);
    pi_uint32 count = 0;
    MUST(host->pi->piPlatformsGet(1, &host->platform, &count) == PI_SUCCESS && count >= 1);
    MUST(host->pi->piDevicesGet(host->platform, PI_DEVICE_TYPE_ALL, 1, &host->device, &count) == PI_SUCCESS);
    MUST(host->pi->piContextCreate(NULL, 1, &host->device, NULL, NULL, &host->context) == PI_SUCCESS);
    host->queue = queue_of(host);
    MUST(host->pi->piMemBufferCreate(host->context, PI_MEM_FLAGS_ACCESS_RW, 4096, NULL, &host->buffer, NULL) == PI_SUCCESS);
    host->program = program_of(host);
    MUST(host->pi->piKernelCreate(host->program, "slow", &host->slow) == PI_SUCCESS);
}

/* Starts a command that takes a while: about a nanosecond for each round. */
static inline pi_event start_slow(struct host *host, int rounds) {
    size_t one = 1, none = 0;
    pi_event event = NULL;
    MUST(host->pi->piextKernelSetArgMemObj(host->slow, 0, NULL, &host->buffer) == PI_SUCCESS);
    MUST(host->pi->piKernelSetArg(host->slow, 1, sizeof rounds, &rounds) == PI_SUCCESS);
    MUST(host->pi->piEnqueueKernelLaunch(host->queue, host->slow, 1, &none, &one, &one, 0, NULL, &event) == PI_SUCCESS);
    MUST(host->pi->piQueueFlush(host->queue) == PI_SUCCESS);
    return event;
}

/* A small command and its end. */
static inline pi_result work(struct host *host, pi_queue queue) {
    int values[16] = {0};
    pi_result written = host->pi->piEnqueueMemBufferWrite(queue, host->buffer, PI_TRUE, 1024, sizeof values, values, 0, NULL, NULL);
    pi_result read = host->pi->piEnqueueMemBufferRead(queue, host->buffer, PI_TRUE, 1024, sizeof values, values, 0, NULL, NULL);
    return written != PI_SUCCESS ? written : read;
}

/* What a runtime's static objects do; each answers success or a code. */
static inline void release_all(struct host *host) {
    (void)host->pi->piKernelRelease(host->slow);
    (void)host->pi->piProgramRelease(host->program);
    (void)host->pi->piMemRelease(host->buffer);
    (void)host->pi->piQueueRelease(host->queue);
    (void)host->pi->piContextRelease(host->context);
}

static inline void tear_down(struct host *host) {
    static unsigned long flag;
    MUST(host->pi->piTearDown(&flag) == PI_SUCCESS);
}

#endif
