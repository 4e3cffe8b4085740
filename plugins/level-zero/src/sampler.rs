//! Samplers.

use sycl_pi_backend::api::{SamplerApi, SamplerProperties};
use sycl_pi_backend::{Counted, Error, Info, New, Result, Shared};
use sycl_pi_backend::types::*;

use crate::pool::log_failure;
use crate::sys::{self, ze, *};
use crate::{Context, LevelZero, Sampler, context, handle};

/// A driver's sampler.
pub struct Body {
    pub(crate) ze: ze_sampler_handle_t,
    context: Shared<context::Body>,
    normalized: bool,
    addressing: SamplerAddressingMode,
    filter: SamplerFilterMode,
}

kind!(Body, RawSampler, ErrorCode::INVALID_SAMPLER);

impl Drop for Body {
    fn drop(&mut self) {
        log_failure(ze().and_then(|ze| ze.zeSamplerDestroy(self.ze)));
    }
}

impl SamplerApi for LevelZero {
    fn sampler_create(context: &Context, properties: SamplerProperties) -> Result<New<Sampler>> {
        let SamplerProperties { normalized, addressing, filter, .. } = properties.without_bindless()?;
        let desc = ze_sampler_desc_t {
            addressMode: match addressing {
                SamplerAddressingMode::NONE => ZE_SAMPLER_ADDRESS_MODE_NONE,
                SamplerAddressingMode::REPEAT => ZE_SAMPLER_ADDRESS_MODE_REPEAT,
                SamplerAddressingMode::CLAMP => ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
                SamplerAddressingMode::CLAMP_TO_EDGE => ZE_SAMPLER_ADDRESS_MODE_CLAMP,
                SamplerAddressingMode::MIRRORED_REPEAT => ZE_SAMPLER_ADDRESS_MODE_MIRROR,
                _ => {
                    return Err(Error::invalid_value(format!(
                        "sampler_properties: unknown addressing mode {addressing:#x}"
                    )));
                }
            },
            filterMode: match filter {
                SamplerFilterMode::NEAREST => ZE_SAMPLER_FILTER_MODE_NEAREST,
                SamplerFilterMode::LINEAR => ZE_SAMPLER_FILTER_MODE_LINEAR,
                _ => {
                    return Err(Error::invalid_value(format!(
                        "sampler_properties: unknown filter mode {filter:#x}"
                    )));
                }
            },
            isNormalized: normalized.into(),
            ..Default::default()
        };
        let mut ze = ze_sampler_handle_t::NULL;
        sys::ze()?.zeSamplerCreate(context.ze, context.devices[0].ze, &desc, &mut ze)?;
        Ok(Counted::create(Body { ze, context: context.share(), normalized, addressing, filter }))
    }

    fn sampler_info(sampler: &Sampler, name: SamplerInfo, info: Info<'_>) -> Result<()> {
        match name {
            SamplerInfo::REFERENCE_COUNT => info.value(sampler.reference_count()),
            SamplerInfo::CONTEXT => info.value(handle::<context::Body>(&sampler.context)),
            SamplerInfo::NORMALIZED_COORDS => info.bool(sampler.normalized),
            SamplerInfo::ADDRESSING_MODE => info.value(sampler.addressing),
            SamplerInfo::FILTER_MODE => info.value(sampler.filter),
            _ => Err(Error::invalid_value(format!("param_name: unknown sampler query {name:#x}"))),
        }
    }

    fn sampler_retain(sampler: &Sampler) -> Result<()> {
        sampler.retain();
        Ok(())
    }

    fn sampler_release(sampler: &Sampler) -> Result<()> {
        sampler.release();
        Ok(())
    }
}
