kernel void scale(global int *data, int factor, int summand) {
    data[get_global_id(0)] = data[get_global_id(0)] * factor + summand;
}
kernel void sum(global const int *a, global const int *b, global int *out) {
    out[get_global_id(0)] = a[get_global_id(0)] + b[get_global_id(0)];
}
