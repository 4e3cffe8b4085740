/* Loads a plugin as a host does and looks at all that it hands over.
 *
 *     walk_table PLUGIN
 *
 * For each version: a structure of exactly that version's size is filled, every slot points into the plugin, and nothing
 * else is written. Versions that do not exist are refused. Every name is exported. Works on a machine without a driver. */
#define _GNU_SOURCE
#include <pi/pi.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols.h"

enum { CANARY_SIZE = 64, CANARY = 0xA5, TARGETS = 0x5A };

/* What differs between versions for a host that knows no more than offsets. */
typedef struct version {
    const char *text;
    size_t size, version_field, targets, table;
    const char *const *names;
    size_t count;
} version;

#define VERSION(id, text)                                                                                     \
    {                                                                                                         \
        text, sizeof(pi_plugin_##id), sizeof(((pi_plugin_##id *)0)->PiVersion), offsetof(pi_plugin_##id, Targets), \
            offsetof(pi_plugin_##id, PiFunctionTable), slots_##id, sizeof(slots_##id) / sizeof(slots_##id[0]) \
    }

static const version versions[] = {
    VERSION(9_11, "9.11"),   VERSION(11_15, "11.15"), VERSION(12_21, "12.21"), VERSION(12_27, "12.27"),
    VERSION(14_37, "14.37"), VERSION(14_39, "14.39"), VERSION(15_47, "15.47"),
};
enum { VERSION_COUNT = sizeof(versions) / sizeof(versions[0]) };

static unsigned checks, failures;

static void check(bool holds, const char *version, const char *what)
{
    ++checks;
    if (!holds) {
        ++failures;
        printf("PI %s: %s\n", version, what);
    }
}

/* Memory of exactly `size` bytes with a canary behind it, both filled as the host of a version leaves them. */
static unsigned char *make_plugin(const version *of, const char *text, size_t length)
{
    unsigned char *memory = malloc(of->size + CANARY_SIZE);
    if (memory == NULL)
        abort();
    memset(memory, 0, of->size);
    memset(memory + of->size, CANARY, CANARY_SIZE);
    memcpy(memory, text, length);
    memset(memory + of->targets, TARGETS, sizeof(char *));
    return memory;
}

static bool all_bytes(const unsigned char *bytes, size_t count, unsigned char value)
{
    for (size_t i = 0; i < count; ++i)
        if (bytes[i] != value)
            return false;
    return true;
}

/* Whether an address is code or data of the same file as piPluginInit. */
static bool in_plugin(const void *address, const Dl_info *plugin)
{
    Dl_info info;
    return dladdr(address, &info) != 0 && info.dli_fbase == plugin->dli_fbase;
}

static void walk(const version *of, piPluginInit_fn init, const Dl_info *plugin)
{
    size_t after_text = strlen(of->text) + 1;
    unsigned char *memory = make_plugin(of, of->text, after_text);
    check(init((pi_plugin *)(void *)memory) == PI_SUCCESS, of->text, "piPluginInit does not succeed");
    check(strcmp((char *)memory, of->text) == 0, of->text, "PiVersion is changed");
    check(all_bytes(memory + after_text, of->version_field - after_text, 0), of->text, "PiVersion is changed after its text");
    check(all_bytes(memory + of->targets, sizeof(char *), TARGETS), of->text, "Targets is changed");
    check(all_bytes(memory + of->size, CANARY_SIZE, CANARY), of->text, "something is written behind the structure");
    size_t end = of->table + of->count * sizeof(void *);
    check(all_bytes(memory + end, of->size - end, 0), of->text, "something is written behind the table");

    const char *plugin_version = (char *)memory + of->version_field;
    check(memchr(plugin_version, 0, of->version_field) != NULL, of->text, "PluginVersion does not end");
    size_t length = strlen(of->text);
    check(strncmp(plugin_version, of->text, length) == 0 &&
              (plugin_version[length] == '\0' || plugin_version[length] == '.'),
          of->text, "PluginVersion does not begin with the version");

    for (size_t slot = 0; slot < of->count; ++slot) {
        void *function;
        memcpy(&function, memory + of->table + slot * sizeof(function), sizeof(function));
        if (function == NULL || !in_plugin(function, plugin)) {
            printf("PI %s: slot %zu (%s) %s\n", of->text, slot, of->names[slot],
                   function == NULL ? "is empty" : "is not in the plugin");
            check(false, of->text, "wrong slot");
        } else {
            ++checks;
        }
    }

    piPlatformsGet_fn platforms_get;
    memcpy(&platforms_get, memory + of->table, sizeof(platforms_get));
    if (platforms_get != NULL) {
        pi_uint32 count = 0xffffffff;
        pi_result result = platforms_get(0, NULL, &count);
        check(result == PI_SUCCESS && count != 0xffffffff, of->text, "piPlatformsGet does not count");
        printf("PI %s: plugin version %s, %zu slots, %u platform(s)\n", of->text, plugin_version, of->count, count);
    }
    free(memory);
}

/* A version that does not exist is refused and leaves everything as it was. */
static void refuse(const char *text, size_t length, piPluginInit_fn init)
{
    const version *newest = &versions[VERSION_COUNT - 1];
    unsigned char *memory = make_plugin(newest, text, length);
    unsigned char *before = make_plugin(newest, text, length);
    check(init((pi_plugin *)(void *)memory) == PI_ERROR_INVALID_OPERATION, text, "is not refused with -59");
    check(memcmp(memory, before, newest->size + CANARY_SIZE) == 0, text, "was refused, and yet something is written");
    free(memory);
    free(before);
}

static void refuse_all(piPluginInit_fn init)
{
    static const char *const texts[] = {"99.9", "9.10", "", "9.1", "9.11.1", "09.11", "15.48", "16.1", "15", "15.470", "x"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); ++i)
        refuse(texts[i], strlen(texts[i]) + 1, init);
    static const char unterminated[] = "15.4715.4715.4715.47";
    refuse(unterminated, sizeof(unterminated) - 1, init);
    check(init(NULL) != PI_SUCCESS, "(none)", "a null pointer is accepted");
}

/* Tables of several versions live side by side: filling one leaves another as it was. */
static void side_by_side(piPluginInit_fn init)
{
    unsigned char *memory[VERSION_COUNT], *copy[VERSION_COUNT];
    for (size_t i = 0; i < VERSION_COUNT; ++i) {
        memory[i] = make_plugin(&versions[i], versions[i].text, strlen(versions[i].text) + 1);
        init((pi_plugin *)(void *)memory[i]);
        copy[i] = malloc(versions[i].size);
        if (copy[i] == NULL)
            abort();
        memcpy(copy[i], memory[i], versions[i].size);
    }
    for (size_t i = VERSION_COUNT; i-- > 0;) {
        unsigned char *again = make_plugin(&versions[i], versions[i].text, strlen(versions[i].text) + 1);
        init((pi_plugin *)(void *)again);
        check(memcmp(again, copy[i], versions[i].size) == 0, versions[i].text, "a second start fills another table");
        check(memcmp(memory[i], copy[i], versions[i].size) == 0, versions[i].text, "a table is changed by another start");
        free(again);
    }
    for (size_t i = 0; i < VERSION_COUNT; ++i) {
        free(memory[i]);
        free(copy[i]);
    }
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: walk_table PLUGIN\n");
        return 2;
    }
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 2;
    }
    Dl_info plugin;
    void *symbol = dlsym(library, "piPluginInit");
    if (symbol == NULL || dladdr(symbol, &plugin) == 0) {
        fprintf(stderr, "%s has no piPluginInit\n", argv[1]);
        return 2;
    }
    for (size_t i = 0; i < sizeof(exported_symbols) / sizeof(exported_symbols[0]); ++i) {
        const void *address = dlsym(library, exported_symbols[i]);
        check(address != NULL && in_plugin(address, &plugin), exported_symbols[i], "is not exported");
    }
    piPluginInit_fn init;
    memcpy(&init, &symbol, sizeof(init));
    for (size_t i = 0; i < VERSION_COUNT; ++i)
        walk(&versions[i], init, &plugin);
    refuse_all(init);
    side_by_side(init);
    printf("%u checks, %u failed\n", checks, failures);
    return failures == 0 ? 0 : 1;
}
