//! What is known of the driver behind an object: its version, its extension functions.
//!
//! Every OpenCL object starts with a pointer to its driver's dispatch table (cl_khr_icd), so two objects of one driver
//! share that word. It is the key here: one load and one comparison instead of a question to the driver at each call.

use std::ffi::{CStr, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

use opencl_sys::*;
use parking_lot::RwLock;
use pi_plugin::Result;

use super::functions::Ext;
use super::{Context, Device, Kernel, Mem, Platform, Program, Queue, cl};

/// A driver, as one of its platforms describes it.
pub(crate) struct Driver {
    dispatch: usize,
    /// The OpenCL version of the platform: (3, 0).
    pub(crate) version: (u32, u32),
    /// The extension functions.
    pub(crate) ext: Ext,
    usm: bool,
}

impl Driver {
    /// Whether the driver has cl_intel_unified_shared_memory. Without it, shared virtual memory stands in.
    #[inline(always)]
    pub(crate) fn has_usm(&self) -> bool {
        self.usm
    }
}

/// The driver that was asked for last: nearly always the only one.
static LAST: AtomicPtr<Driver> = AtomicPtr::new(null_mut());
/// Every driver seen. They are few and live as long as the process.
static DRIVERS: RwLock<Vec<&'static Driver>> = RwLock::new(Vec::new());

/// Objects whose platform can be asked for.
pub(crate) trait Rooted: Sized {
    /// The platform, asked from the driver.
    fn platform(&self) -> Result<cl_platform_id>;

    /// The driver of this object.
    #[inline(always)]
    fn driver(&self) -> Result<&'static Driver> {
        // SAFETY: the object is a live OpenCL object, whose first word is its dispatch pointer.
        let dispatch = unsafe { core::ptr::from_ref(self).cast::<usize>().read() };
        let last = LAST.load(Ordering::Acquire);
        // SAFETY: null or a leaked `Driver`.
        match unsafe { last.as_ref() } {
            Some(driver) if driver.dispatch == dispatch => Ok(driver),
            _ => find(dispatch, || self.platform()),
        }
    }
}

#[cold]
#[inline(never)]
fn find(dispatch: usize, platform: impl FnOnce() -> Result<cl_platform_id>) -> Result<&'static Driver> {
    let known = DRIVERS.read().iter().find(|driver| driver.dispatch == dispatch).copied();
    let driver = match known {
        Some(driver) => driver,
        None => {
            // Asked without the lock: drivers may take their time, and two threads that ask get the same answer.
            let driver: &'static Driver = Box::leak(Box::new(describe(dispatch, platform()?)?));
            DRIVERS.write().push(driver);
            driver
        }
    };
    LAST.store(core::ptr::from_ref(driver).cast_mut(), Ordering::Release);
    Ok(driver)
}

fn describe(dispatch: usize, platform: cl_platform_id) -> Result<Driver> {
    let cl = cl()?;
    let mut text = [0_u8; 256];
    cl.clGetPlatformInfo(
        platform,
        CL_PLATFORM_VERSION,
        text.len() - 1,
        text.as_mut_ptr().cast(),
        null_mut(),
    )?;
    let version = parse_version(CStr::from_bytes_until_nul(&text).unwrap_or_default());
    let ext = Ext::resolve(|name| cl.extension_function(platform, name));
    log::info!("driver of platform {platform:p}: OpenCL {}.{}", version.0, version.1);
    let usm = ext.has("clHostMemAllocINTEL")
        || ext.has("clDeviceMemAllocINTEL")
        || ext.has("clSharedMemAllocINTEL");
    Ok(Driver { dispatch, version, ext, usm })
}

/// "OpenCL 3.0 LINUX" is (3, 0). What cannot be read counts as 1.2, the least that every driver has.
pub(crate) fn parse_version(text: &CStr) -> (u32, u32) {
    let text = text.to_string_lossy();
    let number = text.strip_prefix("OpenCL ").unwrap_or(&text);
    let mut parts = number.split(|c: char| !c.is_ascii_digit()).map(|part| part.parse().ok());
    match (parts.next().flatten(), parts.next().flatten()) {
        (Some(major), Some(minor)) => (major, minor),
        _ => (1, 2),
    }
}

impl Rooted for Platform {
    fn platform(&self) -> Result<cl_platform_id> {
        Ok(self.cl())
    }
}

impl Rooted for Device {
    fn platform(&self) -> Result<cl_platform_id> {
        let mut platform: cl_platform_id = null_mut();
        let room = (&raw mut platform).cast::<c_void>();
        cl()?.clGetDeviceInfo(
            self.cl(),
            CL_DEVICE_PLATFORM,
            size_of::<cl_platform_id>(),
            room,
            null_mut(),
        )?;
        Ok(platform)
    }
}

impl Rooted for Context {
    fn platform(&self) -> Result<cl_platform_id> {
        let devices = self.devices()?;
        match devices.first() {
            Some(device) => device.platform(),
            None => Err(super::driver_error("clGetContextInfo", CL_INVALID_CONTEXT)),
        }
    }
}

impl Context {
    /// The context's devices.
    pub(crate) fn devices(&self) -> Result<Vec<&Device>> {
        let cl = cl()?;
        let mut bytes = 0;
        cl.clGetContextInfo(self.cl(), CL_CONTEXT_DEVICES, 0, null_mut(), &mut bytes)?;
        let mut devices: Vec<cl_device_id> = vec![null_mut(); bytes / size_of::<cl_device_id>()];
        cl.clGetContextInfo(self.cl(), CL_CONTEXT_DEVICES, bytes, devices.as_mut_ptr().cast(), null_mut())?;
        // SAFETY: live devices, kept by the context.
        Ok(devices.into_iter().filter_map(|device| unsafe { device.cast::<Device>().as_ref() }).collect())
    }
}

macro_rules! rooted_in_context {
    ($($object:ident $query:ident $param:ident;)*) => { $(
        impl $object {
            /// The object's context.
            pub(crate) fn context(&self) -> Result<&Context> {
                let mut context: cl_context = null_mut();
                let room = (&raw mut context).cast::<c_void>();
                cl()?.$query(self.cl(), $param, size_of::<cl_context>(), room, null_mut())?;
                // SAFETY: a live context, kept by the object.
                unsafe { context.cast::<Context>().as_ref() }
                    .ok_or_else(|| super::driver_error(stringify!($query), CL_INVALID_CONTEXT))
            }
        }

        impl Rooted for $object {
            fn platform(&self) -> Result<cl_platform_id> {
                self.context()?.platform()
            }
        }
    )* };
}

rooted_in_context! {
    Queue clGetCommandQueueInfo CL_QUEUE_CONTEXT;
    Mem clGetMemObjectInfo CL_MEM_CONTEXT;
    Program clGetProgramInfo CL_PROGRAM_CONTEXT;
    Kernel clGetKernelInfo CL_KERNEL_CONTEXT;
}

#[cfg(test)]
mod tests {
    use super::parse_version;

    #[test]
    fn a_version_text_gives_its_two_numbers() {
        assert_eq!(parse_version(c"OpenCL 3.0 LINUX"), (3, 0));
        assert_eq!(parse_version(c"OpenCL 2.0 pocl 3.1+debian  Linux"), (2, 0));
    }

    #[test]
    fn an_unreadable_version_counts_as_1_2() {
        assert_eq!(parse_version(c"OpenCL"), (1, 2));
        assert_eq!(parse_version(c""), (1, 2));
    }
}
