//! Samplers.

use sycl_pi_backend::api::{SamplerApi, SamplerProperties};
use sycl_pi_backend::{Info, New, Result};
use sycl_pi_backend::types::*;

use crate::OpenCl;
use crate::sys::{Context, Sampler, Wrap, cl};

impl SamplerApi for OpenCl {
    fn sampler_create(context: &Context, properties: SamplerProperties) -> Result<New<Sampler>> {
        let SamplerProperties { normalized, addressing, filter, .. } = properties.without_bindless()?;
        cl().clCreateSampler(context.cl(), normalized.into(), addressing, filter)?.wrap()
    }

    fn sampler_info(sampler: &Sampler, name: SamplerInfo, mut info: Info<'_>) -> Result<()> {
        let (size, value, size_ret) = info.raw_parts();
        cl().clGetSamplerInfo(sampler.cl(), name, size, value, size_ret)
    }

    fn sampler_retain(sampler: &Sampler) -> Result<()> {
        cl().clRetainSampler(sampler.cl())
    }

    fn sampler_release(sampler: &Sampler) -> Result<()> {
        cl().clReleaseSampler(sampler.cl())
    }
}
