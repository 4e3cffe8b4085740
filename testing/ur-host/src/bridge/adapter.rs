//! The plugin itself, which corresponds to the adapter.

use std::ffi::{c_char, c_void};

use sycl_pi_core::*;
use sycl_ur_core::*;

use super::result::{self, Last};
use super::stubs::stubs;

/// Returns the adapter's message for this thread's last failure, with that failure's code in PI.
///
/// # Safety
/// `message` is null or valid for writing an address.
#[allow(non_snake_case, reason = "PI's name")]
pub(super) unsafe extern "C" fn piPluginGetLastError(message: *mut *mut c_char) -> pi_result {
    let Some(ur) = super::bridge() else { return PI_ERROR_UNINITIALIZED };
    if let (Last::Own(code), false) = (result::last(), message.is_null()) {
        // SAFETY: the caller's place for a text.
        unsafe { message.write(c"UR has no way to say this".as_ptr().cast_mut()) };
        return code;
    }
    let handle = match ur.adapter() {
        Ok(handle) => handle,
        Err(code) => return result::pi_result_of(code),
    };
    let mut native = 0;
    // SAFETY: the caller's place for a text, and one for a number.
    let asked = unsafe { ur.calls.urAdapterGetLastError(handle, message.cast(), &mut native) };
    match asked {
        // Adapters return the latter for the call that failed with it.
        UR_RESULT_SUCCESS | UR_RESULT_ERROR_ADAPTER_SPECIFIC => match result::last() {
            Last::Adapter(code) | Last::Own(code) => code,
        },
        other => result::pi_result_of(other),
    }
}

stubs! { ur;
    fn piTearDown(_parameter: *mut c_void) [] {
        match ur.adapter() {
            // The handle stays, because later calls are made on the released adapter.
            Ok(handle) => ur.calls.urAdapterRelease(handle),
            Err(code) => code,
        }
    }
    fn piPluginGetBackendOption(platform: pi_platform, frontend_option: *const c_char, backend_option: *mut *const c_char)
        [platform PI_ERROR_INVALID_PLATFORM]
    {
        ur.calls.urPlatformGetBackendOption(platform.cast(), frontend_option, backend_option)
    }
}
