//! The plugin itself: its options, its last error, its end.

use core::ffi::{CStr, c_void};

api! {
    /// The plugin as a whole.
    trait PluginApi {
        /// The driver's spelling of a compiler front end's option; "" where it has none.
        fn piPluginGetBackendOption(platform: &Self::Platform, option: &CStr) -> &'static CStr;
        /// Data outside the interface that some runtimes ask for.
        fn piextPluginGetOpaqueData(param: *mut c_void) -> *mut c_void;
        /// The last runtime in the process is done; give back what the plugin holds.
        fn piTearDown();
    }
}

stubs! {
    piPluginGetBackendOption(platform: pi_platform, frontend_option: *const c_char,
        backend_option: *mut *const c_char) {
        let platform = object(platform, "platform")?;
        let option = c_str(frontend_option, "frontend_option")?;
        put(backend_option, "backend_option", || Ok(B::piPluginGetBackendOption(platform, option)?.as_ptr()))
    };

    piextPluginGetOpaqueData(opaque_data_param: *mut c_void, opaque_data_return: *mut *mut c_void)
        put(opaque_data_return, "opaque_data_return", || B::piextPluginGetOpaqueData(opaque_data_param));

    piTearDown(plugin_parameter: *mut c_void) {
        let _ = plugin_parameter;
        if fence::detach() { B::piTearDown() } else { Ok(()) }
    };
}

/// `piPluginGetLastError`, which answers with the code of the error it describes.
#[allow(missing_docs)]
#[allow(unreachable_pub)]
pub mod last_error_stub {
    use core::ffi::c_char;

    use sycl_pi_core::*;

    use crate::api::{Backend, Jump};

    /// # Safety
    ///
    /// `message` is null or has room for a pointer.
    pub unsafe extern "C" fn piPluginGetLastError<B: Backend>(message: *mut *mut c_char) -> pi_result {
        if message.is_null() {
            return PI_ERROR_INVALID_VALUE;
        }
        if crate::last_error::ask() {
            B::Jump::stop();
        }
        let (code, text) = crate::last_error::get();
        // SAFETY: not null, so room for a pointer.
        unsafe { message.write(text.cast_mut()) };
        code
    }
}
