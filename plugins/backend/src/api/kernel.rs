//! Kernels and their arguments.

use core::ffi::{CStr, c_void};

use sycl_pi_core::*;

use crate::{Info, New};

/// The value of a kernel argument.
#[derive(Clone, Copy)]
pub enum Arg<'a> {
    /// Bytes, copied by the call.
    Value(&'a [u8]),
    /// That many bytes of local memory.
    Local(usize),
}

impl Arg<'_> {
    /// Size, and start or null for local memory, as C calls take them.
    #[inline(always)]
    pub fn raw_parts(&self) -> (usize, *const c_void) {
        match self {
            Arg::Value(bytes) => (bytes.len(), bytes.as_ptr().cast()),
            Arg::Local(size) => (*size, core::ptr::null()),
        }
    }
}

api! {
    /// Kernels.
    trait KernelApi {
        /// The kernel of that name in a built program.
        fn piKernelCreate(program: &Self::Program, name: &CStr) -> New<Self::Kernel>;
        /// Sets an argument by value, or as local memory.
        fn piKernelSetArg(kernel: &Self::Kernel, index: pi_uint32, arg: Arg<'_>);
        /// Sets an argument to a USM address; null is a null pointer.
        fn piextKernelSetArgPointer(kernel: &Self::Kernel, index: pi_uint32, pointer: *const c_void);
        /// Sets an argument to a buffer or image; none is a null pointer. `access` says how the kernel uses it.
        fn piextKernelSetArgMemObj(kernel: &Self::Kernel, index: pi_uint32, access: Option<pi_mem_access_flag>,
            mem: Option<&Self::Mem>);
        /// Sets an argument to a sampler.
        fn piextKernelSetArgSampler(kernel: &Self::Kernel, index: pi_uint32, sampler: &Self::Sampler);
        /// Name, arguments, context, program, attributes.
        fn piKernelGetInfo(kernel: &Self::Kernel, name: pi_kernel_info, info: Info<'_>);
        /// Limits and sizes on a device.
        fn piKernelGetGroupInfo(kernel: &Self::Kernel, device: &Self::Device, name: pi_kernel_group_info,
            info: Info<'_>);
        /// Sub-group sizes and counts, `uint32_t` each. `input` is a work-group size where the query takes one.
        fn piKernelGetSubGroupInfo(kernel: &Self::Kernel, device: &Self::Device, name: pi_kernel_sub_group_info,
            input: &[u8], info: Info<'_>);
        /// One reference more.
        fn piKernelRetain(kernel: &Self::Kernel);
        /// One reference less.
        fn piKernelRelease(kernel: &Self::Kernel);
        /// Indirect access to USM, the USM blocks used, the cache configuration.
        fn piKernelSetExecInfo(kernel: &Self::Kernel, name: pi_kernel_exec_info, value: &[u8]);
        /// The kernel of a driver's handle. `owned`: the plugin takes over the caller's reference.
        fn piextKernelCreateWithNativeHandle(native: pi_native_handle, context: &Self::Context,
            program: Option<&Self::Program>, owned: bool) -> New<Self::Kernel>;
        /// The driver's own handle.
        fn piextKernelGetNativeHandle(kernel: &Self::Kernel) -> pi_native_handle;
        /// The largest number of work-groups that can run at once, for a cooperative launch.
        fn piextKernelSuggestMaxCooperativeGroupCount(kernel: &Self::Kernel, local_work_size: usize,
            dynamic_shared_memory_size: usize) -> pi_uint32;
    }
}

stubs! {
    piKernelCreate(program: pi_program, kernel_name: *const c_char, ret_kernel: *mut pi_kernel) {
        let (program, name) = (object(program, "program")?, c_str(kernel_name, "kernel_name")?);
        create(ret_kernel, "ret_kernel", || B::piKernelCreate(program, name))
    };

    piKernelSetArg(kernel: pi_kernel, arg_index: pi_uint32, arg_size: usize, arg_value: *const c_void) => jump, {
        let kernel = object(kernel, "kernel")?;
        let arg = if arg_value.is_null() {
            Arg::Local(arg_size)
        } else {
            Arg::Value(bytes(arg_size, arg_value, "arg_value")?)
        };
        B::piKernelSetArg(kernel, arg_index, arg)
    };

    piextKernelSetArgPointer(kernel: pi_kernel, arg_index: pi_uint32, arg_size: usize, arg_value: *const c_void) {
        let kernel = object(kernel, "kernel")?;
        // Runtimes pass the address of the pointer; its size is known, whatever they say.
        let _ = arg_size;
        address(arg_value, "arg_value")?;
        B::piextKernelSetArgPointer(kernel, arg_index, arg_value.cast::<*const c_void>().read_unaligned())
    };

    piextKernelSetArgMemObj(kernel: pi_kernel, arg_index: pi_uint32, arg_properties: *const pi_mem_obj_property,
        arg_value: *const pi_mem) {
        let kernel = object(kernel, "kernel")?;
        let access = arg_properties.as_ref()
            .filter(|property| property.type_ == PI_KERNEL_ARG_MEM_OBJ_ACCESS)
            .map(|property| property.mem_access);
        let mem = if arg_value.is_null() { None } else { object_or_null(*arg_value, "arg_value")? };
        B::piextKernelSetArgMemObj(kernel, arg_index, access, mem)
    };

    piextKernelSetArgMemObj_until_12_27(kernel: pi_kernel, arg_index: pi_uint32, arg_value: *const pi_mem) {
        let kernel = object(kernel, "kernel")?;
        let mem = if arg_value.is_null() { None } else { object_or_null(*arg_value, "arg_value")? };
        B::piextKernelSetArgMemObj(kernel, arg_index, None, mem)
    };

    piextKernelSetArgSampler(kernel: pi_kernel, arg_index: pi_uint32, arg_value: *const pi_sampler) {
        let kernel = object(kernel, "kernel")?;
        let sampler = *value(arg_value, "arg_value")?;
        B::piextKernelSetArgSampler(kernel, arg_index, object(sampler, "*arg_value")?)
    };

    piKernelGetInfo(kernel: pi_kernel, param_name: pi_kernel_info, param_value_size: usize, param_value: *mut c_void,
        param_value_size_ret: *mut usize) => jump, {
        let kernel = object(kernel, "kernel")?;
        answer!(param_value_size, param_value, param_value_size_ret,
            |info| B::piKernelGetInfo(kernel, param_name, info))
    };

    piKernelGetGroupInfo(kernel: pi_kernel, device: pi_device, param_name: pi_kernel_group_info,
        param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize) => jump, {
        let (kernel, device) = (object(kernel, "kernel")?, object(device, "device")?);
        answer!(param_value_size, param_value, param_value_size_ret,
            |info| B::piKernelGetGroupInfo(kernel, device, param_name, info))
    };

    piKernelGetSubGroupInfo(kernel: pi_kernel, device: pi_device, param_name: pi_kernel_sub_group_info,
        input_value_size: usize, input_value: *const c_void, param_value_size: usize, param_value: *mut c_void,
        param_value_size_ret: *mut usize) {
        let (kernel, device) = (object(kernel, "kernel")?, object(device, "device")?);
        let input = if input_value.is_null() { &[] } else { bytes(input_value_size, input_value, "input_value")? };
        answer!(param_value_size, param_value, param_value_size_ret,
            |info| B::piKernelGetSubGroupInfo(kernel, device, param_name, input, info))
    };

    piKernelRetain(kernel: pi_kernel) => jump, B::piKernelRetain(object(kernel, "kernel")?);

    piKernelRelease(kernel: pi_kernel) => jump, B::piKernelRelease(object(kernel, "kernel")?);

    piKernelSetExecInfo(kernel: pi_kernel, value_name: pi_kernel_exec_info, param_value_size: usize,
        param_value: *const c_void) {
        let kernel = object(kernel, "kernel")?;
        address(param_value, "param_value")?;
        B::piKernelSetExecInfo(kernel, value_name, bytes(param_value_size, param_value, "param_value")?)
    };

    piextKernelCreateWithNativeHandle(native_handle: pi_native_handle, context: pi_context, program: pi_program,
        plugin_owns_native_handle: pi_cxx_bool, kernel: *mut pi_kernel) {
        let (context, program) = (object(context, "context")?, object_or_null(program, "program")?);
        create(kernel, "kernel",
            || B::piextKernelCreateWithNativeHandle(native_handle, context, program, plugin_owns_native_handle != 0))
    };

    piextKernelGetNativeHandle(kernel: pi_kernel, native_handle: *mut pi_native_handle) {
        let kernel = object(kernel, "kernel")?;
        put(native_handle, "nativeHandle", || B::piextKernelGetNativeHandle(kernel))
    };

    piextKernelSuggestMaxCooperativeGroupCount(kernel: pi_kernel, local_work_size: usize,
        dynamic_shared_memory_size: usize, group_count_ret: *mut pi_uint32) {
        let kernel = object(kernel, "kernel")?;
        put(group_count_ret, "group_count_ret",
            || B::piextKernelSuggestMaxCooperativeGroupCount(kernel, local_work_size, dynamic_shared_memory_size))
    };
}
