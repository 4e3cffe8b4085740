//! Why a call did not succeed.

use crate::types::result::ze_result_t;

/// A call that did not succeed. Not every one is a mistake: a query of unfinished work answers `ZE_RESULT_NOT_READY`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZeError {
    /// The call's name.
    pub call: &'static str,
    /// Its answer; `ZE_RESULT_ERROR_UNSUPPORTED_FEATURE` where nobody could be asked.
    pub result: ze_result_t,
    /// What answered.
    pub by: AnsweredBy,
}

/// What gave an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnsweredBy {
    /// The driver, or the Level Zero loader for it.
    Driver,
    /// This crate: the installed Level Zero loader is older than the call.
    MissingFunction,
    /// This crate: there is no Level Zero loader ([`why_missing`](crate::why_missing) says what was tried).
    MissingLibrary,
}

impl std::fmt::Display for ZeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { call, result, by } = *self;
        match by {
            AnsweredBy::MissingFunction => write!(f, "the Level Zero loader has no {call}"),
            AnsweredBy::MissingLibrary => write!(f, "{call}: there is no Level Zero loader"),
            AnsweredBy::Driver => match result.name() {
                Some(name) => write!(f, "{call} answered {name} ({:#x})", result.0),
                None => write!(f, "{call} answered an unknown code ({:#x})", result.0),
            },
        }
    }
}

impl std::error::Error for ZeError {}
