/* The variables and kernels of globals.cl for the software CUDA driver. */
#include "host.h"

int _Z6Scoped[4];
int _Z4Seed = 1234;
int _Z6Triple[3] = {10, 20, 30};

KERNEL(_ZTS6DgsSet, 4, 0) {
    for (int i = 0; i < 4; ++i) _Z6Scoped[i] = ARG(int, 0) + i;
    return 0;
}

KERNEL(_ZTS6DgsSum, 8, 0) {
    *ARG(int *, 0) = _Z6Scoped[0] + _Z6Scoped[1] + _Z6Scoped[2] + _Z6Scoped[3];
    return 0;
}

KERNEL(_ZTS6DgInit, 8, 0) {
    int *out = ARG(int *, 0);
    out[0] = _Z4Seed;
    for (int i = 0; i < 3; ++i) out[i + 1] = _Z6Triple[i];
    return 0;
}
