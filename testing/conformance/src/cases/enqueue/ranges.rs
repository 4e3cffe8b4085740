//! Ranges of buffers: inside, past the end, past the end of memory, blocking and non-blocking.

use std::ptr::{null, null_mut};

use sycl_pi_core::*;

use super::rect;
use crate::case::{Case, case};
use crate::cases::image;
use crate::env::{Env, ramp};
use crate::outcome::{Failure, OTHER_CONTEXT, SIZE, Verdict, check, same};

pub(super) const CASES: &[Case] = &[
    case("ENQ-08", "piEnqueueMemBufferRead", blocking),
    case("ENQ-09", "piEnqueueMemBufferWrite", not_blocking),
    case("ENQ-11", "piEnqueueMemBufferRead", buffer_of_another_context),
    case("ENQ-12", "piEnqueueMemBufferRead", past_the_end),
    case("ENQ-13", "piEnqueueMemBufferRead", sum_wraps),
    case("ENQ-14", "piEnqueueMemBufferRead", size_0),
];

fn blocking(f: &Env) -> Verdict {
    let (queue, buffer, mut read) = (f.queue()?, f.buffer(&ramp(4096))?, vec![0_u8; 4096]);
    let to = read.as_mut_ptr().cast();
    let event = made!(f, |out| piEnqueueMemBufferRead(queue, *buffer, PI_TRUE, 0, 4096, to, 0, null(), out));
    let event = f.own_event(event);
    same("content", ramp(4096), read)?;
    same("status", PI_EVENT_COMPLETE, f.status(*event)?)
}

fn not_blocking(f: &Env) -> Verdict {
    let (queue, data, content) = (f.queue()?, f.buffer(&[0_i32; 2])?, ramp(4096));
    let (kernel, buffer) = (f.busy(*data, 100_000_000)?, f.blank(4096)?);
    let busy = f.own_event(f.launch_on(queue, *kernel, 1)?);
    let from = content.as_ptr().cast();
    let start = std::time::Instant::now();
    ok!(f, piEnqueueMemBufferWrite(queue, *buffer, PI_FALSE, 0, 4096, from, 0, null(), null_mut()));
    let (took, status) = (start.elapsed(), f.status(*busy)?);
    ok!(f, piQueueFinish(queue));
    same("content", ramp(4096), f.read::<u8>(*buffer, 4096)?)?;
    if status == PI_EVENT_COMPLETE && took.as_millis() < 5 {
        return Err(Failure::skip(crate::skip::TOO_FAST));
    }
    check(
        "",
        status != PI_EVENT_COMPLETE,
        "a return before the command in front is done",
        format!("{took:?}"),
    )
}

fn buffer_of_another_context(f: &Env) -> Verdict {
    let (queue, context, mut host) = (f.queue()?, f.new_context()?, [0_u8; 64]);
    let (own, foreign) = (f.blank(64)?, f.buffer_in(*context, &[0_u8; 64])?);
    let (host, none, mut mapped) = (host.as_mut_ptr().cast(), null_mut(), null_mut());
    refused!(
        f,
        piEnqueueMemBufferRead(queue, *foreign, PI_TRUE, 0, 64, host, 0, null(), none),
        OTHER_CONTEXT
    );
    refused!(
        f,
        piEnqueueMemBufferWrite(queue, *foreign, PI_TRUE, 0, 64, host, 0, null(), none),
        OTHER_CONTEXT
    );
    refused!(f, piEnqueueMemBufferFill(queue, *foreign, host, 1, 0, 64, 0, null(), none), OTHER_CONTEXT);
    refused!(f, piEnqueueMemBufferCopy(queue, *foreign, *own, 0, 0, 64, 0, null(), none), OTHER_CONTEXT);
    refused!(f, piEnqueueMemBufferCopy(queue, *own, *foreign, 0, 0, 64, 0, null(), none), OTHER_CONTEXT);
    let (flags, out) = (PI_MAP_READ, &raw mut mapped);
    refused!(
        f,
        piEnqueueMemBufferMap(queue, *foreign, PI_TRUE, flags, 0, 64, 0, null(), none, out),
        OTHER_CONTEXT
    );
    let other = f.queue_in(*context, f.device, 0)?;
    ok!(f, piEnqueueMemBufferMap(queue, *own, PI_TRUE, flags, 0, 64, 0, null(), none, out));
    refused!(f, piEnqueueMemUnmap(*other, *own, mapped, 0, null(), none), OTHER_CONTEXT);
    ok!(f, piEnqueueMemUnmap(queue, *own, mapped, 0, null(), none));
    ok!(f, piQueueFinish(queue));
    rect::of_another_context(f)?;
    if f.need_images().is_ok() { image::of_another_context(f) } else { Ok(()) }
}

/// Calls each command with that range in a buffer of 64 bytes.
fn refuse(f: &Env, offset: usize, size: usize) -> Verdict {
    let (queue, buffer, other, mut host) = (f.queue()?, f.blank(64)?, f.blank(256)?, [0_u8; 256]);
    let (to, mut event) = (host.as_mut_ptr().cast(), null_mut());
    let pattern = to;
    refused!(
        f,
        piEnqueueMemBufferRead(queue, *buffer, PI_TRUE, offset, size, to, 0, null(), &mut event),
        SIZE
    );
    check("piEnqueueMemBufferRead", event.is_null(), "no event written", "one was")?;
    refused!(
        f,
        piEnqueueMemBufferWrite(queue, *buffer, PI_TRUE, offset, size, to, 0, null(), null_mut()),
        SIZE
    );
    refused!(f, piEnqueueMemBufferCopy(queue, *buffer, *other, offset, 0, size, 0, null(), null_mut()), SIZE);
    refused!(f, piEnqueueMemBufferCopy(queue, *other, *buffer, 0, offset, size, 0, null(), null_mut()), SIZE);
    refused!(
        f,
        piEnqueueMemBufferFill(queue, *buffer, pattern, 1, offset, size, 0, null(), null_mut()),
        SIZE
    );
    let mut mapped = null_mut();
    refused!(
        f,
        piEnqueueMemBufferMap(
            queue,
            *buffer,
            PI_TRUE,
            PI_MAP_READ,
            offset,
            size,
            0,
            null(),
            null_mut(),
            &mut mapped
        ),
        SIZE
    );
    check("piEnqueueMemBufferMap", mapped.is_null(), "no address written", "one was")
}

fn past_the_end(f: &Env) -> Verdict {
    refuse(f, 0, 65)?;
    refuse(f, 64, 1)?;
    refuse(f, 60, 8)
}

fn sum_wraps(f: &Env) -> Verdict {
    refuse(f, usize::MAX - 3, 8)?;
    refuse(f, usize::MAX - 3, 4)?;
    refuse(f, usize::MAX, 2)?;
    refuse(f, 8, usize::MAX - 3)
}

/// A refusal, or the event completes without an effect.
fn size_0(f: &Env) -> Verdict {
    let (queue, buffer, mut host) = (f.queue()?, f.blank(64)?, [0_u8; 64]);
    let to = host.as_mut_ptr().cast();
    let mut event = null_mut();
    match call!(f, piEnqueueMemBufferRead(queue, *buffer, PI_FALSE, 0, 0, to, 0, null(), &mut event)) {
        Ok(()) => f.wait(event),
        Err(error) => {
            let code = error.code();
            check(
                "",
                code == Some(PI_ERROR_INVALID_VALUE),
                "PI_SUCCESS or PI_ERROR_INVALID_VALUE",
                crate::outcome::answer(error),
            )
        }
    }
}
