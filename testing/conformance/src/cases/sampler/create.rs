//! `piSamplerCreate`, `piSamplerGetInfo`, `piSamplerRetain`, `piSamplerRelease`.

use std::ptr::null_mut;

use sycl_pi_core::*;
use sycl_pi_loader::Backend;

use crate::case::{Case, case};
use crate::env::{Env, Owned};
use crate::outcome::{Failure, SAMPLER, VALUE, Verdict, same};

pub(super) const CASES: &[Case] = &[
    case("SMP-01", "piSamplerCreate", combinations),
    case("SMP-02", "piSamplerCreate", defaults),
    case("SMP-03", "piSamplerCreate", bad_lists),
    case("SMP-04", "piSamplerGetInfo", facts),
    case("SMP-05", "piSamplerRetain", counted),
];

const NORMALIZED: u64 = PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS;
const ADDRESSING: u64 = PI_SAMPLER_PROPERTIES_ADDRESSING_MODE;
const FILTER: u64 = PI_SAMPLER_PROPERTIES_FILTER_MODE;

fn create<'e>(f: &'e Env, list: &[pi_sampler_properties]) -> Verdict<Owned<'e, pi_sampler>> {
    f.need_images()?;
    let (context, list) = (f.context()?, list.as_ptr());
    Ok(f.own_sampler(made!(f, |out| piSamplerCreate(context, list, out))))
}

fn facts_of(f: &Env, sampler: pi_sampler) -> Verdict<(pi_bool, u32, u32)> {
    let normalized = get!(f, piSamplerGetInfo(sampler, PI_SAMPLER_INFO_NORMALIZED_COORDS) as pi_bool);
    let addressing = get!(f, piSamplerGetInfo(sampler, PI_SAMPLER_INFO_ADDRESSING_MODE) as u32);
    Ok((normalized, addressing, get!(f, piSamplerGetInfo(sampler, PI_SAMPLER_INFO_FILTER_MODE) as u32)))
}

fn each(f: &Env, look: impl Fn(pi_sampler, (pi_bool, u32, u32)) -> Verdict) -> Verdict {
    for addressing in [
        PI_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT,
        PI_SAMPLER_ADDRESSING_MODE_REPEAT,
        PI_SAMPLER_ADDRESSING_MODE_CLAMP_TO_EDGE,
        PI_SAMPLER_ADDRESSING_MODE_CLAMP,
        PI_SAMPLER_ADDRESSING_MODE_NONE,
    ] {
        for filter in [PI_SAMPLER_FILTER_MODE_NEAREST, PI_SAMPLER_FILTER_MODE_LINEAR] {
            for normalized in [PI_TRUE, PI_FALSE] {
                let list =
                    [NORMALIZED, normalized.into(), ADDRESSING, addressing.into(), FILTER, filter.into(), 0];
                let repeats = [PI_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT, PI_SAMPLER_ADDRESSING_MODE_REPEAT];
                if repeats.contains(&addressing) && normalized == PI_FALSE {
                    // OpenCL supports repetition only with normalized coordinates. Drivers may refuse the others.
                    continue;
                }
                look(*create(f, &list)?, (normalized, addressing, filter))?;
            }
        }
    }
    Ok(())
}

fn combinations(f: &Env) -> Verdict {
    each(f, |_, _| Ok(()))
}

fn defaults(f: &Env) -> Verdict {
    let bare = create(f, &[0])?;
    if f.backend != Backend::LevelZero {
        let clamp = (PI_TRUE, PI_SAMPLER_ADDRESSING_MODE_CLAMP, PI_SAMPLER_FILTER_MODE_NEAREST);
        same("normalized, addressing, filter", clamp, facts_of(f, *bare)?)?;
    }
    let linear = create(f, &[FILTER, PI_SAMPLER_FILTER_MODE_LINEAR.into(), 0])?;
    if f.backend != Backend::LevelZero {
        let expected = (PI_TRUE, PI_SAMPLER_ADDRESSING_MODE_CLAMP, PI_SAMPLER_FILTER_MODE_LINEAR);
        same("normalized, addressing, filter", expected, facts_of(f, *linear)?)?;
    }
    Ok(())
}

fn bad_lists(f: &Env) -> Verdict {
    f.need_images()?;
    let (context, mut out) = (f.context()?, null_mut());
    let (twice, again) = ([NORMALIZED, 1, NORMALIZED, 0, 0], [NORMALIZED, 1, NORMALIZED, 1, 0]);
    let (unknown_key, unknown_value) = ([0x7777, 1, 0, 0, 0], [ADDRESSING, 0x7777, 0, 0, 0]);
    for list in [twice, again, unknown_key, unknown_value] {
        refused!(f, piSamplerCreate(context, list.as_ptr(), &mut out), VALUE);
    }
    refused!(f, piSamplerCreate(context, [0].as_ptr(), null_mut()), VALUE);
    Ok(())
}

fn facts(f: &Env) -> Verdict {
    f.need_images()?;
    if f.backend == Backend::LevelZero {
        return Err(Failure::skip(crate::skip::OTHER_BACKEND));
    }
    each(f, |sampler, expected| {
        same("normalized, addressing, filter", expected, facts_of(f, sampler)?)?;
        let context = get!(f, piSamplerGetInfo(sampler, PI_SAMPLER_INFO_CONTEXT) as pi_context);
        same("context", f.context()?, context)?;
        bad_questions!(f, piSamplerGetInfo(sampler), PI_SAMPLER_INFO_CONTEXT);
        same("reference count", 1, get!(f, piSamplerGetInfo(sampler, PI_SAMPLER_INFO_REFERENCE_COUNT) as u32))
    })
}

fn counted(f: &Env) -> Verdict {
    let sampler = create(f, &[0])?;
    let counted = |expected: u32| -> Verdict {
        if f.backend == Backend::LevelZero {
            return Ok(());
        }
        let count = get!(f, piSamplerGetInfo(*sampler, PI_SAMPLER_INFO_REFERENCE_COUNT) as u32);
        same("reference count", expected, count)
    };
    ok!(f, piSamplerRetain(*sampler));
    counted(2)?;
    ok!(f, piSamplerRelease(*sampler));
    counted(1)?;
    refused!(f, piSamplerRetain(null_mut()), SAMPLER);
    refused!(f, piSamplerRelease(null_mut()), SAMPLER);
    Ok(())
}
