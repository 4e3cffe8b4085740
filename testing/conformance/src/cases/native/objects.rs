//! Native handles of contexts and events.

use std::ptr::null;

use sycl_pi_core::*;
use sycl_pi_loader::Backend;

use crate::case::{Case, case};
use crate::env::{Env, ramp};
use crate::outcome::{Failure, Verdict, check, same};
use crate::skip;

pub(super) const CASES: &[Case] = &[
    case("NAT-01", "piextContextGetNativeHandle", each_type),
    case("NAT-04", "piextContextCreateWithNativeHandle", not_owned),
    case("NAT-05", "piextContextCreateWithNativeHandle", owned),
    case("NAT-11", "piextEventCreateWithNativeHandle", event),
];

/// A handle, or an error that there is none for that type.
fn each_type(f: &Env) -> Verdict {
    let context = f.context()?;
    let queue = f.queue()?;
    let event = f.own_event(made!(f, |out| piEnqueueEventsWait(queue, 0, null(), out)));
    let mut native = 0;
    let unsupported = [Some(PI_ERROR_INVALID_OPERATION), Some(PI_ERROR_UNSUPPORTED_FEATURE)];
    for (name, result) in [
        ("platform", call!(f, piextPlatformGetNativeHandle(f.platform, &mut native))),
        ("device", call!(f, piextDeviceGetNativeHandle(f.device, &mut native))),
        ("context", call!(f, piextContextGetNativeHandle(context, &mut native))),
        ("event", call!(f, piextEventGetNativeHandle(*event, &mut native))),
    ] {
        if let Err(error) = result {
            check(
                name,
                unsupported.contains(&error.code()),
                "a handle, or that there is none",
                crate::outcome::answer(error),
            )?;
        }
    }
    Ok(())
}

/// Creates a context from a native handle. Skips the case if the backend does not support it.
fn again(f: &Env, context: pi_context, owned: bool) -> Verdict<pi_context> {
    if f.backend == Backend::Cuda {
        return Err(Failure::skip(skip::OTHER_BACKEND));
    }
    let native: pi_native_handle = made!(f, |out| piextContextGetNativeHandle(context, out));
    Ok(made!(f, |out| piextContextCreateWithNativeHandle(native, 1, &f.device, owned.into(), out)))
}

fn not_owned(f: &Env) -> Verdict {
    let context = f.new_context()?;
    let other = f.own_context(again(f, *context, false)?);
    let devices = get!(f, piContextGetInfo(*other, PI_CONTEXT_INFO_NUM_DEVICES) as u32);
    same("devices through the native handle", 1, devices)?;
    drop(other);
    // The native context is still alive, so that buffers can be created in it.
    let queue = f.queue_in(*context, f.device, 0)?;
    let buffer = f.buffer_in(*context, &ramp(64))?;
    same("content", ramp(64), f.read_on(*queue, *buffer, 0, 64)?)
}

/// The reference of the first object is transferred to the second, so that there is one release in all.
fn owned(f: &Env) -> Verdict {
    if f.backend != Backend::OpenCl {
        return Err(Failure::skip(skip::OTHER_BACKEND));
    }
    let context = f.new_context()?;
    let before = get!(f, piContextGetInfo(*context, PI_CONTEXT_INFO_REFERENCE_COUNT) as u32);
    ok!(f, piContextRetain(*context));
    let other = f.own_context(again(f, *context, true)?);
    drop(other);
    same(
        "reference count",
        before,
        get!(f, piContextGetInfo(*context, PI_CONTEXT_INFO_REFERENCE_COUNT) as u32),
    )
}

fn event(f: &Env) -> Verdict {
    if f.backend == Backend::Cuda {
        return Err(Failure::skip(skip::OTHER_BACKEND));
    }
    let (queue, context) = (f.queue()?, f.context()?);
    let event = f.own_event(made!(f, |out| piEnqueueEventsWait(queue, 0, null(), out)));
    let native: pi_native_handle = made!(f, |out| piextEventGetNativeHandle(*event, out));
    let other = f.own_event(made!(f, |out| piextEventCreateWithNativeHandle(native, context, 0, out)));
    ok!(f, piEventsWait(1, &*other));
    same("status", PI_EVENT_COMPLETE, f.status(*other)?)?;
    drop(other);
    same("status through the first", PI_EVENT_COMPLETE, f.status(*event)?)
}
