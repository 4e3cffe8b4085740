//! Converts the answers of info queries from UR's encoding to PI's.
//!
//! Sizes and pointers that the caller chose reach the adapter if the encodings have the same size. Otherwise, a query
//! that is invalid in PI becomes one that is invalid in the same way in UR.

use std::ffi::c_void;
use std::ptr::null_mut;

use sycl_ur_core::{UR_RESULT_SUCCESS, ur_result_t};

/// Converts the bytes of UR's answer to those of PI's.
pub(super) type Convert = fn(&[u8]) -> Vec<u8>;

/// Makes the query and converts the answer. `convert` is `None` for answers with the same bytes.
///
/// # Safety
/// `value` and `size_ret` are null or valid, as the interface requires.
pub(super) unsafe fn answer(
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
    convert: Option<Convert>,
    ask: impl Fn(usize, *mut c_void, *mut usize) -> ur_result_t,
) -> ur_result_t {
    let Some(convert) = convert else { return ask(size, value, size_ret) };
    let mut own = 0;
    let place = if value.is_null() && size_ret.is_null() { null_mut() } else { &raw mut own };
    let result = ask(if value.is_null() { size } else { 0 }, null_mut(), place);
    if result != UR_RESULT_SUCCESS || place.is_null() {
        return result;
    }
    let mut room = vec![0_u64; own / 8 + 2];
    let start: *mut c_void = room.as_mut_ptr().cast();
    if !value.is_null() && size == 0 && own > 0 {
        return ask(0, start, null_mut());
    }
    let result = ask(own, start, null_mut());
    if result != UR_RESULT_SUCCESS {
        return result;
    }
    let bytes: Vec<u8> = room.iter().flat_map(|word| word.to_ne_bytes()).take(own).collect();
    let converted = convert(&bytes);
    if !value.is_null() {
        if converted.len() > size {
            return ask(own.saturating_sub(1), start, null_mut());
        }
        // SAFETY: the caller has space for `size` bytes.
        unsafe { std::ptr::copy_nonoverlapping(converted.as_ptr(), value.cast(), converted.len()) };
    }
    if !size_ret.is_null() {
        // SAFETY: the caller's place for a size.
        unsafe { size_ret.write(converted.len()) };
    }
    UR_RESULT_SUCCESS
}

/// Returns the first four bytes as a number.
pub(super) fn number(bytes: &[u8]) -> u32 {
    bytes.first_chunk().map_or(0, |bytes| u32::from_ne_bytes(*bytes))
}

/// Converts `ur_bool_t` to `pi_bool`. Values other than 0 and 1 stay unchanged.
pub(super) fn bool_of(bytes: &[u8]) -> Vec<u8> {
    match bytes {
        [one] => u32::from(*one).to_ne_bytes().to_vec(),
        other => other.to_vec(),
    }
}

/// Converts 32-bit flags to 64-bit flags.
pub(super) fn wide(bytes: &[u8]) -> Vec<u8> {
    match bytes.len() {
        4 => u64::from(number(bytes)).to_ne_bytes().to_vec(),
        _ => bytes.to_vec(),
    }
}

/// Converts a list of 32-bit numbers to a list of 64-bit numbers.
pub(super) fn wide_list(bytes: &[u8]) -> Vec<u8> {
    bytes
        .as_chunks::<4>()
        .0
        .iter()
        .flat_map(|one| u64::from(u32::from_ne_bytes(*one)).to_ne_bytes())
        .collect()
}

/// Returns the second number of a pair in a list, or a number that neither interface defines.
pub(super) fn paired(pairs: &[(u32, u32)], ur: u32) -> u32 {
    pairs.iter().find(|(left, _)| *left == ur).map_or(NEITHER, |(_, right)| *right)
}

/// Returns the first number of a pair by its second.
pub(super) fn paired_back(pairs: &[(u32, u32)], pi: u32) -> u32 {
    pairs.iter().find(|(_, right)| *right == pi).map_or(NEITHER, |(left, _)| *left)
}

/// An enumerator that neither interface defines.
pub(super) const NEITHER: u32 = 0x7eee_eee1;

/// Converts 64-bit flags to 32-bit flags. Higher bits become a bit that no flag uses.
pub(super) fn narrow(flags: u64) -> u32 {
    let beyond = if flags > u64::from(u32::MAX) { 1 << 31 } else { 0 };
    flags as u32 | beyond
}
