// Sub-groups of 8, 16 and 32 work-items: who is where, what they exchange, and what those in one branch add up.
#pragma OPENCL EXTENSION cl_khr_subgroups : enable

// Of cl_intel_subgroups; clang's header leaves it out.
int __attribute__((overloadable)) intel_sub_group_shuffle(int, uint);

// Six ints out per work-item. Every second sub-group takes the other branch.
#define KERNEL(SIZE)                                                                                                    \
    kernel __attribute__((intel_reqd_sub_group_size(SIZE))) void groups_of_##SIZE(global int *out) {                     \
        int global_id = (int)get_global_id(0);                                                                           \
        global int *own = out + global_id * 6;                                                                           \
        own[0] = (int)get_sub_group_size();                                                                              \
        own[1] = (int)get_sub_group_local_id();                                                                          \
        own[2] = (int)get_sub_group_id();                                                                                \
        own[3] = sub_group_reduce_add(global_id);                                                                        \
        own[4] = intel_sub_group_shuffle(global_id, 0);                                                                  \
        if (get_sub_group_id() % 2) own[5] = sub_group_scan_inclusive_add(1);                                            \
        else own[5] = -sub_group_reduce_max(global_id);                                                                  \
    }

KERNEL(8)
KERNEL(16)
KERNEL(32)
