// A kernel that calls a function of another module: callee.cl, or none.
int from_elsewhere(int value);

kernel void calls(global int *data) { data[get_global_id(0)] = from_elsewhere(data[get_global_id(0)]) + 1; }
