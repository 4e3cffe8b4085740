//! The error of a call on its way to the caller: a PI code and a text that says what to do next.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use sycl_pi_core::*;

/// Result of everything behind the boundary.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A PI error code and what went wrong, in words. One pointer wide, so that a `Result` stays in registers.
pub struct Error(Box<Detail>);

struct Detail {
    code: pi_result,
    text: Cow<'static, str>,
}

impl Error {
    /// An error with the code the caller sees and the text that `piPluginGetLastError` gives.
    #[cold]
    pub fn new(code: pi_result, text: impl Into<Cow<'static, str>>) -> Self {
        Self(Box::new(Detail { code, text: text.into() }))
    }

    /// `PI_ERROR_INVALID_VALUE`.
    #[cold]
    pub fn invalid_value(text: impl Into<Cow<'static, str>>) -> Self {
        Self::new(PI_ERROR_INVALID_VALUE, text)
    }

    /// What this backend cannot do: `PI_ERROR_INVALID_OPERATION`, as shipped plugins of the same backend answer.
    #[cold]
    pub fn unsupported(text: impl Into<Cow<'static, str>>) -> Self {
        Self::new(PI_ERROR_INVALID_OPERATION, text)
    }

    /// The code for the caller.
    pub fn code(&self) -> pi_result {
        self.0.code
    }

    /// What went wrong.
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// The same error with `context` in front of its text.
    #[cold]
    pub fn context(mut self, context: impl fmt::Display) -> Self {
        self.0.text = format!("{context}: {}", self.0.text).into();
        self
    }

    /// The same text under another code.
    #[cold]
    pub fn with_code(mut self, code: pi_result) -> Self {
        self.0.code = code;
        self
    }
}

/// Makes an error out of line.
///
/// As a C function it lets no panic out, and the compiler knows: a stub that calls nothing else beside the driver's C
/// functions needs no landing pad, and saves no registers for one.
#[cold]
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "called from this library only")]
pub extern "C" fn cold_error<F: FnOnce() -> Error>(make: F) -> Error {
    catch_unwind(AssertUnwindSafe(make)).unwrap_or_else(internal)
}

/// As [`cold_error`], for rare cases that may end well.
#[cold]
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "called from this library only")]
pub extern "C" fn cold_case<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(internal(panic)))
}

/// What a panic off the fence becomes.
fn internal(panic: Box<dyn Any + Send>) -> Error {
    // The payload's own destructor may panic too.
    std::mem::forget(panic);
    Error::new(PI_ERROR_UNKNOWN, "internal error of the plugin, please report it")
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({}: {})", self.0.code, self.0.text)
    }
}

impl std::error::Error for Error {}
