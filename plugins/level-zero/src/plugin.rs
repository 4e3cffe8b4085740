//! The backend as a whole: options and tear-down.

use core::ffi::CStr;

use sycl_pi_backend::api::PluginApi;
use sycl_pi_backend::{Error, Result};

use crate::LevelZero;
use crate::objects::PlatformHandle;

impl PluginApi for LevelZero {
    fn backend_option(_: &PlatformHandle, option: &CStr) -> Result<&'static CStr> {
        match option.to_bytes() {
            b"" => Ok(c""),
            b"-O0" => Ok(c"-ze-opt-disable"),
            b"-O1" | b"-O2" | b"-O3" => Ok(c"-ze-opt-level=2"),
            b"-ftarget-compile-fast" => Ok(c"-igc_opts 'PartitionUnit=1,SubroutineThreshold=50000'"),
            _ => Err(Error::unknown_frontend_option(option)),
        }
    }

    fn tear_down() -> Result<()> {
        // Contexts, queues and memory are freed with their last handles. Platforms and devices own no driver objects,
        // and a runtime that attaches later finds the same ones.
        Ok(())
    }
}
