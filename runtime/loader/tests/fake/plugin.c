/* A plugin made up for tests. OWN is its version text and FIELD the offset of PluginVersion; TABLE, COUNT its table.
 * SERVES: the versions that it serves truthfully, as one text "9.11 15.47"; without it, it accepts what sorts above
 * its own version as text, as shipped plugins do. OVERRUN makes it write past the structure; with CRASH, listing the
 * platforms ends the process; with DEVICES, there are two. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int platforms_get(uint32_t count, void **platforms, uint32_t *found) {
  static int platform;
#ifdef CRASH
  abort();
#endif
  if (found) *found = 1;
  if (count && platforms) platforms[0] = &platform;
  return 0;
}

static int platform_get_info(void *platform, uint32_t name, size_t size, void *value, size_t *needed) {
  static const char text[] = "Fake platform";
  (void)platform;
  if (name != 0x902) return -30;
  if (needed) *needed = sizeof text;
  if (value && size >= sizeof text) memcpy(value, text, sizeof text);
  return 0;
}

static int devices_get(void *platform, uint64_t type, uint32_t count, void **devices, uint32_t *found) {
  static int all[2];
  (void)platform, (void)type;
  if (found) *found = 2;
  for (uint32_t i = 0; devices && i < count && i < 2; ++i) devices[i] = &all[i];
  return 0;
}

static int device_get_info(void *device, uint32_t name, size_t size, void *value, size_t *needed) {
  static const char text[] = "Fake device";
  static const uint64_t cpu = 2;
  const void *answer = name == 0x1000 ? (const void *)&cpu : name == 0x102b ? (const void *)text : 0;
  size_t length = name == 0x1000 ? sizeof cpu : sizeof text;
  (void)device;
  if (!answer) return -30;
  if (needed) *needed = length;
  if (value && size >= length) memcpy(value, answer, length);
  return 0;
}

static const struct { const char *version; int table, field; } layouts[] = {
    {"9.11", 32, 10}, {"11.15", 48, 20}, {"12.21", 48, 20}, {"12.27", 48, 20},
    {"14.37", 48, 20}, {"14.39", 48, 20}, {"15.47", 48, 20}};

int piPluginInit(void *plugin) {
  char *bytes = plugin;
  int known = -1;
#ifdef SERVES
  for (int i = 0; i < 7; ++i)
    if (!strcmp(bytes, layouts[i].version) && strstr(SERVES, bytes)) known = i;
  if (known < 0) return -59;
  strcpy(bytes + layouts[known].field, bytes);
#else
  if (strncmp(bytes, OWN, 5) < 0) return -59;
  for (int i = 0; i < 7; ++i)
    if (!strncmp(OWN, layouts[i].version, strlen(layouts[i].version))) known = i;
  if (known < 0) known = 6;
  strcpy(bytes + layouts[known].field, OWN);
#endif
  void **table = (void **)(bytes + layouts[known].table);
  table[0] = (void *)platforms_get;
  table[1] = (void *)platform_get_info;
#ifdef DEVICES
  table[4] = (void *)devices_get;
  table[5] = (void *)device_get_info;
#else
  (void)devices_get, (void)device_get_info;
#endif
#ifdef OVERRUN
  for (int i = 2; i < 200; ++i) table[i] = (void *)platforms_get;
#endif
  return 0;
}
