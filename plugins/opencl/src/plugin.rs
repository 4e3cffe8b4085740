//! The plugin itself.

use core::ffi::{CStr, c_void};

use sycl_pi_backend::api::PluginApi;
use sycl_pi_backend::{Error, Result};

use crate::OpenCl;
use crate::sys::Platform;

impl PluginApi for OpenCl {
    fn backend_option(_: &Platform, option: &CStr) -> Result<&'static CStr> {
        match option.to_bytes() {
            b"-O0" => Ok(c"-cl-opt-disable"),
            b"-O1" | b"-O2" | b"-O3" | b"" => Ok(c""),
            b"-ftarget-compile-fast" => Ok(c"-igc_opts 'PartitionUnit=1,SubroutineThreshold=50000'"),
            _ => Err(Error::unknown_frontend_option(option)),
        }
    }

    fn opaque_data(_: *mut c_void) -> Result<*mut c_void> {
        Err(Error::unsupported("the OpenCL backend has no opaque data"))
    }

    fn tear_down() -> Result<()> {
        // There is nothing to release: the driver owns the objects, and the data about drivers lives as long as the
        // process.
        Ok(())
    }
}
