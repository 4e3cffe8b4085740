//! `piQueueFinish`, `piQueueFlush`.

use std::ptr::null;
use std::time::{Duration, Instant};

use sycl_pi_core::*;

use crate::case::{Case, case};
use crate::env::{Env, ramp};
use crate::outcome::{Verdict, check, same};

pub(super) const CASES: &[Case] = &[
    case("QUE-14", "piQueueFinish", idle),
    case("QUE-15", "piQueueFinish", completes),
    case("QUE-16", "piQueueFlush", returns),
];

fn idle(f: &Env) -> Verdict {
    let queue = f.new_queue(0)?;
    let start = Instant::now();
    ok!(f, piQueueFinish(*queue));
    let took = start.elapsed();
    check("", took < Duration::from_secs(1), "an end at once", format!("{took:?}"))
}

fn completes(f: &Env) -> Verdict {
    let (queue, buffer, content) = (f.new_queue(0)?, f.blank(1 << 20)?, ramp(1 << 20));
    let (size, from) = (content.len(), content.as_ptr().cast());
    let event =
        made!(f, |out| piEnqueueMemBufferWrite(*queue, *buffer, PI_FALSE, 0, size, from, 0, null(), out));
    let event = f.own_event(event);
    ok!(f, piQueueFinish(*queue));
    same("status", PI_EVENT_COMPLETE, f.status(*event)?)
}

fn returns(f: &Env) -> Verdict {
    let queue = f.new_queue(0)?;
    ok!(f, piQueueFlush(*queue));
    let data = f.buffer(&[0_i32; 2])?;
    let kernel = f.busy(*data, 50_000_000)?;
    let event = f.own_event(f.launch_on(*queue, *kernel, 1)?);
    ok!(f, piQueueFlush(*queue));
    ok!(f, piEventsWait(1, &*event));
    Ok(())
}
