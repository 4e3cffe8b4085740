/* The demo without Python: demo.py's two jobs by the C API that dpctl's wheel carries, on the stock libsycl.
 *
 * Usage: demo KERNELS.cl PICTURE.png. Both results are checked against the same arithmetic on the host; what was found
 * is printed as one JSON line, as demo.py prints it.
 */

#define _GNU_SOURCE
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dpctl_sycl_interface.h"

#include "png.h"

enum { WIDTH = 720, HEIGHT = 480, ROUNDS = 60, POINTS = WIDTH * HEIGHT, OPTIONS = 100000 };
static const double RATE = 0.05, VOLATILITY = 0.2;

static void give_up(const char *what) {
  fprintf(stderr, "demo: %s failed\n", what);
  exit(1);
}

static void *need(void *result, const char *what) {
  if (!result)
    give_up(what);
  return result;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static char *read_text(const char *path) {
  FILE *file = need(fopen(path, "rb"), path);
  static char text[1 << 16];
  size_t length = fread(text, 1, sizeof text - 1, file);
  text[length] = 0;
  fclose(file);
  return text;
}

/* Runs one kernel over `items` points to its end and gives the seconds that it took. */
static double submit(DPCTLSyclKernelRef kernel, DPCTLSyclQueueRef queue, void **args,
                     const DPCTLKernelArgType *types, size_t count, size_t items) {
  const size_t range[3] = {items, 1, 1};
  const double start = now();
  DPCTLSyclEventRef event = need(
      DPCTLQueue_SubmitRange(kernel, queue, args, types, count, range, 1, NULL, 0), "DPCTLQueue_SubmitRange");
  DPCTLEvent_Wait(event);
  DPCTLEvent_Delete(event);
  return now() - start;
}

static double mandelbrot(DPCTLSyclKernelBundleRef bundle, DPCTLSyclQueueRef queue, int *count) {
  DPCTLSyclKernelRef kernel = need(DPCTLKernelBundle_GetKernel(bundle, "mandelbrot"), "kernel mandelbrot");
  int width = WIDTH, height = HEIGHT, rounds = ROUNDS;
  void *args[] = {count, &width, &height, &rounds};
  const DPCTLKernelArgType types[] = {DPCTL_VOID_PTR, DPCTL_INT, DPCTL_INT, DPCTL_INT};
  const double seconds = submit(kernel, queue, args, types, 4, POINTS);
  DPCTLKernel_Delete(kernel);
  return seconds;
}

/* The share of points at which the device counted otherwise than the host. */
static double unlike_host(const int *count) {
  size_t unlike = 0;
  for (size_t point = 0; point < POINTS; ++point) {
    const double real = -2.2 + 3.0 * (double)(point % WIDTH) / (WIDTH - 1);
    const double imaginary = -1.0 + 2.0 * (double)(point / WIDTH) / (HEIGHT - 1);
    double x = 0.0, y = 0.0;
    int n = 0;
    while (n < ROUNDS && x * x + y * y < 4.0) {
      const double next = x * x - y * y + real;
      y = 2.0 * x * y + imaginary;
      x = next;
      ++n;
    }
    unlike += n != count[point];
  }
  return (double)unlike / POINTS;
}

/* Prices options on the device; the largest difference from the host's prices goes to `error`. */
static double black_scholes(DPCTLSyclKernelBundleRef bundle, DPCTLSyclQueueRef queue, double *error) {
  DPCTLSyclKernelRef kernel = need(DPCTLKernelBundle_GetKernel(bundle, "black_scholes"), "kernel black_scholes");
  double *data[4];
  for (int k = 0; k < 4; ++k)
    data[k] = need(DPCTLmalloc_shared(OPTIONS * sizeof(double), queue), "DPCTLmalloc_shared");
  srand(1);
  for (size_t i = 0; i < OPTIONS; ++i) {
    data[0][i] = 10.0 + 40.0 * rand() / RAND_MAX;
    data[1][i] = 10.0 + 40.0 * rand() / RAND_MAX;
    data[2][i] = 0.25 + 1.75 * rand() / RAND_MAX;
  }
  double rate = RATE, volatility = VOLATILITY;
  void *args[] = {data[0], data[1], data[2], data[3], &rate, &volatility};
  const DPCTLKernelArgType types[] = {DPCTL_VOID_PTR, DPCTL_VOID_PTR, DPCTL_VOID_PTR,
                                      DPCTL_VOID_PTR, DPCTL_DOUBLE,   DPCTL_DOUBLE};
  const double seconds = submit(kernel, queue, args, types, 6, OPTIONS);
  *error = 0.0;
  for (size_t i = 0; i < OPTIONS; ++i) {
    const double price = data[0][i], strike = data[1][i], years = data[2][i];
    const double spread = VOLATILITY * sqrt(years);
    const double d1 = (log(price / strike) + (RATE + 0.5 * VOLATILITY * VOLATILITY) * years) / spread;
    const double n1 = 0.5 + 0.5 * erf(d1 / sqrt(2.0));
    const double n2 = 0.5 + 0.5 * erf((d1 - spread) / sqrt(2.0));
    const double difference = fabs(price * n1 - strike * exp(-RATE * years) * n2 - data[3][i]);
    /* Written so that a result that is not a number counts as wrong. */
    if (!(difference <= *error))
      *error = isnan(difference) ? 1e300 : difference;
  }
  for (int k = 0; k < 4; ++k)
    DPCTLfree_with_queue((DPCTLSyclUSMRef)data[k], queue);
  DPCTLKernel_Delete(kernel);
  return seconds;
}

/* The plugins and the libsycl that this process has mapped, as a JSON list. */
static void print_loaded(void) {
  FILE *maps = need(fopen("/proc/self/maps", "r"), "/proc/self/maps");
  char line[8192], seen[64][4096];
  int count = 0;
  printf("[");
  while (fgets(line, sizeof line, maps)) {
    char *path = strchr(line, '/');
    line[strcspn(line, "\n")] = 0;
    bool fresh = path && count < 64 && strlen(path) < sizeof seen[0] &&
                 (strstr(path, "/libpi_") || strstr(path, "/libsycl.so"));
    for (int k = 0; fresh && k < count; ++k)
      fresh = strcmp(seen[k], path) != 0;
    if (fresh) {
      strcpy(seen[count], path);
      printf("%s\"%s\"", count++ ? ", " : "", path);
    }
  }
  printf("]");
  fclose(maps);
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: %s KERNELS.cl PICTURE.png\n", argv[0]);
    return 2;
  }
  DPCTLSyclDeviceSelectorRef selector = need(DPCTLDefaultSelector_Create(), "DPCTLDefaultSelector_Create");
  DPCTLSyclDeviceRef device = need(DPCTLDevice_CreateFromSelector(selector), "choosing a device");
  DPCTLSyclQueueRef queue =
      need(DPCTLQueue_CreateForDevice(device, NULL, DPCTL_DEFAULT_PROPERTY), "DPCTLQueue_CreateForDevice");
  DPCTLSyclContextRef context = need(DPCTLQueue_GetContext(queue), "DPCTLQueue_GetContext");
  DPCTLSyclKernelBundleRef bundle =
      need(DPCTLKernelBundle_CreateFromOCLSource(context, device, read_text(argv[1]), ""), "building the kernels");

  int *count = need(DPCTLmalloc_shared(POINTS * sizeof(int), queue), "DPCTLmalloc_shared");
  const double first = mandelbrot(bundle, queue, count);
  const double unlike = unlike_host(count);
  const double second = mandelbrot(bundle, queue, count);
  if (!write_png(argv[2], count, WIDTH, HEIGHT, ROUNDS))
    give_up("writing the picture");
  double error;
  const double priced = black_scholes(bundle, queue, &error);

  const char *name = DPCTLDevice_GetName(device);
  const char *driver = DPCTLDevice_GetDriverVersion(device);
  printf("RESULT {\"program\": \"C on libDPCTLSyclInterface.so\", \"device\": \"%s (driver %s)\", \"loaded\": ", name,
         driver);
  print_loaded();
  printf(", \"checks\": [[\"Mandelbrot: share of points unlike the host's\", %.17g, 0.01], "
         "[\"Black-Scholes: largest difference from the host\", %.17g, 1e-9]], ",
         unlike, error);
  printf("\"seconds\": [[\"Mandelbrot %d x %d, %d rounds, first time\", %.6f], [\"Mandelbrot, second time\", %.6f], "
         "[\"Black-Scholes, %d options\", %.6f]]}\n",
         WIDTH, HEIGHT, ROUNDS, first, second, OPTIONS, priced);

  DPCTLCString_Delete(name);
  DPCTLCString_Delete(driver);
  DPCTLfree_with_queue((DPCTLSyclUSMRef)count, queue);
  DPCTLKernelBundle_Delete(bundle);
  DPCTLContext_Delete(context);
  DPCTLQueue_Delete(queue);
  DPCTLDevice_Delete(device);
  DPCTLDeviceSelector_Delete(selector);
  return 0;
}
