//! The failure of a call.

use std::ffi::c_int;

/// The result of a call. If it fails, the error is the text of the caller's exception.
pub(crate) type Result<T> = std::result::Result<T, String>;

/// Explains a status of those that cuSOLVER and cuSPARSE have under the same number.
pub(crate) fn common_status(code: c_int) -> Option<&'static str> {
    Some(match code {
        1 => "not initialized",
        2 => "no memory on the device",
        3 => "an invalid value",
        4 => "the GPU lacks it",
        6 => "the execution failed",
        7 => "internal error",
        _ => return None,
    })
}
