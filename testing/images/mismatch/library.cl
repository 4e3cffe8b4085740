// A function of another source file, which uses double without saying so.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
float boo(float x) {
  double wide = x;
  return (float)(wide * wide);
}
