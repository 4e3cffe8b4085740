//! The error of a call: a code, and a message that says what to do next.

use std::borrow::Cow;
use std::fmt;

use crate::types::ErrorCode;

/// Result of everything behind the boundary.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error code and a message. One pointer wide, so that a `Result` stays in registers.
pub struct Error(Box<Detail>);

struct Detail {
    code: ErrorCode,
    text: Cow<'static, str>,
}

impl Error {
    /// An error with a code and the message that the last-error query of an interface gives.
    #[cold]
    pub fn new(code: ErrorCode, text: impl Into<Cow<'static, str>>) -> Self {
        Self(Box::new(Detail { code, text: text.into() }))
    }

    /// `ErrorCode::INVALID_VALUE`.
    #[cold]
    pub fn invalid_value(text: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorCode::INVALID_VALUE, text)
    }

    /// A feature that this backend or its driver does not have: `ErrorCode::UNSUPPORTED_FEATURE`.
    #[cold]
    pub fn unsupported(text: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorCode::UNSUPPORTED_FEATURE, text)
    }

    /// An object of another context than the one that it is used with: `ErrorCode::INVALID_CONTEXT`.
    #[cold]
    pub fn other_context(object: &str, than: &str) -> Self {
        Self::new(ErrorCode::INVALID_CONTEXT, format!("{object} is of another context than {than}"))
    }

    /// A range that leaves its object of `total` bytes: `ErrorCode::INVALID_VALUE`.
    #[cold]
    pub fn outside(object: impl fmt::Display, offset: usize, size: usize, total: usize) -> Self {
        Self::invalid_value(format!(
            "{object}: {size} bytes from byte {offset} on are not in its {total} bytes"
        ))
    }

    /// The refusal of a command whose wait list has an event of another context than its queue's. OpenCL has that rule, and every
    /// backend keeps it. A wait on the host takes events of any contexts.
    #[cold]
    pub fn event_of_another_context() -> Self {
        let text = "an event to wait for is of another context than the queue; wait for it on the host first";
        Self::new(ErrorCode::INVALID_CONTEXT, text)
    }

    /// The code for the caller.
    pub fn code(&self) -> ErrorCode {
        self.0.code
    }

    /// The message.
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
    pub fn with_code(mut self, code: ErrorCode) -> Self {
        self.0.code = code;
        self
    }
}

/// Makes an error out of line, so that the path of a successful call stays short.
#[cold]
#[inline(never)]
pub fn cold_error<F: FnOnce() -> Error>(make: F) -> Error {
    make()
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
