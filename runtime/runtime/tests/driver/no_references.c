/* A plugin with the functions of the plugin REAL, which gives no further references to events. */
#include <dlfcn.h>
#include <string.h>

#include "pi.h"

static pi_result no_reference(pi_event event) {
    (void)event;
    return PI_ERROR_OUT_OF_HOST_MEMORY;
}

pi_result piPluginInit(pi_plugin *plugin) {
    void *real = dlopen(REAL, RTLD_NOW);
    piPluginInit_fn init = real ? (piPluginInit_fn)dlsym(real, "piPluginInit") : NULL;
    if (init == NULL || strcmp(plugin->PiVersion, "15.47") != 0) return PI_ERROR_INVALID_OPERATION;
    pi_result result = init(plugin);
    plugin->PiFunctionTable.piEventRetain = no_reference;
    return result;
}
