//! Samplers.

use sycl_pi_core::*;

use crate::view::Properties;
use crate::{Error, Info, New, Result};

/// What a sampler is asked to be. Each value is one that PI names; missing keys have their defaults.
#[derive(Clone, Copy, Debug)]
pub struct SamplerProperties {
    /// Coordinates from 0 to 1; the default.
    pub normalized: bool,
    /// Clamp by default.
    pub addressing: pi_sampler_addressing_mode,
    /// Nearest by default.
    pub filter: pi_sampler_filter_mode,
    /// `PI_SAMPLER_PROPERTIES_MIP_FILTER_MODE`, where the list has it: of bindless images only.
    pub mip_filter: Option<pi_sampler_filter_mode>,
    /// `PI_SAMPLER_PROPERTIES_CUBEMAP_FILTER_MODE`, where the list has it: of bindless images only.
    pub cubemap_filter: Option<pi_sampler_cubemap_filter_mode>,
}

impl SamplerProperties {
    /// Reads a list; refuses unknown keys and values, and a key that comes twice.
    pub(crate) fn read(list: Properties<'_, pi_sampler_properties>) -> Result<Self> {
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
                    return Err(Error::invalid_value(format!(
                        "sampler_properties has the unknown property {key:#x}"
                    )));
                }
            };
            let Some(value) = known.iter().copied().find(|known| u64::from(*known) == value) else {
                return Err(Error::invalid_value(format!(
                    "sampler_properties has the unknown value {value:#x} of property {key:#x}"
                )));
            };
            if slot.replace(value).is_some() {
                return Err(Error::invalid_value(format!("sampler_properties has property {key:#x} twice")));
            }
        }
        Ok(Self {
            normalized: normalized != Some(0),
            addressing: addressing.unwrap_or(PI_SAMPLER_ADDRESSING_MODE_CLAMP),
            filter: filter.unwrap_or(PI_SAMPLER_FILTER_MODE_NEAREST),
            mip_filter,
            cubemap_filter,
        })
    }

    /// Refuses what only bindless images have, for backends without them.
    pub fn without_bindless(self) -> Result<Self> {
        let key = match (self.mip_filter, self.cubemap_filter) {
            (None, None) => return Ok(self),
            (Some(_), _) => PI_SAMPLER_PROPERTIES_MIP_FILTER_MODE,
            _ => PI_SAMPLER_PROPERTIES_CUBEMAP_FILTER_MODE,
        };
        Err(Error::invalid_value(format!(
            "sampler_properties has property {key:#x}, which is for bindless images; there are none here"
        )))
    }
}

api! {
    /// Samplers.
    trait SamplerApi {
        /// A sampler.
        fn piSamplerCreate(context: &Self::Context, properties: SamplerProperties) -> New<Self::Sampler>;
        /// Reference count, context, coordinates, addressing, filter.
        fn piSamplerGetInfo(sampler: &Self::Sampler, name: pi_sampler_info, info: Info<'_>);
        /// One reference more.
        fn piSamplerRetain(sampler: &Self::Sampler);
        /// One reference less.
        fn piSamplerRelease(sampler: &Self::Sampler);
    }
}

stubs! {
    piSamplerCreate(context: pi_context, sampler_properties: *const pi_sampler_properties,
        result_sampler: *mut pi_sampler) {
        let context = object(context, "context")?;
        let list = properties_list(sampler_properties)?;
        create(result_sampler, "result_sampler", || B::piSamplerCreate(context, SamplerProperties::read(list)?))
    };

    piSamplerGetInfo(sampler: pi_sampler, param_name: pi_sampler_info, param_value_size: usize,
        param_value: *mut c_void, param_value_size_ret: *mut usize) {
        let sampler = object(sampler, "sampler")?;
        answer!(param_value_size, param_value, param_value_size_ret,
            |info| B::piSamplerGetInfo(sampler, param_name, info))
    };

    piSamplerRetain(sampler: pi_sampler) => jump, B::piSamplerRetain(object(sampler, "sampler")?);

    piSamplerRelease(sampler: pi_sampler) => jump, B::piSamplerRelease(object(sampler, "sampler")?);
}
