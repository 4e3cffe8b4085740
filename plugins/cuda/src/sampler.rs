//! Samplers: CUDA has no object for them; kernels are given their properties as bits.

use sycl_pi_backend::api::{SamplerApi, SamplerProperties};
use sycl_pi_backend::{Counted, Error, Info, New, Result, Shared};
use sycl_pi_core::*;

use crate::Cuda;
use crate::context::Context;
use crate::platform::handle;

/// Behind `pi_sampler`.
pub struct Sampler {
    pub(crate) context: Shared<Context>,
    pub(crate) normalized: bool,
    pub(crate) addressing: pi_sampler_addressing_mode,
    pub(crate) filter: pi_sampler_filter_mode,
    pub(crate) mip_filter: pi_sampler_filter_mode,
    pub(crate) seamless: bool,
    pub(crate) mipmap_clamp: (f32, f32),
    pub(crate) max_anisotropy: f32,
}

crate::kind!(Sampler, _pi_sampler, PI_ERROR_INVALID_SAMPLER, "pi_sampler");

impl Sampler {
    pub(crate) fn new(
        context: &Counted<Context>,
        properties: SamplerProperties,
        mipmap_clamp: (f32, f32),
        max_anisotropy: f32,
    ) -> Self {
        Self {
            context: context.share(),
            normalized: properties.normalized,
            addressing: properties.addressing,
            filter: properties.filter,
            mip_filter: properties.mip_filter.unwrap_or(PI_SAMPLER_FILTER_MODE_NEAREST),
            seamless: properties.cubemap_filter == Some(PI_SAMPLER_CUBEMAP_FILTER_MODE_SEAMLESS),
            mipmap_clamp,
            max_anisotropy,
        }
    }

    /// As kernels take it: bit 0 normalized, bit 1 linear, bits 2 to 4 the addressing mode.
    pub(crate) fn bits(&self) -> u32 {
        let linear = self.filter == PI_SAMPLER_FILTER_MODE_LINEAR;
        let addressing = self.addressing - PI_SAMPLER_ADDRESSING_MODE_NONE;
        u32::from(self.normalized) | u32::from(linear) << 1 | addressing << 2
    }
}

impl SamplerApi for Cuda {
    fn piSamplerCreate(
        context: &Counted<Context>,
        properties: SamplerProperties,
    ) -> Result<New<Counted<Sampler>>> {
        Ok(Counted::create(Sampler::new(context, properties, (0.0, 0.0), 0.0)))
    }

    fn piSamplerGetInfo(sampler: &Counted<Sampler>, name: pi_sampler_info, info: Info<'_>) -> Result<()> {
        match name {
            PI_SAMPLER_INFO_REFERENCE_COUNT => info.value(sampler.reference_count()),
            PI_SAMPLER_INFO_CONTEXT => info.value(handle(&*sampler.context)),
            PI_SAMPLER_INFO_NORMALIZED_COORDS => info.bool(sampler.normalized),
            PI_SAMPLER_INFO_ADDRESSING_MODE => info.value(sampler.addressing),
            PI_SAMPLER_INFO_FILTER_MODE => info.value(sampler.filter),
            PI_SAMPLER_INFO_MIP_FILTER_MODE => info.value(sampler.mip_filter),
            PI_SAMPLER_INFO_LOD_MIN => info.value(sampler.mipmap_clamp.0),
            PI_SAMPLER_INFO_LOD_MAX => info.value(sampler.mipmap_clamp.1),
            _ => Err(Error::invalid_value(format!("param_name: unknown sampler query {name:#x}"))),
        }
    }

    fn piSamplerRetain(sampler: &Counted<Sampler>) -> Result<()> {
        sampler.retain();
        Ok(())
    }

    fn piSamplerRelease(sampler: &Counted<Sampler>) -> Result<()> {
        sampler.release();
        Ok(())
    }
}
