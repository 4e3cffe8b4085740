//! `piextCommandBufferCreate`, `Retain`, `Release`, `Finalize`.

use std::ptr::{null, null_mut};

use sycl_pi_core::*;

use crate::case::{Case, case};
use crate::env::{Env, Owned};
use crate::outcome::{COMMAND_BUFFER, CONTEXT, DEVICE, Failure, UNSUPPORTED, VALUE, Verdict, codes};
use crate::skip;

pub(super) const CASES: &[Case] = &[
    case("CMB-02", "piextCommandBufferFinalize", twice),
    case("CMB-03", "piextEnqueueCommandBuffer", out_of_turn),
    case("CMB-08", "piextCommandBufferRetain", counted),
    case("CMB-10", "piextEnqueueCommandBuffer", foreign_queue),
    case("CMB-13", "piextCommandBufferCreate", device_without),
];

/// Creates a command buffer, if the driver supports them.
pub(super) fn create(f: &Env) -> Verdict<Owned<'_, pi_ext_command_buffer>> {
    f.since(Version::V14_37)?;
    if !has(f)? {
        return Err(Failure::skip(skip::NO_COMMAND_BUFFERS));
    }
    raw(f)
}

fn raw(f: &Env) -> Verdict<Owned<'_, pi_ext_command_buffer>> {
    let context = f.context()?;
    let desc = pi_ext_command_buffer_desc {
        stype: PI_EXT_STRUCTURE_TYPE_COMMAND_BUFFER_DESC,
        pNext: null(),
        properties: null_mut(),
    };
    Ok(f.own_command_buffer(made!(f, |out| piextCommandBufferCreate(context, f.device, &desc, out))))
}

/// Returns whether they are supported. From 15.47 on the device reports it. Before, creating one shows it.
fn has(f: &Env) -> Verdict<bool> {
    if f.version >= Version::V15_47 {
        return Ok(f.says(PI_EXT_ONEAPI_DEVICE_INFO_COMMAND_BUFFER_SUPPORT));
    }
    match raw(f) {
        Ok(_) => Ok(true),
        Err(Failure::Fail(fail)) if fail.code == Some(PI_ERROR_INVALID_OPERATION) => Ok(false),
        Err(wrong) => Err(wrong),
    }
}

fn twice(f: &Env) -> Verdict {
    let buffer = create(f)?;
    ok!(f, piextCommandBufferFinalize(*buffer));
    refused!(f, piextCommandBufferFinalize(*buffer), codes(&[PI_ERROR_INVALID_OPERATION], &[]));
    Ok(())
}

fn out_of_turn(f: &Env) -> Verdict {
    let (buffer, queue, mem) = (create(f)?, f.queue()?, f.blank(64)?);
    let wrong = codes(&[PI_ERROR_INVALID_OPERATION], &[]);
    refused!(f, piextEnqueueCommandBuffer(*buffer, queue, 0, null(), null_mut()), wrong);
    ok!(f, piextCommandBufferFinalize(*buffer));
    let other = f.blank(64)?;
    refused!(
        f,
        piextCommandBufferMemBufferCopy(*buffer, *mem, *other, 0, 0, 64, 0, null(), null_mut()),
        wrong
    );
    Ok(())
}

fn counted(f: &Env) -> Verdict {
    let buffer = create(f)?;
    ok!(f, piextCommandBufferRetain(*buffer));
    ok!(f, piextCommandBufferRelease(*buffer));
    ok!(f, piextCommandBufferFinalize(*buffer));
    refused!(f, piextCommandBufferRetain(null_mut()), COMMAND_BUFFER);
    refused!(f, piextCommandBufferRelease(null_mut()), COMMAND_BUFFER);
    refused!(f, piextCommandBufferFinalize(null_mut()), COMMAND_BUFFER);
    Ok(())
}

fn foreign_queue(f: &Env) -> Verdict {
    let buffer = create(f)?;
    ok!(f, piextCommandBufferFinalize(*buffer));
    let context = f.new_context()?;
    let queue = f.queue_in(*context, f.device, 0)?;
    let wrong = codes(
        &[PI_ERROR_INCOMPATIBLE_COMMAND_QUEUE_KHR, PI_ERROR_INVALID_CONTEXT],
        &[PI_ERROR_INVALID_VALUE, PI_ERROR_INVALID_QUEUE],
    );
    refused!(f, piextEnqueueCommandBuffer(*buffer, *queue, 0, null(), null_mut()), wrong);
    Ok(())
}

fn device_without(f: &Env) -> Verdict {
    f.since(Version::V14_37)?;
    let (context, mut out) = (f.context()?, null_mut());
    if has(f)? {
        refused!(f, piextCommandBufferCreate(null_mut(), f.device, null(), &mut out), CONTEXT);
        refused!(f, piextCommandBufferCreate(context, null_mut(), null(), &mut out), DEVICE);
        refused!(f, piextCommandBufferCreate(context, f.device, null(), null_mut()), VALUE);
        return Ok(());
    }
    refused!(f, piextCommandBufferCreate(context, f.device, null(), &mut out), UNSUPPORTED);
    Ok(())
}
