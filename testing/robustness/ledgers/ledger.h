/* A ledger counts a driver's objects. `pi-conformance --ledger LIBRARY` opens one before the plugin, and after each case that let go of
 * everything asks it: `ledger` writes a line "kind count" for each kind of object into `room` and answers the length of the whole. */
#ifndef PI_LEDGER_H
#define PI_LEDGER_H
#include <stddef.h>
size_t ledger(char *room, size_t size);
#endif
