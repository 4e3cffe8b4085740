//! The plugin itself: options, last error, tear-down.

use core::ffi::{CStr, c_void};

api! {
    /// The plugin as a whole.
    trait PluginApi {
        /// Returns the driver's spelling of a compiler front end option, or "" if it has no equivalent.
        #[doc(alias = "piPluginGetBackendOption")]
        #[doc(alias = "urPlatformGetBackendOption")]
        fn backend_option(platform: &Self::Platform, option: &CStr) -> &'static CStr;
        /// Returns data outside the interface that some runtimes request.
        #[doc(alias = "piextPluginGetOpaqueData")]
        fn opaque_data(param: *mut c_void) -> *mut c_void;
        /// Releases everything that the plugin holds, when the last runtime in the process is done.
        #[doc(alias = "piTearDown")]
        fn tear_down();
    }
}
