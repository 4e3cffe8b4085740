//! How binaries begin: a mark, and a header that says of which version they are and what follows.

use serde::{Deserialize, Serialize};
use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Error, Result};

/// Translator and backend are of one version.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The error of a binary that cannot be taken.
pub(super) fn bad(what: String) -> Error {
    Error::new(ErrorCode::INVALID_BINARY, format!("binaries: {what}: build the program anew"))
}

/// The error of a binary whose end is missing.
pub(super) fn cut() -> Error {
    bad("a binary that was cut".to_owned())
}

/// Translator and backend must be of one version.
pub(super) fn check_version(version: &str) -> Result<()> {
    if version == VERSION {
        return Ok(());
    }
    Err(bad(format!("of version {version} of this plugin, which is {VERSION}")))
}

/// A header behind what the binary starts with, and what follows it.
pub(super) fn join(magic: &[u8], header: &impl Serialize, rest: &[&[u8]]) -> Vec<u8> {
    // The header has texts and numbers only, which are always written.
    let header = serde_json::to_vec(header).unwrap_or_default();
    let length = (header.len() as u32).to_le_bytes();
    [&[magic, &length, &header], rest].concat().concat()
}

/// What [`join`] put together.
pub(super) fn split<'a, H: Deserialize<'a>>(magic: &[u8], bytes: &'a [u8]) -> Result<(H, &'a [u8])> {
    let rest =
        bytes.strip_prefix(magic).ok_or_else(|| bad("of another version of this plugin".to_owned()))?;
    let (length, rest) = rest.split_first_chunk().ok_or_else(cut)?;
    let (header, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize).ok_or_else(cut)?;
    let header =
        serde_json::from_slice(header).map_err(|error| bad(format!("a damaged binary ({error})")))?;
    Ok((header, rest))
}
