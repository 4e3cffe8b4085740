/* A plugin with the functions of the plugin REAL, whose queues take long to finish. It counts what is freed while commands may run. */
#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "pi.h"

static pi_function_table_15_47 real;
static atomic_int unfinished, freed_early, freed, finish_fails, events, queues;

int late_commands_freed_early(void) { return freed_early; }
int late_commands_freed(void) { return freed; }
int late_commands_unfinished(void) { return unfinished; }
int late_commands_queues_released(void) { return queues; }
int late_commands_events_released(void) { return events; }
void late_commands_fail_to_finish(int yes) { finish_fails = yes; }

static void note_free(void) {
    freed++;
    if (unfinished) freed_early++;
}

static pi_result copy(pi_queue queue, pi_bool blocking, void *to, const void *from, size_t size, pi_uint32 count,
                      const pi_event *list, pi_event *event) {
    if (!blocking) unfinished = 1;
    return real.piextUSMEnqueueMemcpy(queue, blocking, to, from, size, count, list, event);
}

static pi_result launch(pi_queue queue, pi_kernel kernel, pi_uint32 dimensions, const size_t *offset, const size_t *global,
                        const size_t *local, pi_uint32 count, const pi_event *list, pi_event *event) {
    unfinished = 1;
    return real.piEnqueueKernelLaunch(queue, kernel, dimensions, offset, global, local, count, list, event);
}

static pi_result write_variable(pi_queue queue, pi_program program, const char *name, pi_bool blocking, size_t size,
                                size_t offset, const void *from, pi_uint32 count, const pi_event *list, pi_event *event) {
    if (!blocking) unfinished = 1;
    return real.piextEnqueueDeviceGlobalVariableWrite(queue, program, name, blocking, size, offset, from, count, list, event);
}

static pi_result finish(pi_queue queue) {
    struct timespec quarter = {0, 250 * 1000 * 1000};
    nanosleep(&quarter, NULL);
    if (finish_fails) return PI_ERROR_OUT_OF_RESOURCES;
    pi_result result = real.piQueueFinish(queue);
    unfinished = 0;
    return result;
}

static pi_result free_usm(pi_context context, void *memory) {
    note_free();
    return real.piextUSMFree(context, memory);
}

static pi_result release_queue(pi_queue queue) {
    queues++;
    return real.piQueueRelease(queue);
}

static pi_result release_event(pi_event event) {
    events++;
    return real.piEventRelease(event);
}

static pi_result release_mem(pi_mem mem) {
    note_free();
    return real.piMemRelease(mem);
}

static pi_result release_program(pi_program program) {
    note_free();
    return real.piProgramRelease(program);
}

pi_result piPluginInit(pi_plugin *plugin) {
    void *library = dlopen(REAL, RTLD_NOW);
    piPluginInit_fn init = library ? (piPluginInit_fn)dlsym(library, "piPluginInit") : NULL;
    if (init == NULL || strcmp(plugin->PiVersion, "15.47") != 0) return PI_ERROR_INVALID_OPERATION;
    pi_result result = init(plugin);
    real = plugin->PiFunctionTable;
    plugin->PiFunctionTable.piextUSMEnqueueMemcpy = copy;
    plugin->PiFunctionTable.piEnqueueKernelLaunch = launch;
    plugin->PiFunctionTable.piQueueFinish = finish;
    plugin->PiFunctionTable.piextUSMFree = free_usm;
    plugin->PiFunctionTable.piMemRelease = release_mem;
    plugin->PiFunctionTable.piEventRelease = release_event;
    plugin->PiFunctionTable.piQueueRelease = release_queue;
    plugin->PiFunctionTable.piProgramRelease = release_program;
    plugin->PiFunctionTable.piextEnqueueDeviceGlobalVariableWrite = write_variable;
    return result;
}
