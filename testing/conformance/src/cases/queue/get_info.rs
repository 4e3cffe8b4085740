//! `piQueueGetInfo`.

use std::ptr::null_mut;
use std::time::{Duration, Instant};

use sycl_pi_core::*;

use crate::case::{Case, case};
use crate::env::Env;
use crate::outcome::{Failure, QUEUE, Verdict, check, codes, same};
use crate::values::InWords;

pub(super) const CASES: &[Case] = &[
    case("QUE-08", "piQueueGetInfo", flags),
    case("QUE-10", "piQueueGetInfo", facts),
    case("QUE-11", "piQueueGetInfo", empty),
    case("QUE-12", "piQueueGetInfo", of_device_queues),
    case("QUE-13", "piQueueGetInfo", bad_questions),
];

fn flags(f: &Env) -> Verdict {
    let mut wanted = vec![0, PI_QUEUE_FLAG_PROFILING_ENABLE];
    if f.has_out_of_order() {
        wanted.push(PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE);
        wanted.push(PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE | PI_QUEUE_FLAG_PROFILING_ENABLE);
    }
    for flags in wanted {
        let queue = f.new_queue(flags)?;
        let read = get!(f, piQueueGetInfo(*queue, PI_QUEUE_INFO_PROPERTIES) as pi_queue_properties);
        same("flags", flags, read)?;
    }
    Ok(())
}

fn facts(f: &Env) -> Verdict {
    let (context, queue) = (f.context()?, f.new_queue(0)?);
    same("context", context, get!(f, piQueueGetInfo(*queue, PI_QUEUE_INFO_CONTEXT) as pi_context))?;
    same("device", f.device, get!(f, piQueueGetInfo(*queue, PI_QUEUE_INFO_DEVICE) as pi_device))?;
    same("reference count", 1, get!(f, piQueueGetInfo(*queue, PI_QUEUE_INFO_REFERENCE_COUNT) as u32))
}

fn empty(f: &Env) -> Verdict {
    f.since(Version::V12_21)?;
    let queue = f.new_queue(0)?;
    let ask =
        || -> Verdict<u32> { Ok(get!(f, piQueueGetInfo(*queue, PI_EXT_ONEAPI_QUEUE_INFO_EMPTY) as pi_bool)) };
    // OpenCL has no such query, and older plugins do not implement one.
    if f.backend == sycl_pi_loader::Backend::OpenCl && !f.strict && ask().is_err() {
        return Err(Failure::skip(crate::skip::NO_EMPTY_QUERY));
    }
    let data = f.buffer(&[0_i32; 2])?;
    let kernel = f.busy(*data, 3_000_000)?;
    let event = f.own_event(f.launch_on(*queue, *kernel, 1)?);
    let start = Instant::now();
    while ask()? == 0 {
        check("", start.elapsed() < f.patience, "empty without a wait", "never")?;
        std::thread::sleep(Duration::from_micros(200));
    }
    same("status of the command once the queue is empty", PI_EVENT_COMPLETE, f.status(*event)?)
}

fn of_device_queues(f: &Env) -> Verdict {
    let queue = f.new_queue(0)?;
    let mut size = 0;
    // OpenCL before 2.1 does not have this query at all.
    let codes = codes(&[PI_ERROR_INVALID_QUEUE, PI_ERROR_INVALID_VALUE], &[]);
    refused!(f, piQueueGetInfo(*queue, PI_QUEUE_INFO_SIZE, 0, null_mut(), &mut size), codes);
    let mut default: pi_queue = null_mut();
    let room = (&raw mut default).cast();
    if call!(f, piQueueGetInfo(*queue, PI_QUEUE_INFO_DEVICE_DEFAULT, 8, room, null_mut())).is_ok() {
        check("DEVICE_DEFAULT", default.is_null(), "an error, or null", default.in_words())?;
    }
    Ok(())
}

fn bad_questions(f: &Env) -> Verdict {
    let queue = f.queue()?;
    bad_questions!(f, piQueueGetInfo(queue), PI_QUEUE_INFO_CONTEXT);
    if f.strict && f.version >= Version::V12_21 {
        bad_questions!(f, piQueueGetInfo(queue), PI_EXT_ONEAPI_QUEUE_INFO_EMPTY);
    }
    let mut size = 0;
    refused!(f, piQueueGetInfo(null_mut(), PI_QUEUE_INFO_CONTEXT, 0, null_mut(), &mut size), QUEUE);
    Ok(())
}
