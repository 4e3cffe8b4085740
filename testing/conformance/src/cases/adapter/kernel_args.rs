//! Arguments that are passed with a launch.

use std::ffi::c_void;
use std::ptr::null_mut;

use sycl_pi_core::pi_mem;
use sycl_ur_core::*;

/// Returns a buffer and a number as arguments. The number must live as long as they are used.
pub(super) fn kernel_args(mem: pi_mem, number: &i32) -> [ur_exp_kernel_arg_properties_t; 2] {
    let arg = |type_, index, size, value| ur_exp_kernel_arg_properties_t {
        stype: UR_STRUCTURE_TYPE_EXP_KERNEL_ARG_PROPERTIES,
        pNext: null_mut(),
        type_,
        index,
        size,
        value,
    };
    let tuple = ur_exp_kernel_arg_mem_obj_tuple_t { hMem: mem.cast(), flags: 0 };
    let value: *const c_void = std::ptr::from_ref(number).cast();
    [
        arg(UR_EXP_KERNEL_ARG_TYPE_MEM_OBJ, 0, 8, ur_exp_kernel_arg_value_t { memObjTuple: tuple }),
        arg(UR_EXP_KERNEL_ARG_TYPE_VALUE, 1, 4, ur_exp_kernel_arg_value_t { value }),
    ]
}
