//! Opening plugins, adapters and drivers: with `sycl/calls.rs` the only unsafe code of the tool.
//!
//! Opening a library runs its code. The user names the file, or SYCL programs look for it in its folder: the
//! tool trusts it as those programs do.
#![expect(unsafe_code, reason = "opening a library runs its code")]

use std::ffi::{c_char, c_int, c_void};
use std::path::Path;

use anyhow::{Result, bail};
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use sycl_pi_loader::search::Candidate;
use sycl_pi_loader::{Attempt, Backend, Environment, LoadError, Plugin, Question};
use sycl_ur_host::Layout;

use crate::regular;

/// Opens a plugin.
pub fn open(file: &Path) -> Result<Plugin, LoadError> {
    // SAFETY: the user trusts the file.
    unsafe { Plugin::open(file) }
}

/// Asks a plugin for every known PI version.
pub fn questions(file: &Path) -> Result<Vec<Question>, LoadError> {
    // SAFETY: the user trusts the file.
    unsafe { Plugin::questions(file) }
}

/// Tries one file.
pub fn attempt(candidate: Candidate) -> Attempt {
    // SAFETY: the user trusts the file.
    unsafe { sycl_pi_loader::attempt(candidate) }
}

/// Tries the files where SYCL programs look for the plugin of `backend`.
pub fn discover(backend: Backend, environment: &Environment) -> Vec<Attempt> {
    // SAFETY: the environment is that of this process, whose user trusts the files that it names.
    unsafe { sycl_pi_loader::discover(backend, environment) }
}

/// The functions by which a loader asks an adapter for its first table: until 2025.2, and after it.
const FIRST_GETTERS: [&str; 2] = ["urGetGlobalProcAddrTable", "urGetAdapterProcAddrTable"];

/// Opens an adapter with all its functions, and looks for the one that a loader calls first. It calls none.
///
/// # Errors
/// The text says what is missing. A loader passes such an adapter over, and says so in its log only.
pub fn open_adapter(file: &Path) -> Result<()> {
    // The system's loader would wait for a pipe.
    regular::open(file)?;
    // SAFETY: the user trusts the file.
    let library = unsafe { Library::open(Some(file), RTLD_NOW | RTLD_LOCAL) }.map_err(reason)?;
    let has = |getter: &&str| {
        // SAFETY: the function is not called, and its address leads to one byte at least.
        unsafe { library.get::<*const u8>(getter.as_bytes()) }.is_ok()
    };
    let found = FIRST_GETTERS.iter().any(has);
    // Its threads may run on.
    std::mem::forget(library);
    if !found {
        bail!("it is no adapter: it has neither {}", FIRST_GETTERS.join(" nor "));
    }
    Ok(())
}

/// Opens an adapter as the loader of a layout does, with PI in front. Once in a process.
///
/// # Errors
/// It gives no tables.
pub fn open_adapter_at(file: &Path, layout: Layout) -> Result<Plugin> {
    // The system's loader would wait for a pipe.
    regular::open(file)?;
    // SAFETY: the user trusts the file.
    let (plugin, _) = unsafe { sycl_ur_host::open(file, layout) }?;
    Ok(plugin)
}

/// Opens a library, and nothing else.
///
/// # Errors
/// The system's own words.
pub fn open_only(file: &Path) -> Result<()> {
    regular::open(file)?;
    // SAFETY: the user trusts the file, which programs open in the same way.
    std::mem::forget(unsafe { Library::open(Some(file), RTLD_NOW | RTLD_LOCAL) }.map_err(reason)?);
    Ok(())
}

/// The system's own words, without libloading's in front.
fn reason(error: libloading::Error) -> anyhow::Error {
    anyhow::anyhow!(
        "{}",
        std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string)
    )
}

/// Opens an OpenCL driver as an OpenCL library does, and counts its platforms.
///
/// # Errors
/// It is none, or has no platform.
pub fn platforms_of_driver(file: &Path) -> Result<u32> {
    regular::open(file)?;
    // SAFETY: the user trusts the file, which programs open in the same way.
    let library = unsafe { Library::open(Some(file), RTLD_NOW | RTLD_LOCAL) }.map_err(reason)?;
    // SAFETY: the function of that name has this type in every driver.
    let find = unsafe {
        library.get::<unsafe extern "C" fn(*const c_char) -> *mut c_void>(b"clGetExtensionFunctionAddress")
    };
    let Ok(find) = find else { bail!("it is no OpenCL driver: it exports no clGetExtensionFunctionAddress") };
    // SAFETY: a text that ends with NUL.
    let get = unsafe { find(c"clIcdGetPlatformIDsKHR".as_ptr()) };
    type GetPlatforms = unsafe extern "C" fn(u32, *mut *mut c_void, *mut u32) -> c_int;
    // SAFETY: null, or the function of that name, which has this type in every driver.
    let get = unsafe { std::mem::transmute::<*mut c_void, Option<GetPlatforms>>(get) };
    let Some(get) = get else { bail!("it has no cl_khr_icd") };
    let mut count = 0;
    // SAFETY: a place for the count.
    let code = unsafe { get(0, std::ptr::null_mut(), &mut count) };
    // Its threads may run on.
    std::mem::forget(library);
    if code != 0 || count == 0 {
        bail!("it has no platform (code {code})");
    }
    Ok(count)
}
