//! The error of a call.

use crate::types::ze_result_t;

/// The error of a call. Not every error is a fault: a query of unfinished work returns `ZE_RESULT_NOT_READY`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZeError {
    /// The call's name.
    pub call: &'static str,
    /// Its result; `ZE_RESULT_ERROR_UNSUPPORTED_FEATURE` if there was nothing to call.
    pub result: ze_result_t,
    /// The source of the result.
    pub by: AnsweredBy,
}

/// The source of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnsweredBy {
    /// The driver, or the Level Zero loader for it.
    Driver,
    /// This crate: the installed Level Zero loader is older than the call.
    MissingFunction,
    /// This crate found no Level Zero loader. [`why_missing`](crate::why_missing) lists the files that were tried.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::ZE_RESULT_ERROR_DEVICE_LOST;

    #[test]
    fn errors_have_words() {
        let (result, by) = (ZE_RESULT_ERROR_DEVICE_LOST, AnsweredBy::Driver);
        let text = ZeError { call: "zeFenceQueryStatus", result, by }.to_string();
        assert_eq!(text, "zeFenceQueryStatus answered ZE_RESULT_ERROR_DEVICE_LOST (0x70000001)");
    }
}
