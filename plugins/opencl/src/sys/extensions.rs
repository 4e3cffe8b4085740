//! Extension functions, looked up through a platform.

use std::ffi::{c_char, c_void};

use opencl_sys::*;
use sycl_pi_dynload::driver_functions;

driver_functions! {
    /// The extension functions of one driver. Objects must be live, and memory is the caller's (see the module `sys`).
    pub(crate) struct ExtensionFunctions {
        fn clMemFreeINTEL(context: cl_context, ptr: *mut c_void) -> cl_int;
        fn clMemBlockingFreeINTEL(context: cl_context, ptr: *mut c_void) -> cl_int;
        fn clGetMemAllocInfoINTEL(
            context: cl_context, ptr: *const c_void, name: cl_uint, size: usize, value: *mut c_void,
            size_ret: *mut usize
        ) -> cl_int;
        fn clSetKernelArgMemPointerINTEL(kernel: cl_kernel, index: cl_uint, value: *const c_void) -> cl_int;
        fn clEnqueueMemFillINTEL(
            queue: cl_command_queue, ptr: *mut c_void, pattern: *const c_void, pattern_size: usize,
            size: usize, n: cl_uint, waits: *const cl_event, event: *mut cl_event
        ) -> cl_int;
        fn clGetDeviceFunctionPointerINTEL(
            device: cl_device_id, program: cl_program, name: *const c_char, address: *mut cl_ulong
        ) -> cl_int;
        fn clGetDeviceGlobalVariablePointerINTEL(
            device: cl_device_id, program: cl_program, name: *const c_char, size: *mut usize,
            address: *mut *mut c_void
        ) -> cl_int;
        fn clSetProgramSpecializationConstant(
            program: cl_program, id: cl_uint, size: usize, value: *const c_void
        ) -> cl_int;
        fn clGetKernelSubGroupInfoKHR(
            kernel: cl_kernel, device: cl_device_id, name: cl_kernel_sub_group_info, input_size: usize,
            input: *const c_void, size: usize, value: *mut c_void, size_ret: *mut usize
        ) -> cl_int;
        fn clGetKernelSuggestedLocalWorkSizeKHR(
            queue: cl_command_queue, kernel: cl_kernel, dims: cl_uint, offset: *const usize,
            global: *const usize, local: *mut usize
        ) -> cl_int;
        fn clGetKernelSuggestedLocalWorkSizeINTEL(
            queue: cl_command_queue, kernel: cl_kernel, dims: cl_uint, offset: *const usize,
            global: *const usize, local: *mut usize
        ) -> cl_int;
        fn clEnqueueMemcpyINTEL(
            queue: cl_command_queue, blocking: cl_bool, dst: *mut c_void, src: *const c_void, size: usize,
            n: cl_uint, waits: *const cl_event, event: *mut cl_event
        ) -> cl_int;
        fn clEnqueueReadGlobalVariableINTEL(
            queue: cl_command_queue, program: cl_program, name: *const c_char, blocking: cl_bool, size: usize,
            offset: usize, ptr: *mut c_void, n: cl_uint, waits: *const cl_event, event: *mut cl_event
        ) -> cl_int;
        fn clEnqueueWriteGlobalVariableINTEL(
            queue: cl_command_queue, program: cl_program, name: *const c_char, blocking: cl_bool, size: usize,
            offset: usize, ptr: *mut c_void, n: cl_uint, waits: *const cl_event, event: *mut cl_event
        ) -> cl_int;
        fn clEnqueueReadHostPipeINTEL(
            queue: cl_command_queue, program: cl_program, pipe: *const c_char, blocking: cl_bool,
            ptr: *mut c_void, size: usize, n: cl_uint, waits: *const cl_event, event: *mut cl_event
        ) -> cl_int;
        fn clEnqueueWriteHostPipeINTEL(
            queue: cl_command_queue, program: cl_program, pipe: *const c_char, blocking: cl_bool,
            ptr: *mut c_void, size: usize, n: cl_uint, waits: *const cl_event, event: *mut cl_event
        ) -> cl_int;
        fn clHostMemAllocINTEL(
            context: cl_context, properties: *const u64, size: usize, alignment: cl_uint, code: *mut cl_int
        ) -> *mut c_void;
        fn clDeviceMemAllocINTEL(
            context: cl_context, device: cl_device_id, properties: *const u64, size: usize,
            alignment: cl_uint, code: *mut cl_int
        ) -> *mut c_void;
        fn clSharedMemAllocINTEL(
            context: cl_context, device: cl_device_id, properties: *const u64, size: usize,
            alignment: cl_uint, code: *mut cl_int
        ) -> *mut c_void;
        fn clCreateBufferWithPropertiesINTEL(
            context: cl_context, properties: *const u64, flags: cl_mem_flags, size: usize,
            host_ptr: *mut c_void, code: *mut cl_int
        ) -> cl_mem;
        fn clCreateProgramWithILKHR(
            context: cl_context, il: *const c_void, length: usize, code: *mut cl_int
        ) -> cl_program;
    }
}
