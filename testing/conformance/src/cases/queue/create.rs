//! `piQueueCreate`, `piextQueueCreate`, `piQueueRetain`, `piQueueRelease`.

use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_pi_loader::Backend;

use crate::case::{Case, case};
use crate::env::Env;
use crate::outcome::{CONTEXT, DEVICE, Failure, QUEUE, QUEUE_PROPERTIES, VALUE, Verdict, check, codes, same};
use crate::skip;

pub(super) const CASES: &[Case] = &[
    case("QUE-01", "piQueueCreate", both_calls),
    case("QUE-02", "piQueueCreate", retained_once),
    case("QUE-03", "piQueueCreate", foreign_device),
    case("QUE-04", "piQueueCreate", unknown_bit),
    case("QUE-05", "piQueueCreate", two_priorities),
    case("QUE-06", "piQueueCreate", two_submissions),
    case("QUE-07", "piQueueCreate", nulls),
    case("QUE-09", "piQueueCreate", out_of_order),
    case("QUE-17", "piQueueRetain", null_object),
    case("QUE-18", "piQueueRetain", counted),
    case("QUE-19", "piQueueRelease", events_live_on),
    case("QUE-23", "piQueueCreate", many_in_a_row),
];

fn count(f: &Env, queue: pi_queue) -> Verdict<u32> {
    Ok(get!(f, piQueueGetInfo(queue, PI_QUEUE_INFO_REFERENCE_COUNT) as u32))
}

fn both_calls(f: &Env) -> Verdict {
    let context = f.context()?;
    let mut queues = vec![f.own_queue(made!(f, |out| piQueueCreate(context, f.device, 0, out)))];
    if f.version >= Version::V12_21 {
        let mut bare = [0_u64; 1];
        let mut list = [PI_QUEUE_FLAGS, 0, 0];
        let (bare, list) = (bare.as_mut_ptr(), list.as_mut_ptr());
        queues.push(f.own_queue(made!(f, |out| piextQueueCreate(context, f.device, bare, out))));
        queues.push(f.own_queue(made!(f, |out| piextQueueCreate(context, f.device, list, out))));
    }
    for queue in &queues {
        same("context", context, get!(f, piQueueGetInfo(**queue, PI_QUEUE_INFO_CONTEXT) as pi_context))?;
        same("device", f.device, get!(f, piQueueGetInfo(**queue, PI_QUEUE_INFO_DEVICE) as pi_device))?;
    }
    Ok(())
}

fn retained_once(f: &Env) -> Verdict {
    same("reference count", 1, count(f, *f.new_queue(0)?)?)
}

fn foreign_device(f: &Env) -> Verdict {
    let pair = f.pair()?;
    let Some(other) = pair.iter().find(|other| ***other != f.device) else {
        return Err(Failure::skip(skip::ONE_DEVICE));
    };
    let context = f.context_of(&[**other])?;
    let mut out = null_mut();
    let codes = codes(&[PI_ERROR_INVALID_DEVICE], &[]);
    refused!(f, piQueueCreate(*context, f.device, 0, &mut out), codes);
    Ok(())
}

fn unknown_bit(f: &Env) -> Verdict {
    let (context, mut out) = (f.context()?, null_mut());
    refused!(f, piQueueCreate(context, f.device, 1 << 40, &mut out), VALUE);
    if f.version >= Version::V12_21 {
        let mut unknown_key = [0x7777, 1, 0];
        refused!(f, piextQueueCreate(context, f.device, unknown_key.as_mut_ptr(), &mut out), VALUE);
        let mut unknown_bit = [PI_QUEUE_FLAGS, 1 << 40, 0];
        refused!(f, piextQueueCreate(context, f.device, unknown_bit.as_mut_ptr(), &mut out), VALUE);
    }
    check("", out.is_null(), "no handle written", "one was")
}

fn both(f: &Env, flags: pi_queue_properties) -> Verdict {
    f.since(Version::V12_21)?;
    let (mut list, mut out) = ([PI_QUEUE_FLAGS, flags, 0], null_mut());
    refused!(f, piextQueueCreate(f.context()?, f.device, list.as_mut_ptr(), &mut out), QUEUE_PROPERTIES);
    refused!(f, piQueueCreate(f.context()?, f.device, flags, &mut out), QUEUE_PROPERTIES);
    check("", out.is_null(), "no handle written", "one was")
}

fn two_priorities(f: &Env) -> Verdict {
    both(f, PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_LOW | PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_HIGH)
}

fn two_submissions(f: &Env) -> Verdict {
    f.since(Version::V14_37)?;
    both(f, PI_EXT_QUEUE_FLAG_SUBMISSION_IMMEDIATE | PI_EXT_QUEUE_FLAG_SUBMISSION_NO_IMMEDIATE)
}

fn nulls(f: &Env) -> Verdict {
    let (context, mut out) = (f.context()?, null_mut());
    refused!(f, piQueueCreate(null_mut(), f.device, 0, &mut out), CONTEXT);
    refused!(f, piQueueCreate(context, null_mut(), 0, &mut out), DEVICE);
    refused!(f, piQueueCreate(context, f.device, 0, null_mut()), VALUE);
    if f.version >= Version::V12_21 {
        let mut list = [0_u64; 1];
        let list = list.as_mut_ptr();
        refused!(f, piextQueueCreate(null_mut(), f.device, list, &mut out), CONTEXT);
        refused!(f, piextQueueCreate(context, null_mut(), list, &mut out), DEVICE);
        refused!(f, piextQueueCreate(context, f.device, list, null_mut()), VALUE);
    }
    Ok(())
}

fn out_of_order(f: &Env) -> Verdict {
    let flag = PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    if f.has_out_of_order() || f.backend != Backend::OpenCl {
        return f.new_queue(flag).map(|_| ());
    }
    let mut out = null_mut();
    refused!(f, piQueueCreate(f.context()?, f.device, flag, &mut out), QUEUE_PROPERTIES);
    Ok(())
}

fn null_object(f: &Env) -> Verdict {
    refused!(f, piQueueRetain(null_mut()), QUEUE);
    refused!(f, piQueueRelease(null_mut()), QUEUE);
    refused!(f, piQueueFinish(null_mut()), QUEUE);
    refused!(f, piQueueFlush(null_mut()), QUEUE);
    Ok(())
}

fn counted(f: &Env) -> Verdict {
    let queue = f.new_queue(0)?;
    ok!(f, piQueueRetain(*queue));
    same("reference count after retain", 2, count(f, *queue)?)?;
    ok!(f, piQueueRelease(*queue));
    same("reference count after release", 1, count(f, *queue)?)
}

fn events_live_on(f: &Env) -> Verdict {
    let (queue, buffer, value) = (f.profiling()?, f.blank(4)?, 5_u32);
    let from = (&raw const value).cast();
    let event =
        made!(f, |out| piEnqueueMemBufferWrite(*queue, *buffer, PI_FALSE, 0, 4, from, 0, null(), out));
    let event = f.own_event(event);
    drop(queue);
    ok!(f, piEventsWait(1, &*event));
    same("status", PI_EVENT_COMPLETE, f.status(*event)?)?;
    let end = get!(f, piEventGetProfilingInfo(*event, PI_PROFILING_INFO_COMMAND_END) as u64);
    check("end", end > 0 || f.backend != Backend::OpenCl, "more than 0", end)
}

fn many_in_a_row(f: &Env) -> Verdict {
    let pages = || -> usize {
        let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
        text.split_whitespace().nth(1).and_then(|word| word.parse().ok()).unwrap_or(0)
    };
    let round = || -> Verdict {
        for _ in 0..300 {
            let queue = f.new_queue(0)?;
            ok!(f, piQueueFinish(*queue));
        }
        Ok(())
    };
    round()?;
    let before = pages();
    round()?;
    round()?;
    let grown = pages().saturating_sub(before) * 4096;
    check("", grown < 16 << 20, "less than 16 MiB more after 600 queues", format!("{grown} bytes more"))
}
