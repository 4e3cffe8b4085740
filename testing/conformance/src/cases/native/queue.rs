//! Native handles of queues.

use std::ptr::null_mut;

use sycl_pi_core::*;
use sycl_pi_loader::Backend;

use crate::case::{Case, case};
use crate::env::{Env, Owned, ramp};
use crate::outcome::{CONTEXT, Failure, UNSUPPORTED, Verdict, check, same};
use crate::skip;

pub(super) const CASES: &[Case] = &[
    case("NAT-07", "piextQueueCreateWithNativeHandle", own_count),
    case("NAT-08", "piextQueueCreateWithNativeHandle", counts_do_not_mix),
    case("NAT-09", "piextQueueCreateWithNativeHandle", without_device),
    case("NAT-10", "piextQueueGetNativeHandle", kind_of_handle),
    case("NAT-15", "piextQueueCreateWithNativeHandle", unsupported),
    case("NAT-16", "piextContextCreateWithNativeHandle", null_context),
];

/// Returns the handle and its type.
fn native(f: &Env, queue: pi_queue) -> Verdict<(pi_native_handle, i32)> {
    if f.pi.piextQueueGetNativeHandle_until_12_27.is_some() {
        return Ok((made!(f, |out| piextQueueGetNativeHandle_until_12_27(queue, out)), 0));
    }
    let mut kind = -1;
    let native = made!(f, |out| piextQueueGetNativeHandle(queue, out, &mut kind));
    Ok((native, kind))
}

fn create(
    f: &Env,
    (native, kind): (pi_native_handle, i32),
    context: pi_context,
    device: pi_device,
) -> Verdict<Owned<'_, pi_queue>> {
    let mut list = [PI_QUEUE_FLAGS, 0, 0];
    let list = list.as_mut_ptr();
    let queue = if f.pi.piextQueueCreateWithNativeHandle_until_12_27.is_some() {
        made!(f, |out| piextQueueCreateWithNativeHandle_until_12_27(native, context, device, 0, out))
    } else {
        made!(f, |out| piextQueueCreateWithNativeHandle(native, kind, context, device, 0, list, out))
    };
    Ok(f.own_queue(queue))
}

fn not_cuda(f: &Env) -> Verdict {
    if f.backend == Backend::Cuda { Err(Failure::skip(skip::OTHER_BACKEND)) } else { Ok(()) }
}

/// After one release the created queue is destroyed, but the native one is not.
fn own_count(f: &Env) -> Verdict {
    not_cuda(f)?;
    let queue = f.new_queue(0)?;
    let other = create(f, native(f, *queue)?, f.context()?, f.device)?;
    ok!(f, piQueueFinish(*other));
    drop(other);
    let buffer = f.blank(64)?;
    f.write_on(*queue, *buffer, 0, &ramp(64))?;
    same("content by the first queue", ramp(64), f.read_on(*queue, *buffer, 0, 64)?)
}

/// Whether the handle is the object or a wrapper, creates and retains with as many releases leave the count
/// unchanged.
fn counts_do_not_mix(f: &Env) -> Verdict {
    not_cuda(f)?;
    let queue = f.new_queue(0)?;
    let count =
        || -> Verdict<u32> { Ok(get!(f, piQueueGetInfo(*queue, PI_QUEUE_INFO_REFERENCE_COUNT) as u32)) };
    let before = count()?;
    for _ in 0..3 {
        let other = create(f, native(f, *queue)?, f.context()?, f.device)?;
        ok!(f, piQueueRetain(*other));
        ok!(f, piQueueRelease(*other));
    }
    same("reference count of the first", before, count()?)
}

fn without_device(f: &Env) -> Verdict {
    not_cuda(f)?;
    let queue = f.new_queue(0)?;
    let other = create(f, native(f, *queue)?, f.context()?, null_mut())?;
    same("device", f.device, get!(f, piQueueGetInfo(*other, PI_QUEUE_INFO_DEVICE) as pi_device))
}

fn kind_of_handle(f: &Env) -> Verdict {
    f.since(Version::V14_37)?;
    let (_, kind) = native(f, *f.new_queue(0)?)?;
    let known = if f.backend == Backend::LevelZero { 0..=1 } else { 0..=0 };
    check("", known.contains(&kind), format!("{} to {}", known.start(), known.end()), kind)
}

fn unsupported(f: &Env) -> Verdict {
    f.only(Backend::Cuda)?;
    let (mut out, context) = (null_mut(), f.context()?);
    refused!(f, piextProgramCreateWithNativeHandle(1, context, 0, &mut out), UNSUPPORTED);
    Ok(())
}

fn null_context(f: &Env) -> Verdict {
    let (queue, mut out) = (f.new_queue(0)?, null_mut());
    let (native, kind) = native(f, *queue)?;
    if f.pi.piextQueueCreateWithNativeHandle_until_12_27.is_some() {
        refused!(
            f,
            piextQueueCreateWithNativeHandle_until_12_27(native, null_mut(), f.device, 0, &mut out),
            CONTEXT
        );
    } else {
        refused!(
            f,
            piextQueueCreateWithNativeHandle(native, kind, null_mut(), f.device, 0, null_mut(), &mut out),
            CONTEXT
        );
    }
    Ok(())
}
