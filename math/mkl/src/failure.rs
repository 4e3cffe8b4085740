//! What went wrong.

/// What a call answers: the text of the caller's exception, if it fails.
pub(crate) type Result<T> = std::result::Result<T, String>;
