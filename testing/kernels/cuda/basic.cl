// basic.cl for clang's NVPTX target: OpenCL's questions in the device's registers. As compilers for CUDA do it, the global offset
// comes as one more argument to a kernel of its own, and local memory as an offset in the dynamic block.
#define get_local_id(d) nv_tid(d)
#define get_group_id(d) nv_ctaid(d)
#define get_local_size(d) nv_ntid(d)
#define get_global_id(d) (nv_ctaid(d) * nv_ntid(d) + nv_tid(d))
#define get_global_size(d) (nv_nctaid(d) * nv_ntid(d))
#define get_global_offset(d) 0u
#define barrier(flags) __nvvm_bar_sync(0)

typedef unsigned uint;
typedef unsigned char uchar;
typedef unsigned long ulong, size_t;

#define OF_DIMENSION(name, register)                                                                                   \
    static uint name(int d) {                                                                                          \
        return d == 0 ? __nvvm_read_ptx_sreg_##register##_x()                                                          \
                      : d == 1 ? __nvvm_read_ptx_sreg_##register##_y() : __nvvm_read_ptx_sreg_##register##_z();        \
    }
OF_DIMENSION(nv_tid, tid)
OF_DIMENSION(nv_ctaid, ctaid)
OF_DIMENSION(nv_ntid, ntid)
OF_DIMENSION(nv_nctaid, nctaid)

// By the convention of OpenCL; nobody launches it.
#define local_sum local_sum_by_pointer
#include "../basic.cl"
#undef local_sum

struct offset {
    uint at[3];
};

kernel void count_places_with_offset(global int *out, struct offset by) {
    size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    out[(z * get_global_size(1) + y) * get_global_size(0) + x] += 1;
}

kernel void global_ids_with_offset(global int *out, struct offset by) {
    size_t x = get_global_id(0), y = get_global_id(1), at = 3 * (y * get_global_size(0) + x);
    out[at] = (int)(x + by.at[0]);
    out[at + 1] = (int)(y + by.at[1]);
    out[at + 2] = (int)(get_global_id(2) + by.at[2]);
}

__asm__(".extern .shared .align 128 .b8 dynamic[];");

kernel void local_sum(global int *out, uint offset) {
    uint base;
    __asm__("mov.u32 %0, dynamic;" : "=r"(base));
    base += offset;
    __asm__ volatile("st.shared.u32 [%0], %1;" : : "r"(base + 4 * get_local_id(0)), "r"(get_local_id(0)) : "memory");
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        int sum = 0, value;
        for (uint i = 0; i < get_local_size(0); ++i) {
            __asm__ volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(base + 4 * i) : "memory");
            sum += value;
        }
        out[get_group_id(0)] = sum;
    }
}
