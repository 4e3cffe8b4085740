//! Kernels and their arguments.

use sycl_pi_backend::api::Arg;

stubs! {
    piKernelCreate(program: pi_program, kernel_name: *const c_char, ret_kernel: *mut pi_kernel) {
        let (program, name) = (object(program, "program")?, c_str(kernel_name, "kernel_name")?);
        create(ret_kernel, "ret_kernel", || B::kernel_create(program, name))
    };

    piKernelSetArg(kernel: pi_kernel, arg_index: pi_uint32, arg_size: usize, arg_value: *const c_void)  {
        let kernel = object(kernel, "kernel")?;
        let arg = if arg_value.is_null() {
            Arg::Local(arg_size)
        } else {
            Arg::Value(bytes(arg_size, arg_value, "arg_value")?)
        };
        B::kernel_set_arg(kernel, arg_index, arg)
    };

    piextKernelSetArgPointer(kernel: pi_kernel, arg_index: pi_uint32, arg_size: usize, arg_value: *const c_void) {
        let kernel = object(kernel, "kernel")?;
        // Runtimes pass the address of the pointer. Its size is known regardless of what they state.
        let _ = arg_size;
        address(arg_value, "arg_value")?;
        B::kernel_set_arg_pointer(kernel, arg_index, arg_value.cast::<*const c_void>().read_unaligned())
    };

    piextKernelSetArgMemObj(kernel: pi_kernel, arg_index: pi_uint32, arg_properties: *const pi_mem_obj_property,
        arg_value: *const pi_mem) {
        let kernel = object(kernel, "kernel")?;
        let access = arg_properties.as_ref()
            .filter(|property| property.type_ == PI_KERNEL_ARG_MEM_OBJ_ACCESS)
            .map(|property| MemAccess(property.mem_access));
        let mem = if arg_value.is_null() { None } else { object_or_null(*arg_value, "arg_value")? };
        B::kernel_set_arg_mem_obj(kernel, arg_index, access, mem)
    };

    piextKernelSetArgMemObj_until_12_27(kernel: pi_kernel, arg_index: pi_uint32, arg_value: *const pi_mem) {
        let kernel = object(kernel, "kernel")?;
        let mem = if arg_value.is_null() { None } else { object_or_null(*arg_value, "arg_value")? };
        B::kernel_set_arg_mem_obj(kernel, arg_index, None, mem)
    };

    piextKernelSetArgSampler(kernel: pi_kernel, arg_index: pi_uint32, arg_value: *const pi_sampler) {
        let kernel = object(kernel, "kernel")?;
        let sampler = *value(arg_value, "arg_value")?;
        B::kernel_set_arg_sampler(kernel, arg_index, object(sampler, "*arg_value")?)
    };

    piKernelGetInfo(kernel: pi_kernel, param_name: pi_kernel_info, param_value_size: usize, param_value: *mut c_void,
        param_value_size_ret: *mut usize)  {
        let kernel = object(kernel, "kernel")?;
        answer(param_value_size, param_value, param_value_size_ret,
            |info| B::kernel_info(kernel, KernelInfo(param_name), info))
    };

    piKernelGetGroupInfo(kernel: pi_kernel, device: pi_device, param_name: pi_kernel_group_info,
        param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize)  {
        let (kernel, device) = (object(kernel, "kernel")?, object(device, "device")?);
        answer(param_value_size, param_value, param_value_size_ret,
            |info| B::kernel_group_info(kernel, device, KernelGroupInfo(param_name), info))
    };

    piKernelGetSubGroupInfo(kernel: pi_kernel, device: pi_device, param_name: pi_kernel_sub_group_info,
        input_value_size: usize, input_value: *const c_void, param_value_size: usize, param_value: *mut c_void,
        param_value_size_ret: *mut usize) {
        let (kernel, device) = (object(kernel, "kernel")?, object(device, "device")?);
        let input = if input_value.is_null() { &[] } else { bytes(input_value_size, input_value, "input_value")? };
        answer(param_value_size, param_value, param_value_size_ret,
            |info| B::kernel_sub_group_info(kernel, device, KernelSubGroupInfo(param_name), input, info))
    };

    piKernelRetain(kernel: pi_kernel) object::<B::Kernel>(kernel, "kernel")?.retain();

    piKernelRelease(kernel: pi_kernel) object::<B::Kernel>(kernel, "kernel")?.release();

    piKernelSetExecInfo(kernel: pi_kernel, value_name: pi_kernel_exec_info, param_value_size: usize,
        param_value: *const c_void) {
        let kernel = object(kernel, "kernel")?;
        address(param_value, "param_value")?;
        B::kernel_set_exec_info(kernel, KernelExecInfo(value_name), bytes(param_value_size, param_value, "param_value")?)
    };

    piextKernelCreateWithNativeHandle(native_handle: pi_native_handle, context: pi_context, program: pi_program,
        plugin_owns_native_handle: pi_cxx_bool, kernel: *mut pi_kernel) {
        let (context, program) = (object(context, "context")?, object_or_null(program, "program")?);
        create(kernel, "kernel",
            || B::kernel_create_with_native_handle(native_handle, context, program, plugin_owns_native_handle != 0))
    };

    piextKernelGetNativeHandle(kernel: pi_kernel, native_handle: *mut pi_native_handle) {
        let kernel = object(kernel, "kernel")?;
        put(native_handle, "nativeHandle", || B::kernel_native_handle(kernel))
    };

    piextKernelSuggestMaxCooperativeGroupCount(kernel: pi_kernel, local_work_size: usize,
        dynamic_shared_memory_size: usize, group_count_ret: *mut pi_uint32) {
        let kernel = object(kernel, "kernel")?;
        put(group_count_ret, "group_count_ret",
            || B::kernel_suggest_max_cooperative_group_count(kernel, local_work_size, dynamic_shared_memory_size))
    };
}
