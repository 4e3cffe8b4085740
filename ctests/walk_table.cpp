// The header as C++ sees it: a host of the newest version, by the table's names.
#include <pi/pi.h>
#include <pi/pi.h>

#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <type_traits>

static_assert(sizeof(pi_plugin) == 1328, "pi_plugin of PI 15.47");
static_assert(std::is_same<decltype(&piPlatformsGet), piPlatformsGet_fn>::value, "prototype and pointer type agree");
static_assert(sizeof(pi_device_type) == 8, "wider than an int");

int main(int argc, char **argv)
{
    void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : nullptr;
    if (library == nullptr) {
        std::fprintf(stderr, "usage: walk_table_cpp PLUGIN: %s\n", argc == 2 ? dlerror() : "one argument");
        return 2;
    }
    auto init = reinterpret_cast<piPluginInit_fn>(dlsym(library, "piPluginInit"));
    pi_plugin plugin{};
    std::strcpy(plugin.PiVersion, "15.47");
    if (init == nullptr || init(&plugin) != PI_SUCCESS)
        return 1;
    const pi_function_table_15_47 *table = &plugin.PiFunctionTable;
    pi_uint32 count = 0;
    if (table->piPlatformsGet(0, nullptr, &count) != PI_SUCCESS)
        return 1;
    std::printf("%s: %u platform(s)\n", plugin.PluginVersion, count);
    const pi_queue_properties properties[] = {PI_QUEUE_FLAGS, PI_QUEUE_FLAG_PROFILING_ENABLE, 0};
    return properties[0] == static_cast<pi_queue_properties>(-1) && table->piTearDown != nullptr ? 0 : 1;
}
