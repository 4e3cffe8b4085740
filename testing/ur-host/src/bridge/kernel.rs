//! Kernels and their arguments.

use std::ffi::{c_char, c_void};
use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_ur_core::*;

use crate::Layout;

use super::answer::NEITHER;
use super::launch::{self, KeptArgument};
use super::result::refuse;
use super::stubs::stubs;

fn info(name: pi_kernel_info) -> u32 {
    match name {
        PI_KERNEL_INFO_FUNCTION_NAME => UR_KERNEL_INFO_FUNCTION_NAME,
        PI_KERNEL_INFO_NUM_ARGS => UR_KERNEL_INFO_NUM_ARGS,
        PI_KERNEL_INFO_REFERENCE_COUNT => UR_KERNEL_INFO_REFERENCE_COUNT,
        PI_KERNEL_INFO_CONTEXT => UR_KERNEL_INFO_CONTEXT,
        PI_KERNEL_INFO_PROGRAM => UR_KERNEL_INFO_PROGRAM,
        PI_KERNEL_INFO_ATTRIBUTES => UR_KERNEL_INFO_ATTRIBUTES,
        _ => NEITHER,
    }
}

fn group_info(name: pi_kernel_group_info) -> u32 {
    match name {
        PI_KERNEL_GROUP_INFO_GLOBAL_WORK_SIZE => UR_KERNEL_GROUP_INFO_GLOBAL_WORK_SIZE,
        PI_KERNEL_GROUP_INFO_WORK_GROUP_SIZE => UR_KERNEL_GROUP_INFO_WORK_GROUP_SIZE,
        PI_KERNEL_GROUP_INFO_COMPILE_WORK_GROUP_SIZE => UR_KERNEL_GROUP_INFO_COMPILE_WORK_GROUP_SIZE,
        PI_KERNEL_GROUP_INFO_LOCAL_MEM_SIZE => UR_KERNEL_GROUP_INFO_LOCAL_MEM_SIZE,
        PI_KERNEL_GROUP_INFO_PREFERRED_WORK_GROUP_SIZE_MULTIPLE => {
            UR_KERNEL_GROUP_INFO_PREFERRED_WORK_GROUP_SIZE_MULTIPLE
        }
        PI_KERNEL_GROUP_INFO_PRIVATE_MEM_SIZE => UR_KERNEL_GROUP_INFO_PRIVATE_MEM_SIZE,
        _ => NEITHER,
    }
}

fn sub_group_info(name: pi_kernel_sub_group_info) -> u32 {
    match name {
        PI_KERNEL_MAX_SUB_GROUP_SIZE => UR_KERNEL_SUB_GROUP_INFO_MAX_SUB_GROUP_SIZE,
        PI_KERNEL_MAX_NUM_SUB_GROUPS => UR_KERNEL_SUB_GROUP_INFO_MAX_NUM_SUB_GROUPS,
        PI_KERNEL_COMPILE_NUM_SUB_GROUPS => UR_KERNEL_SUB_GROUP_INFO_COMPILE_NUM_SUB_GROUPS,
        PI_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL => UR_KERNEL_SUB_GROUP_INFO_SUB_GROUP_SIZE_INTEL,
        _ => NEITHER,
    }
}

stubs! { ur;
    fn piKernelCreate(program: pi_program, kernel_name: *const c_char, ret_kernel: *mut pi_kernel)
        [program PI_ERROR_INVALID_PROGRAM]
    {
        let result = ur.calls.urKernelCreate(program.cast(), kernel_name, ret_kernel.cast());
        if result == UR_RESULT_SUCCESS {
            launch::forget(*ret_kernel);
        }
        result
    }
    fn piKernelSetArg(kernel: pi_kernel, arg_index: pi_uint32, arg_size: usize, arg_value: *const c_void)
        [kernel PI_ERROR_INVALID_KERNEL]
    {
        if launch::with_arguments(ur.layout()) {
            if kernel.is_null() {
                return refuse(PI_ERROR_INVALID_KERNEL);
            }
            let argument = match arg_value.is_null() {
                true => KeptArgument::Local(arg_size),
                false => KeptArgument::Value(std::slice::from_raw_parts(arg_value.cast::<u8>(), arg_size).to_vec()),
            };
            launch::keep(kernel, arg_index, argument);
            UR_RESULT_SUCCESS
        } else if arg_value.is_null() {
            ur.calls.urKernelSetArgLocal(kernel.cast(), arg_index, arg_size, null())
        } else {
            ur.calls.urKernelSetArgValue(kernel.cast(), arg_index, arg_size, null(), arg_value)
        }
    }
    fn piextKernelSetArgPointer(kernel: pi_kernel, arg_index: pi_uint32, _arg_size: usize, arg_value: *const c_void)
        [kernel PI_ERROR_INVALID_KERNEL]
    {
        let pointer = arg_value.cast::<*const c_void>().as_ref().copied().unwrap_or(null());
        if launch::with_arguments(ur.layout()) {
            launch::keep(kernel, arg_index, KeptArgument::Pointer(pointer as usize));
            UR_RESULT_SUCCESS
        } else {
            ur.calls.urKernelSetArgPointer(kernel.cast(), arg_index, null(), pointer)
        }
    }
    fn piextKernelSetArgMemObj(kernel: pi_kernel, arg_index: pi_uint32, arg_properties: *const pi_mem_obj_property, arg_value: *const pi_mem)
        [kernel PI_ERROR_INVALID_KERNEL]
    {
        let mem = arg_value.as_ref().copied().unwrap_or(null_mut());
        let access = arg_properties.as_ref().map(|access| ur_kernel_arg_mem_obj_properties_t {
            stype: UR_STRUCTURE_TYPE_KERNEL_ARG_MEM_OBJ_PROPERTIES,
            pNext: null_mut(),
            // Read and write, write only, read only: the same bits as the flags of memory objects.
            memoryAccess: access.mem_access,
        });
        if launch::with_arguments(ur.layout()) {
            launch::keep(kernel, arg_index, KeptArgument::Mem(mem as usize, access.map_or(0, |access| access.memoryAccess)));
            UR_RESULT_SUCCESS
        } else {
            let access = access.as_ref().map_or(null(), |access| access as *const _);
            ur.calls.urKernelSetArgMemObj(kernel.cast(), arg_index, access, mem.cast())
        }
    }
    fn piextKernelSetArgSampler(kernel: pi_kernel, arg_index: pi_uint32, arg_value: *const pi_sampler)
        [kernel PI_ERROR_INVALID_KERNEL]
    {
        let sampler = arg_value.as_ref().copied().unwrap_or(null_mut());
        if launch::with_arguments(ur.layout()) {
            launch::keep(kernel, arg_index, KeptArgument::Sampler(sampler as usize));
            UR_RESULT_SUCCESS
        } else {
            ur.calls.urKernelSetArgSampler(kernel.cast(), arg_index, null(), sampler.cast())
        }
    }
    fn piKernelGetInfo(kernel: pi_kernel, param_name: pi_kernel_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize)
        [kernel PI_ERROR_INVALID_KERNEL]
    {
        ur.calls.urKernelGetInfo(kernel.cast(), info(param_name), param_value_size, param_value, param_value_size_ret)
    }
    fn piKernelGetGroupInfo(kernel: pi_kernel, device: pi_device, param_name: pi_kernel_group_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize)
        [kernel PI_ERROR_INVALID_KERNEL, device PI_ERROR_INVALID_DEVICE]
    {
        if param_name == PI_KERNEL_GROUP_INFO_NUM_REGS {
            // UR provides this information for the kernel, not for the kernel on a device.
            ur.calls.urKernelGetInfo(kernel.cast(), UR_KERNEL_INFO_NUM_REGS, param_value_size, param_value, param_value_size_ret)
        } else {
            ur.calls.urKernelGetGroupInfo(kernel.cast(), device.cast(), group_info(param_name), param_value_size, param_value, param_value_size_ret)
        }
    }
    fn piKernelGetSubGroupInfo(kernel: pi_kernel, device: pi_device, param_name: pi_kernel_sub_group_info, _input_value_size: usize, _input_value: *const c_void, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize)
        [kernel PI_ERROR_INVALID_KERNEL, device PI_ERROR_INVALID_DEVICE]
    {
        ur.calls.urKernelGetSubGroupInfo(kernel.cast(), device.cast(), sub_group_info(param_name), param_value_size, param_value, param_value_size_ret)
    }
    fn piKernelRetain(kernel: pi_kernel) [kernel PI_ERROR_INVALID_KERNEL] {
        ur.calls.urKernelRetain(kernel.cast())
    }
    fn piKernelRelease(kernel: pi_kernel) [kernel PI_ERROR_INVALID_KERNEL] {
        ur.calls.urKernelRelease(kernel.cast())
    }
    fn piKernelSetExecInfo(kernel: pi_kernel, value_name: pi_kernel_exec_info, param_value_size: usize, param_value: *const c_void)
        [kernel PI_ERROR_INVALID_KERNEL]
    {
        let yes = param_value.cast::<pi_bool>().as_ref().map(|value| ur_bool_t::from(*value != 0));
        match value_name {
            PI_USM_INDIRECT_ACCESS => {
                let place = yes.as_ref().map_or(null(), |yes| (yes as *const ur_bool_t).cast());
                ur.calls.urKernelSetExecInfo(kernel.cast(), UR_KERNEL_EXEC_INFO_USM_INDIRECT_ACCESS, size_of::<ur_bool_t>(), null(), place)
            }
            PI_USM_PTRS => ur.calls.urKernelSetExecInfo(kernel.cast(), UR_KERNEL_EXEC_INFO_USM_PTRS, param_value_size, null(), param_value),
            PI_EXT_KERNEL_EXEC_INFO_CACHE_CONFIG => {
                ur.calls.urKernelSetExecInfo(kernel.cast(), UR_KERNEL_EXEC_INFO_CACHE_CONFIG, param_value_size, null(), param_value)
            }
            _ => ur.calls.urKernelSetExecInfo(kernel.cast(), NEITHER, param_value_size, null(), param_value),
        }
    }
    fn piextKernelCreateWithNativeHandle(nativeHandle: pi_native_handle, context: pi_context, program: pi_program, pluginOwnsNativeHandle: pi_cxx_bool, kernel: *mut pi_kernel)
        [context PI_ERROR_INVALID_CONTEXT]
    {
        let owned = ur_kernel_native_properties_t {
            stype: UR_STRUCTURE_TYPE_KERNEL_NATIVE_PROPERTIES,
            pNext: null_mut(),
            isNativeHandleOwned: pluginOwnsNativeHandle,
        };
        let result = ur.calls.urKernelCreateWithNativeHandle(nativeHandle, context.cast(), program.cast(), &owned, kernel.cast());
        if result == UR_RESULT_SUCCESS {
            launch::forget(*kernel);
        }
        result
    }
    fn piextKernelGetNativeHandle(kernel: pi_kernel, nativeHandle: *mut pi_native_handle)
        [kernel PI_ERROR_INVALID_KERNEL]
    {
        ur.calls.urKernelGetNativeHandle(kernel.cast(), nativeHandle)
    }
    fn piextKernelSuggestMaxCooperativeGroupCount(kernel: pi_kernel, local_work_size: usize, dynamic_shared_memory_size: usize, group_count_ret: *mut pi_uint32)
        [kernel PI_ERROR_INVALID_KERNEL]
    {
        let (kernel, local, dynamic) = (kernel.cast(), &raw const local_work_size, dynamic_shared_memory_size);
        match ur.layout() {
            Layout::V2025_0 => ur.calls.urKernelSuggestMaxCooperativeGroupCountExp_until_2025_0(kernel, local_work_size, dynamic, group_count_ret),
            Layout::V2025_1 => ur.calls.urKernelSuggestMaxCooperativeGroupCountExp_until_2025_1(kernel, 1, local, dynamic, group_count_ret),
            layout => match launch::device_of_kernel(ur, kernel) {
                Ok(device) if layout == Layout::V2025_2 => {
                    ur.calls.urKernelSuggestMaxCooperativeGroupCountExp(kernel, device, 1, local, dynamic, group_count_ret)
                }
                Ok(device) => ur.calls.urKernelSuggestMaxCooperativeGroupCount(kernel, device, 1, local, dynamic, group_count_ret),
                Err(code) => code,
            },
        }
    }
}
