//! Kernels and their arguments.

use super::prelude::*;
use sycl_pi_backend::api::Arg;

#[entry]
pub unsafe extern "C" fn piKernelCreate<B: Backend>(
    program: pi_program, kernel_name: *const c_char, ret_kernel: *mut pi_kernel,
) -> Result<()> {
    // SAFETY: `program` is null or a live handle; `kernel_name` is null or what its type says.
    let (program, name) = unsafe { (object(program, "program")?, c_str(kernel_name, "kernel_name")?) };
    // SAFETY: `ret_kernel` is null or writable.
    unsafe { create(ret_kernel, "ret_kernel", || B::kernel_create(program, name)) }
}

#[entry]
pub unsafe extern "C" fn piKernelSetArg<B: Backend>(
    kernel: pi_kernel, arg_index: pi_uint32, arg_size: usize, arg_value: *const c_void,
) -> Result<()> {
    // SAFETY: `kernel` is null or a live handle.
    let kernel = unsafe { object(kernel, "kernel")? };
    let arg = if arg_value.is_null() {
        Arg::Local(arg_size)
    } else {
        // SAFETY: `arg_value` is null or has `arg_size` bytes.
        Arg::Value(unsafe { bytes(arg_size, arg_value, "arg_value")? })
    };
    B::kernel_set_arg(kernel, arg_index, arg)
}

#[entry]
pub unsafe extern "C" fn piextKernelSetArgPointer<B: Backend>(
    kernel: pi_kernel, arg_index: pi_uint32, arg_size: usize, arg_value: *const c_void,
) -> Result<()> {
    // SAFETY: `kernel` is null or a live handle.
    let kernel = unsafe { object(kernel, "kernel")? };
    // Runtimes pass the address of the pointer. Its size is known regardless of what they state.
    let _ = arg_size;
    address(arg_value, "arg_value")?;
    // SAFETY: the arguments are passed on under the same contract.
    B::kernel_set_arg_pointer(kernel, arg_index, unsafe {
        arg_value.cast::<*const c_void>().read_unaligned()
    })
}

#[entry]
pub unsafe extern "C" fn piextKernelSetArgMemObj<B: Backend>(
    kernel: pi_kernel, arg_index: pi_uint32, arg_properties: *const pi_mem_obj_property,
    arg_value: *const pi_mem,
) -> Result<()> {
    // SAFETY: `kernel` is null or a live handle.
    let kernel = unsafe { object(kernel, "kernel")? };
    // SAFETY: `arg_properties` is null or points to what its type says.
    let access = unsafe { arg_properties.as_ref() }
        .filter(|property| property.type_ == PI_KERNEL_ARG_MEM_OBJ_ACCESS)
        .map(|property| MemAccess(property.mem_access));
    // SAFETY: `*arg_value` is null or a live handle.
    let mem = if arg_value.is_null() { None } else { unsafe { object_or_null(*arg_value, "arg_value")? } };
    B::kernel_set_arg_mem_obj(kernel, arg_index, access, mem)
}

#[entry]
pub unsafe extern "C" fn piextKernelSetArgMemObj_until_12_27<B: Backend>(
    kernel: pi_kernel, arg_index: pi_uint32, arg_value: *const pi_mem,
) -> Result<()> {
    // SAFETY: `kernel` is null or a live handle.
    let kernel = unsafe { object(kernel, "kernel")? };
    // SAFETY: `*arg_value` is null or a live handle.
    let mem = if arg_value.is_null() { None } else { unsafe { object_or_null(*arg_value, "arg_value")? } };
    B::kernel_set_arg_mem_obj(kernel, arg_index, None, mem)
}

#[entry]
pub unsafe extern "C" fn piextKernelSetArgSampler<B: Backend>(
    kernel: pi_kernel, arg_index: pi_uint32, arg_value: *const pi_sampler,
) -> Result<()> {
    // SAFETY: `kernel` is null or a live handle.
    let kernel = unsafe { object(kernel, "kernel")? };
    // SAFETY: `arg_value` is null or what its type says.
    let sampler = *unsafe { value(arg_value, "arg_value")? };
    // SAFETY: `sampler` is null or a live handle.
    B::kernel_set_arg_sampler(kernel, arg_index, unsafe { object(sampler, "*arg_value")? })
}

#[entry]
pub unsafe extern "C" fn piKernelGetInfo<B: Backend>(
    kernel: pi_kernel, param_name: pi_kernel_info, param_value_size: usize, param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> Result<()> {
    // SAFETY: `kernel` is null or a live handle.
    let kernel = unsafe { object(kernel, "kernel")? };
    // SAFETY: the answer's buffer has the size that the caller states.
    unsafe {
        answer(param_value_size, param_value, param_value_size_ret, |info| {
            B::kernel_info(kernel, KernelInfo(param_name), info)
        })
    }
}

#[entry]
pub unsafe extern "C" fn piKernelGetGroupInfo<B: Backend>(
    kernel: pi_kernel, device: pi_device, param_name: pi_kernel_group_info, param_value_size: usize,
    param_value: *mut c_void, param_value_size_ret: *mut usize,
) -> Result<()> {
    // SAFETY: `kernel` and `device` are null or live handles.
    let (kernel, device) = unsafe { (object(kernel, "kernel")?, object(device, "device")?) };
    // SAFETY: the answer's buffer has the size that the caller states.
    unsafe {
        answer(param_value_size, param_value, param_value_size_ret, |info| {
            B::kernel_group_info(kernel, device, KernelGroupInfo(param_name), info)
        })
    }
}

#[entry]
pub unsafe extern "C" fn piKernelGetSubGroupInfo<B: Backend>(
    kernel: pi_kernel, device: pi_device, param_name: pi_kernel_sub_group_info, input_value_size: usize,
    input_value: *const c_void, param_value_size: usize, param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> Result<()> {
    // SAFETY: `kernel` and `device` are null or live handles.
    let (kernel, device) = unsafe { (object(kernel, "kernel")?, object(device, "device")?) };
    let input = if input_value.is_null() {
        &[]
    } else {
        // SAFETY: `input_value` is null or has `input_value_size` bytes.
        unsafe { bytes(input_value_size, input_value, "input_value")? }
    };
    // SAFETY: the answer's buffer has the size that the caller states.
    unsafe {
        answer(param_value_size, param_value, param_value_size_ret, |info| {
            B::kernel_sub_group_info(kernel, device, KernelSubGroupInfo(param_name), input, info)
        })
    }
}

#[entry]
pub unsafe extern "C" fn piKernelRetain<B: Backend>(kernel: pi_kernel) -> Result<()> {
    // SAFETY: `kernel` is null or a live handle.
    unsafe { object::<B::Kernel>(kernel, "kernel")? }.retain()
}

#[entry]
pub unsafe extern "C" fn piKernelRelease<B: Backend>(kernel: pi_kernel) -> Result<()> {
    // SAFETY: `kernel` is null or a live handle.
    unsafe { object::<B::Kernel>(kernel, "kernel")?.release() }
}

#[entry]
pub unsafe extern "C" fn piKernelSetExecInfo<B: Backend>(
    kernel: pi_kernel, value_name: pi_kernel_exec_info, param_value_size: usize, param_value: *const c_void,
) -> Result<()> {
    // SAFETY: `kernel` is null or a live handle.
    let kernel = unsafe { object(kernel, "kernel")? };
    address(param_value, "param_value")?;
    // SAFETY: `param_value` is null or has `param_value_size` bytes.
    B::kernel_set_exec_info(kernel, KernelExecInfo(value_name), unsafe {
        bytes(param_value_size, param_value, "param_value")?
    })
}

#[entry]
pub unsafe extern "C" fn piextKernelCreateWithNativeHandle<B: Backend>(
    native_handle: pi_native_handle, context: pi_context, program: pi_program,
    plugin_owns_native_handle: pi_cxx_bool, kernel: *mut pi_kernel,
) -> Result<()> {
    // SAFETY: `context` and `program` are null or live handles.
    let (context, program) = unsafe { (object(context, "context")?, object_or_null(program, "program")?) };
    // SAFETY: `kernel` is null or writable.
    unsafe {
        create(kernel, "kernel", || {
            B::kernel_create_with_native_handle(
                native_handle,
                context,
                program,
                plugin_owns_native_handle != 0,
            )
        })
    }
}

#[entry]
pub unsafe extern "C" fn piextKernelGetNativeHandle<B: Backend>(
    kernel: pi_kernel, native_handle: *mut pi_native_handle,
) -> Result<()> {
    // SAFETY: `kernel` is null or a live handle.
    let kernel = unsafe { object(kernel, "kernel")? };
    // SAFETY: `native_handle` is null or writable.
    unsafe { put(native_handle, "nativeHandle", || B::kernel_native_handle(kernel)) }
}

#[entry]
pub unsafe extern "C" fn piextKernelSuggestMaxCooperativeGroupCount<B: Backend>(
    kernel: pi_kernel, local_work_size: usize, dynamic_shared_memory_size: usize,
    group_count_ret: *mut pi_uint32,
) -> Result<()> {
    // SAFETY: `kernel` is null or a live handle.
    let kernel = unsafe { object(kernel, "kernel")? };
    // SAFETY: `group_count_ret` is null or writable.
    unsafe {
        put(group_count_ret, "group_count_ret", || {
            B::kernel_suggest_max_cooperative_group_count(kernel, local_work_size, dynamic_shared_memory_size)
        })
    }
}
