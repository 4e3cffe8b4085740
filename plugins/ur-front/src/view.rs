//! Views of UR's arguments: those of `sycl_pi_backend::view`, with UR's handles.
#![expect(unsafe_code, reason = "the caller's pointers and handles")]

use std::ffi::c_void;

use smallvec::SmallVec;
use sycl_pi_backend::{Counted, CountedKind, Error, ListOut, NdRange, New, Rect, Result, view};
use sycl_ur_core::*;

use crate::convert::error;
pub(crate) use crate::convert::known_flags;
use crate::handle::{Handle, Reference, UrHandle, UrObject, adopt_child};

pub(crate) use sycl_pi_backend::view::{c_str_or_null, out_or_null};

/// Objects of a list, most often one or two: allocated, a wait for an event would take 333 instructions instead of 146.
pub(crate) type List<'a, T> = SmallVec<[&'a T; 8]>;

fn null_handle(name: &'static str) -> Error {
    error(UR_RESULT_ERROR_INVALID_NULL_HANDLE, format!("{name} is null"))
}

pub(crate) fn null_pointer(name: &'static str) -> Error {
    error(UR_RESULT_ERROR_INVALID_NULL_POINTER, format!("{name} is null"))
}

/// The object behind a handle.
///
/// # Safety
///
/// A non-null `handle` was given out by an adapter and is not released for the last time during `'a`.
#[inline(always)]
pub(crate) unsafe fn object<'a, T: UrObject>(
    handle: UrHandle<T>,
    name: &'static str,
) -> Result<&'a Handle<T>> {
    if handle.is_null() {
        return Err(null_handle(name));
    }
    // SAFETY: guaranteed by the caller.
    unsafe { view::object::<Handle<T>>(handle, name) }
}

/// As [`object`], down to the backend's object.
///
/// # Safety
///
/// Same as for [`object`].
#[inline(always)]
pub(crate) unsafe fn of_backend<'a, T: UrObject>(handle: UrHandle<T>, name: &'static str) -> Result<&'a T> {
    // SAFETY: guaranteed by the caller.
    unsafe { object::<T>(handle, name).map(|object| &***object) }
}

/// As [`object`], of a kind that only this front has.
///
/// # Safety
///
/// Same as for [`object`].
pub(crate) unsafe fn counted<'a, T: CountedKind>(
    handle: *mut T::Raw,
    name: &'static str,
) -> Result<&'a Counted<T>> {
    if handle.is_null() {
        return Err(null_handle(name));
    }
    // SAFETY: guaranteed by the caller.
    unsafe { view::object::<Counted<T>>(handle, name) }
}

/// As [`object`], where null is allowed.
///
/// # Safety
///
/// Same as for [`object`].
#[inline(always)]
pub(crate) unsafe fn object_or_null<'a, T: UrObject>(
    handle: UrHandle<T>,
    name: &'static str,
) -> Result<Option<&'a Handle<T>>> {
    // SAFETY: guaranteed by the caller.
    unsafe { if handle.is_null() { Ok(None) } else { object(handle, name).map(Some) } }
}

/// `count` objects. An empty list may have any pointer.
///
/// # Safety
///
/// With `count` > 0, `list` is null or points to `count` handles, each as [`object`] demands.
#[inline(always)]
pub(crate) unsafe fn objects<'a, T: UrObject>(
    count: u32,
    list: *const UrHandle<T>,
    name: &'static str,
) -> Result<List<'a, T>> {
    let mut objects = List::new();
    if count > 0 && list.is_null() {
        return Err(null_pointer(name));
    }
    for i in 0..count as usize {
        // SAFETY: the list has `count` handles, each as `object` demands.
        let object: &'a Reference<T> = unsafe { object::<T>(*list.add(i), name)? };
        objects.push(&**object);
    }
    Ok(objects)
}

/// As [`objects`], but an empty list is refused.
///
/// # Safety
///
/// Same as for [`objects`].
pub(crate) unsafe fn some_objects<'a, T: UrObject>(
    count: u32,
    list: *const UrHandle<T>,
    name: &'static str,
) -> Result<List<'a, T>> {
    address(list, name)?;
    if count == 0 {
        let text = format!("{name} is empty; at least one {} is needed", T::NAME);
        return Err(error(UR_RESULT_ERROR_INVALID_SIZE, text));
    }
    // SAFETY: guaranteed by the caller.
    unsafe { objects(count, list, name) }
}

/// `count` plain values. An empty slice may have any pointer.
///
/// # Safety
///
/// With `count` > 0, `list` is null or points to `count` initialised values.
#[inline(always)]
pub(crate) unsafe fn slice<'a, T: Copy>(count: usize, list: *const T, name: &'static str) -> Result<&'a [T]> {
    if count > 0 && list.is_null() {
        return Err(null_pointer(name));
    }
    // SAFETY: guaranteed by the caller.
    unsafe { view::slice(count, list, name) }
}

/// An index space.
///
/// # Safety
///
/// `global` is null or has `dims` numbers; `offset` and `local` likewise.
#[inline(always)]
pub(crate) unsafe fn nd_range<'a>(
    dims: u32,
    offset: *const usize,
    global: *const usize,
    local: *const usize,
) -> Result<NdRange<'a>> {
    address(global, "pGlobalWorkSize")?;
    // SAFETY: guaranteed by the caller.
    unsafe { view::nd_range(dims, offset, global, local) }
}

/// A value behind a pointer.
///
/// # Safety
///
/// `pointer` is null or points to an initialised `T` during `'a`.
#[inline(always)]
pub(crate) unsafe fn value<'a, T>(pointer: *const T, name: &'static str) -> Result<&'a T> {
    if pointer.is_null() {
        return Err(null_pointer(name));
    }
    // SAFETY: guaranteed by the caller.
    unsafe { view::value(pointer, name) }
}

/// An address that is handed on to the driver and never read here; null is refused.
#[inline(always)]
pub(crate) fn address<T>(pointer: *const T, name: &'static str) -> Result<*mut c_void> {
    if pointer.is_null() { Err(null_pointer(name)) } else { Ok(pointer.cast_mut().cast()) }
}

/// A NUL-terminated text.
///
/// # Safety
///
/// `text` is null or NUL-terminated.
pub(crate) unsafe fn c_str<'a>(
    text: *const std::ffi::c_char,
    name: &'static str,
) -> Result<&'a std::ffi::CStr> {
    address(text, name)?;
    // SAFETY: guaranteed by the caller.
    unsafe { view::c_str(text, name) }
}

/// `count` bytes of the caller's memory; null is refused even for none.
///
/// # Safety
///
/// Same as for [`slice`].
pub(crate) unsafe fn bytes<'a>(count: usize, start: *const c_void, name: &'static str) -> Result<&'a [u8]> {
    address(start, name)?;
    // SAFETY: guaranteed by the caller.
    unsafe { view::bytes(count, start, name) }
}

/// Writes what `make` returns to `out`; a null `out` is refused before anything is done.
///
/// # Safety
///
/// `out` is null or writable.
#[inline(always)]
pub(crate) unsafe fn put<T>(out: *mut T, name: &'static str, make: impl FnOnce() -> Result<T>) -> Result<()> {
    address(out, name)?;
    // SAFETY: guaranteed by the caller.
    unsafe { view::put(out, name, make) }
}

/// Hands the object that `make` returns to the caller. The handle of its parent lives as long as it.
///
/// # Safety
///
/// `out` is null or writable.
pub(crate) unsafe fn create<T: UrObject, P: UrObject>(
    out: *mut UrHandle<T>,
    name: &'static str,
    parent: &Handle<P>,
    make: impl FnOnce() -> Result<New<T>>,
) -> Result<()> {
    // SAFETY: guaranteed by the caller.
    unsafe { put(out, name, || make().map(|new| adopt_child(new, parent))) }
}

/// Handles that a backend lists, turned into the caller's list by `handle`. `names` are the parameters of the list and its count.
///
/// # Safety
///
/// `out` is null or writable for `capacity` handles; `count` is null or writable.
pub(crate) unsafe fn list<T: UrObject>(
    capacity: u32,
    out: *mut UrHandle<T>,
    count: *mut u32,
    names: &'static str,
    ask: impl Fn(ListOut<'_, T>) -> Result<()>,
    handle: impl Fn(*mut T::Raw) -> UrHandle<T>,
) -> Result<()> {
    if !out.is_null() && capacity == 0 {
        return Err(error(
            UR_RESULT_ERROR_INVALID_SIZE,
            format!("the list of {names} has room for 0 entries"),
        ));
    }
    if out.is_null() && capacity > 0 {
        return Err(null_pointer(names));
    }
    if out.is_null() && count.is_null() {
        return Err(Error::invalid_value(format!("{names}: one of them has to be given")));
    }
    let mut available = 0;
    // SAFETY: no list, and a local variable.
    ask(unsafe { ListOut::new(0, std::ptr::null_mut(), &mut available, names)? })?;
    if !out.is_null() && available > 0 {
        let wanted = capacity.min(available);
        let mut raw = vec![std::ptr::null_mut(); wanted as usize];
        // SAFETY: the vector has `wanted` places, and at least one.
        ask(unsafe { ListOut::new(wanted, raw.as_mut_ptr(), std::ptr::null_mut(), names)? })?;
        for (i, raw) in raw.into_iter().enumerate() {
            // SAFETY: `i` is below the capacity.
            unsafe { out.add(i).write(handle(raw)) };
        }
    }
    if !count.is_null() {
        // SAFETY: not null, so writable.
        unsafe { count.write(available) };
    }
    Ok(())
}

/// The structure of a type in a chain of structures: each starts with its type and the next one.
///
/// # Safety
///
/// `chain` is null or such a chain, and the structure of that type is a `T`.
pub(crate) unsafe fn chained<'a, T>(chain: *const c_void, stype: ur_structure_type_t) -> Option<&'a T> {
    let mut next = chain.cast::<ur_base_desc_t>();
    // SAFETY: null, or a structure that starts with its type and the next one.
    while let Some(structure) = unsafe { next.as_ref() } {
        if structure.stype == stype {
            // SAFETY: the caller's promise about that type.
            return unsafe { next.cast::<T>().as_ref() };
        }
        next = structure.pNext.cast();
    }
    None
}

/// A corner of a box.
pub(crate) fn offset(offset: ur_rect_offset_t) -> [usize; 3] {
    [offset.x as usize, offset.y as usize, offset.z as usize]
}

/// The size of a box.
pub(crate) fn extent(region: ur_rect_region_t) -> [usize; 3] {
    [region.width as usize, region.height as usize, region.depth as usize]
}

/// A box in each of two memories; pitches are [first row, first slice, second row, second slice].
pub(crate) fn rect<'a>(
    first_origin: &'a [usize; 3],
    second_origin: &'a [usize; 3],
    region: &'a [usize; 3],
    pitches: [usize; 4],
) -> Rect<'a> {
    Rect {
        first_origin,
        second_origin,
        region,
        first_row_pitch: pitches[0],
        first_slice_pitch: pitches[1],
        second_row_pitch: pitches[2],
        second_slice_pitch: pitches[3],
    }
}
