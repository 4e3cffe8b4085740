//! Views of PI's arguments: the functions of `sycl_pi_backend::view` for PI's handle types.
#![expect(unsafe_code, reason = "the caller's memory")]

use std::ffi::{CStr, c_char, c_void};

use sycl_pi_backend::raw::*;
use sycl_pi_backend::types::SyncPoint;
use sycl_pi_backend::{
    Dependencies, Error, Info, ListOut, New, Object, Rect, Result, SyncPointDependencies, cold_error, view,
};
use sycl_pi_core::*;

pub(crate) use sycl_pi_backend::view::{
    address, bytes, c_str, c_str_or_null, nd_range, out_or_null, put, slice, triple, value,
};

/// Associates PI's handle of an object with the type that it points to.
pub(crate) trait PiHandle {
    /// The type, for example `_pi_queue`.
    type Pi;
}

macro_rules! pi_handles {
    ($($raw:ident $pi:ident;)*) => { $(
        impl PiHandle for $raw {
            type Pi = $pi;
        }
    )* };
}

pi_handles! {
    RawPlatform _pi_platform;
    RawDevice _pi_device;
    RawContext _pi_context;
    RawQueue _pi_queue;
    RawMem _pi_mem;
    RawProgram _pi_program;
    RawKernel _pi_kernel;
    RawEvent _pi_event;
    RawSampler _pi_sampler;
    RawCommandBuffer _pi_ext_command_buffer;
}

/// An object that has a handle type in PI.
pub(crate) trait PiObject: Object<Raw: PiHandle> {}
impl<T: Object<Raw: PiHandle>> PiObject for T {}
/// PI's handle of an object.
pub(crate) type Handle<T> = *mut <<T as Object>::Raw as PiHandle>::Pi;

/// Returns the object behind a handle.
///
/// # Safety
///
/// Same as for [`view::object`].
#[inline(always)]
pub(crate) unsafe fn object<'a, T: PiObject>(handle: Handle<T>, name: &'static str) -> Result<&'a T> {
    // SAFETY: guaranteed by the caller.
    unsafe { view::object(handle.cast(), name) }
}

/// Returns the object behind a handle, or `None` for null.
///
/// # Safety
///
/// Same as for [`view::object_or_null`].
#[inline(always)]
pub(crate) unsafe fn object_or_null<'a, T: PiObject>(
    handle: Handle<T>, name: &'static str,
) -> Result<Option<&'a T>> {
    // SAFETY: guaranteed by the caller.
    unsafe { view::object_or_null(handle.cast(), name) }
}

/// Returns `count` objects.
///
/// # Safety
///
/// Same as for [`view::objects`].
#[inline(always)]
pub(crate) unsafe fn objects<'a, T: PiObject>(
    count: u32, list: *const Handle<T>, name: &'static str,
) -> Result<&'a [&'a T]> {
    // SAFETY: guaranteed by the caller.
    unsafe { view::objects(count, list.cast(), name) }
}

/// Returns objects like [`objects`] does, but refuses an empty list.
///
/// # Safety
///
/// Same as for [`view::some_objects`].
#[inline(always)]
pub(crate) unsafe fn some_objects<'a, T: PiObject>(
    count: u32, list: *const Handle<T>, name: &'static str,
) -> Result<&'a [&'a T]> {
    // SAFETY: guaranteed by the caller.
    unsafe { view::some_objects(count, list.cast(), name) }
}

/// Passes the object that `make` returns to the caller.
///
/// # Safety
///
/// Same as for [`view::create`].
#[inline(always)]
pub(crate) unsafe fn create<T: PiObject>(
    out: *mut Handle<T>, name: &'static str, make: impl FnOnce() -> Result<New<T>>,
) -> Result<()> {
    // SAFETY: guaranteed by the caller.
    unsafe { view::create(out.cast(), name, make) }
}

/// Returns the wait list of a command and the place for its event.
///
/// # Safety
///
/// Same as for [`view::dependencies`].
#[inline(always)]
pub(crate) unsafe fn dependencies<'a, E: PiObject>(
    count: u32, list: *const Handle<E>, event: *mut Handle<E>,
) -> Result<Dependencies<'a, E>> {
    // SAFETY: guaranteed by the caller.
    unsafe { view::dependencies(count, list.cast(), event.cast()) }
}

/// Returns the sync points of a command in a command buffer.
///
/// # Safety
///
/// Same as for [`view::sync_point_dependencies`].
pub(crate) unsafe fn sync_points<'a>(
    count: u32, list: *const SyncPoint, point: *mut SyncPoint,
) -> Result<SyncPointDependencies<'a>> {
    // SAFETY: guaranteed by the caller.
    unsafe { view::sync_point_dependencies(count, list, point) }
}

/// Returns the caller's list of handles and the place for their count.
///
/// # Safety
///
/// Same as for [`ListOut::new`].
#[inline(always)]
pub(crate) unsafe fn list_out<'a, T: PiObject>(
    capacity: u32, items: *mut Handle<T>, count: *mut u32, name: &'static str,
) -> Result<ListOut<'a, T>> {
    // SAFETY: guaranteed by the caller.
    unsafe { ListOut::new(capacity, items.cast(), count, name) }
}

/// Answers an info query.
///
/// A buffer of size 0 is enough for an empty answer. A query with neither a buffer nor a place for the size is refused
/// unless the answer is empty, because runtimes make such queries with the pointers of an empty vector.
///
/// # Safety
///
/// `value` must be null or writable for `size` bytes; `size_ret` must be null or writable.
#[inline(always)]
pub(crate) unsafe fn answer(
    size: usize, value: *mut c_void, size_ret: *mut usize, query: impl FnOnce(Info<'_>) -> Result<()>,
) -> Result<()> {
    let mut needed = 0;
    let nothing_asked = value.is_null() && size_ret.is_null();
    let size_ret = if nothing_asked { &raw mut needed } else { size_ret };
    // SAFETY: guaranteed by the caller, or the pointer is to a local variable.
    query(unsafe { Info::new(size, value, size_ret) })?;
    if needed != 0 {
        return Err(cold_error(|| {
            Error::invalid_value("both param_value and param_value_size_ret are null")
        }));
    }
    Ok(())
}

/// The parameters for the start of a box in a buffer and in the caller's memory.
pub(crate) const BUFFER_AND_HOST: [&str; 2] = ["buffer_offset", "host_offset"];
/// The parameters for the start of a box in each of two buffers.
pub(crate) const SOURCE_AND_DESTINATION: [&str; 2] = ["src_origin", "dst_origin"];

/// Returns a box in each of two memories. Pitches are [first row, first slice, second row, second slice]. `origins` are
/// the names of the first two parameters.
///
/// # Safety
///
/// The three pointers must be null or point to their structures.
pub(crate) unsafe fn rect<'a>(
    origins: &'static [&'static str; 2], first_origin: pi_buff_rect_offset,
    second_origin: pi_buff_rect_offset, region: pi_buff_rect_region, pitches: [usize; 4],
) -> Result<Rect<'a>> {
    // SAFETY: both structures are three consecutive `usize` (asserted in pi-core).
    unsafe {
        Ok(Rect {
            first_origin: triple(first_origin, origins[0])?,
            second_origin: triple(second_origin, origins[1])?,
            region: triple(region, "region")?,
            first_row_pitch: pitches[0],
            first_slice_pitch: pitches[1],
            second_row_pitch: pitches[2],
            second_slice_pitch: pitches[3],
        })
    }
}

/// Returns the target of a device image.
///
/// # Safety
///
/// `image` must be null or point to a device image, whose strings are null or NUL-terminated.
pub(crate) unsafe fn target_of<'a>(image: pi_device_binary) -> Result<&'a CStr> {
    // SAFETY: guaranteed by the caller.
    unsafe {
        let image = value(image.cast_const(), "an entry of binaries")?;
        c_str(image.DeviceTargetSpec.cast::<c_char>(), "DeviceTargetSpec of an entry of binaries")
    }
}
