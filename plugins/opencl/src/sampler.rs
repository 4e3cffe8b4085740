//! Samplers.

use sycl_pi_backend::api::{SamplerApi, SamplerProperties};
use sycl_pi_backend::types::SamplerInfo;
use sycl_pi_backend::{Info, New, Result};

use crate::OpenCl;
use crate::sys::{Context, Queried, Sampler, cl, create};

impl SamplerApi for OpenCl {
    fn sampler_create(context: &Context, properties: SamplerProperties) -> Result<New<Sampler>> {
        let SamplerProperties { normalized, addressing, filter, .. } = properties.without_bindless()?;
        create(|code| cl().clCreateSampler(context.cl(), normalized.into(), addressing.0, filter.0, code))
    }

    fn sampler_info(sampler: &Sampler, name: SamplerInfo, info: Info<'_>) -> Result<()> {
        sampler.answer(name.0, info)
    }
}
