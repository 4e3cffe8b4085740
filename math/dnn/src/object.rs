//! Objects that callers know by their addresses, and the way to distinguish ours from the vendor's.
#![expect(unsafe_code, reason = "objects of C callers")]

use std::ffi::c_void;
use std::ptr::{addr_of, from_ref};

use crate::status::{INVALID_ARGUMENTS, Result};

/// Only the address matters. No object of the vendor begins with it, because it is in this library.
static WORD: u8 = 0;

/// The beginning of each of our objects.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Head {
    word: *const u8,
}

// SAFETY: nothing is written or read through the address.
unsafe impl Send for Head {}
// SAFETY: as above.
unsafe impl Sync for Head {}

impl Head {
    pub(crate) fn new() -> Self {
        Self { word: addr_of!(WORD) }
    }
}

/// A type of ours, which begins with a [`Head`].
///
/// # Safety
/// It is `repr(C)`, and its first field is a [`Head`].
pub(crate) unsafe trait Object {}

/// Returns whether an object of oneDNN is ours.
///
/// # Safety
/// `object` is null or an object of oneDNN.
pub(crate) unsafe fn is_ours(object: *const c_void) -> bool {
    // SAFETY: every object of the vendor has at least one word: a pointer, or the address of a table.
    !object.is_null() && unsafe { object.cast::<*const u8>().read() } == addr_of!(WORD)
}

/// Returns an object if it is ours.
///
/// # Safety
/// `object` is null or an object of oneDNN, which lives for this call. If it is ours, it is a `T`.
pub(crate) unsafe fn ours<'a, T: Object>(object: *const c_void) -> Option<&'a T> {
    // SAFETY: guaranteed by the caller.
    unsafe { is_ours(object).then(|| &*object.cast::<T>()) }
}

/// Returns the address under which a caller knows an object.
pub(crate) fn handle<T: Object>(object: &T) -> *mut c_void {
    from_ref(object).cast_mut().cast()
}

/// Writes the result of a call. Fails if the caller has no room for it.
///
/// # Safety
/// `room` is null, or has room for a `T`.
pub(crate) unsafe fn put<T>(room: *mut T, value: T) -> Result<()> {
    if room.is_null() {
        return Err(INVALID_ARGUMENTS);
    }
    // SAFETY: guaranteed by the caller.
    unsafe { room.write(value) };
    Ok(())
}
