//! `piContextGetInfo`.

use std::ptr::null_mut;

use sycl_pi_core::*;

use crate::case::{Case, case};
use crate::env::Env;
use crate::outcome::{CONTEXT, Verdict, check, same};

pub(super) const CASES: &[Case] = &[
    case("CTX-06", "piContextGetInfo", devices),
    case("CTX-07", "piContextGetInfo", bad_questions),
    case("CTX-08", "piContextGetInfo", usm_2d),
];

fn devices(f: &Env) -> Verdict {
    let context = f.new_context()?;
    same("number of devices", 1, get!(f, piContextGetInfo(*context, PI_CONTEXT_INFO_NUM_DEVICES) as u32))?;
    let device = get!(f, piContextGetInfo(*context, PI_CONTEXT_INFO_DEVICES) as pi_device);
    same("the device", f.device, device)?;
    same("reference count", 1, get!(f, piContextGetInfo(*context, PI_CONTEXT_INFO_REFERENCE_COUNT) as u32))
}

fn bad_questions(f: &Env) -> Verdict {
    let context = f.context()?;
    bad_questions!(f, piContextGetInfo(context), PI_CONTEXT_INFO_DEVICES);
    if f.version >= Version::V12_21 {
        bad_questions!(f, piContextGetInfo(context), PI_EXT_ONEAPI_CONTEXT_INFO_USM_FILL2D_SUPPORT);
    }
    let mut size = 0;
    refused!(f, piContextGetInfo(null_mut(), PI_CONTEXT_INFO_DEVICES, 0, null_mut(), &mut size), CONTEXT);
    Ok(())
}

fn usm_2d(f: &Env) -> Verdict {
    f.since(Version::V12_21)?;
    let context = f.context()?;
    for name in [
        PI_EXT_ONEAPI_CONTEXT_INFO_USM_FILL2D_SUPPORT,
        PI_EXT_ONEAPI_CONTEXT_INFO_USM_MEMSET2D_SUPPORT,
        PI_EXT_ONEAPI_CONTEXT_INFO_USM_MEMCPY2D_SUPPORT,
    ] {
        let answer = get!(f, piContextGetInfo(context, name) as pi_bool);
        check(&format!("support {name:#x}"), answer <= 1, "0 or 1", answer)?;
    }
    Ok(())
}
