// The kernels that most cases launch. basic.spv is made from this file (see README.md); drivers that take no SPIR-V get the
// text itself, so it keeps to OpenCL C 1.2.

kernel void fill_index(global int *out) { out[get_global_id(0)] = (int)get_global_id(0); }

kernel void add_value(global int *data, int value) { data[get_global_id(0)] += value; }

kernel void mul_value(global int *data, int value) { data[get_global_id(0)] *= value; }

kernel void nothing(void) {}

// One int out per group: the sum of the local ids, over local memory.
kernel void local_sum(global int *out, local int *scratch) {
    scratch[get_local_id(0)] = (int)get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        int sum = 0;
        for (size_t i = 0; i < get_local_size(0); ++i) sum += scratch[i];
        out[get_group_id(0)] = sum;
    }
}

kernel __attribute__((reqd_work_group_size(4, 2, 1))) void fixed_size(global int *out) {
    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = (int)(get_local_size(0) * 10 + get_local_size(1));
}

// Counts each work-item at its own place, the offset taken off.
kernel void count_places(global int *out) {
    size_t x = get_global_id(0) - get_global_offset(0);
    size_t y = get_global_id(1) - get_global_offset(1);
    size_t z = get_global_id(2) - get_global_offset(2);
    out[(z * get_global_size(1) + y) * get_global_size(0) + x] += 1;
}

// The global id of each work-item, three ints each.
kernel void global_ids(global int *out) {
    size_t x = get_global_id(0) - get_global_offset(0);
    size_t y = get_global_id(1) - get_global_offset(1);
    size_t at = 3 * (y * get_global_size(0) + x);
    out[at] = (int)get_global_id(0);
    out[at + 1] = (int)get_global_id(1);
    out[at + 2] = (int)get_global_id(2);
}

// Busy for `rounds` steps that cannot be shortened, then one more in data[0].
kernel void slow(global int *data, int rounds) {
    uint value = (uint)data[1];
    for (int i = 0; i < rounds; ++i) value = value * 1664525u + 1013904223u;
    data[1] = (int)value;
    data[0] += 1;
}

// Follows a list of {next, value} pairs and adds the values up.
kernel void sum_list(global const ulong *head, global ulong *sum) {
    ulong total = 0;
    global const ulong *node = head;
    while (node != 0) {
        total += node[1];
        node = (global const ulong *)node[0];
    }
    *sum = total;
}

kernel void is_null(global int *maybe, global int *out) { *out = maybe == 0 ? 1 : 0; }

kernel void copy_bytes(global const uchar *from, global uchar *to) { to[get_global_id(0)] = from[get_global_id(0)]; }
