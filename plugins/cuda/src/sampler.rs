//! Samplers. CUDA has no object for them, so their properties are passed to kernels as bits.

use sycl_pi_backend::api::{SamplerApi, SamplerProperties};
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Counted, Error, Info, New, Result, Shared};

use crate::Cuda;
use crate::context::Context;

/// The properties of a sampler.
pub struct Sampler {
    pub(crate) context: Shared<Context>,
    pub(crate) normalized: bool,
    pub(crate) addressing: SamplerAddressingMode,
    pub(crate) filter: SamplerFilterMode,
    pub(crate) mip_filter: SamplerFilterMode,
    pub(crate) seamless: bool,
    pub(crate) mipmap_clamp: (f32, f32),
    pub(crate) max_anisotropy: f32,
}

sycl_pi_backend::counted_kinds!(Sampler: RawSampler, INVALID_SAMPLER, "sampler";);

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
            mip_filter: properties.mip_filter.unwrap_or(SamplerFilterMode::NEAREST),
            seamless: properties.cubemap_filter == Some(SamplerCubemapFilterMode::SEAMLESS),
            mipmap_clamp,
            max_anisotropy,
        }
    }

    /// Returns the sampler as kernels take it: bit 0 for normalized, bit 1 for linear, bits 2 to 4 for the addressing
    /// mode.
    pub(crate) fn bits(&self) -> u32 {
        let linear = self.filter == SamplerFilterMode::LINEAR;
        let addressing = self.addressing.0 - SamplerAddressingMode::NONE.0;
        u32::from(self.normalized) | u32::from(linear) << 1 | addressing << 2
    }
}

impl SamplerApi for Cuda {
    fn sampler_create(
        context: &Counted<Context>,
        properties: SamplerProperties,
    ) -> Result<New<Counted<Sampler>>> {
        Ok(Counted::create(Sampler::new(context, properties, (0.0, 0.0), 0.0)))
    }

    fn sampler_info(sampler: &Counted<Sampler>, name: SamplerInfo, info: Info<'_>) -> Result<()> {
        match name {
            SamplerInfo::REFERENCE_COUNT => info.value(sampler.reference_count()),
            SamplerInfo::CONTEXT => info.value(sampler.context.handle()),
            SamplerInfo::NORMALIZED_COORDS => info.bool(sampler.normalized),
            SamplerInfo::ADDRESSING_MODE => info.value(sampler.addressing),
            SamplerInfo::FILTER_MODE => info.value(sampler.filter),
            SamplerInfo::MIP_FILTER_MODE => info.value(sampler.mip_filter),
            SamplerInfo::LOD_MIN => info.value(sampler.mipmap_clamp.0),
            SamplerInfo::LOD_MAX => info.value(sampler.mipmap_clamp.1),
            _ => Err(Error::unknown_query("sampler", name)),
        }
    }
}
