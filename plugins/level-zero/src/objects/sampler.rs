//! Samplers.

use sycl_pi_backend::api::SamplerProperties;
use sycl_pi_backend::{Counted, Shared};

use super::context::Context;
use crate::sys::{log_failure, ze, *};

/// A driver sampler.
pub struct Sampler {
    pub(crate) ze: ze_sampler_handle_t,
    /// Whether the driver's object is destroyed together with this one.
    pub(crate) owned: bool,
    /// `None` for a sampler from a native handle.
    pub(crate) properties: Option<SamplerProperties>,
    /// Last field, because samplers must be destroyed before their context.
    pub(crate) context: Shared<Context>,
}

pub(crate) type SamplerHandle = Counted<Sampler>;

sycl_pi_backend::counted_kinds!(Sampler: RawSampler, INVALID_SAMPLER, "sampler";);

impl Drop for Sampler {
    fn drop(&mut self) {
        if self.owned {
            log_failure(ze().and_then(|ze| ze.zeSamplerDestroy(self.ze)));
        }
    }
}
