//! The plugin itself: its options, its last error, its end.

use core::ffi::{CStr, c_void};

api! {
    /// The plugin as a whole.
    trait PluginApi {
        /// The driver's spelling of a compiler front end's option; "" where it has none.
        #[doc(alias = "piPluginGetBackendOption")]
        #[doc(alias = "urPlatformGetBackendOption")]
        fn backend_option(platform: &Self::Platform, option: &CStr) -> &'static CStr;
        /// Data outside the interface that some runtimes ask for.
        #[doc(alias = "piextPluginGetOpaqueData")]
        fn opaque_data(param: *mut c_void) -> *mut c_void;
        /// The last runtime in the process is done; give back what the plugin holds.
        #[doc(alias = "piTearDown")]
        fn tear_down();
    }
}
