/* The kernels of basic.cl for the software CUDA driver. */
#include "host.h"

KERNEL(fill_index, 8, 0) {
    ARG(int *, 0)[gid(item, 0)] = (int)gid(item, 0);
    return 0;
}

KERNEL(add_value, 8, 4, 0) {
    ARG(int *, 0)[gid(item, 0)] += ARG(int, 1);
    return 0;
}

KERNEL(mul_value, 8, 4, 0) {
    ARG(int *, 0)[gid(item, 0)] *= ARG(int, 1);
    return 0;
}

KERNEL(nothing, 0) { return 0; }

const unsigned local_sum__sizes[] = {8, 4, 0};
int local_sum__group(void **params, const struct item *item) {
    int *scratch = (int *)((char *)item->shared + ARG(unsigned, 1)), sum = 0;
    for (unsigned i = 0; i < item->size[0]; ++i) scratch[i] = (int)i;
    for (unsigned i = 0; i < item->size[0]; ++i) sum += scratch[i];
    ARG(int *, 0)[item->group[0]] = sum;
    return 0;
}

KERNEL(fixed_size, 8, 0) {
    ARG(int *, 0)[gid(item, 1) * gsize(item, 0) + gid(item, 0)] = (int)(item->size[0] * 10 + item->size[1]);
    return 0;
}

static int count(int *out, const struct item *item) {
    out[(gid(item, 2) * gsize(item, 1) + gid(item, 1)) * gsize(item, 0) + gid(item, 0)] += 1;
    return 0;
}

KERNEL(count_places, 8, 0) { return count(ARG(int *, 0), item); }
KERNEL(count_places_with_offset, 8, 12, 0) { return count(ARG(int *, 0), item); }

static int ids(int *out, const struct item *item, struct offset by) {
    out += 3 * (gid(item, 1) * gsize(item, 0) + gid(item, 0));
    for (int d = 0; d < 3; ++d) out[d] = (int)(gid(item, d) + by.at[d]);
    return 0;
}

KERNEL(global_ids, 8, 0) { return ids(ARG(int *, 0), item, (struct offset){{0, 0, 0}}); }
KERNEL(global_ids_with_offset, 8, 12, 0) { return ids(ARG(int *, 0), item, ARG(struct offset, 1)); }

KERNEL(slow, 8, 4, 0) {
    volatile int *data = ARG(int *, 0);
    unsigned value = (unsigned)data[1];
    for (int i = 0; i < ARG(int, 1); ++i) value = value * 1664525u + 1013904223u;
    data[1] = (int)value;
    data[0] += 1;
    return 0;
}

KERNEL(sum_list, 8, 8, 0) {
    unsigned long total = 0;
    for (const unsigned long *node = ARG(unsigned long *, 0); node; node = (const unsigned long *)node[0]) total += node[1];
    *ARG(unsigned long *, 1) = total;
    return 0;
}

KERNEL(is_null, 8, 8, 0) {
    *ARG(int *, 1) = ARG(int *, 0) == 0;
    return 0;
}

KERNEL(copy_bytes, 8, 8, 0) {
    ARG(unsigned char *, 1)[gid(item, 0)] = ARG(unsigned char *, 0)[gid(item, 0)];
    return 0;
}
