//! Samplers.

use sycl_pi_backend::api::{SamplerApi, SamplerProperties};
use sycl_pi_backend::{Counted, Error, Info, New, Result, Shared};
use sycl_pi_core::*;

use crate::pool::log_failure;
use crate::sys::{self, ze, *};
use crate::{Context, LevelZero, Sampler, context, handle};

/// A driver's sampler.
pub struct Body {
    pub(crate) ze: ze_sampler_handle_t,
    context: Shared<context::Body>,
    normalized: bool,
    addressing: pi_sampler_addressing_mode,
    filter: pi_sampler_filter_mode,
}

kind!(Body, _pi_sampler, PI_ERROR_INVALID_SAMPLER);

impl Drop for Body {
    fn drop(&mut self) {
        log_failure(ze().and_then(|ze| ze.zeSamplerDestroy(self.ze)));
    }
}

impl SamplerApi for LevelZero {
    fn piSamplerCreate(context: &Context, properties: SamplerProperties) -> Result<New<Sampler>> {
        let SamplerProperties { normalized, addressing, filter, .. } = properties.without_bindless()?;
        let desc = ze_sampler_desc_t {
            addressMode: match addressing {
                PI_SAMPLER_ADDRESSING_MODE_NONE => ZE_SAMPLER_ADDRESS_MODE_NONE,
                PI_SAMPLER_ADDRESSING_MODE_REPEAT => ZE_SAMPLER_ADDRESS_MODE_REPEAT,
                PI_SAMPLER_ADDRESSING_MODE_CLAMP => ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
                PI_SAMPLER_ADDRESSING_MODE_CLAMP_TO_EDGE => ZE_SAMPLER_ADDRESS_MODE_CLAMP,
                PI_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT => ZE_SAMPLER_ADDRESS_MODE_MIRROR,
                _ => {
                    return Err(Error::invalid_value(format!(
                        "sampler_properties: unknown addressing mode {addressing:#x}"
                    )));
                }
            },
            filterMode: match filter {
                PI_SAMPLER_FILTER_MODE_NEAREST => ZE_SAMPLER_FILTER_MODE_NEAREST,
                PI_SAMPLER_FILTER_MODE_LINEAR => ZE_SAMPLER_FILTER_MODE_LINEAR,
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

    fn piSamplerGetInfo(sampler: &Sampler, name: pi_sampler_info, info: Info<'_>) -> Result<()> {
        match name {
            PI_SAMPLER_INFO_REFERENCE_COUNT => info.value(sampler.reference_count()),
            PI_SAMPLER_INFO_CONTEXT => info.value(handle::<context::Body>(&sampler.context)),
            PI_SAMPLER_INFO_NORMALIZED_COORDS => info.bool(sampler.normalized),
            PI_SAMPLER_INFO_ADDRESSING_MODE => info.value(sampler.addressing),
            PI_SAMPLER_INFO_FILTER_MODE => info.value(sampler.filter),
            _ => Err(Error::invalid_value(format!("param_name: unknown sampler query {name:#x}"))),
        }
    }

    fn piSamplerRetain(sampler: &Sampler) -> Result<()> {
        sampler.retain();
        Ok(())
    }

    fn piSamplerRelease(sampler: &Sampler) -> Result<()> {
        sampler.release();
        Ok(())
    }
}
