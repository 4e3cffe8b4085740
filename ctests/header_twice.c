/* The header alone, twice, with every warning: as C and as C++ (see CMakeLists.txt). */
#include <pi/pi.h>
#include <pi/pi.h>

int main(void)
{
    static pi_plugin_9_11 oldest;
    static pi_plugin newest;
    return sizeof(oldest) < sizeof(newest) && oldest.PiFunctionTable.piPlatformsGet == 0 ? PI_SUCCESS : 1;
}
