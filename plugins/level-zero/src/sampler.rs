//! Samplers.

use sycl_pi_backend::api::{SamplerApi, SamplerProperties};
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Counted, Error, Info, New, Result};

use crate::LevelZero;
use crate::objects::{ContextHandle, Sampler, SamplerHandle, raw_handle};
use crate::sys::{self, *};

impl SamplerApi for LevelZero {
    fn sampler_create(context: &ContextHandle, properties: SamplerProperties) -> Result<New<SamplerHandle>> {
        let properties = properties.without_bindless()?;
        let SamplerProperties { normalized, addressing, filter, .. } = properties;
        let desc = ze_sampler_desc_t {
            addressMode: match addressing {
                SamplerAddressingMode::NONE => ZE_SAMPLER_ADDRESS_MODE_NONE,
                SamplerAddressingMode::REPEAT => ZE_SAMPLER_ADDRESS_MODE_REPEAT,
                SamplerAddressingMode::CLAMP => ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
                SamplerAddressingMode::CLAMP_TO_EDGE => ZE_SAMPLER_ADDRESS_MODE_CLAMP,
                SamplerAddressingMode::MIRRORED_REPEAT => ZE_SAMPLER_ADDRESS_MODE_MIRROR,
                _ => {
                    return Err(Error::invalid_value(format!("unknown addressing mode {addressing:#x}")));
                }
            },
            filterMode: match filter {
                SamplerFilterMode::NEAREST => ZE_SAMPLER_FILTER_MODE_NEAREST,
                SamplerFilterMode::LINEAR => ZE_SAMPLER_FILTER_MODE_LINEAR,
                _ => {
                    return Err(Error::invalid_value(format!("unknown filter mode {filter:#x}")));
                }
            },
            isNormalized: normalized.into(),
            ..Default::default()
        };
        let mut ze = ze_sampler_handle_t::NULL;
        sys::ze()?.zeSamplerCreate(context.ze, context.devices[0].ze, &desc, &mut ze)?;
        Ok(Counted::create(Sampler {
            ze,
            owned: true,
            properties: Some(properties),
            context: context.share(),
        }))
    }

    fn sampler_info(sampler: &SamplerHandle, name: SamplerInfo, info: Info<'_>) -> Result<()> {
        match name {
            SamplerInfo::REFERENCE_COUNT => info.value(sampler.reference_count()),
            SamplerInfo::CONTEXT => info.value(raw_handle(&sampler.context)),
            SamplerInfo::NORMALIZED_COORDS => info.bool(properties(sampler)?.normalized),
            SamplerInfo::ADDRESSING_MODE => info.value(properties(sampler)?.addressing),
            SamplerInfo::FILTER_MODE => info.value(properties(sampler)?.filter),
            _ => Err(Error::unknown_query("sampler", name)),
        }
    }

    fn sampler_native_handle(sampler: &SamplerHandle) -> Result<NativeHandle> {
        Ok(sampler.ze.0.expose_provenance())
    }

    fn sampler_create_with_native_handle(
        native: NativeHandle,
        context: &ContextHandle,
        owned: bool,
    ) -> Result<New<SamplerHandle>> {
        if native == 0 {
            return Err(Error::no_native_handle(ErrorCode::INVALID_SAMPLER, "a sampler"));
        }
        let ze = ze_sampler_handle_t(sys::Address::from_number(native).get());
        Ok(Counted::create(Sampler { ze, owned, properties: None, context: context.share() }))
    }
}

/// Returns the properties that a sampler was created with.
fn properties(sampler: &Sampler) -> Result<SamplerProperties> {
    sampler.properties.ok_or_else(|| {
        Error::invalid_value(
            "the sampler came from a native handle, and Level Zero does not report its settings",
        )
    })
}
