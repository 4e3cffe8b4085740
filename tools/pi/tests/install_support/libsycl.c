/* A made-up libsycl: asked for its devices, it opens the plugins or adapters in its folder and has none.
 *
 * TEXTS: C strings that tell its release. FILES: what it opens. REAL: it looks beside its real file, as those do that load plugins, and not
 * where it was found. With a selector it opens none, and with a variable that names adapters, those. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((used)) const char texts[] = "\0" TEXTS "\0";
static const char *const files[] = {FILES};

struct vector {
    void *start, *end, *capacity;
};

struct vector *get_devices(struct vector *found, int type)
    __asm__("_ZN4sycl3_V16device11get_devicesENS0_4info11device_typeE");

struct vector *get_devices(struct vector *found, int type)
{
    Dl_info own;
    char folder[PATH_MAX], file[PATH_MAX + 100];
    (void)type;
    memset(found, 0, sizeof *found);
    if (getenv("ONEAPI_DEVICE_SELECTOR"))
        return found;
    const char *named = getenv("UR_ADAPTERS_FORCE_LOAD");
    if (named) {
        snprintf(file, sizeof file, "%s", named);
        for (char *one = strtok(file, ","); one; one = strtok(NULL, ","))
            dlopen(one, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
        return found;
    }
    if (!dladdr((void *)get_devices, &own))
        return found;
#ifdef REAL
    if (!realpath(own.dli_fname, folder))
        return found;
#else
    snprintf(folder, sizeof folder, "%s", own.dli_fname);
#endif
    dirname(folder);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(file, sizeof file, "%s/%s", folder, files[i]);
        dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    }
    return found;
}
