//! Samplers.

use sycl_pi_backend::api::{SamplerApi, SamplerProperties};
use sycl_pi_backend::{Info, New, Result};
use sycl_pi_core::*;

use crate::OpenCl;
use crate::sys::{Context, Sampler, Wrap, cl};

impl SamplerApi for OpenCl {
    fn piSamplerCreate(context: &Context, properties: SamplerProperties) -> Result<New<Sampler>> {
        let SamplerProperties { normalized, addressing, filter, .. } = properties.without_bindless()?;
        cl().clCreateSampler(context.cl(), normalized.into(), addressing, filter)?.wrap()
    }

    fn piSamplerGetInfo(sampler: &Sampler, name: pi_sampler_info, mut info: Info<'_>) -> Result<()> {
        let (size, value, size_ret) = info.raw_parts();
        cl().clGetSamplerInfo(sampler.cl(), name, size, value, size_ret)
    }

    fn piSamplerRetain(sampler: &Sampler) -> Result<()> {
        cl().clRetainSampler(sampler.cl())
    }

    fn piSamplerRelease(sampler: &Sampler) -> Result<()> {
        cl().clReleaseSampler(sampler.cl())
    }
}
