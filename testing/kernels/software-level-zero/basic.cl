typedef struct { int a; long b; } pair;

global int counter = 5;

kernel void ids(global int *out, int add) { out[get_global_id(0)] = (int)get_global_id(0) + add; }

kernel void pairs(global long *out, pair p) { out[0] = p.a; out[1] = p.b; }

kernel void turn(global int *data, local int *room)
{
    room[get_local_id(0)] = data[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    data[get_global_id(0)] = room[get_local_size(0) - 1 - get_local_id(0)];
}

kernel void count(global int *out) { counter += 1; out[0] = counter; }

kernel __attribute__((reqd_work_group_size(4, 2, 1))) void shaped(global int *out) { out[0] = get_local_size(0); }

#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void sub_groups(global int *out) { out[get_global_id(0)] = get_num_sub_groups(); }
