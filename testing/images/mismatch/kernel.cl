// A kernel that expects no more than single precision.
float boo(float x);
float bar(float x) { return boo(x) + 1.0f; }
kernel void foo(global float *values) {
  values[get_global_id(0)] = bar(values[get_global_id(0)]);
}
