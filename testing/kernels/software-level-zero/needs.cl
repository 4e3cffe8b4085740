int twice(int x);

kernel void doubled(global int *out, int x) { out[0] = twice(x); }
