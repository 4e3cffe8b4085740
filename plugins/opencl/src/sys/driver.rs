//! Drivers: the version, the extension functions and the faults of the driver behind an object.
//!
//! Through an ICD loader, a call to a function of a newer version than the driver's is a jump to null. A driver is
//! therefore queried once for its version, and callers check it first. Every object of a driver starts with the same
//! address, that of the driver's dispatch table (cl_khr_icd). It serves as the key by which an object's driver is
//! found, with one load and one comparison per call.

use std::ffi::{CStr, c_void};
use std::ptr::null_mut;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

use opencl_sys::*;
use parking_lot::RwLock;
use sycl_pi_backend::types::QueueFlags;
use sycl_pi_backend::{Error, Result};
use sycl_pi_image::spirv::Needs;

use super::error::driver_error;
use super::extensions::ExtensionFunctions;
use super::handles::*;
use super::library::cl;
use super::query::Queried;

/// A driver, as described by one of its platforms.
pub(crate) struct Driver {
    /// The first word of all its objects. Null for a driver without cl_khr_icd, which is the OpenCL library itself.
    dispatch: *const c_void,
    platform: cl_platform_id,
    /// The OpenCL version of the platform, such as (3, 0).
    pub(crate) version: (u32, u32),
    /// Its extension functions.
    pub(crate) extensions: ExtensionFunctions,
    /// Whether it has cl_intel_unified_shared_memory. Otherwise, shared virtual memory is used instead.
    pub(crate) has_usm: bool,
    /// Whether it is PoCL, which crashes on some calls instead of refusing them.
    pub(crate) is_pocl: bool,
    /// Whether it is Mesa's rusticl, which does not list all of its extensions.
    pub(crate) is_rusticl: bool,
    /// Whether it is Intel's CPU runtime, which requires some calls to be serialized.
    pub(crate) is_intel_cpu: bool,
    /// Whether clones of kernels lose the sizes of local-memory arguments.
    pub(crate) clones_lose_local_args: bool,
    /// Its requirements on SPIR-V, once they have been determined.
    pub(crate) needs: OnceLock<Needs>,
}

// SAFETY: the two addresses are only compared, and any thread may call functions of a driver.
unsafe impl Send for Driver {}
// SAFETY: same as above.
unsafe impl Sync for Driver {}

/// All known drivers. They are few and live as long as the process.
static DRIVERS: RwLock<Vec<&'static Driver>> = RwLock::new(Vec::new());
/// The driver that was found last, which is almost always the only one. Null at first.
static LAST_FOUND: AtomicPtr<Driver> = AtomicPtr::new(null_mut());

/// Objects that have a platform and therefore a driver.
pub(crate) trait HasPlatform: DriverObject {
    /// Queries the platform from the driver.
    fn platform(&self) -> Result<&Platform>;

    /// Returns the driver of this object.
    #[inline]
    fn driver(&self) -> Result<&'static Driver> {
        // SAFETY: this is a live object of a driver, which starts with its dispatch pointer, or at least with a word.
        let dispatch = unsafe { core::ptr::from_ref(self).cast::<*const c_void>().read() };
        // SAFETY: the pointer is null or refers to a driver, which is never dropped.
        match unsafe { LAST_FOUND.load(Ordering::Acquire).as_ref() } {
            Some(driver) if driver.dispatch == dispatch => Ok(driver),
            _ => find(self, dispatch),
        }
    }
}

#[cold]
fn find<T: HasPlatform>(object: &T, dispatch: *const c_void) -> Result<&'static Driver> {
    let known = |driver: &&&Driver| driver.dispatch == dispatch || driver.dispatch.is_null();
    let found = DRIVERS.read().iter().find(known).copied();
    let driver = match found {
        Some(driver) => driver,
        // The driver is queried without the lock, because that may take time.
        None => keep(Driver::describe(object.platform()?)?),
    };
    LAST_FOUND.store(std::ptr::from_ref(driver).cast_mut(), Ordering::Release);
    Ok(driver)
}

/// Keeps a driver for the rest of the process. Two threads may have queried the same one concurrently.
fn keep(driver: Driver) -> &'static Driver {
    let mut drivers = DRIVERS.write();
    match drivers.iter().find(|known| known.platform == driver.platform) {
        Some(known) => known,
        None => {
            let driver: &'static Driver = Box::leak(Box::new(driver));
            drivers.push(driver);
            driver
        }
    }
}

impl Driver {
    /// Refuses a driver without the functions for shared virtual memory.
    pub(crate) fn require_svm(&self) -> Result<()> {
        if self.version >= (2, 0) {
            return Ok(());
        }
        Err(Error::unsupported(
            "the driver has neither cl_intel_unified_shared_memory nor the shared virtual memory of OpenCL 2.0",
        ))
    }

    /// Returns whether kernels can be cloned, so that a recorded launch keeps its arguments.
    pub(crate) fn clones_kernels(&self) -> bool {
        self.version >= (2, 1)
    }

    /// Returns whether memory is freed without the driver's wait for the commands that use it.
    pub(super) fn frees_late(&self) -> bool {
        !self.has_usm || self.is_pocl
    }

    /// Returns whether a queue with commands survives its last release. On PoCL 3.1, which has no USM, the commands' events
    /// use it afterwards.
    pub(super) fn keeps_released_queues(&self) -> bool {
        !self.is_pocl || self.has_usm
    }

    fn describe(platform: &Platform) -> Result<Self> {
        let version = parse_version(&platform.text(CL_PLATFORM_VERSION)?);
        let names = platform.text(CL_PLATFORM_EXTENSIONS)?;
        let is_icd = names.to_bytes().split(|byte| *byte == b' ').any(|name| name == b"cl_khr_icd");
        // SAFETY: the platform is live, and with cl_khr_icd it starts with its dispatch pointer.
        let dispatch = is_icd.then(|| unsafe { platform.cl().cast::<*const c_void>().read() });
        // SAFETY: the rows have the types that the extensions declare for these names.
        let extensions = unsafe { ExtensionFunctions::resolve(|name| extension_function(platform, name)) };
        let has_usm = ["clHostMemAllocINTEL", "clDeviceMemAllocINTEL", "clSharedMemAllocINTEL"]
            .iter()
            .any(|name| extensions.has(name));
        let is_intel_cpu = is_intel_cpu(platform, &platform.text(CL_PLATFORM_VENDOR)?);
        let name = platform.name()?;
        log::info!("driver of platform {:p}: OpenCL {}.{}", platform.cl(), version.0, version.1);
        Ok(Self {
            dispatch: dispatch.unwrap_or(std::ptr::null()),
            platform: platform.cl(),
            version,
            extensions,
            has_usm,
            is_pocl: name == "Portable Computing Language",
            is_rusticl: name == "rusticl",
            is_intel_cpu,
            clones_lose_local_args: is_intel_cpu && loses_local_args(platform),
            needs: OnceLock::new(),
        })
    }
}

/// Returns the address of an extension function, or null if the driver does not have it.
fn extension_function(platform: &Platform, name: &CStr) -> *const c_void {
    let found = cl().clGetExtensionFunctionAddressForPlatform(platform.cl(), name.as_ptr());
    found.map_or(std::ptr::null(), |found| found.object)
}

/// Returns whether it is Intel's CPU runtime. Its FPGA emulator is the same runtime.
fn is_intel_cpu(platform: &Platform, vendor: &CStr) -> bool {
    let kinds = CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_ACCELERATOR;
    let mut count = 0;
    let asked = cl().clGetDeviceIDs(platform.cl(), kinds, 0, null_mut(), &mut count);
    asked.is_ok() && count > 0 && vendor.to_bytes().starts_with(b"Intel")
}

/// Returns whether Intel's CPU runtime is older than 2025.20, the first version whose clones of kernels keep the sizes
/// of local-memory arguments. A version that cannot be parsed counts as older.
fn loses_local_args(platform: &Platform) -> bool {
    let (mut device, mut text) = (null_mut(), [0_u8; 64]);
    let version = cl()
        .clGetDeviceIDs(platform.cl(), CL_DEVICE_TYPE_ALL, 1, &mut device, null_mut())
        .and_then(|()| {
            let (size, place) = (text.len(), text.as_mut_ptr().cast());
            cl().clGetDeviceInfo(device, CL_DRIVER_VERSION, size, place, null_mut())
        })
        .ok()
        .and_then(|()| CStr::from_bytes_until_nul(&text).ok());
    version.is_none_or(loses_local_args_in)
}

fn loses_local_args_in(version: &CStr) -> bool {
    driver_version(version).is_none_or(|version| version < (2025, 20))
}

/// Parses a driver version: "2025.20.12.0.09_233955" is (2025, 20).
fn driver_version(text: &CStr) -> Option<(u32, u32)> {
    let mut parts = text.to_str().ok()?.split('.').map(str::parse);
    Some((parts.next()?.ok()?, parts.next()?.ok()?))
}

/// Parses an OpenCL version: "OpenCL 3.0 LINUX" is (3, 0). A text that cannot be parsed counts as 1.2, the minimum
/// version of every driver.
pub(crate) fn parse_version(text: &CStr) -> (u32, u32) {
    let text = text.to_string_lossy();
    let number = text.strip_prefix("OpenCL ").unwrap_or(&text);
    let mut parts = number.split(|c: char| !c.is_ascii_digit()).map(|part| part.parse().ok());
    match (parts.next().flatten(), parts.next().flatten()) {
        (Some(major), Some(minor)) => (major, minor),
        _ => (1, 2),
    }
}

/// Returns the object behind a pointer that a query returned.
fn answered<'a, T: DriverObject>(object: *mut c_void, function: &'static str) -> Result<&'a T> {
    opaque(object).ok_or_else(|| driver_error(function, CL_INVALID_CONTEXT))
}

impl HasPlatform for Platform {
    fn platform(&self) -> Result<&Platform> {
        Ok(self)
    }
}

impl HasPlatform for Device {
    fn platform(&self) -> Result<&Platform> {
        answered(self.value(CL_DEVICE_PLATFORM, null_mut())?, "clGetDeviceInfo")
    }
}

impl HasPlatform for Context {
    fn platform(&self) -> Result<&Platform> {
        self.first_device()?.platform()
    }
}

impl Context {
    /// Returns the context's devices.
    pub(crate) fn devices(&self) -> Result<Vec<&Device>> {
        Ok(self.list(CL_CONTEXT_DEVICES, null_mut())?.into_iter().filter_map(opaque).collect())
    }

    /// Returns the first of the context's devices.
    pub(crate) fn first_device(&self) -> Result<&Device> {
        let first = self.devices()?.into_iter().next();
        first.ok_or_else(|| driver_error("clGetContextInfo", CL_INVALID_CONTEXT))
    }
}

impl Queue {
    /// Returns the queue's device.
    pub(crate) fn device(&self) -> Result<&Device> {
        answered(self.value(CL_QUEUE_DEVICE, null_mut())?, "clGetCommandQueueInfo")
    }

    /// Returns the queue's flags.
    pub(crate) fn flags(&self) -> Result<QueueFlags> {
        Ok(QueueFlags::from_bits_retain(self.value(CL_QUEUE_PROPERTIES, 0)?))
    }
}

macro_rules! in_context {
    ($($object:ident $query:ident $name:ident;)*) => { $(
        impl $object {
            /// Returns the object's context.
            pub(crate) fn context(&self) -> Result<&Context> {
                answered(self.value($name, null_mut())?, stringify!($query))
            }
        }

        impl HasPlatform for $object {
            fn platform(&self) -> Result<&Platform> {
                self.context()?.platform()
            }
        }
    )* };
}

in_context! {
    Queue clGetCommandQueueInfo CL_QUEUE_CONTEXT;
    Event clGetEventInfo CL_EVENT_CONTEXT;
    Mem clGetMemObjectInfo CL_MEM_CONTEXT;
    Program clGetProgramInfo CL_PROGRAM_CONTEXT;
    Kernel clGetKernelInfo CL_KERNEL_CONTEXT;
}

#[cfg(test)]
mod tests {
    use super::{driver_version, loses_local_args_in, parse_version};

    #[test]
    fn a_version_text_gives_its_two_numbers() {
        assert_eq!(parse_version(c"OpenCL 3.0 LINUX"), (3, 0));
        assert_eq!(parse_version(c"OpenCL 2.0 pocl 3.1+debian  Linux"), (2, 0));
    }

    #[test]
    fn intel_s_driver_version_starts_with_year_and_number() {
        assert_eq!(driver_version(c"2025.20.12.0.09_233955.xmain-hotfix"), Some((2025, 20)));
        assert_eq!(driver_version(c"3.1"), Some((3, 1)));
        assert_eq!(driver_version(c"unknown"), None);
    }

    #[test]
    fn clones_keep_local_arguments_from_2025_20_on() {
        assert!(loses_local_args_in(c"2023.16.12.0.12_195853.xmain-hotfix"));
        assert!(loses_local_args_in(c"2025.19.4.0.18_090000") && loses_local_args_in(c"unknown"));
        assert!(!loses_local_args_in(c"2025.20.12.0.09_233955") && !loses_local_args_in(c"2026.1.0"));
    }

    #[test]
    fn an_unreadable_version_counts_as_1_2() {
        assert_eq!(parse_version(c"OpenCL"), (1, 2));
        assert_eq!(parse_version(c""), (1, 2));
    }
}
