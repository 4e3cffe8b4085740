//! The platforms of the OpenCL library, and those of drivers that it did not open.
//!
//! A driver's objects carry its functions with them (cl_khr_icd), so the library can also handle objects of drivers
//! that it did not open.

use std::ffi::{CStr, c_char, c_void};
use std::path::Path;
use std::ptr::null_mut;
use std::sync::OnceLock;

use opencl_sys::*;
use sycl_pi_backend::Result;
use sycl_pi_backend::raw::RawPlatform;
use sycl_pi_backend::types::ErrorCode;
use sycl_pi_dynload::DriverLibrary;

use super::handles::{Platform, opaque};
use super::library::cl;
use super::places::{Drivers, drivers};
use super::query::Queried;

/// The name of the platform of Intel's CPU runtime.
const INTEL_CPU: &CStr = c"Intel(R) OpenCL";

/// The platforms of the process.
#[derive(Default)]
struct FoundPlatforms {
    /// Those of drivers that were opened here come first.
    platforms: Vec<*mut RawPlatform>,
    /// The reasons why drivers could not be opened.
    failures: Vec<String>,
}

// SAFETY: platforms live as long as the process, and any thread may use them.
unsafe impl Send for FoundPlatforms {}
// SAFETY: same as above.
unsafe impl Sync for FoundPlatforms {}

static FOUND: OnceLock<FoundPlatforms> = OnceLock::new();

/// Returns all platforms. Those of drivers that the user or the environment specifies come first. Without a driver,
/// there are none.
///
/// # Errors
///
/// There is no library, or it returns an error.
pub(crate) fn platforms() -> Result<&'static [*mut RawPlatform]> {
    if let Some(found) = FOUND.get() {
        return Ok(&found.platforms);
    }
    let known = library_platforms()?;
    Ok(&FOUND.get_or_init(|| find(known)).platforms)
}

/// Returns the reasons why drivers that the user or the environment specifies are missing.
pub(crate) fn driver_failures() -> &'static [String] {
    FOUND.get().map_or(&[], |found| &found.failures)
}

/// Returns the platforms of the OpenCL library.
fn library_platforms() -> Result<Vec<cl_platform_id>> {
    let mut count = 0;
    match cl().clGetPlatformIDs(0, null_mut(), &mut count) {
        Err(error) if error.code() == ErrorCode::PLATFORM_NOT_FOUND_KHR => return Ok(Vec::new()),
        other => other?,
    }
    let mut platforms = vec![null_mut(); count as usize];
    cl().clGetPlatformIDs(count, platforms.as_mut_ptr(), &mut count)?;
    platforms.truncate(count as usize);
    Ok(platforms)
}

fn find(known: Vec<cl_platform_id>) -> FoundPlatforms {
    let mut found = FoundPlatforms::default();
    let files = match drivers() {
        Drivers::Named(files) => files,
        // Two copies of it in one process interfere with each other.
        Drivers::OfEnvironment(_) if known.iter().any(|platform| is_intel_cpu(*platform)) => vec![],
        Drivers::OfEnvironment(file) => vec![file],
        Drivers::None => vec![],
    };
    for file in files {
        match platforms_of(&file) {
            Ok(platforms) => {
                let new = platforms.into_iter().filter(|platform| !known.contains(platform));
                let before = found.platforms.len();
                found.platforms.extend(new.map(<*mut _>::cast));
                if found.platforms.len() > before {
                    log::info!("OpenCL driver that the OpenCL library did not open: {}", file.display());
                }
            }
            Err(why) => found.failures.push(format!("{}: {why}", file.display())),
        }
    }
    found.platforms.extend(known.iter().map(|platform| platform.cast()));
    found
}

fn is_intel_cpu(platform: cl_platform_id) -> bool {
    let named = opaque::<Platform>(platform).map(|platform| platform.text(CL_PLATFORM_NAME));
    named.is_some_and(|name| name.is_ok_and(|name| *name == *INTEL_CPU))
}

type GetExtensionFunction = unsafe extern "C" fn(*const c_char) -> *mut c_void;
type GetPlatforms = unsafe extern "C" fn(cl_uint, *mut cl_platform_id, *mut cl_uint) -> cl_int;

/// Opens a driver like an OpenCL library does.
fn platforms_of(file: &Path) -> std::result::Result<Vec<cl_platform_id>, String> {
    // SAFETY: OpenCL drivers are designed to be opened, and their initializers require nothing.
    let driver = unsafe { DriverLibrary::open_first([file]) }.map_err(|error| error.to_string())?;
    let find = driver.function(c"clGetExtensionFunctionAddress");
    // SAFETY: the pointer is null, or the function of that name, which has this type in every driver.
    let find = unsafe { std::mem::transmute::<*const c_void, Option<GetExtensionFunction>>(find) };
    let Some(find) = find else { return Err("it is not an OpenCL driver".into()) };
    // SAFETY: the name is NUL-terminated.
    let get = unsafe { find(c"clIcdGetPlatformIDsKHR".as_ptr()) };
    // SAFETY: the pointer is null, or the function of that name, which has this type in every driver.
    let get = unsafe { std::mem::transmute::<*mut c_void, Option<GetPlatforms>>(get) };
    let Some(get) = get else { return Err("it has no cl_khr_icd".into()) };
    let mut count = 0;
    // SAFETY: the pointer points to space for the count.
    let code = unsafe { get(0, null_mut(), &mut count) };
    if code != CL_SUCCESS || count == 0 {
        return Err(format!("it has no platform ({code})"));
    }
    let mut platforms = vec![null_mut(); count as usize];
    // SAFETY: there is room for that many platforms.
    let code = unsafe { get(count, platforms.as_mut_ptr(), null_mut()) };
    if code != CL_SUCCESS {
        return Err(format!("it does not give its platforms ({code})"));
    }
    platforms.retain(|platform| !platform.is_null());
    Ok(platforms)
}
