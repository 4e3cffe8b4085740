//! Opening plugins and adapters: the only unsafe code of the tool.
//!
//! Opening a library runs its code. The user names the file, or SYCL programs look for it in its folder: the
//! tool trusts it as those programs do.
#![expect(unsafe_code, reason = "opening a library runs its code")]

use std::path::Path;

use anyhow::{Result, bail};
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use sycl_pi_loader::search::Candidate;
use sycl_pi_loader::{Attempt, Backend, Environment, LoadError, Plugin, Question};

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
    let library = unsafe { Library::open(Some(file), RTLD_NOW | RTLD_LOCAL) }?;
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
