/* The kernels of kernels.cl, local.ptx, cluster.ptx and crowded.ptx for the software driver.
 *
 * The ABI: int NAME(void **params, const struct item *item) runs one work-item (int NAME__group: one work-group) and
 * returns 0, or the CUDA error that the kernel ends with. NAME__sizes are its arguments' sizes, ended by 0; NAME__local,
 * where it is there, is how much local memory the kernel declares itself, and NAME__registers how many registers it needs. */
struct item {
    unsigned group[3], local[3], groups[3], size[3];
    void *shared;
    unsigned cluster[3];
};

#define ARG(type, index) (*(type *)params[index])
#define KERNEL(name, ...)                                                                                              \
    const unsigned name##__sizes[] = {__VA_ARGS__};                                                                    \
    int name(void **params, const struct item *item)

static unsigned gid(const struct item *item, int d) { return item->group[d] * item->size[d] + item->local[d]; }

int counter = 7;
unsigned char table[64];

KERNEL(noop, 0) { return 0; }

/* On the software driver alone: a kernel with local memory, and its variant for a global offset. */
KERNEL(in_local, 4, 0) { return 0; }
KERNEL(in_local_with_offset, 4, 12, 0) { return 0; }

KERNEL(increment, 8, 0) {
    ARG(int *, 0)[gid(item, 0)] += 1;
    return 0;
}

KERNEL(scale, 4, 8, 8, 0) {
    ARG(int *, 2)[gid(item, 0)] = ARG(int, 0) * ARG(int *, 1)[gid(item, 0)];
    return 0;
}

KERNEL(spin, 8, 8, 0) {
    for (volatile unsigned long i = 0; i < ARG(unsigned long, 0) / 100; i++) {
    }
    if (ARG(int *, 1)) *ARG(int *, 1) += 1;
    return 0;
}

/* CUDA_ERROR_ILLEGAL_ADDRESS */
KERNEL(wild, 8, 0) { return 700; }

const unsigned reverse__sizes[] = {8, 4, 4, 0};
const unsigned reverse__local = 16;
int reverse__group(void **params, const struct item *item) {
    unsigned *first = (unsigned *)((char *)item->shared + ARG(unsigned, 1));
    unsigned *second = (unsigned *)((char *)item->shared + ARG(unsigned, 2));
    unsigned n = item->size[0];
    for (unsigned i = 0; i < n; i++) {
        first[i] = i;
        second[i] = 10 * i;
    }
    for (unsigned i = 0; i < n; i++) ARG(unsigned *, 0)[i] = first[n - 1 - i] + second[n - 1 - i];
    return 0;
}

KERNEL(clusters, 8, 0) {
    const unsigned *group = item->group, *cluster = item->cluster;
    unsigned *out = ARG(unsigned *, 0) + 4 * (group[0] + item->groups[0] * (group[1] + item->groups[1] * group[2]));
    for (int d = 0; d < 3; d++) out[d] = cluster[d];
    out[3] = group[0] % cluster[0] + cluster[0] * (group[1] % cluster[1] + cluster[1] * (group[2] % cluster[2]));
    return 0;
}

unsigned long global_block;
KERNEL(add_to_global, 8, 4, 0) {
    int *value = (int *)global_block;
    *value += ARG(int, 1);
    *ARG(int *, 0) = *value;
    return 0;
}

int scoped = 30;
KERNEL(add_to_scoped, 8, 4, 0) {
    scoped += ARG(int, 1);
    *ARG(int *, 0) = scoped;
    return 0;
}

KERNEL(with_constants, 8, 8, 0) {
    ARG(int *, 0)[0] = ARG(int *, 1)[0];
    ARG(int *, 0)[1] = ARG(int *, 1)[1];
    return 0;
}

const unsigned crowded__registers = 100;
KERNEL(crowded, 8, 8, 0) {
    unsigned sum = 0;
    for (int k = 95; k >= 0; k--) sum = 3 * sum + ARG(unsigned *, 1)[k];
    ARG(unsigned *, 0)[gid(item, 0)] = sum + gid(item, 0);
    return 0;
}
