//! The start of a binary: a magic number, and a header with its version and a description of its content.

use serde::{Deserialize, Serialize};
use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Error, Result};

/// The version of both translator and backend.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Returns the error for a binary that cannot be accepted.
pub(super) fn bad(what: String) -> Error {
    Error::new(ErrorCode::INVALID_BINARY, format!("binaries: {what}: build the program anew"))
}

/// Returns the error for a truncated binary.
pub(super) fn cut() -> Error {
    bad("a binary that was cut".to_owned())
}

/// Checks that the translator has the same version as the backend.
pub(super) fn check_version(version: &str) -> Result<()> {
    if version == VERSION {
        return Ok(());
    }
    Err(bad(format!("of version {version} of this plugin, which is {VERSION}")))
}

/// Joins the magic number, the header and the rest of a binary.
pub(super) fn join(magic: &[u8], header: &impl Serialize, rest: &[&[u8]]) -> Vec<u8> {
    // The header contains only strings and numbers, whose serialization cannot fail.
    let header = serde_json::to_vec(header).unwrap_or_default();
    let length = (header.len() as u32).to_le_bytes();
    [&[magic, &length, &header], rest].concat().concat()
}

/// Splits a binary written by [`join`].
pub(super) fn split<'a, H: Deserialize<'a>>(magic: &[u8], bytes: &'a [u8]) -> Result<(H, &'a [u8])> {
    let rest =
        bytes.strip_prefix(magic).ok_or_else(|| bad("of another version of this plugin".to_owned()))?;
    let (length, rest) = rest.split_first_chunk().ok_or_else(cut)?;
    let (header, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize).ok_or_else(cut)?;
    let header =
        serde_json::from_slice(header).map_err(|error| bad(format!("a damaged binary ({error})")))?;
    Ok((header, rest))
}
