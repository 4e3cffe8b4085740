// Kernels whose time is measured, as OpenCL C and as CUDA C++: one source for both compilers.
#ifdef __CUDACC__
#define KERNEL extern "C" __global__ void
#define GLOBAL
#define LOCAL __shared__
#define BARRIER __syncthreads()
#define GLOBAL_ID_X (blockIdx.x * blockDim.x + threadIdx.x)
#define LOCAL_ID_X threadIdx.x
#define LOCAL_ID_Y threadIdx.y
#define GROUP_ID_X blockIdx.x
#define GROUP_ID_Y blockIdx.y
#define LOCAL_SIZE_X blockDim.x
#define RSQRT rsqrtf
#define GROUP_SUM sum_of_block
// The sum of a value over whole warps of a block.
static __device__ float sum_of_block(float value) {
    __shared__ float warps[32];
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(~0u, value, distance);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
    __syncthreads();
    value = 0;
    for (unsigned warp = 0; warp < blockDim.x / 32; ++warp) value += warps[warp];
    return value;
}
#else
#define KERNEL kernel void
#define GLOBAL global
#define LOCAL local
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#define GLOBAL_ID_X ((unsigned)get_global_id(0))
#define LOCAL_ID_X ((unsigned)get_local_id(0))
#define LOCAL_ID_Y ((unsigned)get_local_id(1))
#define GROUP_ID_X ((unsigned)get_group_id(0))
#define GROUP_ID_Y ((unsigned)get_group_id(1))
#define LOCAL_SIZE_X ((unsigned)get_local_size(0))
#define RSQRT rsqrt
#define GROUP_SUM work_group_reduce_add
#endif

// Memory-bound: two reads and a write.
KERNEL triad(GLOBAL float *out, const GLOBAL float *a, const GLOBAL float *b, float factor) {
    unsigned i = GLOBAL_ID_X;
    out[i] = a[i] + factor * b[i];
}

// Compute-bound: the acceleration of each body by all others.
KERNEL n_body(GLOBAL float *out, const GLOBAL float *bodies, unsigned count) {
    LOCAL float tile[4 * 256];
    unsigned own = GLOBAL_ID_X, lane = LOCAL_ID_X;
    float x = bodies[4 * own], y = bodies[4 * own + 1], z = bodies[4 * own + 2];
    float ax = 0, ay = 0, az = 0;
    for (unsigned start = 0; start < count; start += 256) {
        for (unsigned part = 0; part < 4; ++part)
            tile[4 * lane + part] = bodies[4 * (start + lane) + part];
        BARRIER;
        for (unsigned other = 0; other < 256; ++other) {
            float dx = tile[4 * other] - x, dy = tile[4 * other + 1] - y, dz = tile[4 * other + 2] - z;
            float inverse = RSQRT(dx * dx + dy * dy + dz * dz + 1e-4f);
            float pull = tile[4 * other + 3] * inverse * inverse * inverse;
            ax += dx * pull, ay += dy * pull, az += dz * pull;
        }
        BARRIER;
    }
    out[3 * own] = ax, out[3 * own + 1] = ay, out[3 * own + 2] = az;
}

// A product of square matrices in tiles of 16 by 16. The side is a multiple of 16.
KERNEL multiply(GLOBAL float *out, const GLOBAL float *a, const GLOBAL float *b, unsigned side) {
    LOCAL float left[16][16];
    LOCAL float right[16][16];
    unsigned x = LOCAL_ID_X, y = LOCAL_ID_Y, column = 16 * GROUP_ID_X + x, row = 16 * GROUP_ID_Y + y;
    float sum = 0;
    for (unsigned start = 0; start < side; start += 16) {
        left[y][x] = a[row * side + start + x];
        right[y][x] = b[(start + y) * side + column];
        BARRIER;
        for (unsigned k = 0; k < 16; ++k) sum += left[y][k] * right[k][x];
        BARRIER;
    }
    out[row * side + column] = sum;
}

// A sum as libraries write it for arrays of any shape: eight elements a work-item, each behind a comparison, with a stride that is
// known when the kernel runs. The stride is one for fewer than 2^31 elements.
KERNEL sum(GLOBAL float *out, const GLOBAL float *a, unsigned count) {
    unsigned long stride = 1 + (count >> 31), last = count - stride;
    unsigned long group = GROUP_ID_X / stride, first = group * LOCAL_SIZE_X * 8 + LOCAL_ID_X;
    float own = 0;
    for (unsigned long part = 0; part < 8 * stride; ++part) {
        unsigned long at = first + part * LOCAL_SIZE_X;
        if (at < count) own += a[(at < last ? at : last) * stride];
    }
    float total = GROUP_SUM(own);
    if (LOCAL_ID_X == 0) out[group] = total;
}
