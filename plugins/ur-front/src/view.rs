//! Views of UR's arguments: the functions of `sycl_pi_backend::view` for UR's handles.
#![expect(unsafe_code, reason = "the caller's pointers and handles")]

use std::ffi::c_void;

use smallvec::SmallVec;
use sycl_pi_backend::{Counted, CountedKind, Error, ListOut, NdRange, New, Rect, Result, view};
use sycl_ur_core::*;

use crate::convert::error;
pub(crate) use crate::convert::known_flags;
use crate::handle::{Handle, Reference, UrHandle, UrObject, adopt_child};

pub(crate) use sycl_pi_backend::view::{c_str_or_null, out_or_null};

/// A list of objects, usually one or two. With a heap allocation, a wait for an event would take 333 instructions
/// instead of 146.
pub(crate) type List<'a, T> = SmallVec<[&'a T; 8]>;

fn null_handle(name: &'static str) -> Error {
    error(UR_RESULT_ERROR_INVALID_NULL_HANDLE, format!("{name} is null"))
}

pub(crate) fn null_pointer(name: &'static str) -> Error {
    error(UR_RESULT_ERROR_INVALID_NULL_POINTER, format!("{name} is null"))
}

/// Returns the object behind a handle.
///
/// # Safety
///
/// A non-null `handle` must be a handle from an adapter that is not released for the last time during `'a`.
#[inline(always)]
pub(crate) unsafe fn object<'a, T: UrObject>(
    handle: UrHandle<T>, name: &'static str,
) -> Result<&'a Handle<T>> {
    if handle.is_null() {
        return Err(null_handle(name));
    }
    // SAFETY: guaranteed by the caller.
    unsafe { view::object::<Handle<T>>(handle, name) }
}

/// Returns the backend's object behind a handle.
///
/// # Safety
///
/// Same as for [`object`].
#[inline(always)]
pub(crate) unsafe fn of_backend<'a, T: UrObject>(handle: UrHandle<T>, name: &'static str) -> Result<&'a T> {
    // SAFETY: guaranteed by the caller.
    unsafe { object::<T>(handle, name).map(|object| &***object) }
}

/// Returns the object behind a handle of a kind that only this front has.
///
/// # Safety
///
/// Same as for [`object`].
pub(crate) unsafe fn counted<'a, T: CountedKind>(
    handle: *mut T::Raw, name: &'static str,
) -> Result<&'a Counted<T>> {
    if handle.is_null() {
        return Err(null_handle(name));
    }
    // SAFETY: guaranteed by the caller.
    unsafe { view::object::<Counted<T>>(handle, name) }
}

/// Returns the object behind a handle, or `None` for null.
///
/// # Safety
///
/// Same as for [`object`].
#[inline(always)]
pub(crate) unsafe fn object_or_null<'a, T: UrObject>(
    handle: UrHandle<T>, name: &'static str,
) -> Result<Option<&'a Handle<T>>> {
    // SAFETY: guaranteed by the caller.
    unsafe { if handle.is_null() { Ok(None) } else { object(handle, name).map(Some) } }
}

/// Returns `count` objects. The pointer of an empty list does not matter.
///
/// # Safety
///
/// If `count` > 0, `list` must be null or point to `count` handles, each as [`object`] requires.
#[inline(always)]
pub(crate) unsafe fn objects<'a, T: UrObject>(
    count: u32, list: *const UrHandle<T>, name: &'static str,
) -> Result<List<'a, T>> {
    let mut objects = List::new();
    if count > 0 && list.is_null() {
        return Err(null_pointer(name));
    }
    for i in 0..count as usize {
        // SAFETY: the list has `count` handles, each as `object` requires.
        let object: &'a Reference<T> = unsafe { object::<T>(*list.add(i), name)? };
        objects.push(&**object);
    }
    Ok(objects)
}

/// Returns objects like [`objects`] does, but refuses an empty list.
///
/// # Safety
///
/// Same as for [`objects`].
pub(crate) unsafe fn some_objects<'a, T: UrObject>(
    count: u32, list: *const UrHandle<T>, name: &'static str,
) -> Result<List<'a, T>> {
    address(list, name)?;
    if count == 0 {
        let text = format!("{name} is empty; at least one {} is needed", T::NAME);
        return Err(error(UR_RESULT_ERROR_INVALID_SIZE, text));
    }
    // SAFETY: guaranteed by the caller.
    unsafe { objects(count, list, name) }
}

/// Returns `count` plain values. The pointer of an empty slice does not matter.
///
/// # Safety
///
/// If `count` > 0, `list` must be null or point to `count` initialized values.
#[inline(always)]
pub(crate) unsafe fn slice<'a, T: Copy>(count: usize, list: *const T, name: &'static str) -> Result<&'a [T]> {
    if count > 0 && list.is_null() {
        return Err(null_pointer(name));
    }
    // SAFETY: guaranteed by the caller.
    unsafe { view::slice(count, list, name) }
}

/// Returns an index space.
///
/// # Safety
///
/// `global` must be null or have `dims` numbers, and so must `offset` and `local`.
#[inline(always)]
pub(crate) unsafe fn nd_range<'a>(
    dims: u32, offset: *const usize, global: *const usize, local: *const usize,
) -> Result<NdRange<'a>> {
    address(global, "pGlobalWorkSize")?;
    // SAFETY: guaranteed by the caller.
    unsafe { view::nd_range(dims, offset, global, local) }
}

/// Returns the value behind a pointer.
///
/// # Safety
///
/// `pointer` must be null or point to an initialized `T` during `'a`.
#[inline(always)]
pub(crate) unsafe fn value<'a, T>(pointer: *const T, name: &'static str) -> Result<&'a T> {
    if pointer.is_null() {
        return Err(null_pointer(name));
    }
    // SAFETY: guaranteed by the caller.
    unsafe { view::value(pointer, name) }
}

/// Returns an address that is passed on to the driver and never read here. Null is refused.
#[inline(always)]
pub(crate) fn address<T>(pointer: *const T, name: &'static str) -> Result<*mut c_void> {
    if pointer.is_null() { Err(null_pointer(name)) } else { Ok(pointer.cast_mut().cast()) }
}

/// Returns a NUL-terminated string.
///
/// # Safety
///
/// `text` must be null or NUL-terminated.
pub(crate) unsafe fn c_str<'a>(
    text: *const std::ffi::c_char, name: &'static str,
) -> Result<&'a std::ffi::CStr> {
    address(text, name)?;
    // SAFETY: guaranteed by the caller.
    unsafe { view::c_str(text, name) }
}

/// Returns `count` bytes of the caller's memory. Null is refused even if `count` is 0.
///
/// # Safety
///
/// Same as for [`slice`].
pub(crate) unsafe fn bytes<'a>(count: usize, start: *const c_void, name: &'static str) -> Result<&'a [u8]> {
    address(start, name)?;
    // SAFETY: guaranteed by the caller.
    unsafe { view::bytes(count, start, name) }
}

/// Writes the result of `make` to `out`. A null `out` is refused before `make` is called.
///
/// # Safety
///
/// `out` must be null or writable.
#[inline(always)]
pub(crate) unsafe fn put<T>(out: *mut T, name: &'static str, make: impl FnOnce() -> Result<T>) -> Result<()> {
    address(out, name)?;
    // SAFETY: guaranteed by the caller.
    unsafe { view::put(out, name, make) }
}

/// Passes the object that `make` returns to the caller. The object keeps the handle of its parent alive.
///
/// # Safety
///
/// `out` must be null or writable.
pub(crate) unsafe fn create<T: UrObject, P: UrObject>(
    out: *mut UrHandle<T>, name: &'static str, parent: &Handle<P>, make: impl FnOnce() -> Result<New<T>>,
) -> Result<()> {
    // SAFETY: guaranteed by the caller.
    unsafe { put(out, name, || make().map(|new| adopt_child(new, parent))) }
}

/// Writes the handles that a backend lists to the caller's list, after converting each with `handle`. `names` are the
/// parameters of the list and its count.
///
/// # Safety
///
/// `out` must be null or writable for `capacity` handles; `count` must be null or writable.
pub(crate) unsafe fn list<T: UrObject>(
    capacity: u32, out: *mut UrHandle<T>, count: *mut u32, names: &'static str,
    ask: impl Fn(ListOut<'_, T>) -> Result<()>, handle: impl Fn(*mut T::Raw) -> UrHandle<T>,
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
    // SAFETY: there is no list, and the count is a local variable.
    ask(unsafe { ListOut::new(0, std::ptr::null_mut(), &mut available, names)? })?;
    if !out.is_null() && available > 0 {
        let wanted = capacity.min(available);
        let mut raw = vec![std::ptr::null_mut(); wanted as usize];
        // SAFETY: the vector has `wanted` places, which is at least one.
        ask(unsafe { ListOut::new(wanted, raw.as_mut_ptr(), std::ptr::null_mut(), names)? })?;
        for (i, raw) in raw.into_iter().enumerate() {
            // SAFETY: `i` is below the capacity.
            unsafe { out.add(i).write(handle(raw)) };
        }
    }
    if !count.is_null() {
        // SAFETY: the pointer is not null, so it is writable.
        unsafe { count.write(available) };
    }
    Ok(())
}

/// Finds the structure of a type in a chain of structures, each of which starts with its type and the pointer to the
/// next one.
///
/// # Safety
///
/// `chain` must be null or such a chain, and the structure of that type must be a `T`.
pub(crate) unsafe fn chained<'a, T>(chain: *const c_void, stype: ur_structure_type_t) -> Option<&'a T> {
    let mut next = chain.cast::<ur_base_desc_t>();
    // SAFETY: the pointer is null, or points to a structure that starts with its type and the pointer to the next one.
    while let Some(structure) = unsafe { next.as_ref() } {
        if structure.stype == stype {
            // SAFETY: the caller guarantees the structure of that type.
            return unsafe { next.cast::<T>().as_ref() };
        }
        next = structure.pNext.cast();
    }
    None
}

/// Returns a corner of a box.
pub(crate) fn offset(offset: ur_rect_offset_t) -> [usize; 3] {
    [offset.x as usize, offset.y as usize, offset.z as usize]
}

/// Returns the size of a box.
pub(crate) fn extent(region: ur_rect_region_t) -> [usize; 3] {
    [region.width as usize, region.height as usize, region.depth as usize]
}

/// Returns a box in each of two memories. Pitches are [first row, first slice, second row, second slice].
pub(crate) fn rect<'a>(
    first_origin: &'a [usize; 3], second_origin: &'a [usize; 3], region: &'a [usize; 3], pitches: [usize; 4],
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
