//! The objects that all operations use, created by the driver itself. On OpenCL, PI's handles are the driver's.

use std::ffi::{CStr, c_void};
use std::ptr::{null, null_mut};

use anyhow::{Context, Result, ensure};
use opencl_sys::*;

use crate::driver::Driver;

type Obj = *mut c_void;

/// The size of each buffer and USM block.
pub(crate) const BYTES: usize = 4096;

/// The objects. None is released, because the process then exits.
pub(crate) struct Objects {
    pub(crate) platform: Obj,
    pub(crate) device: Obj,
    pub(crate) context: Obj,
    /// An in-order queue.
    pub(crate) queue: Obj,
    pub(crate) program: Obj,
    pub(crate) kernel: Obj,
    pub(crate) buffer: Obj,
    pub(crate) other_buffer: Obj,
    /// A user event that is complete.
    pub(crate) event: Obj,
    /// A finished command's event, with its times.
    pub(crate) timed_event: Obj,
    pub(crate) usm: Obj,
    pub(crate) other_usm: Obj,
    /// "Intel(R) ..., OpenCL 3.0 LINUX, driver 2023.16...".
    pub(crate) description: String,
}

fn ok(what: &str, code: cl_int) -> Result<()> {
    ensure!(code == CL_SUCCESS, "{what}: {code}");
    Ok(())
}

/// # Safety
///
/// `device` must be a device of `driver`.
unsafe fn text(driver: &Driver, device: Obj, name: cl_uint) -> Result<String> {
    let mut text = [0_u8; 256];
    let info = driver.clGetDeviceInfo.context("clGetDeviceInfo")?;
    // SAFETY: a live device and memory for the answer.
    ok("device info", unsafe { info(device, name, text.len() - 1, text.as_mut_ptr().cast(), null_mut()) })?;
    Ok(CStr::from_bytes_until_nul(&text)?.to_string_lossy().trim().to_owned())
}

impl Objects {
    /// Creates the objects on the first device of the first platform.
    pub(crate) fn new(driver: &mut Driver) -> Result<Self> {
        let (mut platform, mut device) = (null_mut(), null_mut());
        let mut code = 0;
        macro_rules! call {
            ($name:ident($($arg:expr),*)) => {
                driver.$name.context(stringify!($name))?($($arg),*)
            };
            (new $name:ident($($arg:expr),*)) => {{
                let object = call!($name($($arg,)* &mut code));
                ok(stringify!($name), code)?;
                object
            }};
        }
        // SAFETY: every call has live objects and memory for its outputs, as the specification requires.
        unsafe {
            ok("platforms", call!(clGetPlatformIDs(1, &mut platform, null_mut())))?;
            driver.extend(platform);
            ok("devices", call!(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &mut device, null_mut())))?;
            let context = call!(new clCreateContext(null(), 1, &device, null_mut(), null_mut()));
            let queue = call!(new clCreateCommandQueueWithProperties(context, device, null()));
            let profiling = [u64::from(CL_QUEUE_PROPERTIES), CL_QUEUE_PROFILING_ENABLE, 0];
            let timed = call!(new clCreateCommandQueueWithProperties(context, device, profiling.as_ptr()));
            let source = concat!(include_str!("kernel.cl"), "\0").as_ptr().cast();
            let program = call!(new clCreateProgramWithSource(context, 1, &source, null()));
            ok("build", call!(clBuildProgram(program, 1, &device, null(), null_mut(), null_mut())))?;
            let kernel = call!(new clCreateKernel(program, c"bench".as_ptr()));
            let buffer = call!(new clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, null_mut()));
            let other_buffer = call!(new clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, null_mut()));
            let event = call!(new clCreateUserEvent(context));
            ok("status", call!(clSetUserEventStatus(event, CL_COMPLETE)))?;
            let usm = call!(new clSharedMemAllocINTEL(context, device, null(), BYTES, 0));
            let other_usm = call!(new clSharedMemAllocINTEL(context, device, null(), BYTES, 0));
            ok("argument 0", call!(clSetKernelArgMemPointerINTEL(kernel, 0, usm)))?;
            ok("argument 1", call!(clSetKernelArg(kernel, 1, 4, (&raw const code).cast())))?;
            ok("argument 2", call!(clSetKernelArg(kernel, 2, 64, null())))?;
            ok("argument 3", call!(clSetKernelArg(kernel, 3, size_of::<Obj>(), (&raw const buffer).cast())))?;
            let mut timed_event = null_mut();
            ok("marker", call!(clEnqueueMarkerWithWaitList(timed, 0, null(), &mut timed_event)))?;
            ok("finish", call!(clFinish(timed)))?;
            let description = format!(
                "{}, {}, driver {}",
                text(driver, device, CL_DEVICE_NAME)?,
                text(driver, device, CL_DEVICE_VERSION)?,
                text(driver, device, CL_DRIVER_VERSION)?
            );
            Ok(Objects {
                platform,
                device,
                context,
                queue,
                program,
                kernel,
                buffer,
                other_buffer,
                event,
                timed_event,
                usm,
                other_usm,
                description,
            })
        }
    }
}
