// Device code of the walk-through: one kernel for any device, one that needs double, one that needs half and a group size.
int square(int x) { return x * x; }

kernel void sum_of_squares(global int *values, global int *sum, int count) {
  int total = 0;
  for (int i = 0; i < count; ++i) total += square(values[i]);
  *sum = total;
}

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void halve(global double *values) { values[get_global_id(0)] *= 0.5; }

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel __attribute__((reqd_work_group_size(8, 1, 1))) void widen(global const half *in, global float *out) {
  size_t at = get_global_id(0);
  out[at] = in[at] + (half)1.0f;
}
