//! Native handles of memory objects.

use std::ptr::null_mut;

use sycl_pi_core::*;
use sycl_pi_loader::Backend;

use crate::case::{Case, case};
use crate::env::{Env, ramp};
use crate::outcome::{Failure, Verdict, same};
use crate::skip;

pub(super) const CASES: &[Case] = &[
    case("NAT-14", "piextMemCreateWithNativeHandle", shows_the_native_content),
    case("NAT-17", "piextMemGetNativeHandle", per_device),
];

fn native(f: &Env, mem: pi_mem, device: pi_device) -> Verdict<pi_native_handle> {
    if f.pi.piextMemGetNativeHandle_until_14_39.is_some() {
        Ok(made!(f, |out| piextMemGetNativeHandle_until_14_39(mem, out)))
    } else {
        Ok(made!(f, |out| piextMemGetNativeHandle(mem, device, out)))
    }
}

fn shows_the_native_content(f: &Env) -> Verdict {
    if f.backend == Backend::Cuda {
        return Err(Failure::skip(skip::OTHER_BACKEND));
    }
    let buffer = f.buffer(&ramp(64))?;
    let (native, context) = (native(f, *buffer, f.device)?, f.context()?);
    // The object remains ours because the new handle does not take ownership.
    let same_memory: pi_mem = made!(f, |out| piextMemCreateWithNativeHandle(native, context, 0, out));
    let same_memory = f.own_mem(same_memory);
    same("content through the native handle", ramp(64), f.read(*same_memory, 64)?)?;
    drop(same_memory);
    same("content afterwards", ramp(64), f.read(*buffer, 64)?)
}

fn per_device(f: &Env) -> Verdict {
    let buffer = f.buffer(&ramp(64))?;
    let on_device = native(f, *buffer, f.device)?;
    same("handle on any device", on_device, native(f, *buffer, null_mut())?)?;
    same("handle asked for again", on_device, native(f, *buffer, f.device)?)
}
