/* What the software CUDA driver says of its objects: those that were made and not given back. */
#include "counter.h"

#include <dlfcn.h>
#include <stdio.h>

size_t count_objects(char *room, size_t size) {
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    long (*live)(void) = NULL;
    if (driver) *(void **)&live = dlsym(driver, "softwareCudaLive");
    if (size) *room = 0;
    return live ? (size_t)snprintf(room, size, "object %ld\n", live()) : 0;
}
