// Kernels of the CUDA tests, for clang's NVPTX target. kernels.c has the same for the software driver.

static unsigned gid(int d) {
    if (d == 0) return __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x();
    if (d == 1) return __nvvm_read_ptx_sreg_ctaid_y() * __nvvm_read_ptx_sreg_ntid_y() + __nvvm_read_ptx_sreg_tid_y();
    return __nvvm_read_ptx_sreg_ctaid_z() * __nvvm_read_ptx_sreg_ntid_z() + __nvvm_read_ptx_sreg_tid_z();
}

global int counter = 7;
global unsigned char table[64];

kernel void noop(void) {}

kernel void increment(global int *data) { data[gid(0)] += 1; }

kernel void scale(int factor, global int *from, global int *to) { to[gid(0)] = factor * from[gid(0)]; }

// Keeps its work-items busy for about that many clocks. The 64-bit clock has the type of a C `long long`, which OpenCL C
// takes for 128 bits: so the 32-bit one, summed up.
kernel void spin(ulong clocks, global int *flag) {
    unsigned before = __nvvm_read_ptx_sreg_clock();
    for (ulong sum = 0; sum < clocks;) {
        unsigned now = __nvvm_read_ptx_sreg_clock();
        sum += now - before;
        before = now;
    }
    if (flag) *flag += 1;
}

kernel void wild(global int *nowhere) { *nowhere = 1; }

// A device global without image scope, as DPC++ makes it: the address of its block, which the runtime writes.
global ulong global_block;
kernel void add_to_global(global int *out, int by) {
    global int *value = (global int *)global_block;
    *value += by;
    *out = *value;
}

// With image scope: the value itself.
global int scoped = 30;
kernel void add_to_scoped(global int *out, int by) {
    scoped += by;
    *out = scoped;
}

// Emulated specialization constants: a buffer behind the last argument.
kernel void with_constants(global int *out, global int *constants) {
    out[0] = constants[0];
    out[1] = constants[1];
}
