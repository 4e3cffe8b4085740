//! The failure of a call.

/// The result of a call. If it fails, the error is the text of the caller's exception.
pub(crate) type Result<T> = std::result::Result<T, String>;
