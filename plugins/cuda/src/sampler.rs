//! Samplers: CUDA has no object for them; kernels are given their properties as bits.

use pi_core::*;
use pi_plugin::api::SamplerApi;
use pi_plugin::view::Properties;
use pi_plugin::{Counted, Error, Info, New, Result, Shared};

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
    /// Reads the list of properties; missing keys have their defaults.
    pub(crate) fn read(
        context: &Counted<Context>,
        properties: Properties<'_, pi_sampler_properties>,
        mipmap_clamp: (f32, f32),
        max_anisotropy: f32,
    ) -> Result<Self> {
        let mut sampler = Self {
            context: context.share(),
            normalized: true,
            addressing: PI_SAMPLER_ADDRESSING_MODE_CLAMP,
            filter: PI_SAMPLER_FILTER_MODE_NEAREST,
            mip_filter: PI_SAMPLER_FILTER_MODE_NEAREST,
            seamless: false,
            mipmap_clamp,
            max_anisotropy,
        };
        let mut seen = Vec::new();
        for (key, value) in properties.pairs() {
            if seen.contains(&key) {
                return Err(Error::invalid_value(format!("sampler property {key:#x} twice")));
            }
            seen.push(key);
            let word = value as u32;
            match key {
                PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS => sampler.normalized = value != 0,
                PI_SAMPLER_PROPERTIES_ADDRESSING_MODE => sampler.addressing = check_addressing(word)?,
                PI_SAMPLER_PROPERTIES_FILTER_MODE => sampler.filter = check_filter(word)?,
                PI_SAMPLER_PROPERTIES_MIP_FILTER_MODE => sampler.mip_filter = check_filter(word)?,
                PI_SAMPLER_PROPERTIES_CUBEMAP_FILTER_MODE => {
                    sampler.seamless = word == PI_SAMPLER_CUBEMAP_FILTER_MODE_SEAMLESS;
                }
                _ => {
                    return Err(Error::invalid_value(format!(
                        "sampler_properties: unknown sampler property {key:#x}"
                    )));
                }
            }
        }
        Ok(sampler)
    }

    /// As kernels take it: bit 0 normalized, bit 1 linear, bits 2 to 4 the addressing mode.
    pub(crate) fn bits(&self) -> u32 {
        let linear = self.filter == PI_SAMPLER_FILTER_MODE_LINEAR;
        let addressing = self.addressing - PI_SAMPLER_ADDRESSING_MODE_NONE;
        u32::from(self.normalized) | u32::from(linear) << 1 | addressing << 2
    }
}

fn check_addressing(mode: u32) -> Result<u32> {
    if (PI_SAMPLER_ADDRESSING_MODE_NONE..=PI_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT).contains(&mode) {
        return Ok(mode);
    }
    Err(Error::invalid_value(format!("sampler_properties: unknown addressing mode {mode:#x}")))
}

fn check_filter(mode: u32) -> Result<u32> {
    if [PI_SAMPLER_FILTER_MODE_NEAREST, PI_SAMPLER_FILTER_MODE_LINEAR].contains(&mode) {
        return Ok(mode);
    }
    Err(Error::invalid_value(format!("sampler_properties: unknown filter mode {mode:#x}")))
}

impl SamplerApi for Cuda {
    fn piSamplerCreate(
        context: &Counted<Context>,
        properties: Properties<'_, pi_sampler_properties>,
    ) -> Result<New<Counted<Sampler>>> {
        Sampler::read(context, properties, (0.0, 0.0), 0.0).map(Counted::create)
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
            _ => Err(Error::invalid_value(format!("unknown sampler query {name:#x}"))),
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
