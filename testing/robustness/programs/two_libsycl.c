/* two_libsycl A B: two stock libsycl of different releases in one process, each with our plugin or adapter, through the C API of dpctl.
 * A and B are folders with a libDPCTLSyclInterface.so; what it needs is found through LD_LIBRARY_PATH. Each copies through device memory
 * of the first device, both at the same time. The last line counts the plugin and adapter files that are mapped.
 *
 *     cc two_libsycl.c -o two_libsycl -lpthread -ldl */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void *ref;

struct side {
    const char *folder;
    void *library;
    ref (*devices)(int);
    size_t (*size)(ref);
    ref (*at)(ref, size_t);
    ref (*queue)(ref, void (*)(int), int);
    ref (*allocate)(size_t, ref);
    ref (*copy)(ref, void *, const void *, size_t);
    void (*wait)(ref);
    void (*free_usm)(ref, ref);
    void (*delete_queue)(ref);
    int good;
};

static void failed(int code) { printf("asynchronous error %d\n", code); }

static void *find(struct side *side, const char *name) {
    void *address = dlsym(side->library, name);
    if (!address) printf("%s: no %s\n", side->folder, name), exit(1);
    return address;
}

static void open_side(struct side *side) {
    char path[4096];
    /* Releases differ in the version at the end of the name. */
    static const char *const names[] = {"libDPCTLSyclInterface.so.0", "libDPCTLSyclInterface.so"};
    for (int i = 0; i < 2 && !side->library; ++i) {
        snprintf(path, sizeof path, "%s/%s", side->folder, names[i]);
        side->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    if (!side->library) printf("%s\n", dlerror()), exit(1);
    *(void **)&side->devices = find(side, "DPCTLDeviceMgr_GetDevices");
    *(void **)&side->size = find(side, "DPCTLDeviceVector_Size");
    *(void **)&side->at = find(side, "DPCTLDeviceVector_GetAt");
    *(void **)&side->queue = find(side, "DPCTLQueue_CreateForDevice");
    *(void **)&side->allocate = find(side, "DPCTLmalloc_device");
    *(void **)&side->copy = find(side, "DPCTLQueue_Memcpy");
    *(void **)&side->wait = find(side, "DPCTLEvent_Wait");
    *(void **)&side->free_usm = find(side, "DPCTLfree_with_queue");
    *(void **)&side->delete_queue = find(side, "DPCTLQueue_Delete");
}

static void *work(void *argument) {
    struct side *side = argument;
    enum { ALL_BACKENDS = 0x1f << 16, ANY = 0x1f, SIZE = 4096 };
    ref devices = side->devices(ALL_BACKENDS | ANY | (1 << 3) | (1 << 1));
    if (!devices || side->size(devices) == 0) {
        printf("%s: no device\n", side->folder);
        return NULL;
    }
    ref queue = side->queue(side->at(devices, 0), failed, 0);
    if (!queue) return NULL;
    char from[SIZE], to[SIZE];
    for (int round = 0; round < 200; ++round) {
        memset(from, round, SIZE), memset(to, ~round, SIZE);
        ref usm = side->allocate(SIZE, queue);
        if (!usm) return NULL;
        side->wait(side->copy(queue, usm, from, SIZE));
        side->wait(side->copy(queue, to, usm, SIZE));
        side->free_usm(usm, queue);
        if (memcmp(from, to, SIZE) != 0) return NULL;
    }
    side->delete_queue(queue);
    side->good = 1;
    return NULL;
}

static int shown(struct dl_phdr_info *info, size_t size, void *count) {
    (void)size;
    const char *name = strrchr(info->dlpi_name, '/');
    int plugin = name && (strstr(name, "libpi_opencl") || strstr(name, "libur_adapter_opencl"));
    if (plugin || (name && strstr(name, "libsycl.so"))) printf("loaded: %s\n", info->dlpi_name);
    if (plugin) ++*(int *)count;
    return 0;
}

int main(int count, char **args) {
    struct side sides[2] = {{0}, {0}};
    if (count != 3) return 2;
    for (int i = 0; i < 2; ++i) sides[i].folder = args[i + 1], open_side(&sides[i]);
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, &sides[i]);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
    int plugins = 0;
    dl_iterate_phdr(shown, &plugins);
    for (int i = 0; i < 2; ++i) printf("%s: %s\n", sides[i].folder, sides[i].good ? "well" : "badly");
    printf("%d plugin files\n", plugins);
    fflush(stdout);
    return sides[0].good && sides[1].good ? 0 : 1;
}
