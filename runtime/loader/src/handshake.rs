//! The `piPluginInit` handshake, which determines the PI version that both sides support.
//!
//! Shipped plugins compare versions as text and so accept some that they do not serve ("9.11" sorts above "15.47"). The
//! version that the plugin writes is therefore decisive, and the table is used only from a call that requested exactly
//! that version. Every call gets a buffer far larger than the structure, so that even a plugin that writes another
//! version's table cannot corrupt this process.
#![expect(unsafe_code, reason = "a plugin's functions")]

use std::ffi::{c_char, c_void};

use sycl_pi_core::{PI_SUCCESS, PluginOffsets, Version, pi_result};

use crate::error::{Answer, Question};

/// The signature of `piPluginInit`.
pub type Init = unsafe extern "C" fn(*mut c_void) -> pi_result;

const WORD: usize = size_of::<u64>();
/// Space for twice any version's structure.
const WORDS: usize = 4096 / WORD;
const SENTINEL: u64 = 0xa5a5_5a5a_c3c3_3c3c;

/// The result of a successful handshake.
pub(crate) struct Agreement {
    pub(crate) version: Version,
    /// The `PluginVersion` that the plugin wrote.
    pub(crate) text: String,
    /// The pointers of that version's table.
    pub(crate) slots: Vec<*mut c_void>,
}

/// Agrees on the newest of `versions`, which are sorted, that the plugin serves.
///
/// # Safety
/// `init` is a plugin's `piPluginInit`.
pub(crate) unsafe fn negotiate(init: Init, versions: &[Version]) -> Result<Agreement, Vec<Question>> {
    let mut asked = Vec::new();
    for version in versions.iter().rev().copied() {
        // SAFETY: the caller vouches for `init`.
        let own = match unsafe { ask(init, version, &mut asked) } {
            Ok(agreement) => return Ok(agreement),
            Err(own) => own,
        };
        let not_asked = |own: &Version| !asked.iter().any(|question| question.version == *own);
        let known = own.filter(|own| versions.contains(own) && not_asked(own));
        if let Some(own) = known {
            // SAFETY: the caller vouches for `init`.
            if let Ok(agreement) = unsafe { ask(init, own, &mut asked) } {
                return Ok(agreement);
            }
        }
    }
    Err(asked)
}

/// Requests each version in turn.
///
/// # Safety
/// `init` is a plugin's `piPluginInit`.
pub(crate) unsafe fn ask_all(init: Init) -> Vec<Question> {
    let mut asked = Vec::new();
    for version in Version::ALL {
        // SAFETY: the caller vouches for `init`. Only the recorded answer is needed.
        let _ = unsafe { ask(init, version, &mut asked) };
    }
    asked
}

/// Makes one call. If there is no agreement, the answer is recorded, and the plugin's own version is returned if it is
/// known.
///
/// # Safety
/// `init` is a plugin's `piPluginInit`.
unsafe fn ask(init: Init, version: Version, asked: &mut Vec<Question>) -> Result<Agreement, Option<Version>> {
    let offsets = version.offsets();
    let mut buffer = [0u64; WORDS];
    let used = offsets.size.div_ceil(WORD);
    if let Some(beyond) = buffer.get_mut(used..) {
        beyond.fill(SENTINEL);
    }
    write_text(&mut buffer, version.text());
    // SAFETY: the buffer is aligned and larger than `pi_plugin` of any version, and starts with the host's version.
    let code = unsafe { init(buffer.as_mut_ptr().cast()) };
    let (answer, result) = judge(version, offsets, &buffer, used, code);
    asked.push(Question { version, answer });
    result
}

fn judge(
    version: Version,
    offsets: PluginOffsets,
    buffer: &[u64; WORDS],
    used: usize,
    code: pi_result,
) -> (Answer, Result<Agreement, Option<Version>>) {
    if code != PI_SUCCESS {
        return (Answer::Refused(code), Err(None));
    }
    // In 9.11 the field has another offset than in all later versions. A plugin that takes every version for its own
    // writes at its own offset, not at that of the requested version.
    let fields = [version, Version::NEWEST, Version::V9_11].map(|known| known.offsets().version_field);
    let text = fields.iter().filter_map(|at| version_text(buffer, *at)).find(|text| !text.is_empty());
    let text = text.unwrap_or_default();
    let own = own_version(&text);
    if own != Some(version) {
        return (Answer::Mismatch(text), Err(own));
    }
    if buffer.iter().skip(used).any(|word| *word != SENTINEL) {
        return (Answer::Overrun, Err(None));
    }
    let table = buffer.iter().skip(offsets.table / WORD).take(offsets.function_count);
    let slots = table.map(|word| *word as usize as *mut c_void).collect();
    (Answer::Served, Ok(Agreement { version, text, slots }))
}

/// Returns the PI version in a plugin's own version text: `15.47` for `15.47.1`.
fn own_version(text: &str) -> Option<Version> {
    let mut parts = text.splitn(3, '.');
    let (major, minor) = (parts.next()?, parts.next()?);
    Version::from_text(format!("{major}.{minor}").as_bytes())
}

fn write_text(buffer: &mut [u64], text: &str) {
    for (word, chunk) in buffer.iter_mut().zip(text.as_bytes().chunks(WORD)) {
        let mut bytes = [0; WORD];
        bytes.iter_mut().zip(chunk).for_each(|(to, from)| *to = *from);
        *word = u64::from_ne_bytes(bytes);
    }
}

/// Returns the text at a byte offset, if it looks like a version.
fn version_text(buffer: &[u64], at: usize) -> Option<String> {
    let bytes = buffer.iter().flat_map(|word| word.to_ne_bytes()).skip(at).take(20);
    let text: Vec<u8> = bytes.take_while(|byte| *byte != 0).collect();
    let plausible = text.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.');
    if plausible { String::from_utf8(text).ok() } else { None }
}

const _: () = assert!(WORDS * WORD >= 2 * Version::NEWEST.offsets().size);
const _: () = assert!(size_of::<c_char>() == 1 && size_of::<*mut c_void>() == WORD);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_versions() {
        assert_eq!(own_version("15.47.1"), Some(Version::V15_47));
        assert_eq!(own_version("9.11"), Some(Version::V9_11));
        assert_eq!(own_version("15.48.1"), None);
        assert_eq!(own_version(""), None);
    }

    #[test]
    fn version_text_stands_at_the_start() {
        let mut buffer = [0; 4];
        write_text(&mut buffer, "15.47");
        assert_eq!(version_text(&buffer, 0).unwrap(), "15.47");
        assert_eq!(version_text(&buffer, 20).unwrap(), "");
    }
}
