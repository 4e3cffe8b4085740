/* What kernels for the software CUDA driver are made of: see testing/cuda/kernels/kernels.c for the ABI. */
struct item {
    unsigned group[3], local[3], groups[3], size[3];
    void *shared;
};

#define ARG(type, index) (*(type *)params[index])
#define KERNEL(name, ...)                                                                                              \
    const unsigned name##__sizes[] = {__VA_ARGS__};                                                                    \
    int name(void **params, const struct item *item)

static inline unsigned long gid(const struct item *item, int d) { return item->group[d] * item->size[d] + item->local[d]; }
static inline unsigned long gsize(const struct item *item, int d) { return item->groups[d] * item->size[d]; }

struct offset {
    unsigned at[3];
};
