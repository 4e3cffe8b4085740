//! Kernels and their arguments.

use sycl_pi_backend::api::Arg;

use super::prelude::*;

stubs! {
    urKernelCreate(hProgram: ur_program_handle_t, pKernelName: *const c_char, phKernel: *mut ur_kernel_handle_t) {
        let program = object::<B::Program>(hProgram, "hProgram")?;
        let name = c_str(pKernelName, "pKernelName")?;
        create(phKernel, "phKernel", program, || B::kernel_create(program, name))
    };

    urKernelGetInfo(hKernel: ur_kernel_handle_t, propName: ur_kernel_info_t, propSize: usize, pPropValue: *mut c_void,
        pPropSizeRet: *mut usize) {
        let kernel = object(hKernel, "hKernel")?;
        query::kernel::<B>(kernel, propName, Answer::new(propSize, pPropValue, pPropSizeRet)?)
    };

    urKernelGetGroupInfo(hKernel: ur_kernel_handle_t, hDevice: ur_device_handle_t, propName: ur_kernel_group_info_t,
        propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut usize) {
        let (kernel, device) = (object(hKernel, "hKernel")?, object(hDevice, "hDevice")?);
        query::kernel_group::<B>(kernel, device, propName, Answer::new(propSize, pPropValue, pPropSizeRet)?)
    };

    urKernelGetSubGroupInfo(hKernel: ur_kernel_handle_t, hDevice: ur_device_handle_t, propName:
        ur_kernel_sub_group_info_t, propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut usize) {
        let (kernel, device) = (object(hKernel, "hKernel")?, object(hDevice, "hDevice")?);
        query::kernel_sub_group::<B>(kernel, device, propName, Answer::new(propSize, pPropValue, pPropSizeRet)?)
    };

    urKernelRetain(hKernel: ur_kernel_handle_t)
        object::<B::Kernel>(hKernel, "hKernel")?.retain_by_caller();

    urKernelRelease(hKernel: ur_kernel_handle_t)
        object::<B::Kernel>(hKernel, "hKernel")?.release_by_caller();

    urKernelGetNativeHandle(hKernel: ur_kernel_handle_t, phNativeKernel: *mut ur_native_handle_t) {
        let kernel = object(hKernel, "hKernel")?;
        put(phNativeKernel, "phNativeKernel", || B::kernel_native_handle(kernel))
    };

    urKernelCreateWithNativeHandle(hNativeKernel: ur_native_handle_t, hContext: ur_context_handle_t, hProgram:
        ur_program_handle_t, pProperties: *const ur_kernel_native_properties_t, phKernel: *mut ur_kernel_handle_t) {
        let context = object::<B::Context>(hContext, "hContext")?;
        let program = object_or_null::<B::Program>(hProgram, "hProgram")?.map(|program| &***program);
        let owned = pProperties.as_ref().is_some_and(|properties| properties.isNativeHandleOwned != 0);
        create(phKernel, "phKernel", context,
            || B::kernel_create_with_native_handle(hNativeKernel, context, program, owned))
    };

    urKernelSetArgValue(hKernel: ur_kernel_handle_t, argIndex: u32, argSize: usize, pProperties: *const
        ur_kernel_arg_value_properties_t, pArgValue: *const c_void) {
        let kernel = object(hKernel, "hKernel")?;
        let _ = pProperties;
        B::kernel_set_arg(kernel, argIndex, Arg::Value(bytes(argSize, pArgValue, "pArgValue")?))
    };

    urKernelSetArgLocal(hKernel: ur_kernel_handle_t, argIndex: u32, argSize: usize, pProperties: *const
        ur_kernel_arg_local_properties_t) {
        let kernel = object(hKernel, "hKernel")?;
        let _ = pProperties;
        B::kernel_set_arg(kernel, argIndex, Arg::Local(argSize))
    };

    urKernelSetExecInfo(hKernel: ur_kernel_handle_t, propName: ur_kernel_exec_info_t, propSize: usize, pProperties:
        *const ur_kernel_exec_info_properties_t, pPropValue: *const c_void) {
        let kernel = object(hKernel, "hKernel")?;
        let _ = pProperties;
        let value = bytes(propSize, pPropValue, "pPropValue")?;
        let name = match propName {
            UR_KERNEL_EXEC_INFO_USM_INDIRECT_ACCESS => {
                let is_set = u32::from(value.iter().any(|byte| *byte != 0));
                return B::kernel_set_exec_info(kernel, KernelExecInfo::USM_INDIRECT_ACCESS, &is_set.to_ne_bytes());
            }
            UR_KERNEL_EXEC_INFO_USM_PTRS => KernelExecInfo::USM_PTRS,
            UR_KERNEL_EXEC_INFO_CACHE_CONFIG => KernelExecInfo::CACHE_CONFIG,
            _ => return Err(unknown_query(propName, false)),
        };
        B::kernel_set_exec_info(kernel, name, value)
    };

    urKernelSetArgPointer(hKernel: ur_kernel_handle_t, argIndex: u32, pProperties: *const
        ur_kernel_arg_pointer_properties_t, pArgValue: *const c_void) {
        let kernel = object(hKernel, "hKernel")?;
        let _ = pProperties;
        B::kernel_set_arg_pointer(kernel, argIndex, pArgValue)
    };

    urKernelSetArgSampler(hKernel: ur_kernel_handle_t, argIndex: u32, pProperties: *const
        ur_kernel_arg_sampler_properties_t, hArgValue: ur_sampler_handle_t) {
        let (kernel, sampler) = (object(hKernel, "hKernel")?, object(hArgValue, "hArgValue")?);
        let _ = pProperties;
        B::kernel_set_arg_sampler(kernel, argIndex, sampler)
    };

    urKernelSetArgMemObj(hKernel: ur_kernel_handle_t, argIndex: u32, pProperties: *const
        ur_kernel_arg_mem_obj_properties_t, hArgValue: ur_mem_handle_t) {
        let (kernel, mem) = (object(hKernel, "hKernel")?, object_or_null::<B::Mem>(hArgValue, "hArgValue")?);
        let access = pProperties.as_ref().map(|properties| MemAccess(properties.memoryAccess));
        let flags = access.map_or(0, |access| access.0);
        known_flags(flags, !UR_MEM_FLAGS_MASK, "pProperties->memoryAccess")?;
        B::kernel_set_arg_mem_obj(kernel, argIndex, access.filter(|access| access.0 != 0), mem.map(|mem| &***mem))
    };
}

absent! {
    urKernelSetSpecializationConstants(hKernel: ur_kernel_handle_t, count: u32, pSpecConstants: *const
        ur_specialization_constant_info_t);
}
