//! Copies to and from device globals, by unique id or by the address of the host variable.
#![expect(unsafe_code, reason = "C functions: the caller vouches for its pointers")]

use std::ffi::{c_char, c_void};

use sycl_pi_runtime::{Error, Result};

use crate::fail::{bytes, fenced, text};
use crate::session::{Session, session};

/// Copies bytes to a device global, by its unique id.
///
/// # Safety
/// `this` is null or a session that was not closed. `unique_id` is null or ends with a zero byte. `from` is null or has `size`
/// bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pi_runtime_copy_to_global(
    this: *mut Session,
    unique_id: *const c_char,
    offset: usize,
    from: *const c_void,
    size: usize,
) -> i32 {
    fenced(|| {
        // SAFETY: guaranteed by the caller.
        let (this, id) = unsafe { (session(this)?, text(unique_id, "the unique id")?) };
        // SAFETY: guaranteed by the caller.
        let value = unsafe { bytes(from, size, "the value") }?;
        this.runtime().copy_to_device_global(&this.queue()?, id, offset, value)
    })
}

/// Copies bytes from a device global, by its unique id.
///
/// # Safety
/// The requirements of [`pi_runtime_copy_to_global`] apply; `to` is null or has space for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pi_runtime_copy_from_global(
    this: *mut Session,
    unique_id: *const c_char,
    offset: usize,
    to: *mut c_void,
    size: usize,
) -> i32 {
    fenced(|| {
        // SAFETY: guaranteed by the caller.
        let (this, id) = unsafe { (session(this)?, text(unique_id, "the unique id")?) };
        let read = || this.runtime().device_global_bytes(&this.queue()?, id, offset, size);
        // SAFETY: guaranteed by the caller.
        unsafe { write_value(to, size, read) }
    })
}

/// Copies bytes to the device global whose host variable is at `host`, as `pi_runtime_add_device_global` registered it.
///
/// # Safety
/// `this` is null or a session that was not closed. `host` is not read. `from` is null or has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pi_runtime_memcpy_to_device_global(
    this: *mut Session,
    host: *const c_void,
    offset: usize,
    from: *const c_void,
    size: usize,
) -> i32 {
    fenced(|| {
        // SAFETY: guaranteed by the caller.
        let (this, value) = unsafe { (session(this)?, bytes(from, size, "the value")?) };
        this.runtime().copy_to_device_global_at(&this.queue()?, host as usize, offset, value)
    })
}

/// Copies bytes from the device global whose host variable is at `host`, as `pi_runtime_add_device_global` registered
/// it.
///
/// # Safety
/// The requirements of [`pi_runtime_memcpy_to_device_global`] apply; `to` is null or has space for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pi_runtime_memcpy_from_device_global(
    this: *mut Session,
    host: *const c_void,
    offset: usize,
    to: *mut c_void,
    size: usize,
) -> i32 {
    fenced(|| {
        // SAFETY: guaranteed by the caller.
        let this = unsafe { session(this) }?;
        let host = host as usize;
        let read = || this.runtime().device_global_bytes_at(&this.queue()?, host, offset, size);
        // SAFETY: guaranteed by the caller.
        unsafe { write_value(to, size, read) }
    })
}

/// Reads a value and writes it to the caller's memory. Nothing is written if there is an error.
///
/// # Safety
/// `to` is null or has space for the `size` bytes that `read` returns.
unsafe fn write_value(to: *mut c_void, size: usize, read: impl FnOnce() -> Result<Vec<u8>>) -> Result<()> {
    if to.is_null() && size != 0 {
        return Err(Error::Invalid("the memory for the value is null".into()));
    }
    let value = read()?;
    if !to.is_null() {
        // SAFETY: `to` is not null and has space for this many bytes.
        unsafe { to.cast::<u8>().copy_from(value.as_ptr(), value.len()) };
    }
    Ok(())
}
