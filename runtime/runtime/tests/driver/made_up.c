/* A plugin with the functions of the plugin REAL, some answers of which are made up, so that tests know them. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "pi.h"

static pi_function_table_15_47 real;
static pi_queue_properties flags;
static int chosen_query, refuses_native, has_no_devices;
static pi_uint32 alignments[3];
static size_t sizes[3];
static char answer[64];

/* The flags with which the last queue was created. */
unsigned long made_up_queue_flags(void) { return flags; }

/* Answers this query of devices and platforms with a text, or none if the query is 0. */
void made_up_answer(int query, const char *text) {
    chosen_query = query;
    strncpy(answer, text, sizeof answer - 1);
}

/* Whether the device refuses native code. */
void made_up_refusal(int yes) { refuses_native = yes; }

/* Whether each platform has no device. */
void made_up_no_devices(int yes) { has_no_devices = yes; }

/* The alignment of the last allocation of a kind: 0 for a device, 1 for the host, 2 for both. */
unsigned made_up_alignment(int kind) { return alignments[kind]; }

/* Its size in bytes. */
size_t made_up_size(int kind) { return sizes[kind]; }

static pi_result text(size_t size, void *value, size_t *needed) {
    size_t length = strlen(answer) + 1;
    if (needed) *needed = length;
    if (value && size < length) return PI_ERROR_INVALID_VALUE;
    if (value) memcpy(value, answer, length);
    return PI_SUCCESS;
}

static pi_result device_info(pi_device device, pi_device_info query, size_t size, void *value, size_t *needed) {
    if ((int)query == chosen_query) return text(size, value, needed);
    return real.piDeviceGetInfo(device, query, size, value, needed);
}

static pi_result platform_info(pi_platform platform, pi_platform_info query, size_t size, void *value, size_t *needed) {
    if ((int)query == chosen_query) return text(size, value, needed);
    return real.piPlatformGetInfo(platform, query, size, value, needed);
}

static pi_result create_queue(pi_context context, pi_device device, pi_queue_properties *properties, pi_queue *queue) {
    flags = properties[0] == PI_QUEUE_FLAGS ? properties[1] : 0;
    return real.piextQueueCreate(context, device, properties, queue);
}

/* Each time is the number of its query. */
static pi_result time_of(pi_event event, pi_profiling_info query, size_t size, void *value, size_t *needed) {
    unsigned long number = query;
    (void)event, (void)needed;
    if (size == sizeof number) memcpy(value, &number, size);
    return PI_SUCCESS;
}

/* Memory of a device holds something when it is new. */
static pi_result allocate(void **memory, pi_context context, pi_device device, pi_usm_mem_properties *properties,
                          size_t size, pi_uint32 alignment) {
    pi_result result = real.piextUSMDeviceAlloc(memory, context, device, properties, size, alignment);
    pi_queue_properties none[] = {PI_QUEUE_FLAGS, 0, 0};
    pi_queue queue;
    alignments[0] = alignment;
    sizes[0] = size;
    if (result != PI_SUCCESS) return result;
    if (real.piextQueueCreate(context, device, none, &queue) != PI_SUCCESS) return PI_ERROR_OUT_OF_RESOURCES;
    result = real.piextUSMEnqueueMemset(queue, *memory, 0xaa, size, 0, NULL, NULL);
    real.piQueueFinish(queue);
    real.piQueueRelease(queue);
    return result;
}

static pi_result allocate_host(void **memory, pi_context context, pi_usm_mem_properties *properties, size_t size,
                               pi_uint32 alignment) {
    alignments[1] = alignment;
    sizes[1] = size;
    return real.piextUSMHostAlloc(memory, context, properties, size, alignment);
}

static pi_result allocate_shared(void **memory, pi_context context, pi_device device, pi_usm_mem_properties *properties,
                                 size_t size, pi_uint32 alignment) {
    alignments[2] = alignment;
    sizes[2] = size;
    return real.piextUSMSharedAlloc(memory, context, device, properties, size, alignment);
}

/* A platform has its first device three times. */
static pi_result devices(pi_platform platform, pi_device_type type, pi_uint32 room, pi_device *list, pi_uint32 *count) {
    pi_device first;
    if (has_no_devices) return PI_ERROR_DEVICE_NOT_FOUND;
    pi_result result = real.piDevicesGet(platform, type, 1, &first, NULL);
    if (result == PI_SUCCESS && count) *count = 3;
    for (pi_uint32 at = 0; result == PI_SUCCESS && list && at < room && at < 3; at++) list[at] = first;
    return result;
}

/* A device has three parts, each of which is the device itself. */
static pi_result partition(pi_device device, const pi_device_partition_property *properties, pi_uint32 room,
                           pi_device *parts, pi_uint32 *count) {
    (void)properties;
    if (count) *count = 3;
    for (pi_uint32 part = 0; parts && part < room && part < 3; part++) parts[part] = device;
    return PI_SUCCESS;
}

static pi_result select_binary(pi_device device, pi_device_binary *images, pi_uint32 count, pi_uint32 *chosen) {
    if (refuses_native && images[0]->Format == PI_DEVICE_BINARY_TYPE_NATIVE) return PI_ERROR_INVALID_BINARY;
    return real.piextDeviceSelectBinary(device, images, count, chosen);
}

pi_result piPluginInit(pi_plugin *plugin) {
    void *library = dlopen(REAL, RTLD_NOW);
    piPluginInit_fn init = library ? (piPluginInit_fn)dlsym(library, "piPluginInit") : NULL;
    if (init == NULL || strcmp(plugin->PiVersion, "15.47") != 0) return PI_ERROR_INVALID_OPERATION;
    pi_result result = init(plugin);
    real = plugin->PiFunctionTable;
    plugin->PiFunctionTable.piDeviceGetInfo = device_info;
    plugin->PiFunctionTable.piPlatformGetInfo = platform_info;
    plugin->PiFunctionTable.piDevicesGet = devices;
    plugin->PiFunctionTable.piextQueueCreate = create_queue;
    plugin->PiFunctionTable.piEventGetProfilingInfo = time_of;
    plugin->PiFunctionTable.piextUSMDeviceAlloc = allocate;
    plugin->PiFunctionTable.piextUSMHostAlloc = allocate_host;
    plugin->PiFunctionTable.piextUSMSharedAlloc = allocate_shared;
    plugin->PiFunctionTable.piDevicePartition = partition;
    plugin->PiFunctionTable.piextDeviceSelectBinary = select_binary;
    return result;
}
