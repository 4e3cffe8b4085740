//! The OpenCL library and the driver's extension functions, called directly.

use std::ffi::{CStr, c_char, c_void};

use anyhow::{Context, Result};
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use opencl_sys::*;

macro_rules! functions {
    (library { $($name:ident($($ty:ty),*) -> $ret:ty;)* } extension { $($ext:ident($($ext_ty:ty),*) -> $ext_ret:ty;)* }) => {
        /// The functions. Operations that use a missing one are skipped.
        #[allow(non_snake_case)]
        pub(crate) struct Driver {
            $(pub(crate) $name: Option<unsafe extern "C" fn($($ty),*) -> $ret>,)*
            $(pub(crate) $ext: Option<unsafe extern "C" fn($($ext_ty),*) -> $ext_ret>,)*
        }

        impl Driver {
            /// Opens the library like any program would, by its soname.
            pub(crate) fn open() -> Result<Self> {
                // SAFETY: opening an OpenCL library has no effect other than its initializers.
                let library = unsafe { Library::open(Some("libOpenCL.so.1"), RTLD_NOW | RTLD_LOCAL) }
                    .context("no OpenCL library")?;
                // SAFETY: the types are those of the specification for these names.
                let driver = unsafe {
                    Self {
                        $($name: library.get(concat!(stringify!($name), "\0").as_bytes()).ok().map(|f| *f),)*
                        $($ext: None,)*
                    }
                };
                std::mem::forget(library);
                Ok(driver)
            }

            /// Queries the platform for the extension functions.
            pub(crate) fn extend(&mut self, platform: cl_platform_id) {
                let Some(find) = self.clGetExtensionFunctionAddressForPlatform else { return };
                let find = |name: &str| {
                    let name = CStr::from_bytes_with_nul(name.as_bytes()).unwrap();
                    // SAFETY: a live platform and a NUL-terminated name.
                    unsafe { find(platform, name.as_ptr()) }
                };
                // SAFETY: null, or a function of that name, which has this type.
                unsafe { $(self.$ext = std::mem::transmute::<*mut c_void, Option<_>>(find(concat!(stringify!($ext), "\0")));)* }
            }
        }
    };
}

type Obj = *mut c_void;
type Out = *mut Obj;
type Waits = *const Obj;

functions! {
    library {
        clGetPlatformIDs(cl_uint, *mut cl_platform_id, *mut cl_uint) -> cl_int;
        clGetPlatformInfo(Obj, cl_uint, usize, Obj, *mut usize) -> cl_int;
        clGetDeviceIDs(Obj, u64, cl_uint, Out, *mut cl_uint) -> cl_int;
        clGetDeviceInfo(Obj, cl_uint, usize, Obj, *mut usize) -> cl_int;
        clRetainDevice(Obj) -> cl_int;
        clReleaseDevice(Obj) -> cl_int;
        clGetDeviceAndHostTimer(Obj, *mut u64, *mut u64) -> cl_int;
        clGetExtensionFunctionAddressForPlatform(Obj, *const c_char) -> Obj;
        clCreateContext(*const isize, cl_uint, *const Obj, Obj, Obj, *mut cl_int) -> Obj;
        clRetainContext(Obj) -> cl_int;
        clReleaseContext(Obj) -> cl_int;
        clGetContextInfo(Obj, cl_uint, usize, Obj, *mut usize) -> cl_int;
        clCreateCommandQueueWithProperties(Obj, Obj, *const u64, *mut cl_int) -> Obj;
        clRetainCommandQueue(Obj) -> cl_int;
        clReleaseCommandQueue(Obj) -> cl_int;
        clGetCommandQueueInfo(Obj, cl_uint, usize, Obj, *mut usize) -> cl_int;
        clFlush(Obj) -> cl_int;
        clFinish(Obj) -> cl_int;
        clCreateBuffer(Obj, u64, usize, Obj, *mut cl_int) -> Obj;
        clCreateSubBuffer(Obj, u64, cl_uint, *const c_void, *mut cl_int) -> Obj;
        clRetainMemObject(Obj) -> cl_int;
        clReleaseMemObject(Obj) -> cl_int;
        clGetMemObjectInfo(Obj, cl_uint, usize, Obj, *mut usize) -> cl_int;
        clCreateProgramWithSource(Obj, cl_uint, *const *const c_char, *const usize, *mut cl_int) -> Obj;
        clBuildProgram(Obj, cl_uint, *const Obj, *const c_char, Obj, Obj) -> cl_int;
        clRetainProgram(Obj) -> cl_int;
        clReleaseProgram(Obj) -> cl_int;
        clGetProgramInfo(Obj, cl_uint, usize, Obj, *mut usize) -> cl_int;
        clGetProgramBuildInfo(Obj, Obj, cl_uint, usize, Obj, *mut usize) -> cl_int;
        clCreateKernel(Obj, *const c_char, *mut cl_int) -> Obj;
        clRetainKernel(Obj) -> cl_int;
        clReleaseKernel(Obj) -> cl_int;
        clSetKernelArg(Obj, cl_uint, usize, *const c_void) -> cl_int;
        clSetKernelExecInfo(Obj, cl_uint, usize, *const c_void) -> cl_int;
        clGetKernelInfo(Obj, cl_uint, usize, Obj, *mut usize) -> cl_int;
        clGetKernelWorkGroupInfo(Obj, Obj, cl_uint, usize, Obj, *mut usize) -> cl_int;
        clGetKernelSubGroupInfo(Obj, Obj, cl_uint, usize, *const c_void, usize, Obj, *mut usize) -> cl_int;
        clCreateUserEvent(Obj, *mut cl_int) -> Obj;
        clSetUserEventStatus(Obj, cl_int) -> cl_int;
        clRetainEvent(Obj) -> cl_int;
        clReleaseEvent(Obj) -> cl_int;
        clWaitForEvents(cl_uint, Waits) -> cl_int;
        clGetEventInfo(Obj, cl_uint, usize, Obj, *mut usize) -> cl_int;
        clGetEventProfilingInfo(Obj, cl_uint, usize, Obj, *mut usize) -> cl_int;
        clEnqueueNDRangeKernel(Obj, Obj, cl_uint, *const usize, *const usize, *const usize, cl_uint, Waits, Out) -> cl_int;
        clEnqueueMarkerWithWaitList(Obj, cl_uint, Waits, Out) -> cl_int;
        clEnqueueBarrierWithWaitList(Obj, cl_uint, Waits, Out) -> cl_int;
        clEnqueueReadBuffer(Obj, Obj, cl_uint, usize, usize, Obj, cl_uint, Waits, Out) -> cl_int;
        clEnqueueWriteBuffer(Obj, Obj, cl_uint, usize, usize, *const c_void, cl_uint, Waits, Out) -> cl_int;
        clEnqueueCopyBuffer(Obj, Obj, Obj, usize, usize, usize, cl_uint, Waits, Out) -> cl_int;
        clEnqueueFillBuffer(Obj, Obj, *const c_void, usize, usize, usize, cl_uint, Waits, Out) -> cl_int;
        clEnqueueMapBuffer(Obj, Obj, cl_uint, u64, usize, usize, cl_uint, Waits, Out, *mut cl_int) -> Obj;
        clEnqueueUnmapMemObject(Obj, Obj, Obj, cl_uint, Waits, Out) -> cl_int;
    }
    extension {
        clHostMemAllocINTEL(Obj, *const u64, usize, cl_uint, *mut cl_int) -> Obj;
        clDeviceMemAllocINTEL(Obj, Obj, *const u64, usize, cl_uint, *mut cl_int) -> Obj;
        clSharedMemAllocINTEL(Obj, Obj, *const u64, usize, cl_uint, *mut cl_int) -> Obj;
        clMemBlockingFreeINTEL(Obj, Obj) -> cl_int;
        clGetMemAllocInfoINTEL(Obj, *const c_void, cl_uint, usize, Obj, *mut usize) -> cl_int;
        clSetKernelArgMemPointerINTEL(Obj, cl_uint, *const c_void) -> cl_int;
        clEnqueueMemcpyINTEL(Obj, cl_uint, Obj, *const c_void, usize, cl_uint, Waits, Out) -> cl_int;
        clEnqueueMemFillINTEL(Obj, Obj, *const c_void, usize, usize, cl_uint, Waits, Out) -> cl_int;
    }
}
