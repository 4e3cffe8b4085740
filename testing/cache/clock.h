/* Seconds, by two clocks. */
#ifndef CLOCK_H
#define CLOCK_H

#include <time.h>

/* Seconds on the wall. */
static inline double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Seconds that this process's threads have computed: other than the clock on the wall it does not grow with what else the
 * machine does. */
static inline double computed(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

#endif
