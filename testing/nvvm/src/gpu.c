/* A GPU's multiprocessor in threads: one for each work-item, one work-group after the other. What NVVM's intrinsics and PTX's
   instructions do is written down here from NVIDIA's documents. Work-items meet under one lock; whoever waits for ever is ended
   by the alarm. */
#define _GNU_SOURCE
#include <fenv.h>
#include <immintrin.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 1024, WARP = 32, SHARED = 1 << 16 };
enum state { RUNS, AT_MASK, AT_BARRIER, AT_ACTIVE, GONE };

struct item {
    enum state state;
    uintptr_t key;
    uint32_t mask;
    uint64_t in, out;
    uint64_t others[WARP];
    unsigned tid[3], linear;
    pthread_cond_t may_go;
};

static unsigned ntid[3], nctaid[3], ctaid[3], items;
static struct item all[MOST];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread struct item *me;
static void **arguments;
extern void launch(void **);
_Alignas(128) unsigned char __dyn[SHARED];

static unsigned first_of(unsigned warp) { return warp * WARP; }
static unsigned size_of(unsigned warp) { return items - first_of(warp) < WARP ? items - first_of(warp) : WARP; }

/* One condition for each: hundreds of others sleep on. */
static void let_go(struct item *item) {
    item->state = RUNS;
    pthread_cond_signal(&item->may_go);
}

/* Lets go whoever waits for nobody else. */
static void settle(void) {
    unsigned live = 0, waiting = 0;
    for (unsigned i = 0; i < items; i++) {
        live += all[i].state != GONE;
        waiting += all[i].state == AT_BARRIER;
    }
    if (waiting && waiting == live) {
        unsigned sum = 0;
        for (unsigned i = 0; i < items; i++) sum += all[i].state == AT_BARRIER && all[i].in;
        for (unsigned i = 0; i < items; i++)
            if (all[i].state == AT_BARRIER) {
                all[i].out = (uint64_t)live << 32 | sum;
                let_go(&all[i]);
            }
    }
    for (unsigned warp = 0; warp * WARP < items; warp++) {
        struct item *lanes = all + first_of(warp);
        unsigned size = size_of(warp), running = 0, released = 0;
        for (unsigned l = 0; l < size; l++) {
            running += lanes[l].state == RUNS;
            if (lanes[l].state != AT_MASK) continue;
            int complete = 1;
            for (unsigned o = 0; o < WARP; o++)
                if (lanes[l].mask >> o & 1)
                    complete &= o < size && (lanes[o].state == GONE || (lanes[o].state == AT_MASK && lanes[o].mask == lanes[l].mask));
            if (!complete) continue;
            /* As on a GPU, nobody waits for a lane that has ended the kernel. */
            uint32_t present = 0;
            uint64_t values[WARP];
            for (unsigned o = 0; o < WARP; o++) {
                int is_there = lanes[l].mask >> o & 1 && lanes[o].state == AT_MASK;
                present |= (uint32_t)is_there << o;
                values[o] = is_there ? lanes[o].in : 0xdeadbeef;
            }
            for (unsigned o = 0; o < size; o++)
                if (present >> o & 1) {
                    memcpy(lanes[o].others, values, sizeof values);
                    lanes[o].out = present;
                    let_go(&lanes[o]);
                    released++;
                }
        }
        /* Those who stand at the same place while all others wait run together. */
        if (running || released) continue;
        uint32_t together = 0;
        uintptr_t key = 0;
        for (unsigned l = 0; l < size; l++)
            if (lanes[l].state == AT_ACTIVE && (!together || lanes[l].key == key)) {
                together |= 1u << l;
                key = lanes[l].key;
            }
        for (unsigned l = 0; l < size; l++)
            if (together >> l & 1) {
                lanes[l].out = together;
                let_go(&lanes[l]);
            }
    }
}

static void wait_as(enum state state) {
    pthread_mutex_lock(&lock);
    me->state = state;
    settle();
    while (me->state != RUNS) pthread_cond_wait(&me->may_go, &lock);
    pthread_mutex_unlock(&lock);
}

static const uint64_t *meet(uint32_t mask, uint64_t value) {
    if (!(mask >> (me->linear % WARP) & 1)) {
        fprintf(stderr, "a work-item is not in its own mask %08x\n", mask);
        exit(3);
    }
    me->mask = mask;
    me->in = value;
    wait_as(AT_MASK);
    return me->others;
}

static uint64_t barrier(uint64_t value) {
    me->in = value;
    wait_as(AT_BARRIER);
    return me->out;
}

#define REGISTERS(axis, at) \
    uint32_t nvvm_read_ptx_sreg_tid_##axis(void) { return me->tid[at]; } \
    uint32_t nvvm_read_ptx_sreg_ntid_##axis(void) { return ntid[at]; } \
    uint32_t nvvm_read_ptx_sreg_ctaid_##axis(void) { return ctaid[at]; } \
    uint32_t nvvm_read_ptx_sreg_nctaid_##axis(void) { return nctaid[at]; }
REGISTERS(x, 0)
REGISTERS(y, 1)
REGISTERS(z, 2)
uint32_t nvvm_read_ptx_sreg_laneid(void) { return me->linear % WARP; }
void nvvm_barrier0(void) { barrier(0); }
uint32_t nvvm_barrier0_or(uint32_t v) { return (uint32_t)barrier(v != 0) != 0; }
uint32_t nvvm_barrier0_and(uint32_t v) { uint64_t r = barrier(v != 0); return (uint32_t)r == r >> 32; }
uint32_t nvvm_barrier0_popc(uint32_t v) { return (uint32_t)barrier(v != 0); }
void nvvm_bar_warp_sync(uint32_t mask) { meet(mask, 0); }
uint32_t nvvm_vote_ballot_sync(uint32_t mask, uint32_t v) {
    const uint64_t *all_values = meet(mask, v & 1);
    uint32_t bits = 0;
    for (unsigned l = 0; l < WARP; l++)
        if (me->out >> l & 1) bits |= (uint32_t)all_values[l] << l;
    return bits;
}
uint32_t ptx_activemask(void *place) {
    me->key = (uintptr_t)place;
    wait_as(AT_ACTIVE);
    return me->out;
}

static uint32_t shuffle(int how, uint32_t mask, uint32_t v, uint32_t b, uint32_t c) {
    const uint64_t *values = meet(mask, v);
    int lane = me->linear % WARP, near = b & 31, clamp = c & 31, segment = c >> 8 & 31;
    int most = (lane & segment) | (clamp & ~segment), least = lane & segment, from, inside;
    switch (how) {
    case 0: from = least | (near & ~segment), inside = from <= most; break;
    case 1: from = lane - near, inside = from >= most; break;
    case 2: from = lane + near, inside = from <= most; break;
    default: from = lane ^ near, inside = from <= most;
    }
    return values[inside ? from : lane];
}
uint32_t nvvm_shfl_sync_idx_i32(uint32_t m, uint32_t v, uint32_t b, uint32_t c) { return shuffle(0, m, v, b, c); }
uint32_t nvvm_shfl_sync_up_i32(uint32_t m, uint32_t v, uint32_t b, uint32_t c) { return shuffle(1, m, v, b, c); }
uint32_t nvvm_shfl_sync_down_i32(uint32_t m, uint32_t v, uint32_t b, uint32_t c) { return shuffle(2, m, v, b, c); }
uint32_t nvvm_shfl_sync_bfly_i32(uint32_t m, uint32_t v, uint32_t b, uint32_t c) { return shuffle(3, m, v, b, c); }

/* Which memory an address is of: the launch's buffers are global, a work-item's stack is local, the rest is shared. */
static struct { unsigned char *at; uint64_t size; } buffers[64];
static unsigned buffer_count;
extern char __executable_start, end;
static int is_global(const void *p) {
    for (unsigned i = 0; i < buffer_count; i++)
        if ((unsigned char *)p >= buffers[i].at && (unsigned char *)p < buffers[i].at + buffers[i].size) return 1;
    return 0;
}
uint32_t nvvm_isspacep_global(const void *p) { return is_global(p); }
uint32_t nvvm_isspacep_shared(const void *p) { return (char *)p >= &__executable_start && (char *)p < &end; }
uint32_t nvvm_isspacep_local(const void *p) { return !is_global(p) && !nvvm_isspacep_shared(p); }

/* A texture is a buffer: width, height, depth, whether numbers between 0 and 1 go across, whether to go between texels, and the
   texels of four words. Places beyond the edge take the edge. Levels and gradients choose among no levels here. */
struct texture { int32_t size[3], normalized, linear, unused[3]; uint32_t texels[][4]; };
static const uint32_t *texel_at(const struct texture *t, const int *at) {
    int place[3];
    for (int a = 0; a < 3; a++) place[a] = at[a] < 0 ? 0 : at[a] >= t->size[a] ? t->size[a] - 1 : at[a];
    return t->texels[((int64_t)place[2] * t->size[1] + place[1]) * t->size[0] + place[0]];
}
void gpu_texture(uint64_t handle, uint32_t dimensions, uint32_t is_float, const double *coordinates, uint32_t *out) {
    const struct texture *t = (const struct texture *)handle;
    int first[3] = {0, 0, 0};
    double part[3] = {0, 0, 0};
    for (unsigned a = 0; a < dimensions; a++) {
        double at = is_float && t->normalized ? coordinates[a] * t->size[a] : coordinates[a];
        if (is_float && t->linear) at -= 0.5;
        first[a] = (int)floor(at);
        part[a] = is_float && t->linear ? at - floor(at) : 0;
    }
    if (!is_float || !t->linear) {
        memcpy(out, texel_at(t, first), 16);
        return;
    }
    double sum[4] = {0, 0, 0, 0};
    for (unsigned corner = 0; corner < 1u << dimensions; corner++) {
        int at[3] = {first[0], first[1], first[2]};
        double share = 1;
        for (unsigned a = 0; a < dimensions; a++) {
            at[a] += corner >> a & 1;
            share *= corner >> a & 1 ? part[a] : 1 - part[a];
        }
        const uint32_t *texel = texel_at(t, at);
        for (int c = 0; c < 4; c++) {
            float value;
            memcpy(&value, texel + c, 4);
            sum[c] += share * value;
        }
    }
    for (int c = 0; c < 4; c++) {
        float value = sum[c];
        memcpy(out + c, &value, 4);
    }
}

int vprintf_of_gpu(const char *format, const uint32_t *values) {
    /* Arguments lie side by side, 8-byte ones on multiples of 8. Enough of printf for the tests. */
    unsigned at = 0;
    flockfile(stderr);
    for (const char *c = format; *c; c++) {
        if (*c != '%') { fputc(*c, stderr); continue; }
        if (c[1] == '%') { fputc('%', stderr); c++; continue; }
        char part[32];
        unsigned length = strcspn(c, "diouxXcfFeEgGaAsp") + 1;
        int wide = memchr(c, 'l', length) != 0;
        snprintf(part, sizeof part, "%.*s", (int)length, c);
        char kind = c[length - 1];
        if (wide || strchr("fFeEgGaAsp", kind)) at = (at + 1) & ~1u;
        uint64_t bits = values[at];
        if (wide || strchr("fFeEgGaAsp", kind)) memcpy(&bits, values + at, 8), at += 2; else at++;
        double number;
        memcpy(&number, &bits, 8);
        if (strchr("fFeEgGaA", kind)) fprintf(stderr, part, number);
        else if (kind == 's') fprintf(stderr, part, (char *)bits);
        else if (wide || kind == 'p') fprintf(stderr, part, bits);
        else fprintf(stderr, part, (uint32_t)bits);
        c += length - 1;
    }
    funlockfile(stderr);
    return 0;
}

static void *run_item(void *item) {
    me = item;
    launch(arguments);
    pthread_mutex_lock(&lock);
    me->state = GONE;
    settle();
    pthread_mutex_unlock(&lock);
    return 0;
}

static void run_group(void) {
    static pthread_t threads[MOST];
    memset(all, 0, sizeof all);
    for (unsigned i = 0; i < items; i++) {
        all[i].linear = i;
        pthread_cond_init(&all[i].may_go, 0);
        all[i].tid[0] = i % ntid[0];
        all[i].tid[1] = i / ntid[0] % ntid[1];
        all[i].tid[2] = i / ntid[0] / ntid[1];
    }
    for (unsigned i = 0; i < items; i++)
        if (pthread_create(&threads[i], 0, run_item, &all[i])) exit(4);
    for (unsigned i = 0; i < items; i++) pthread_join(threads[i], 0);
}

static void get(void *to, size_t size) {
    if (size && fread(to, size, 1, stdin) != 1) exit(5);
}
static uint64_t word(void) {
    uint64_t value;
    get(&value, 8);
    return value;
}

/* Standard input: 3 numbers of work-groups, 3 sizes, the count of arguments; each argument: 0 for bytes or 1 for a buffer of those
   bytes, size, bytes. Standard output: the buffers, one after the other. */
int main(void) {
    static void *list[64];
    static unsigned char *pointers[64];
    alarm(60);
    for (int i = 0; i < 3; i++) nctaid[i] = word();
    for (int i = 0; i < 3; i++) ntid[i] = word();
    items = ntid[0] * ntid[1] * ntid[2];
    unsigned count = word();
    for (unsigned i = 0; i < count; i++) {
        uint64_t is_buffer = word(), size = word();
        unsigned char *bytes = aligned_alloc(128, (size + 255) / 128 * 128);
        get(bytes, size);
        list[i] = bytes;
        if (is_buffer) {
            buffers[buffer_count].at = bytes;
            buffers[buffer_count++].size = size;
            pointers[i] = bytes;
            list[i] = &pointers[i];
        }
    }
    arguments = list;
    for (ctaid[2] = 0; ctaid[2] < nctaid[2]; ctaid[2]++)
        for (ctaid[1] = 0; ctaid[1] < nctaid[1]; ctaid[1]++)
            for (ctaid[0] = 0; ctaid[0] < nctaid[0]; ctaid[0]++) run_group();
    for (unsigned i = 0; i < buffer_count; i++) fwrite(buffers[i].at, 1, buffers[i].size, stdout);
    return 0;
}

/* libdevice, by the processor's own functions. testing/drivers/software-cuda/src/gpu/mathematics.rs has those that a C library has
   not once more, for stock clients on the software CUDA driver; testing/cuda/ulp/reference.c has exact ones. */
#define ONE(name, own) \
    double __nv_##name(double x) { return own(x); } float __nv_##name##f(float x) { return own##f(x); }
#define TWO(name, own) \
    double __nv_##name(double x, double y) { return own(x, y); } float __nv_##name##f(float x, float y) { return own##f(x, y); }
/* Multiples of a half are exact, and zero keeps its sign. */
static double sin_of_pi(double x) { double r = fmod(x, 2); return fmod(r, 1) == 0 ? copysign(0, x) : sin(r * M_PI); }
static double cos_of_pi(double x) { double r = fmod(fabs(x), 2); return r == 0.5 || r == 1.5 ? 0 : cos(r * M_PI); }
static float sin_of_pif(float x) { return sin_of_pi(x); }
static float cos_of_pif(float x) { return cos_of_pi(x); }
static double one_by_root(double x) { return 1 / sqrt(x); }
static float one_by_rootf(float x) { return 1 / sqrt((double)x); }
ONE(acos, acos) ONE(acosh, acosh) ONE(asin, asin) ONE(asinh, asinh) ONE(atan, atan) ONE(atanh, atanh) ONE(cbrt, cbrt)
ONE(cos, cos) ONE(cosh, cosh) ONE(cospi, cos_of_pi) ONE(erf, erf) ONE(erfc, erfc) ONE(exp, exp) ONE(exp2, exp2)
ONE(exp10, exp10) ONE(expm1, expm1) ONE(lgamma, lgamma) ONE(log, log) ONE(log2, log2) ONE(log10, log10) ONE(log1p, log1p)
ONE(logb, logb) ONE(round, round) ONE(rsqrt, one_by_root) ONE(sin, sin) ONE(sinh, sinh) ONE(sinpi, sin_of_pi) ONE(tan, tan)
ONE(tanh, tanh) ONE(tgamma, tgamma) ONE(ceil, ceil) ONE(floor, floor) ONE(trunc, trunc) ONE(rint, rint) ONE(fabs, fabs)
ONE(sqrt, sqrt) ONE(fast_sin, sin) ONE(fast_cos, cos) ONE(fast_exp, exp) ONE(fast_log, log) ONE(fast_log2, log2)
TWO(atan2, atan2) TWO(fdim, fdim) TWO(fmod, fmod) TWO(hypot, hypot) TWO(pow, pow) TWO(remainder, remainder)
TWO(copysign, copysign) TWO(fmax, fmax) TWO(fmin, fmin) TWO(nextafter, nextafter)
double __nv_norm3d(double x, double y, double z) { return hypot(hypot(x, y), z); }
float __nv_norm3df(float x, float y, float z) { return __nv_norm3d(x, y, z); }
double __nv_norm4d(double x, double y, double z, double w) { return hypot(hypot(x, y), hypot(z, w)); }
float __nv_norm4df(float x, float y, float z, float w) { return __nv_norm4d(x, y, z, w); }
double __nv_fma(double x, double y, double z) { return fma(x, y, z); }
float __nv_fmaf(float x, float y, float z) { return fmaf(x, y, z); }
double __nv_ldexp(double x, int n) { return ldexp(x, n); }
float __nv_ldexpf(float x, int n) { return ldexpf(x, n); }
int __nv_ilogb(double x) { return ilogb(x); }
int __nv_ilogbf(float x) { return ilogbf(x); }
double __nv_frexp(double x, int *e) { return frexp(x, e); }
float __nv_frexpf(float x, int *e) { return frexpf(x, e); }
double __nv_modf(double x, double *i) { return modf(x, i); }
float __nv_modff(float x, float *i) { return modff(x, i); }
double __nv_remquo(double x, double y, int *q) { return remquo(x, y, q); }
float __nv_remquof(float x, float y, int *q) { return remquof(x, y, q); }
