//! The driver's context. Everything that is made in it holds it, so that it is destroyed last.

use std::sync::Arc;

use sycl_pi_backend::Result;

use crate::sys::{self, log_failure, *};

/// A context of the driver.
pub(crate) struct DriverContext {
    pub(crate) ze: ze_context_handle_t,
    owned: bool,
}

impl DriverContext {
    /// A new context.
    pub(crate) fn create(driver: ze_driver_handle_t) -> Result<Arc<Self>> {
        let desc = ze_context_desc_t::default();
        let mut ze = ze_context_handle_t::NULL;
        sys::ze()?.zeContextCreate(driver, &desc, &mut ze)?;
        Ok(Self::adopt(ze, true))
    }

    /// A context from outside.
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
