//! Allocations whose size is decided by an input. If they fail, the input is refused.

use std::borrow::Cow;

pub use sycl_pi_host_process::OutOfMemory;
pub(crate) use sycl_pi_host_process::{copy_of, filled, list_of, reserve, room};

/// Returns the bytes, copied if they are borrowed.
pub(crate) fn owned_bytes(bytes: Cow<'_, [u8]>) -> Result<Vec<u8>, OutOfMemory> {
    match bytes {
        Cow::Owned(bytes) => Ok(bytes),
        Cow::Borrowed(bytes) => copy_of(bytes),
    }
}

/// Returns the text, copied if it is borrowed.
pub(crate) fn owned_text(text: Cow<'_, str>) -> Result<String, OutOfMemory> {
    match text {
        Cow::Owned(text) => Ok(text),
        Cow::Borrowed(text) => {
            let mut copy = String::new();
            copy.try_reserve_exact(text.len()).map_err(|_| OutOfMemory { bytes: text.len() })?;
            copy.push_str(text);
            Ok(copy)
        }
    }
}
