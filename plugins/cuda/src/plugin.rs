//! The plugin itself.

use core::ffi::CStr;

use sycl_pi_backend::api::PluginApi;
use sycl_pi_backend::{Counted, Error, Result};

use crate::Cuda;
use crate::platform::Platform;

impl PluginApi for Cuda {
    fn backend_option(_: &Counted<Platform>, option: &CStr) -> Result<&'static CStr> {
        match option.to_bytes() {
            b"-O0" | b"-O1" | b"-O2" | b"-O3" | b"" => Ok(c""),
            _ => Err(Error::unknown_frontend_option(option)),
        }
    }

    fn tear_down() -> Result<()> {
        // Objects are destroyed with their last release, and devices live as long as the process.
        Ok(())
    }
}
