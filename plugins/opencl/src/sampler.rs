//! Samplers.

use pi_core::*;
use pi_plugin::api::SamplerApi;
use pi_plugin::view::Properties;
use pi_plugin::{Error, Info, New, Result};

use crate::OpenCl;
use crate::sys::{Context, Sampler, Wrap, cl};

impl SamplerApi for OpenCl {
    fn piSamplerCreate(
        context: &Context,
        properties: Properties<'_, pi_sampler_properties>,
    ) -> Result<New<Sampler>> {
        let (mut normalized, mut addressing, mut filter) = (None, None, None);
        for (key, value) in properties.pairs() {
            let slot = match key {
                PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS => &mut normalized,
                PI_SAMPLER_PROPERTIES_ADDRESSING_MODE => &mut addressing,
                PI_SAMPLER_PROPERTIES_FILTER_MODE => &mut filter,
                _ => {
                    return Err(Error::invalid_value(format!(
                        "sampler_properties has the unknown property {key:#x}"
                    )));
                }
            };
            let known = match key {
                PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS => value <= 1,
                PI_SAMPLER_PROPERTIES_ADDRESSING_MODE => (u64::from(PI_SAMPLER_ADDRESSING_MODE_NONE)
                    ..=u64::from(PI_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT))
                    .contains(&value),
                _ => [PI_SAMPLER_FILTER_MODE_NEAREST, PI_SAMPLER_FILTER_MODE_LINEAR]
                    .iter()
                    .any(|mode| u64::from(*mode) == value),
            };
            if !known {
                return Err(Error::invalid_value(format!(
                    "sampler_properties has the unknown value {value:#x} of property {key:#x}"
                )));
            }
            if slot.replace(value as u32).is_some() {
                return Err(Error::invalid_value(format!("sampler_properties has property {key:#x} twice")));
            }
        }
        cl().clCreateSampler(
            context.cl(),
            normalized.unwrap_or(1),
            addressing.unwrap_or(PI_SAMPLER_ADDRESSING_MODE_CLAMP),
            filter.unwrap_or(PI_SAMPLER_FILTER_MODE_NEAREST),
        )?
        .wrap()
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
