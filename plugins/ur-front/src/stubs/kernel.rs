//! Kernels and their arguments.

use sycl_pi_backend::api::Arg;

use super::prelude::*;

#[entry]
pub unsafe extern "C" fn urKernelCreate<B: Backend>(
    hProgram: ur_program_handle_t, pKernelName: *const c_char, phKernel: *mut ur_kernel_handle_t,
) -> Result<()> {
    // SAFETY: `hProgram` is null or a live handle.
    let program = unsafe { object::<B::Program>(hProgram, "hProgram")? };
    // SAFETY: `pKernelName` is null or what its type says.
    let name = unsafe { c_str(pKernelName, "pKernelName")? };
    // SAFETY: `phKernel` is null or writable.
    unsafe { create(phKernel, "phKernel", program, || B::kernel_create(program, name)) }
}

#[entry]
pub unsafe extern "C" fn urKernelGetInfo<B: Backend>(
    hKernel: ur_kernel_handle_t, propName: ur_kernel_info_t, propSize: usize, pPropValue: *mut c_void,
    pPropSizeRet: *mut usize,
) -> Result<()> {
    // SAFETY: `hKernel` is null or a live handle.
    let kernel = unsafe { object(hKernel, "hKernel")? };
    // SAFETY: the answer's buffer has the size that the caller states.
    query::kernel::<B>(kernel, propName, unsafe { Answer::new(propSize, pPropValue, pPropSizeRet)? })
}

#[entry]
pub unsafe extern "C" fn urKernelGetGroupInfo<B: Backend>(
    hKernel: ur_kernel_handle_t, hDevice: ur_device_handle_t, propName: ur_kernel_group_info_t,
    propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut usize,
) -> Result<()> {
    // SAFETY: `hKernel` and `hDevice` are null or live handles.
    let (kernel, device) = unsafe { (object(hKernel, "hKernel")?, object(hDevice, "hDevice")?) };
    // SAFETY: the answer's buffer has the size that the caller states.
    query::kernel_group::<B>(kernel, device, propName, unsafe {
        Answer::new(propSize, pPropValue, pPropSizeRet)?
    })
}

#[entry]
pub unsafe extern "C" fn urKernelGetSubGroupInfo<B: Backend>(
    hKernel: ur_kernel_handle_t, hDevice: ur_device_handle_t, propName: ur_kernel_sub_group_info_t,
    propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut usize,
) -> Result<()> {
    // SAFETY: `hKernel` and `hDevice` are null or live handles.
    let (kernel, device) = unsafe { (object(hKernel, "hKernel")?, object(hDevice, "hDevice")?) };
    // SAFETY: the answer's buffer has the size that the caller states.
    query::kernel_sub_group::<B>(kernel, device, propName, unsafe {
        Answer::new(propSize, pPropValue, pPropSizeRet)?
    })
}

#[entry]
pub unsafe extern "C" fn urKernelRetain<B: Backend>(hKernel: ur_kernel_handle_t) -> Result<()> {
    // SAFETY: `hKernel` is null or a live handle.
    unsafe { object::<B::Kernel>(hKernel, "hKernel")? }.retain_by_caller()
}

#[entry]
pub unsafe extern "C" fn urKernelRelease<B: Backend>(hKernel: ur_kernel_handle_t) -> Result<()> {
    // SAFETY: `hKernel` is null or a live handle.
    unsafe { object::<B::Kernel>(hKernel, "hKernel")?.release_by_caller() }
}

#[entry]
pub unsafe extern "C" fn urKernelGetNativeHandle<B: Backend>(
    hKernel: ur_kernel_handle_t, phNativeKernel: *mut ur_native_handle_t,
) -> Result<()> {
    // SAFETY: `hKernel` is null or a live handle.
    let kernel = unsafe { object(hKernel, "hKernel")? };
    // SAFETY: `phNativeKernel` is null or writable.
    unsafe { put(phNativeKernel, "phNativeKernel", || B::kernel_native_handle(kernel)) }
}

#[entry]
pub unsafe extern "C" fn urKernelCreateWithNativeHandle<B: Backend>(
    hNativeKernel: ur_native_handle_t, hContext: ur_context_handle_t, hProgram: ur_program_handle_t,
    pProperties: *const ur_kernel_native_properties_t, phKernel: *mut ur_kernel_handle_t,
) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    let context = unsafe { object::<B::Context>(hContext, "hContext")? };
    // SAFETY: `hProgram` is null or a live handle.
    let program = unsafe { object_or_null::<B::Program>(hProgram, "hProgram")? }.map(|program| &***program);
    // SAFETY: `pProperties` is null or points to what its type says.
    let owned = unsafe { pProperties.as_ref() }.is_some_and(|properties| properties.isNativeHandleOwned != 0);
    // SAFETY: `phKernel` is null or writable.
    unsafe {
        create(phKernel, "phKernel", context, || {
            B::kernel_create_with_native_handle(hNativeKernel, context, program, owned)
        })
    }
}

#[entry]
pub unsafe extern "C" fn urKernelSetArgValue<B: Backend>(
    hKernel: ur_kernel_handle_t, argIndex: u32, argSize: usize,
    pProperties: *const ur_kernel_arg_value_properties_t, pArgValue: *const c_void,
) -> Result<()> {
    // SAFETY: `hKernel` is null or a live handle.
    let kernel = unsafe { object(hKernel, "hKernel")? };
    let _ = pProperties;
    // SAFETY: `pArgValue` is null or has `argSize` bytes.
    B::kernel_set_arg(kernel, argIndex, Arg::Value(unsafe { bytes(argSize, pArgValue, "pArgValue")? }))
}

#[entry]
pub unsafe extern "C" fn urKernelSetArgLocal<B: Backend>(
    hKernel: ur_kernel_handle_t, argIndex: u32, argSize: usize,
    pProperties: *const ur_kernel_arg_local_properties_t,
) -> Result<()> {
    // SAFETY: `hKernel` is null or a live handle.
    let kernel = unsafe { object(hKernel, "hKernel")? };
    let _ = pProperties;
    B::kernel_set_arg(kernel, argIndex, Arg::Local(argSize))
}

#[entry]
pub unsafe extern "C" fn urKernelSetExecInfo<B: Backend>(
    hKernel: ur_kernel_handle_t, propName: ur_kernel_exec_info_t, propSize: usize,
    pProperties: *const ur_kernel_exec_info_properties_t, pPropValue: *const c_void,
) -> Result<()> {
    // SAFETY: `hKernel` is null or a live handle.
    let kernel = unsafe { object(hKernel, "hKernel")? };
    let _ = pProperties;
    // SAFETY: `pPropValue` is null or has `propSize` bytes.
    let value = unsafe { bytes(propSize, pPropValue, "pPropValue")? };
    let name = match propName {
        UR_KERNEL_EXEC_INFO_USM_INDIRECT_ACCESS => {
            let is_set = u32::from(value.iter().any(|byte| *byte != 0));
            return B::kernel_set_exec_info(
                kernel,
                KernelExecInfo::USM_INDIRECT_ACCESS,
                &is_set.to_ne_bytes(),
            );
        }
        UR_KERNEL_EXEC_INFO_USM_PTRS => KernelExecInfo::USM_PTRS,
        UR_KERNEL_EXEC_INFO_CACHE_CONFIG => KernelExecInfo::CACHE_CONFIG,
        _ => return Err(unknown_query(propName, false)),
    };
    B::kernel_set_exec_info(kernel, name, value)
}

#[entry]
pub unsafe extern "C" fn urKernelSetArgPointer<B: Backend>(
    hKernel: ur_kernel_handle_t, argIndex: u32, pProperties: *const ur_kernel_arg_pointer_properties_t,
    pArgValue: *const c_void,
) -> Result<()> {
    // SAFETY: `hKernel` is null or a live handle.
    let kernel = unsafe { object(hKernel, "hKernel")? };
    let _ = pProperties;
    B::kernel_set_arg_pointer(kernel, argIndex, pArgValue)
}

#[entry]
pub unsafe extern "C" fn urKernelSetArgSampler<B: Backend>(
    hKernel: ur_kernel_handle_t, argIndex: u32, pProperties: *const ur_kernel_arg_sampler_properties_t,
    hArgValue: ur_sampler_handle_t,
) -> Result<()> {
    // SAFETY: `hKernel` and `hArgValue` are null or live handles.
    let (kernel, sampler) = unsafe { (object(hKernel, "hKernel")?, object(hArgValue, "hArgValue")?) };
    let _ = pProperties;
    B::kernel_set_arg_sampler(kernel, argIndex, sampler)
}

#[entry]
pub unsafe extern "C" fn urKernelSetArgMemObj<B: Backend>(
    hKernel: ur_kernel_handle_t, argIndex: u32, pProperties: *const ur_kernel_arg_mem_obj_properties_t,
    hArgValue: ur_mem_handle_t,
) -> Result<()> {
    // SAFETY: `hKernel` is null or a live handle.
    let kernel = unsafe { object(hKernel, "hKernel")? };
    // SAFETY: `hArgValue` is null or a live handle.
    let mem = unsafe { object_or_null::<B::Mem>(hArgValue, "hArgValue")? };
    // SAFETY: `pProperties` is null or points to what its type says.
    let access = unsafe { pProperties.as_ref() }.map(|properties| MemAccess(properties.memoryAccess));
    let flags = access.map_or(0, |access| access.0);
    known_flags(flags, !UR_MEM_FLAGS_MASK, "pProperties->memoryAccess")?;
    B::kernel_set_arg_mem_obj(kernel, argIndex, access.filter(|access| access.0 != 0), mem.map(|mem| &***mem))
}

#[entry]
pub unsafe extern "C" fn urKernelSetSpecializationConstants<B: Backend>(
    _hKernel: ur_kernel_handle_t, _count: u32, _pSpecConstants: *const ur_specialization_constant_info_t,
) -> Result<()> {
    no_such_function::<B>()
}
