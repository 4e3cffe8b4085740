//! Callers' callbacks and raw pointers.

use std::ffi::{CStr, c_void};

use cudarc::driver::sys::CUfunction;
use sycl_pi_backend::raw::{RawEvent, RawMem};
use sycl_pi_backend::types::{ErrorCode, EventStatus};
use sycl_pi_backend::{Error, Object, Result, view};

use super::library::cuda;

/// Calls the deleter of a context.
pub(crate) fn call_context_deleter(deleter: unsafe extern "C" fn(*mut c_void), user_data: usize) {
    // SAFETY: this is the caller's function with the caller's data.
    unsafe { deleter(std::ptr::with_exposed_provenance_mut(user_data)) };
}

/// Calls an event callback.
pub(crate) fn call_event_notify(
    function: unsafe extern "C" fn(*mut RawEvent, EventStatus, *mut c_void),
    event: *mut RawEvent,
    status: EventStatus,
    user_data: usize,
) {
    // SAFETY: this is the caller's function with the caller's data.
    unsafe { function(event, status, std::ptr::with_exposed_provenance_mut(user_data)) };
}

/// Calls a native kernel with its arguments.
pub(crate) fn call_native(function: unsafe extern "C" fn(*mut c_void), args: &mut [u8]) {
    // SAFETY: this is the caller's function with a copy of the caller's arguments.
    unsafe { function(args.as_mut_ptr().cast()) };
}

/// Writes each binary to the caller's buffer for it, if there is one, and the size of the list of buffers.
pub(crate) fn write_binaries(binaries: &[&[u8]], rooms: *mut c_void, size_ret: *mut usize) {
    let rooms = rooms.cast::<*mut u8>();
    // SAFETY: the list is null or has a buffer for each binary. A buffer is null or has the size reported earlier.
    unsafe {
        if !rooms.is_null() {
            for (index, binary) in binaries.iter().enumerate() {
                let room = rooms.add(index).read_unaligned();
                if !room.is_null() {
                    std::ptr::copy_nonoverlapping(binary.as_ptr(), room, binary.len());
                }
            }
        }
        if !size_ret.is_null() {
            size_ret.write(binaries.len() * size_of::<*mut u8>());
        }
    }
}

/// Returns a function's name.
pub(crate) fn function_name(function: CUfunction) -> Result<String> {
    let mut name = std::ptr::null();
    cuda()?.cuFuncGetName(&mut name, function)?;
    if name.is_null() {
        return Ok(String::new());
    }
    // SAFETY: this is the driver's own text, which lives as long as the module.
    Ok(unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned())
}

/// The memory object whose handle the bytes of an argument are; none for a null handle.
pub(crate) fn mem_argument<M: Object<Raw = RawMem>>(bytes: &[u8]) -> Result<Option<&M>> {
    let word = bytes.try_into().map(usize::from_le_bytes).map_err(|_| {
        let text = format!("the value has {} bytes; a memory object's handle has 8", bytes.len());
        Error::new(ErrorCode::INVALID_ARG_SIZE, text)
    })?;
    let handle = std::ptr::with_exposed_provenance_mut::<RawMem>(word);
    // SAFETY: by OpenCL's rule for arguments that are addresses, the bytes are a handle that this library returned.
    unsafe { view::object_or_null(handle, "the argument's value") }
}
