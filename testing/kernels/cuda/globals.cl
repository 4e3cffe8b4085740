// The variables and kernels of dg_scope.cpp and dg_init.cpp for clang's NVPTX target, under the names that hosts know them by.
global int _Z6Scoped[4];
global int _Z4Seed = 1234;
global int _Z6Triple[3] = {10, 20, 30};

kernel void _ZTS6DgsSet(int v) {
    for (int i = 0; i < 4; ++i) _Z6Scoped[i] = v + i;
}

kernel void _ZTS6DgsSum(global int *out) { *out = _Z6Scoped[0] + _Z6Scoped[1] + _Z6Scoped[2] + _Z6Scoped[3]; }

kernel void _ZTS6DgInit(global int *out) {
    out[0] = _Z4Seed;
    for (int i = 0; i < 3; ++i) out[i + 1] = _Z6Triple[i];
}
