kernel void bench(global int *p, int v, local int *l, global int *q) {
    if (v == 12345) p[0] = l[0] + q[0];
}
