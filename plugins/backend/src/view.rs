//! Views of callers' memory: null, kind and length are checked, then safe code works with references and slices.
//!
//! What cannot be checked is the caller's promise (the interface is C): that a non-null pointer points to what its
//! parameter names, for the length that its count states, until the call returns.
#![expect(unsafe_code, reason = "the caller's memory")]

use std::ffi::{CStr, c_char, c_void};
use std::ptr::NonNull;

use crate::types::{ErrorCode, SyncPoint};
use crate::{Dependencies, Error, EventOut, NdRange, New, Object, Result, SyncPointDependencies, cold_error};

#[cold]
fn bad_object<T: Object>(name: &'static str, is_null: bool) -> Error {
    let problem = if is_null { "is null" } else { "is no live handle of its kind" };
    Error::new(T::INVALID, format!("{name} {problem}; expected: {}", T::NAME))
}

#[inline(always)]
fn null(name: &'static str) -> Error {
    cold_error(move || Error::invalid_value(format!("{name} is null")))
}

/// The object behind a handle.
///
/// # Safety
///
/// A non-null `raw` is a handle that the library gave out, not yet released for the last time during `'a`.
#[inline(always)]
pub unsafe fn object<'a, T: Object>(raw: *mut T::Raw, name: &'static str) -> Result<&'a T> {
    match NonNull::new(raw) {
        // SAFETY: `raw` is non-null.
        Some(raw) if unsafe { T::is_live(raw) } => {
            // SAFETY: `Object` promises a valid `&T` for a handle that `is_live` accepted.
            Ok(unsafe { raw.cast::<T>().as_ref() })
        }
        raw => Err(bad_object::<T>(name, raw.is_none())),
    }
}

/// As [`object`], where null is allowed.
///
/// # Safety
///
/// As [`object`].
#[inline(always)]
pub unsafe fn object_or_null<'a, T: Object>(raw: *mut T::Raw, name: &'static str) -> Result<Option<&'a T>> {
    if raw.is_null() {
        return Ok(None);
    }
    // SAFETY: passed on.
    unsafe { object(raw, name).map(Some) }
}

/// `count` objects; each one is checked. An empty list may have any pointer, but `needed` refuses an empty one.
///
/// # Safety
///
/// With `count` > 0, `list` is null or points to `count` handles, each as [`object`] demands.
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
    // The first by itself: most lists have one entry, and the loop costs more than that.
    // SAFETY: `list` has at least one handle, as `object` demands.
    unsafe { object::<T>(*list, name)? };
    for i in 1..count as usize {
        // SAFETY: `list` has `count` handles, each as `object` demands.
        unsafe { object::<T>(*list.add(i), name)? };
    }
    // SAFETY: every handle was just seen to be a valid `&T`, and a reference has the handle's layout.
    Ok(unsafe { std::slice::from_raw_parts(list.cast::<&T>(), count as usize) })
}

/// As [`objects`], but an empty list is refused.
///
/// # Safety
///
/// As [`objects`].
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
    // SAFETY: passed on.
    unsafe { objects(count, list, name) }
}

/// A wait list. With count 0 the pointer does not matter: the runtime passes the address of an empty vector.
///
/// # Safety
///
/// As [`objects`].
#[inline(always)]
unsafe fn waits<'a, E: Object>(count: u32, list: *const *mut E::Raw) -> Result<&'a [&'a E]> {
    // SAFETY: passed on.
    unsafe { objects::<E>(count, list, "event_wait_list") }
        .map_err(|error| cold_error(move || error.with_code(ErrorCode::INVALID_EVENT_WAIT_LIST)))
}

/// A command's wait list and the place of its event.
///
/// # Safety
///
/// As [`objects`]; `event` is null or writable.
#[inline(always)]
pub unsafe fn dependencies<'a, E: Object>(
    count: u32,
    list: *const *mut E::Raw,
    event: *mut *mut E::Raw,
) -> Result<Dependencies<'a, E>> {
    // SAFETY: passed on.
    unsafe { Ok(Dependencies { waits: waits(count, list)?, event: EventOut::new(event) }) }
}

/// A command's sync points in a command buffer.
///
/// # Safety
///
/// With `count` > 0, `list` is null or has `count` numbers; `point` is null or writable.
pub unsafe fn sync_point_dependencies<'a>(
    count: u32,
    list: *const SyncPoint,
    point: *mut SyncPoint,
) -> Result<SyncPointDependencies<'a>> {
    let code = ErrorCode::INVALID_SYNC_POINT_WAIT_LIST_KHR;
    // SAFETY: passed on.
    unsafe {
        let waits = slice(count as usize, list, "sync_point_wait_list");
        let waits = waits.map_err(|error| error.with_code(code))?;
        Ok(SyncPointDependencies { waits, point: point.as_mut() })
    }
}

/// `count` plain values. An empty slice may have any pointer.
///
/// # Safety
///
/// With `count` > 0, `list` is null or points to `count` initialised values.
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
    // SAFETY: non-null, aligned, not too long, and of `count` values as the caller promises.
    Ok(unsafe { std::slice::from_raw_parts(list, count) })
}

/// `count` bytes of the caller's memory; none may be missing.
///
/// # Safety
///
/// As [`slice()`].
#[inline(always)]
pub unsafe fn bytes<'a>(count: usize, start: *const c_void, name: &'static str) -> Result<&'a [u8]> {
    // SAFETY: passed on.
    unsafe { slice(count, start.cast::<u8>(), name) }
}

/// A value behind a pointer.
///
/// # Safety
///
/// `pointer` is null or points to an initialised `T` during `'a`.
#[inline(always)]
pub unsafe fn value<'a, T>(pointer: *const T, name: &'static str) -> Result<&'a T> {
    if pointer.is_null() || !pointer.is_aligned() {
        return Err(null(name));
    }
    // SAFETY: non-null, aligned, and initialised as the caller promises.
    Ok(unsafe { &*pointer })
}

/// A NUL-terminated text, in whatever encoding.
///
/// # Safety
///
/// `text` is null or NUL-terminated.
#[inline(always)]
pub unsafe fn c_str<'a>(text: *const c_char, name: &'static str) -> Result<&'a CStr> {
    if text.is_null() {
        return Err(null(name));
    }
    // SAFETY: non-null, and NUL-terminated as the caller promises.
    Ok(unsafe { CStr::from_ptr(text) })
}

/// As [`c_str`], where null is allowed.
///
/// # Safety
///
/// As [`c_str`].
#[inline(always)]
pub unsafe fn c_str_or_null<'a>(text: *const c_char) -> Option<&'a CStr> {
    // SAFETY: passed on.
    unsafe { c_str(text, "").ok() }
}

/// An address that is handed on to the driver and never read here; null is refused.
#[inline(always)]
pub fn address<T>(pointer: *const T, name: &'static str) -> Result<*mut c_void> {
    if pointer.is_null() { Err(null(name)) } else { Ok(pointer.cast_mut().cast()) }
}

/// A caller's place for one value, optional.
///
/// # Safety
///
/// `out` is null or points to an initialised, writable `T` during `'a`.
#[inline(always)]
pub unsafe fn out_or_null<'a, T>(out: *mut T) -> Option<&'a mut T> {
    // SAFETY: passed on.
    unsafe { out.as_mut() }
}

/// Writes what `make` returns to `out`; a null `out` is refused before anything is done.
///
/// # Safety
///
/// `out` is null or writable.
#[inline(always)]
pub unsafe fn put<T>(out: *mut T, name: &'static str, make: impl FnOnce() -> Result<T>) -> Result<()> {
    if out.is_null() {
        return Err(null(name));
    }
    let value = make()?;
    // SAFETY: not null, so writable.
    unsafe { out.write(value) };
    Ok(())
}

/// Hands the object that `make` returns to the caller; a null `out` is refused before anything is made.
///
/// # Safety
///
/// `out` is null or writable.
#[inline(always)]
pub unsafe fn create<T: Object>(
    out: *mut *mut T::Raw,
    name: &'static str,
    make: impl FnOnce() -> Result<New<T>>,
) -> Result<()> {
    // SAFETY: passed on.
    unsafe { put(out, name, || make().map(New::into_raw)) }
}

/// An index space.
///
/// # Safety
///
/// `global` is null or has `dims` numbers; `offset` and `local` likewise.
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
    // SAFETY: each is null or has `dims` numbers.
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

/// An origin or region of an image: three `usize` in a row.
///
/// # Safety
///
/// `triple` is null or points to three numbers.
pub unsafe fn triple<'a, T>(triple: *const T, name: &'static str) -> Result<&'a [usize; 3]> {
    // SAFETY: passed on.
    unsafe { value(triple.cast(), name) }
}
