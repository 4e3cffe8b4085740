/* To be preloaded into a program: its PI_ROBUST_FAILING-th large allocation fails. How many it made stands in the file PI_ROBUST_MADE
 * when it ends. */
#define _GNU_SOURCE
#include "failing_malloc.h"

#include <stdio.h>
#include <stdlib.h>

__attribute__((constructor)) static void start(void) {
    const char *which = getenv("PI_ROBUST_FAILING");
    if (which != NULL) atomic_store(&failing, atoi(which));
}

__attribute__((destructor)) static void end(void) {
    const char *path = getenv("PI_ROBUST_MADE");
    FILE *file = path == NULL ? NULL : fopen(path, "w");
    if (file == NULL) return;
    fprintf(file, "%d\n", atomic_load(&made));
    fclose(file);
}
