//! The runtime's functions.

use std::ffi::{c_char, c_void};

use opencl_sys::*;

macro_rules! functions {
    ($($name:ident($($arg:ident: $type:ty),*) -> $ret:ty;)*) => {
        /// The required OpenCL functions. All belong to OpenCL 2.2 or older.
        pub(crate) struct Functions {
            $($name: unsafe extern "C" fn($($type),*) -> $ret,)*
        }

        #[allow(non_snake_case, clippy::too_many_arguments)]
        impl Functions {
            /// Finds every function. Fails with the name of the first missing one.
            pub(crate) fn resolve(find: impl Fn(&str) -> *const c_void) -> Result<Self, &'static str> {
                Ok(Self {
                    $($name: {
                        let address = find(stringify!($name));
                        if address.is_null() {
                            return Err(stringify!($name));
                        }
                        // SAFETY: the type is that of the OpenCL specification for this name.
                        unsafe {
                            std::mem::transmute::<*const c_void, unsafe extern "C" fn($($type),*) -> $ret>(address)
                        }
                    },)*
                })
            }

            $(
                pub(crate) fn $name(&self, $($arg: $type),*) -> $ret {
                    // SAFETY: live objects of this module, and memory of the stated sizes.
                    unsafe { (self.$name)($($arg),*) }
                }
            )*
        }
    };
}

type Notify = *mut c_void;

functions! {
    clGetPlatformIDs(count: u32, platforms: *mut cl_platform_id, found: *mut u32) -> cl_int;
    clGetDeviceIDs(platform: cl_platform_id, kind: u64, count: u32, devices: *mut cl_device_id, found: *mut u32) -> cl_int;
    clGetDeviceInfo(device: cl_device_id, what: u32, size: usize, value: *mut c_void, needed: *mut usize) -> cl_int;
    clGetExtensionFunctionAddressForPlatform(platform: cl_platform_id, name: *const c_char) -> *mut c_void;
    clCreateContext(properties: *const isize, count: u32, devices: *const cl_device_id, notify: Notify, data: *mut c_void, code: *mut cl_int) -> cl_context;
    clCreateCommandQueueWithProperties(context: cl_context, device: cl_device_id, properties: *const u64, code: *mut cl_int) -> cl_command_queue;
    clReleaseCommandQueue(queue: cl_command_queue) -> cl_int;
    clFinish(queue: cl_command_queue) -> cl_int;
    clCreateProgramWithIL(context: cl_context, il: *const c_void, size: usize, code: *mut cl_int) -> cl_program;
    clCreateProgramWithBinary(context: cl_context, count: u32, devices: *const cl_device_id, sizes: *const usize, binaries: *const *const u8, status: *mut cl_int, code: *mut cl_int) -> cl_program;
    clSetProgramSpecializationConstant(program: cl_program, id: u32, size: usize, value: *const c_void) -> cl_int;
    clBuildProgram(program: cl_program, count: u32, devices: *const cl_device_id, options: *const c_char, notify: Notify, data: *mut c_void) -> cl_int;
    clCompileProgram(program: cl_program, count: u32, devices: *const cl_device_id, options: *const c_char, headers: u32, programs: *const cl_program, names: *const *const c_char, notify: Notify, data: *mut c_void) -> cl_int;
    clLinkProgram(context: cl_context, count: u32, devices: *const cl_device_id, options: *const c_char, inputs: u32, programs: *const cl_program, notify: Notify, data: *mut c_void, code: *mut cl_int) -> cl_program;
    clGetProgramInfo(program: cl_program, what: u32, size: usize, value: *mut c_void, needed: *mut usize) -> cl_int;
    clGetProgramBuildInfo(program: cl_program, device: cl_device_id, what: u32, size: usize, value: *mut c_void, needed: *mut usize) -> cl_int;
    clReleaseProgram(program: cl_program) -> cl_int;
    clCreateKernel(program: cl_program, name: *const c_char, code: *mut cl_int) -> cl_kernel;
    clReleaseKernel(kernel: cl_kernel) -> cl_int;
    clSetKernelArg(kernel: cl_kernel, index: u32, size: usize, value: *const c_void) -> cl_int;
    clSetKernelArgSVMPointer(kernel: cl_kernel, index: u32, value: *const c_void) -> cl_int;
    clGetKernelWorkGroupInfo(kernel: cl_kernel, device: cl_device_id, what: u32, size: usize, value: *mut c_void, needed: *mut usize) -> cl_int;
    clGetKernelSubGroupInfo(kernel: cl_kernel, device: cl_device_id, what: u32, input_size: usize, input: *const c_void, size: usize, value: *mut c_void, needed: *mut usize) -> cl_int;
    clEnqueueNDRangeKernel(queue: cl_command_queue, kernel: cl_kernel, dims: u32, offset: *const usize, global: *const usize, local: *const usize, count: u32, waits: *const cl_event, event: *mut cl_event) -> cl_int;
    clCreateImage(context: cl_context, flags: u64, format: *const cl_image_format, desc: *const cl_image_desc, host: *mut c_void, code: *mut cl_int) -> cl_mem;
    clReleaseMemObject(mem: cl_mem) -> cl_int;
    clEnqueueReadImage(queue: cl_command_queue, image: cl_mem, blocking: u32, origin: *const usize, region: *const usize, row: usize, slice: usize, to: *mut c_void, count: u32, waits: *const cl_event, event: *mut cl_event) -> cl_int;
    clEnqueueWriteImage(queue: cl_command_queue, image: cl_mem, blocking: u32, origin: *const usize, region: *const usize, row: usize, slice: usize, from: *const c_void, count: u32, waits: *const cl_event, event: *mut cl_event) -> cl_int;
    clEnqueueCopyImage(queue: cl_command_queue, from: cl_mem, to: cl_mem, from_origin: *const usize, to_origin: *const usize, region: *const usize, count: u32, waits: *const cl_event, event: *mut cl_event) -> cl_int;
    clCreateSamplerWithProperties(context: cl_context, properties: *const u64, code: *mut cl_int) -> cl_sampler;
    clReleaseSampler(sampler: cl_sampler) -> cl_int;
}
