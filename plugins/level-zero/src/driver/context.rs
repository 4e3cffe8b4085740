//! The driver's context. Everything created in it holds a reference to it, so that it is destroyed last.

use std::sync::Arc;

use sycl_pi_backend::Result;

use crate::sys::{self, log_failure, *};

/// A driver context.
pub(crate) struct DriverContext {
    pub(crate) ze: ze_context_handle_t,
    owned: bool,
}

impl DriverContext {
    /// Creates a context.
    pub(crate) fn create(driver: ze_driver_handle_t) -> Result<Arc<Self>> {
        let desc = ze_context_desc_t::default();
        let mut ze = ze_context_handle_t::NULL;
        sys::ze()?.zeContextCreate(driver, &desc, &mut ze)?;
        Ok(Self::adopt(ze, true))
    }

    /// Wraps a context from a native handle.
    pub(crate) fn adopt(ze: ze_context_handle_t, owned: bool) -> Arc<Self> {
        Arc::new(Self { ze, owned })
    }
}

impl Drop for DriverContext {
    fn drop(&mut self) {
        if self.owned {
            log_failure(sys::ze().and_then(|ze| ze.zeContextDestroy(self.ze)));
        }
    }
}
