//! Trying candidates until one loads, and remembering how each went.

use crate::search::{Candidate, candidates, executable_folder};
use crate::{Backend, Environment, LoadError, Plugin};

/// A candidate, and what came of it.
pub struct Attempt {
    /// What was tried.
    pub candidate: Candidate,
    /// The plugin, or why there is none.
    pub outcome: Result<Plugin, LoadError>,
}

/// Opens one file.
pub fn attempt(candidate: Candidate) -> Attempt {
    let outcome = Plugin::open(&candidate.path).inspect(|plugin| plugin.table.want_texts());
    Attempt { candidate, outcome }
}

/// Tries the candidates for `backend` in order, up to the first that loads.
pub fn discover(backend: Backend, environment: &Environment) -> Vec<Attempt> {
    let mut attempts = Vec::new();
    for candidate in candidates(backend, environment, executable_folder().as_deref()) {
        let attempt = attempt(candidate);
        let loaded = attempt.outcome.is_ok();
        attempts.push(attempt);
        if loaded {
            break;
        }
    }
    attempts
}
