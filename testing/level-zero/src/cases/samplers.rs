//! Tests of samplers on the software driver.

use std::collections::BTreeSet;
use std::ptr::null_mut;

use level_zero_sys::*;

use super::Case;
use crate::fixture::plugin;
use crate::{Fixture, Soft, ok};
use sycl_pi_core::*;

pub(crate) const CASES: &[Case] = &[("a_sampler_has_the_modes_that_it_was_created_with", modes)];

/// OpenCL's `CLAMP` reads the color of the border, and Level Zero's reads the element at the edge.
const ADDRESSING: [(pi_sampler_addressing_mode, ze_sampler_address_mode_t); 5] = [
    (PI_SAMPLER_ADDRESSING_MODE_NONE, ZE_SAMPLER_ADDRESS_MODE_NONE),
    (PI_SAMPLER_ADDRESSING_MODE_REPEAT, ZE_SAMPLER_ADDRESS_MODE_REPEAT),
    (PI_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT, ZE_SAMPLER_ADDRESS_MODE_MIRROR),
    (PI_SAMPLER_ADDRESSING_MODE_CLAMP, ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER),
    (PI_SAMPLER_ADDRESSING_MODE_CLAMP_TO_EDGE, ZE_SAMPLER_ADDRESS_MODE_CLAMP),
];
const FILTERS: [(pi_sampler_filter_mode, ze_sampler_filter_mode_t); 2] = [
    (PI_SAMPLER_FILTER_MODE_NEAREST, ZE_SAMPLER_FILTER_MODE_NEAREST),
    (PI_SAMPLER_FILTER_MODE_LINEAR, ZE_SAMPLER_FILTER_MODE_LINEAR),
];

fn modes() {
    let (soft, fixture) = (Soft::find().unwrap(), Fixture::new(plugin()));
    let pi = fixture.pi;
    for (addressing, of_driver) in ADDRESSING {
        for (filter, filter_of_driver) in FILTERS {
            // Coordinates outside of 0 to 1 repeat, so that only normalized ones can.
            for normalized in [1, 0] {
                let asked = [
                    PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS,
                    normalized,
                    PI_SAMPLER_PROPERTIES_ADDRESSING_MODE,
                    addressing.into(),
                    PI_SAMPLER_PROPERTIES_FILTER_MODE,
                    filter.into(),
                    0,
                ];
                let repeats = [PI_SAMPLER_ADDRESSING_MODE_REPEAT, PI_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT];
                if normalized == 0 && repeats.contains(&addressing) {
                    continue;
                }
                let mut sampler = null_mut();
                soft.reset();
                ok!(pi, piSamplerCreate(fixture.context, asked.as_ptr(), &mut sampler));
                let (mode, filtering) = (of_driver.0, filter_of_driver.0);
                let expected =
                    format!("zeSamplerCreate addressing {mode} filter {filtering} normalized {normalized}");
                assert_eq!(soft.report().requests, BTreeSet::from([expected]));
                for (name, expected) in [
                    (PI_SAMPLER_INFO_NORMALIZED_COORDS, normalized as u32),
                    (PI_SAMPLER_INFO_ADDRESSING_MODE, addressing),
                    (PI_SAMPLER_INFO_FILTER_MODE, filter),
                    (PI_SAMPLER_INFO_REFERENCE_COUNT, 1),
                ] {
                    let mut number = 77_u32;
                    ok!(pi, piSamplerGetInfo(sampler, name, 4, (&raw mut number).cast(), null_mut()));
                    assert_eq!(number, expected, "{name:#x}");
                }
                ok!(pi, piSamplerRelease(sampler));
            }
        }
    }
}
