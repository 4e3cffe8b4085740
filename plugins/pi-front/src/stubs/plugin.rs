//! The plugin itself: options, last error, tear-down.

use sycl_pi_backend::fence;

use super::prelude::*;

#[entry]
pub unsafe extern "C" fn piPluginGetBackendOption<B: Backend>(
    platform: pi_platform, frontend_option: *const c_char, backend_option: *mut *const c_char,
) -> Result<()> {
    // SAFETY: `platform` is null or a live handle.
    let platform = unsafe { object(platform, "platform")? };
    // SAFETY: `frontend_option` is null or what its type says.
    let option = unsafe { c_str(frontend_option, "frontend_option")? };
    // SAFETY: `backend_option` is null or writable.
    unsafe { put(backend_option, "backend_option", || Ok(B::backend_option(platform, option)?.as_ptr())) }
}

#[entry]
pub unsafe extern "C" fn piextPluginGetOpaqueData<B: Backend>(
    opaque_data_param: *mut c_void, opaque_data_return: *mut *mut c_void,
) -> Result<()> {
    // SAFETY: `opaque_data_return` is null or writable.
    unsafe { put(opaque_data_return, "opaque_data_return", || B::opaque_data(opaque_data_param)) }
}

#[entry]
pub unsafe extern "C" fn piTearDown<B: Backend>(plugin_parameter: *mut c_void) -> Result<()> {
    let _ = plugin_parameter;
    if fence::detach() { B::tear_down() } else { Ok(()) }
}

/// Returns the code of the error that the message describes.
///
/// # Safety
///
/// `message` must be null or writable.
pub unsafe extern "C" fn piPluginGetLastError<B: Backend>(message: *mut *mut c_char) -> pi_result {
    if message.is_null() {
        return PI_ERROR_INVALID_VALUE;
    }
    let (code, text) = sycl_pi_backend::last_error::get();
    // SAFETY: the pointer is not null, so it is writable.
    unsafe { message.write(text.cast_mut()) };
    crate::convert::result(code)
}
