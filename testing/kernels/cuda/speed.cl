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
#define RSQRT rsqrtf
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
#define RSQRT rsqrt
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
