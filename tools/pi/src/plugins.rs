//! Opens plugins, adapters and drivers. This file and `sycl/calls.rs` contain the tool's only unsafe code.
//!
//! Opening a library runs its code. The user names the file, or SYCL programs look for it in its folder. The tool
//! trusts it in the same way as these programs.
#![expect(unsafe_code, reason = "opening a library runs its code")]

use std::ffi::{c_char, c_int, c_void};
use std::path::Path;

use anyhow::{Result, bail};
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use sycl_pi_loader::search::Candidate;
use sycl_pi_loader::{Attempt, Backend, Environment, LoadError, Plugin, Question};
use sycl_ur_host::{Layout, LoadedAdapter};

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

/// Tries a file.
pub fn attempt(candidate: Candidate) -> Attempt {
    // SAFETY: the user trusts the file.
    unsafe { sycl_pi_loader::attempt(candidate) }
}

/// Tries the files where SYCL programs look for the plugin of `backend`.
pub fn discover(backend: Backend, environment: &Environment) -> Vec<Attempt> {
    // SAFETY: the environment is that of this process, whose user trusts the files that it names.
    unsafe { sycl_pi_loader::discover(backend, environment) }
}

/// The functions with which a loader gets an adapter's first table, up to 2025.2 and later.
const FIRST_GETTERS: [&str; 2] = ["urGetGlobalProcAddrTable", "urGetAdapterProcAddrTable"];

/// Opens an adapter with all its functions, and looks up the one that a loader calls first, without calling any.
///
/// # Errors
/// Fails if something is missing, which the message names. A loader skips such an adapter, and reports it in its log
/// only.
pub fn open_adapter(file: &Path) -> Result<()> {
    // The system's loader would block on a pipe.
    regular::open(file)?;
    // SAFETY: the user trusts the file.
    let library = unsafe { Library::open(Some(file), RTLD_NOW | RTLD_LOCAL) }.map_err(reason)?;
    let has = |getter: &&str| {
        // SAFETY: the function is not called, and its address is valid for at least one byte.
        unsafe { library.get::<*const u8>(getter.as_bytes()) }.is_ok()
    };
    let found = FIRST_GETTERS.iter().any(has);
    // Its threads may keep running.
    std::mem::forget(library);
    if !found {
        bail!("it is not an adapter: it has neither {}", FIRST_GETTERS.join(" nor "));
    }
    Ok(())
}

/// Opens an adapter like the loader of a layout.
///
/// # Errors
/// Fails if the adapter provides no tables.
pub fn open_adapter_at(file: &Path, layout: Layout) -> Result<LoadedAdapter> {
    // The system's loader would block on a pipe.
    regular::open(file)?;
    // SAFETY: the user trusts the file.
    Ok(unsafe { LoadedAdapter::open(file, layout) }?)
}

/// Opens a library without calling anything in it.
///
/// # Errors
/// Returns the system's message.
pub fn open_only(file: &Path) -> Result<()> {
    regular::open(file)?;
    // SAFETY: the user trusts the file, which programs open in the same way.
    std::mem::forget(unsafe { Library::open(Some(file), RTLD_NOW | RTLD_LOCAL) }.map_err(reason)?);
    Ok(())
}

/// Returns the system's message without libloading's prefix.
fn reason(error: libloading::Error) -> anyhow::Error {
    anyhow::anyhow!(
        "{}",
        std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string)
    )
}

/// Opens an OpenCL driver like an OpenCL library, and counts its platforms.
///
/// # Errors
/// Fails if it is not a driver, or has no platform.
pub fn platforms_of_driver(file: &Path) -> Result<u32> {
    regular::open(file)?;
    // SAFETY: the user trusts the file, which programs open in the same way.
    let library = unsafe { Library::open(Some(file), RTLD_NOW | RTLD_LOCAL) }.map_err(reason)?;
    // SAFETY: the function of that name has this type in every driver.
    let find = unsafe {
        library.get::<unsafe extern "C" fn(*const c_char) -> *mut c_void>(b"clGetExtensionFunctionAddress")
    };
    let Ok(find) = find else {
        bail!("it is not an OpenCL driver: it does not export clGetExtensionFunctionAddress")
    };
    // SAFETY: the string ends with NUL.
    let get = unsafe { find(c"clIcdGetPlatformIDsKHR".as_ptr()) };
    type GetPlatforms = unsafe extern "C" fn(u32, *mut *mut c_void, *mut u32) -> c_int;
    // SAFETY: null, or the function of that name, which has this type in every driver.
    let get = unsafe { std::mem::transmute::<*mut c_void, Option<GetPlatforms>>(get) };
    let Some(get) = get else { bail!("it has no cl_khr_icd") };
    let mut count = 0;
    // SAFETY: `count` is valid for writing.
    let code = unsafe { get(0, std::ptr::null_mut(), &mut count) };
    // Its threads may keep running.
    std::mem::forget(library);
    if code != 0 || count == 0 {
        bail!("it has no platform (code {code})");
    }
    Ok(count)
}
