//! Views of callers' memory. They check null, kind and length, so that safe code can work with references and slices.
//!
//! Because the interface is C, one thing cannot be checked and relies on the caller: a non-null pointer must point to
//! what its parameter names, with the length given by its count, until the call returns.
#![expect(unsafe_code, reason = "the caller's memory")]

use std::ffi::{CStr, c_char, c_void};
use std::ptr::NonNull;

use crate::types::{ErrorCode, SyncPoint};
use crate::{Dependencies, Error, EventOut, NdRange, New, Object, Result, SyncPointDependencies, cold_error};

#[cold]
fn bad_object<T: Object>(name: &'static str, is_null: bool) -> Error {
    let problem = if is_null { "is null" } else { "is not a live handle of its kind" };
    Error::new(T::INVALID, format!("{name} {problem}; expected: {}", T::NAME))
}

#[inline(always)]
fn null(name: &'static str) -> Error {
    cold_error(move || Error::invalid_value(format!("{name} is null")))
}

/// Returns the object behind a handle.
///
/// # Safety
///
/// A non-null `raw` must be a handle that the library returned and that is not released for the last time during `'a`.
#[inline(always)]
pub unsafe fn object<'a, T: Object>(raw: *mut T::Raw, name: &'static str) -> Result<&'a T> {
    match NonNull::new(raw) {
        // SAFETY: `raw` is non-null.
        Some(raw) if unsafe { T::is_live(raw) } => {
            // SAFETY: `Object` guarantees a valid `&T` for a handle that `is_live` accepted.
            Ok(unsafe { raw.cast::<T>().as_ref() })
        }
        raw => Err(bad_object::<T>(name, raw.is_none())),
    }
}

/// Returns the object behind a handle, or `None` for null.
///
/// # Safety
///
/// Same as for [`object`].
#[inline(always)]
pub unsafe fn object_or_null<'a, T: Object>(raw: *mut T::Raw, name: &'static str) -> Result<Option<&'a T>> {
    if raw.is_null() {
        return Ok(None);
    }
    // SAFETY: guaranteed by the caller.
    unsafe { object(raw, name).map(Some) }
}

/// Returns `count` objects after checking each one. The pointer of an empty list does not matter.
///
/// # Safety
///
/// If `count` > 0, `list` must be null or point to `count` handles, each as [`object`] requires.
#[inline(always)]
pub unsafe fn objects<'a, T: Object>(
    count: u32,
    list: *const *mut T::Raw,
    name: &'static str,
) -> Result<&'a [&'a T]> {
    if count == 0 {
        return Ok(&[]);
    }
    if list.is_null() {
        return Err(null(name));
    }
    // The first handle is checked outside the loop, because most lists have one entry and the loop costs more than
    // that.
    // SAFETY: `list` has at least one handle, as `object` requires.
    unsafe { object::<T>(*list, name)? };
    for i in 1..count as usize {
        // SAFETY: `list` has `count` handles, each as `object` requires.
        unsafe { object::<T>(*list.add(i), name)? };
    }
    // SAFETY: every handle was just found to be a valid `&T`, and a reference has the same layout as a handle.
    Ok(unsafe { std::slice::from_raw_parts(list.cast::<&T>(), count as usize) })
}

/// Returns objects like [`objects`] does, but refuses an empty list.
///
/// # Safety
///
/// Same as for [`objects`].
#[inline(always)]
pub unsafe fn some_objects<'a, T: Object>(
    count: u32,
    list: *const *mut T::Raw,
    name: &'static str,
) -> Result<&'a [&'a T]> {
    if count == 0 {
        return Err(cold_error(move || {
            Error::invalid_value(format!("{name} is empty; at least one {} is needed", T::NAME))
        }));
    }
    // SAFETY: guaranteed by the caller.
    unsafe { objects(count, list, name) }
}

/// Returns a wait list. If the count is 0, the pointer does not matter, because the runtime passes the address of an
/// empty vector.
///
/// # Safety
///
/// Same as for [`objects`].
#[inline(always)]
unsafe fn waits<'a, E: Object>(count: u32, list: *const *mut E::Raw) -> Result<&'a [&'a E]> {
    // SAFETY: guaranteed by the caller.
    unsafe { objects::<E>(count, list, "event_wait_list") }
        .map_err(|error| cold_error(move || error.with_code(ErrorCode::INVALID_EVENT_WAIT_LIST)))
}

/// Returns the wait list of a command and the place for its event.
///
/// # Safety
///
/// Same as for [`objects`]; `event` must be null or writable.
#[inline(always)]
pub unsafe fn dependencies<'a, E: Object>(
    count: u32,
    list: *const *mut E::Raw,
    event: *mut *mut E::Raw,
) -> Result<Dependencies<'a, E>> {
    // SAFETY: guaranteed by the caller.
    unsafe { Ok(Dependencies { waits: waits(count, list)?, event: EventOut::new(event) }) }
}

/// Returns the sync points of a command in a command buffer.
///
/// # Safety
///
/// If `count` > 0, `list` must be null or contain `count` numbers; `point` must be null or writable.
pub unsafe fn sync_point_dependencies<'a>(
    count: u32,
    list: *const SyncPoint,
    point: *mut SyncPoint,
) -> Result<SyncPointDependencies<'a>> {
    let code = ErrorCode::INVALID_SYNC_POINT_WAIT_LIST_KHR;
    // SAFETY: guaranteed by the caller.
    unsafe {
        let waits = slice(count as usize, list, "sync_point_wait_list");
        let waits = waits.map_err(|error| error.with_code(code))?;
        Ok(SyncPointDependencies { waits, point: point.as_mut() })
    }
}

/// Returns `count` plain values. The pointer of an empty slice does not matter.
///
/// # Safety
///
/// If `count` > 0, `list` must be null or point to `count` initialized values.
#[inline(always)]
pub unsafe fn slice<'a, T: Copy>(count: usize, list: *const T, name: &'static str) -> Result<&'a [T]> {
    if count == 0 {
        return Ok(&[]);
    }
    if list.is_null() {
        return Err(null(name));
    }
    if !list.is_aligned() || count > isize::MAX as usize / size_of::<T>().max(1) {
        return Err(cold_error(move || {
            Error::invalid_value(format!("{name} is misaligned or longer than the address space"))
        }));
    }
    // SAFETY: the list is non-null, aligned and not too long, and has `count` values, as the caller guarantees.
    Ok(unsafe { std::slice::from_raw_parts(list, count) })
}

/// Returns `count` bytes of the caller's memory, all of which must be initialized.
///
/// # Safety
///
/// Same as for [`slice()`].
#[inline(always)]
pub unsafe fn bytes<'a>(count: usize, start: *const c_void, name: &'static str) -> Result<&'a [u8]> {
    // SAFETY: guaranteed by the caller.
    unsafe { slice(count, start.cast::<u8>(), name) }
}

/// Returns the value behind a pointer.
///
/// # Safety
///
/// `pointer` must be null or point to an initialized `T` during `'a`.
#[inline(always)]
pub unsafe fn value<'a, T>(pointer: *const T, name: &'static str) -> Result<&'a T> {
    if pointer.is_null() || !pointer.is_aligned() {
        return Err(null(name));
    }
    // SAFETY: the pointer is non-null, aligned, and initialized as the caller guarantees.
    Ok(unsafe { &*pointer })
}

/// Returns a NUL-terminated string in any encoding.
///
/// # Safety
///
/// `text` must be null or NUL-terminated.
#[inline(always)]
pub unsafe fn c_str<'a>(text: *const c_char, name: &'static str) -> Result<&'a CStr> {
    if text.is_null() {
        return Err(null(name));
    }
    // SAFETY: the text is non-null, and NUL-terminated as the caller guarantees.
    Ok(unsafe { CStr::from_ptr(text) })
}

/// Returns a string like [`c_str`] does, or `None` for null.
///
/// # Safety
///
/// Same as for [`c_str`].
#[inline(always)]
pub unsafe fn c_str_or_null<'a>(text: *const c_char) -> Option<&'a CStr> {
    // SAFETY: guaranteed by the caller.
    unsafe { c_str(text, "").ok() }
}

/// Returns an address that is passed on to the driver and never read here. Null is refused.
#[inline(always)]
pub fn address<T>(pointer: *const T, name: &'static str) -> Result<*mut c_void> {
    if pointer.is_null() { Err(null(name)) } else { Ok(pointer.cast_mut().cast()) }
}

/// Returns the caller's optional place for one value.
///
/// # Safety
///
/// `out` must be null or point to an initialized, writable `T` during `'a`.
#[inline(always)]
pub unsafe fn out_or_null<'a, T>(out: *mut T) -> Option<&'a mut T> {
    // SAFETY: guaranteed by the caller.
    unsafe { out.as_mut() }
}

/// Writes the result of `make` to `out`. A null `out` is refused before `make` is called.
///
/// # Safety
///
/// `out` must be null or writable.
#[inline(always)]
pub unsafe fn put<T>(out: *mut T, name: &'static str, make: impl FnOnce() -> Result<T>) -> Result<()> {
    if out.is_null() {
        return Err(null(name));
    }
    let value = make()?;
    // SAFETY: `out` is not null, so it is writable.
    unsafe { out.write(value) };
    Ok(())
}

/// Passes the object that `make` returns to the caller. A null `out` is refused before `make` is called.
///
/// # Safety
///
/// `out` must be null or writable.
#[inline(always)]
pub unsafe fn create<T: Object>(
    out: *mut *mut T::Raw,
    name: &'static str,
    make: impl FnOnce() -> Result<New<T>>,
) -> Result<()> {
    // SAFETY: guaranteed by the caller.
    unsafe { put(out, name, || make().map(New::into_raw)) }
}

/// Returns an index space.
///
/// # Safety
///
/// `global` must be null or have `dims` numbers, and so must `offset` and `local`.
#[inline(always)]
pub unsafe fn nd_range<'a>(
    dims: u32,
    offset: *const usize,
    global: *const usize,
    local: *const usize,
) -> Result<NdRange<'a>> {
    if !(1..=3).contains(&dims) {
        return Err(bad_dimensions(dims));
    }
    if global.is_null() {
        return Err(null("global_work_size"));
    }
    let dims = dims as usize;
    // SAFETY: each pointer is null or has `dims` numbers.
    unsafe {
        let optional = |list: *const usize| (!list.is_null()).then(|| std::slice::from_raw_parts(list, dims));
        Ok(NdRange {
            offset: optional(offset),
            global: std::slice::from_raw_parts(global, dims),
            local: optional(local),
        })
    }
}

#[inline(always)]
fn bad_dimensions(dims: u32) -> Error {
    cold_error(move || {
        Error::new(ErrorCode::INVALID_WORK_DIMENSION, format!("work_dim is {dims}; 1 to 3 are possible"))
    })
}

/// Returns an origin or region of an image: three consecutive `usize`.
///
/// # Safety
///
/// `triple` must be null or point to three numbers.
pub unsafe fn triple<'a, T>(triple: *const T, name: &'static str) -> Result<&'a [usize; 3]> {
    // SAFETY: guaranteed by the caller.
    unsafe { value(triple.cast(), name) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn a_list_that_cannot_be_one_is_refused_before_it_is_read() {
        let words = [1_u32, 2, 3];
        let start = words.as_ptr();
        // SAFETY: none but the first is read.
        let (whole, odd, endless) = unsafe {
            (
                slice(3, start, "list"),
                slice(2, start.byte_add(1), "list"),
                slice(usize::MAX / 4, start, "list"),
            )
        };
        assert_eq!(whole.unwrap(), words);
        for refused in [odd, endless] {
            let text = "list is misaligned or longer than the address space";
            assert_eq!(refused.unwrap_err().text(), text);
        }
    }

    #[test]
    fn a_structure_at_an_odd_address_is_none() {
        let words = [7_u64, 8];
        // SAFETY: it is aligned and there, or is not read.
        let (there, odd) = unsafe { (value(words.as_ptr(), "it"), value(words.as_ptr().byte_add(4), "it")) };
        assert_eq!(there.unwrap(), &7);
        assert_eq!(odd.unwrap_err().text(), "it is null");
    }

    #[test]
    fn a_range_has_one_to_three_dimensions() {
        let sizes = [4_usize, 5, 6];
        for dims in 0..5 {
            // SAFETY: three sizes, as many as are taken.
            let range = unsafe { nd_range(dims, std::ptr::null(), sizes.as_ptr(), sizes.as_ptr()) };
            let Ok(range) = range else {
                assert!([0, 4].contains(&dims));
                continue;
            };
            assert_eq!((range.dims(), range.global), (dims, &sizes[..dims as usize]));
            assert_eq!((range.offset, range.local), (None, Some(range.global)));
        }
    }
}
