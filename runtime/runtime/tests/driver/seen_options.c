/* A plugin with the functions of the plugin REAL, which keeps the options that it is given: a line for each call. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "pi.h"

static pi_function_table_15_47 real;
static char seen[1 << 16];

const char *seen_options(void) { return seen; }

static void note(const char *call, const char *options) {
    size_t used = strlen(seen);
    snprintf(seen + used, sizeof seen - used, "%s: %s\n", call, options ? options : "");
}

static pi_result build(pi_program program, pi_uint32 count, const pi_device *devices, const char *options,
                       pi_program_notify notify, void *data) {
    note("build", options);
    return real.piProgramBuild(program, count, devices, "", notify, data);
}

static pi_result compile(pi_program program, pi_uint32 count, const pi_device *devices, const char *options,
                         pi_uint32 headers, const pi_program *sources, const char **names,
                         pi_program_notify notify, void *data) {
    note("compile", options);
    return real.piProgramCompile(program, count, devices, "", headers, sources, names, notify, data);
}

static pi_result link_programs(pi_context context, pi_uint32 count, const pi_device *devices, const char *options,
                               pi_uint32 programs, const pi_program *list, pi_program_notify notify, void *data,
                               pi_program *linked) {
    note("link", options);
    return real.piProgramLink(context, count, devices, "", programs, list, notify, data, linked);
}

pi_result piPluginInit(pi_plugin *plugin) {
    void *library = dlopen(REAL, RTLD_NOW);
    piPluginInit_fn init = library ? (piPluginInit_fn)dlsym(library, "piPluginInit") : NULL;
    if (init == NULL || strcmp(plugin->PiVersion, "15.47") != 0) return PI_ERROR_INVALID_OPERATION;
    pi_result result = init(plugin);
    real = plugin->PiFunctionTable;
    plugin->PiFunctionTable.piProgramBuild = build;
    plugin->PiFunctionTable.piProgramCompile = compile;
    plugin->PiFunctionTable.piProgramLink = link_programs;
    return result;
}
