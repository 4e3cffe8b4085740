// The kernels of these tests. kernels.spv is made from this file by build.sh.

kernel void nothing(void) {}

kernel void add(global const int *a, global const int *b, global int *out) {
    out[get_global_id(0)] = a[get_global_id(0)] + b[get_global_id(0)];
}

struct triple { char a; long b; int c; };

kernel void spread(struct triple value, global long *out) {
    out[0] = value.a;
    out[1] = value.b;
    out[2] = value.c;
}

kernel void scale(global int *data, int factor, local int *scratch) {
    scratch[get_local_id(0)] = factor;
    barrier(CLK_LOCAL_MEM_FENCE);
    data[get_global_id(0)] *= scratch[get_local_id(0)];
}
