/* The kernels of demo.c: the jobs of demo.py in OpenCL C. */

__kernel void mandelbrot(__global int *count, int width, int height, int rounds) {
  const size_t point = get_global_id(0);
  const double real = -2.2 + 3.0 * (double)(point % width) / (width - 1);
  const double imaginary = -1.0 + 2.0 * (double)(point / width) / (height - 1);
  double x = 0.0, y = 0.0;
  int n = 0;
  while (n < rounds && x * x + y * y < 4.0) {
    const double next = x * x - y * y + real;
    y = 2.0 * x * y + imaginary;
    x = next;
    ++n;
  }
  count[point] = n;
}

__kernel void black_scholes(__global const double *price, __global const double *strike,
                            __global const double *years, __global double *call, double rate,
                            double volatility) {
  const size_t i = get_global_id(0);
  const double spread = volatility * sqrt(years[i]);
  const double d1 =
      (log(price[i] / strike[i]) + (rate + 0.5 * volatility * volatility) * years[i]) / spread;
  const double d2 = d1 - spread;
  const double n1 = 0.5 + 0.5 * erf(d1 / sqrt(2.0));
  const double n2 = 0.5 + 0.5 * erf(d2 / sqrt(2.0));
  call[i] = price[i] * n1 - strike[i] * exp(-rate * years[i]) * n2;
}
