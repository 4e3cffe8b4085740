//! Samplers.

use std::ffi::c_void;
use std::ptr::null;

use sycl_pi_core::*;
use sycl_ur_core::*;

use super::answer::{Convert, NEITHER, answer, bool_of, number, paired, paired_back};
use super::result::refuse;
use super::stubs::stubs;

const ADDRESSING: &[(u32, u32)] = &[
    (UR_SAMPLER_ADDRESSING_MODE_NONE, PI_SAMPLER_ADDRESSING_MODE_NONE),
    (UR_SAMPLER_ADDRESSING_MODE_CLAMP_TO_EDGE, PI_SAMPLER_ADDRESSING_MODE_CLAMP_TO_EDGE),
    (UR_SAMPLER_ADDRESSING_MODE_CLAMP, PI_SAMPLER_ADDRESSING_MODE_CLAMP),
    (UR_SAMPLER_ADDRESSING_MODE_REPEAT, PI_SAMPLER_ADDRESSING_MODE_REPEAT),
    (UR_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT, PI_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT),
];

const FILTERS: &[(u32, u32)] = &[
    (UR_SAMPLER_FILTER_MODE_NEAREST, PI_SAMPLER_FILTER_MODE_NEAREST),
    (UR_SAMPLER_FILTER_MODE_LINEAR, PI_SAMPLER_FILTER_MODE_LINEAR),
];

fn addressing(bytes: &[u8]) -> Vec<u8> {
    paired(ADDRESSING, number(bytes)).to_ne_bytes().to_vec()
}

fn filter(bytes: &[u8]) -> Vec<u8> {
    paired(FILTERS, number(bytes)).to_ne_bytes().to_vec()
}

fn info(name: pi_sampler_info) -> (u32, Option<Convert>) {
    match name {
        PI_SAMPLER_INFO_REFERENCE_COUNT => (UR_SAMPLER_INFO_REFERENCE_COUNT, None),
        PI_SAMPLER_INFO_CONTEXT => (UR_SAMPLER_INFO_CONTEXT, None),
        PI_SAMPLER_INFO_NORMALIZED_COORDS => (UR_SAMPLER_INFO_NORMALIZED_COORDS, Some(bool_of)),
        PI_SAMPLER_INFO_ADDRESSING_MODE => (UR_SAMPLER_INFO_ADDRESSING_MODE, Some(addressing)),
        PI_SAMPLER_INFO_FILTER_MODE => (UR_SAMPLER_INFO_FILTER_MODE, Some(filter)),
        _ => (NEITHER, None),
    }
}

stubs! { ur;
    fn piSamplerCreate(context: pi_context, sampler_properties: *const pi_sampler_properties, result_sampler: *mut pi_sampler)
        [context PI_ERROR_INVALID_CONTEXT]
    {
        // OpenCL's defaults, which PI uses for properties that are not in the list.
        let mut desc = ur_sampler_desc_t {
            stype: UR_STRUCTURE_TYPE_SAMPLER_DESC,
            pNext: null(),
            normalizedCoords: 1,
            addressingMode: UR_SAMPLER_ADDRESSING_MODE_CLAMP,
            filterMode: UR_SAMPLER_FILTER_MODE_NEAREST,
        };
        let mut place = sampler_properties;
        while !place.is_null() && *place != 0 {
            let value = *place.add(1);
            match *place {
                PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS => desc.normalizedCoords = value as u8,
                PI_SAMPLER_PROPERTIES_ADDRESSING_MODE => desc.addressingMode = paired_back(ADDRESSING, value as u32),
                PI_SAMPLER_PROPERTIES_FILTER_MODE => desc.filterMode = paired_back(FILTERS, value as u32),
                _ => return refuse(PI_ERROR_INVALID_VALUE),
            }
            place = place.add(2);
        }
        ur.calls.urSamplerCreate(context.cast(), &desc, result_sampler.cast())
    }
    fn piSamplerGetInfo(sampler: pi_sampler, param_name: pi_sampler_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize)
        [sampler PI_ERROR_INVALID_SAMPLER]
    {
        let (name, convert) = info(param_name);
        answer(param_value_size, param_value, param_value_size_ret, convert, |size, value, reported| {
            ur.calls.urSamplerGetInfo(sampler.cast(), name, size, value, reported)
        })
    }
    fn piSamplerRetain(sampler: pi_sampler) [sampler PI_ERROR_INVALID_SAMPLER] {
        ur.calls.urSamplerRetain(sampler.cast())
    }
    fn piSamplerRelease(sampler: pi_sampler) [sampler PI_ERROR_INVALID_SAMPLER] {
        ur.calls.urSamplerRelease(sampler.cast())
    }
}
