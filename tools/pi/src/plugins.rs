//! Opening plugins: the only unsafe code of the tool.
//!
//! Opening a library runs its code. The user names the file, or SYCL programs look for it in its folder: the
//! tool trusts it as those programs do.
#![expect(unsafe_code, reason = "opening a plugin runs its code")]

use std::path::Path;

use sycl_pi_loader::search::Candidate;
use sycl_pi_loader::{Attempt, Backend, Environment, LoadError, Plugin, Question};

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
