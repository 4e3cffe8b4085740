/* exits_pi KIND: as exits.cpp, for what the C API of dpctl has not in releases with plugins: user events and command buffers. It calls the
 * plugin that PI_ROBUST_PLUGIN names, ends with 77 where that has no command buffers, and is compiled for the PI version of the release: -DVERSION=15_47. */
#include <dlfcn.h>
#include <pi/pi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define JOINED(one, two) one##two
#define NAMED(one, two) JOINED(one, two)
#define TEXT_OF(word) #word
#define TEXT(word) TEXT_OF(word)
#define MUST(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                            \
            _exit(99);                                                                                                 \
        }                                                                                                              \
    } while (0)
#define CALL(call) MUST(pi->call == PI_SUCCESS)

static const size_t size = 1 << 24;
static NAMED(pi_function_table_, VERSION) * pi;
static pi_device device;
static pi_context context;
static pi_queue queue;

static void open_plugin(const char *version) {
    static NAMED(pi_plugin_, VERSION) plugin;
    void *library = dlopen(getenv("PI_ROBUST_PLUGIN"), RTLD_NOW | RTLD_LOCAL);
    MUST(library != NULL);
    pi_result (*init)(void *);
    *(void **)&init = dlsym(library, "piPluginInit");
    strcpy(plugin.PiVersion, version);
    MUST(init != NULL && init(&plugin) == PI_SUCCESS);
    pi = &plugin.PiFunctionTable;
    pi_platform platform;
    pi_uint32 count;
    CALL(piPlatformsGet(1, &platform, &count));
    CALL(piDevicesGet(platform, PI_DEVICE_TYPE_CPU, 1, &device, &count));
    CALL(piContextCreate(NULL, 1, &device, NULL, NULL, &context));
    pi_queue_properties list[] = {PI_QUEUE_FLAGS, PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    CALL(piextQueueCreate(context, device, list, &queue));
}

static pi_event start_after(pi_event event) {
    void *memory;
    pi_event started;
    CALL(piextUSMSharedAlloc(&memory, context, device, NULL, size, 0));
    CALL(piextUSMEnqueueMemset(queue, memory, 1, size, event != NULL, event ? &event : NULL, &started));
    CALL(piQueueFlush(queue));
    return started;
}

/* A user event of OpenCL: not every plugin makes one. */
static pi_event new_user_event(void) {
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW);
    void *(*create)(void *, int *);
    *(void **)&create = library ? dlsym(library, "clCreateUserEvent") : NULL;
    MUST(create != NULL);
    pi_native_handle native;
    int code;
    pi_event event;
    CALL(piextContextGetNativeHandle(context, &native));
    void *user = create((void *)native, &code);
    MUST(code == 0);
    CALL(piextEventCreateWithNativeHandle((pi_native_handle)user, context, true, &event));
    return event;
}

static void user_event_never_completes(void) {
    pi_event user = new_user_event(), command = start_after(user);
    CALL(piEventRelease(command));
    CALL(piEventRelease(user));
    CALL(piQueueRelease(queue));
    CALL(piContextRelease(context));
}

static void user_event_never_completes_and_queue_leaks(void) { start_after(new_user_event()); }

static void user_event_leaks(void) {
    new_user_event();
    CALL(piEventRelease(start_after(NULL)));
    CALL(piQueueRelease(queue));
}

static void event_leaks_and_queue_does_not(void) {
    start_after(NULL);
    CALL(piQueueRelease(queue));
    CALL(piContextRelease(context));
}

#if HAS_COMMAND_BUFFERS
static pi_ext_command_buffer run_command_buffer(void) {
    pi_ext_command_buffer buffer;
    pi_ext_command_buffer_desc desc = {PI_EXT_STRUCTURE_TYPE_COMMAND_BUFFER_DESC, NULL, NULL};
    pi_mem from, to;
    CALL(piMemBufferCreate(context, PI_MEM_FLAGS_ACCESS_RW, size, NULL, &from, NULL));
    CALL(piMemBufferCreate(context, PI_MEM_FLAGS_ACCESS_RW, size, NULL, &to, NULL));
    if (pi->piextCommandBufferCreate(context, device, &desc, &buffer) != PI_SUCCESS) _exit(77);
    for (int i = 0; i < 4; ++i)
        CALL(piextCommandBufferMemBufferCopy(buffer, from, to, 0, 0, size, 0, NULL, NULL));
    CALL(piextCommandBufferFinalize(buffer));
    pi_event event;
    CALL(piextEnqueueCommandBuffer(buffer, queue, 0, NULL, &event));
    CALL(piEventRelease(event));
    CALL(piQueueFlush(queue));
    CALL(piMemRelease(from));
    CALL(piMemRelease(to));
    return buffer;
}

static void command_buffer_runs(void) {
    CALL(piextCommandBufferRelease(run_command_buffer()));
    CALL(piQueueRelease(queue));
    CALL(piContextRelease(context));
}

static void command_buffer_leaks(void) {
    run_command_buffer();
    CALL(piQueueRelease(queue));
}

static void command_buffer_and_queue_leak(void) { run_command_buffer(); }
#endif

static const struct {
    const char *name;
    void (*run)(void);
} KINDS[] = {
#define KIND(name) {"pi_" #name, name}
    KIND(user_event_never_completes),
    KIND(user_event_never_completes_and_queue_leaks),
    KIND(user_event_leaks),
    KIND(event_leaks_and_queue_does_not),
#if HAS_COMMAND_BUFFERS
    KIND(command_buffer_runs),
    KIND(command_buffer_leaks),
    KIND(command_buffer_and_queue_leak),
#endif
};

int main(int count, char **arguments) {
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; ++i) {
        if (count == 1) printf("%s 0\n", KINDS[i].name);
        if (count == 2 && strcmp(arguments[1], KINDS[i].name) == 0) {
            char version[] = TEXT(VERSION);
            *strchr(version, '_') = '.';
            open_plugin(version);
            KINDS[i].run();
        }
    }
}
