// calls.cl for clang's NVPTX target.
#define get_global_id(d) (__nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x())
#include "../calls.cl"
