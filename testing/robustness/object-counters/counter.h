/* An object counter counts a driver's objects. `pi-conformance --object-counter LIBRARY` opens one before the plugin, and after each case that let go of
 * everything asks it: `count_objects` writes a line "kind count" for each kind of object into `room` and answers the length of the whole. */
#ifndef PI_COUNTER_H
#define PI_COUNTER_H
#include <stddef.h>
size_t count_objects(char *room, size_t size);
#endif
