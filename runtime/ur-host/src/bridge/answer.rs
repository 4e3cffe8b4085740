//! Answers of info queries: from UR's encoding to PI's.
//!
//! Sizes and pointers that the caller chose reach the adapter wherever the encodings have the same size. Where they differ,
//! a question that is bad in PI becomes one that is bad in the same way in UR.

use std::ffi::c_void;
use std::ptr::null_mut;

use sycl_ur_core::{UR_RESULT_SUCCESS, ur_result_t};

/// The bytes of PI's answer, made from those of UR's.
pub(super) type Convert = fn(&[u8]) -> Vec<u8>;

/// Asks, and translates the answer. `None` for answers of the same bytes.
///
/// # Safety
/// `value` and `size_ret` are null or valid, as the interface asks for.
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
        // SAFETY: the caller has room for `size` bytes.
        unsafe { std::ptr::copy_nonoverlapping(converted.as_ptr(), value.cast(), converted.len()) };
    }
    if !size_ret.is_null() {
        // SAFETY: the caller's place for a size.
        unsafe { size_ret.write(converted.len()) };
    }
    UR_RESULT_SUCCESS
}

/// The first four bytes as a number.
pub(super) fn number(bytes: &[u8]) -> u32 {
    bytes.first_chunk().map_or(0, |bytes| u32::from_ne_bytes(*bytes))
}

/// `ur_bool_t` as `pi_bool`. What is not 0 or 1 stays what it is.
pub(super) fn bool_of(bytes: &[u8]) -> Vec<u8> {
    match bytes {
        [one] => u32::from(*one).to_ne_bytes().to_vec(),
        other => other.to_vec(),
    }
}

/// Flags of 32 bits as flags of 64.
pub(super) fn wide(bytes: &[u8]) -> Vec<u8> {
    match bytes.len() {
        4 => u64::from(number(bytes)).to_ne_bytes().to_vec(),
        _ => bytes.to_vec(),
    }
}

/// A list of numbers of 32 bits as a list of 64.
pub(super) fn wide_list(bytes: &[u8]) -> Vec<u8> {
    bytes
        .as_chunks::<4>()
        .0
        .iter()
        .flat_map(|one| u64::from(u32::from_ne_bytes(*one)).to_ne_bytes())
        .collect()
}

/// The other number of a pair in a list; for what is not in it a number that is in neither interface.
pub(super) fn paired(pairs: &[(u32, u32)], ur: u32) -> u32 {
    pairs.iter().find(|(left, _)| *left == ur).map_or(NEITHER, |(_, right)| *right)
}

/// The first number of a pair, by the second.
pub(super) fn paired_back(pairs: &[(u32, u32)], pi: u32) -> u32 {
    pairs.iter().find(|(_, right)| *right == pi).map_or(NEITHER, |(left, _)| *left)
}

/// An enumerator that neither interface has.
pub(super) const NEITHER: u32 = 0x7eee_eee1;

/// Flags of 64 bits as flags of 32: what lies beyond becomes a bit that no flag has.
pub(super) fn narrow(flags: u64) -> u32 {
    let beyond = if flags > u64::from(u32::MAX) { 1 << 31 } else { 0 };
    flags as u32 | beyond
}
