//! Samplers.

use super::prelude::*;
use sycl_pi_backend::Result;
use sycl_pi_backend::api::SamplerProperties;

#[entry]
pub unsafe extern "C" fn piSamplerCreate<B: Backend>(
    context: pi_context, sampler_properties: *const pi_sampler_properties, result_sampler: *mut pi_sampler,
) -> Result<()> {
    // SAFETY: `context` is null or a live handle.
    let context = unsafe { object(context, "context")? };
    // SAFETY: `sampler_properties` is null or a list that ends with a zero.
    let list = unsafe { Properties::read(sampler_properties)? };
    // SAFETY: `result_sampler` is null or writable.
    unsafe {
        create(result_sampler, "result_sampler", || B::sampler_create(context, sampler_properties_of(list)?))
    }
}

#[entry]
pub unsafe extern "C" fn piSamplerGetInfo<B: Backend>(
    sampler: pi_sampler, param_name: pi_sampler_info, param_value_size: usize, param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> Result<()> {
    // SAFETY: `sampler` is null or a live handle.
    let sampler = unsafe { object(sampler, "sampler")? };
    // SAFETY: the answer's buffer has the size that the caller states.
    unsafe {
        answer(param_value_size, param_value, param_value_size_ret, |info| {
            B::sampler_info(sampler, SamplerInfo(param_name), info)
        })
    }
}

#[entry]
pub unsafe extern "C" fn piSamplerRetain<B: Backend>(sampler: pi_sampler) -> Result<()> {
    // SAFETY: `sampler` is null or a live handle.
    unsafe { object::<B::Sampler>(sampler, "sampler")? }.retain()
}

#[entry]
pub unsafe extern "C" fn piSamplerRelease<B: Backend>(sampler: pi_sampler) -> Result<()> {
    // SAFETY: `sampler` is null or a live handle.
    unsafe { object::<B::Sampler>(sampler, "sampler")?.release() }
}

/// Reads a property list. Refuses unknown keys and values, and duplicate keys.
pub(super) fn sampler_properties_of(
    list: Properties<'_, pi_sampler_properties>,
) -> Result<SamplerProperties> {
    const FILTERS: [u32; 2] = [PI_SAMPLER_FILTER_MODE_NEAREST, PI_SAMPLER_FILTER_MODE_LINEAR];
    const CUBEMAP_FILTERS: [u32; 2] =
        [PI_SAMPLER_CUBEMAP_FILTER_MODE_DISJOINTED, PI_SAMPLER_CUBEMAP_FILTER_MODE_SEAMLESS];
    let modes: Vec<u32> =
        (PI_SAMPLER_ADDRESSING_MODE_NONE..=PI_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT).collect();
    let (mut normalized, mut addressing, mut filter) = (None, None, None);
    let (mut mip_filter, mut cubemap_filter) = (None, None);
    for (key, value) in list.pairs() {
        let (slot, known): (_, &[u32]) = match key {
            PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS => (&mut normalized, &[0, 1]),
            PI_SAMPLER_PROPERTIES_ADDRESSING_MODE => (&mut addressing, &modes),
            PI_SAMPLER_PROPERTIES_FILTER_MODE => (&mut filter, &FILTERS),
            PI_SAMPLER_PROPERTIES_MIP_FILTER_MODE => (&mut mip_filter, &FILTERS),
            PI_SAMPLER_PROPERTIES_CUBEMAP_FILTER_MODE => (&mut cubemap_filter, &CUBEMAP_FILTERS),
            _ => {
                let text = format!("sampler_properties has the unknown property {key:#x}");
                return Err(Error::invalid_value(text));
            }
        };
        let Some(value) = known.iter().copied().find(|known| u64::from(*known) == value) else {
            let text = format!("sampler_properties has the unknown value {value:#x} of property {key:#x}");
            return Err(Error::invalid_value(text));
        };
        if slot.replace(value).is_some() {
            return Err(Error::invalid_value(format!("sampler_properties has property {key:#x} twice")));
        }
    }
    Ok(SamplerProperties {
        normalized: normalized != Some(0),
        addressing: addressing.map_or(SamplerAddressingMode::CLAMP, SamplerAddressingMode),
        filter: filter.map_or(SamplerFilterMode::NEAREST, SamplerFilterMode),
        mip_filter: mip_filter.map(SamplerFilterMode),
        cubemap_filter: cubemap_filter.map(SamplerCubemapFilterMode),
    })
}
