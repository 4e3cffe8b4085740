//! Names of codes, and look-up of functions by name.

use std::ffi::{CStr, c_char, c_void};

use crate::{Code, INVALID_VALUE, NOT_FOUND, put};

fn words(code: Code) -> Option<(&'static CStr, &'static CStr)> {
    Some(match code {
        0 => (c"CUDA_SUCCESS", c"no error"),
        1 => (c"CUDA_ERROR_INVALID_VALUE", c"invalid argument"),
        2 => (c"CUDA_ERROR_OUT_OF_MEMORY", c"out of memory"),
        101 => (c"CUDA_ERROR_INVALID_DEVICE", c"invalid device ordinal"),
        200 => (c"CUDA_ERROR_INVALID_IMAGE", c"device kernel image is invalid"),
        201 => (c"CUDA_ERROR_INVALID_CONTEXT", c"invalid device context"),
        218 => (c"CUDA_ERROR_INVALID_PTX", c"a PTX JIT compilation failed"),
        400 => (c"CUDA_ERROR_INVALID_HANDLE", c"invalid resource handle"),
        500 => (c"CUDA_ERROR_NOT_FOUND", c"named symbol not found"),
        600 => (c"CUDA_ERROR_NOT_READY", c"device not ready"),
        700 => (c"CUDA_ERROR_ILLEGAL_ADDRESS", c"an illegal memory access was encountered"),
        701 => (c"CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", c"too many resources requested for launch"),
        710 => (c"CUDA_ERROR_ASSERT", c"device-side assert triggered"),
        719 => (c"CUDA_ERROR_LAUNCH_FAILED", c"unspecified launch failure"),
        801 => (c"CUDA_ERROR_NOT_SUPPORTED", c"operation not supported"),
        912 => (c"CUDA_ERROR_INVALID_CLUSTER_SIZE", c"cluster misconfiguration"),
        _ => return None,
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetErrorName(code: Code, text: *mut *const c_char) -> Code {
    let Some((name, _)) = words(code) else { return INVALID_VALUE };
    // SAFETY: null or writable.
    unsafe { put(text, name.as_ptr()) }.err().unwrap_or(0)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetErrorString(code: Code, text: *mut *const c_char) -> Code {
    let Some((_, words)) = words(code) else { return INVALID_VALUE };
    // SAFETY: null or writable.
    unsafe { put(text, words.as_ptr()) }.err().unwrap_or(0)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetProcAddress_v2(
    name: *const c_char,
    out: *mut *mut c_void,
    _version: i32,
    _flags: u64,
    _status: *mut u32,
) -> Code {
    // SAFETY: a NUL-terminated name; this library is loaded.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name) };
    if found.is_null() {
        return NOT_FOUND;
    }
    // SAFETY: null or writable.
    unsafe { put(out, found) }.err().unwrap_or(0)
}
