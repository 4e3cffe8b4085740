/* Gets kernels of registered images ready with our runtime: from memory, from the disk, or by a build.
 *
 * Usage: ours PLUGIN IMAGES.so KERNEL... . All kernels are asked for at once, or with ONE_BY_ONE in the environment one
 * after the other. Prints one JSON line: seconds to open the device, to get all kernels, to get
 * them once more, and where their programs came from.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "pi_runtime.h"

static void need(int32_t code) {
  if (code != PI_RUNTIME_OK) {
    fprintf(stderr, "%s\n", pi_runtime_error());
    exit(1);
  }
}

int main(int count, char **words) {
  if (count < 3)
    return 2;
  const double start = now();
  pi_runtime *session = NULL;
  need(pi_runtime_open(words[1], 0, &session));
  const double opened = now();
  /* Its constructor registers the images. */
  if (!dlopen(words[2], RTLD_NOW)) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  double ready[3] = {now()}, work[3] = {computed()};
  for (int round = 1; round < 3; ++round) {
    if (!getenv("ONE_BY_ONE"))
      need(pi_runtime_prepare_all(session, (const char *const *)words + 3, (size_t)count - 3));
    else
      for (int k = 3; k < count; ++k)
        need(pi_runtime_prepare(session, words[k]));
    ready[round] = now();
    work[round] = computed();
  }
  uint64_t loaded = 0, built = 0;
  pi_runtime_cache_counts(session, &loaded, &built);
  pi_runtime_close(session);
  printf("{\"open\": %.9f, \"first\": %.9f, \"again\": %.9f, \"first_cpu\": %.9f, \"again_cpu\": %.9f, \"kernels\": %d, \"loaded\": %llu, \"built\": %llu}\n",
         opened - start, ready[1] - ready[0], ready[2] - ready[1], work[1] - work[0], work[2] - work[1], count - 3, (unsigned long long)loaded,
         (unsigned long long)built);
  return 0;
}
