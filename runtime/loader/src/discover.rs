//! Tries candidates until one loads, and records the outcome of each.
#![expect(unsafe_code, reason = "a plugin's functions")]

use crate::search::{Candidate, candidates, executable_folder};
use crate::{Backend, Environment, LoadError, Plugin};

/// A candidate and the result of opening it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Attempt {
    /// The file that was tried.
    pub candidate: Candidate,
    /// The plugin, or the reason why it did not load.
    pub outcome: Result<Plugin, LoadError>,
}

/// Opens one file.
///
/// # Safety
/// The requirements of [`Plugin::open`] apply.
pub unsafe fn attempt(candidate: Candidate) -> Attempt {
    // SAFETY: the caller trusts the file.
    let outcome = unsafe { Plugin::open(&candidate.path) };
    Attempt { candidate, outcome }
}

/// Tries the candidates for `backend` in order, until one loads.
///
/// # Safety
/// The requirements of [`Plugin::open`] apply to every file that the environment names.
pub unsafe fn discover(backend: Backend, environment: &Environment) -> Vec<Attempt> {
    let mut attempts = Vec::new();
    for candidate in candidates(backend, environment, executable_folder().as_deref()) {
        // SAFETY: the caller trusts every file that the environment names.
        let attempt = unsafe { attempt(candidate) };
        let loaded = attempt.outcome.is_ok();
        attempts.push(attempt);
        if loaded {
            break;
        }
    }
    attempts
}
