//! `piEventGetProfilingInfo`.

use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_pi_loader::Backend;

use crate::case::{Case, case};
use crate::env::Env;
use crate::outcome::{EVENT, Failure, PROFILING, Verdict, check};
use crate::skip;
use crate::values::InWords;

pub(super) const CASES: &[Case] = &[
    case("EVT-23", "piEventGetProfilingInfo", in_order),
    case("EVT-24", "piEventGetProfilingInfo", not_asked_for),
    case("EVT-25", "piEventGetProfilingInfo", not_yet),
    case("EVT-26", "piEventGetProfilingInfo", of_a_barrier),
    case("EVT-27", "piEventGetProfilingInfo", queue_released_first),
    case("EVT-28", "piEventGetProfilingInfo", bad_questions),
];

fn times(f: &Env, event: pi_event) -> Verdict<[u64; 4]> {
    let time = |name| -> Verdict<u64> { Ok(get!(f, piEventGetProfilingInfo(event, name) as u64)) };
    Ok([
        time(PI_PROFILING_INFO_COMMAND_QUEUED)?,
        time(PI_PROFILING_INFO_COMMAND_SUBMIT)?,
        time(PI_PROFILING_INFO_COMMAND_START)?,
        time(PI_PROFILING_INFO_COMMAND_END)?,
    ])
}

fn in_order(f: &Env) -> Verdict {
    let (queue, data) = (f.profiling()?, f.buffer(&[0_i32; 2])?);
    let kernel = f.busy(*data, 5_000_000)?;
    let event = f.own_event(f.launch_on(*queue, *kernel, 1)?);
    ok!(f, piEventsWait(1, &*event));
    let times = times(f, *event)?;
    let sorted = times.is_sorted() || (f.backend == Backend::Cuda && times[2] <= times[3]);
    if f.backend == Backend::OpenCl {
        check("queued", times[0] > 0, "more than 0", times[0])?;
    }
    check(
        "queued, submitted, started, ended",
        sorted && times[3] > times[2],
        "in this order",
        times.in_words(),
    )
}

fn not_asked_for(f: &Env) -> Verdict {
    let queue = f.new_queue(0)?;
    let event = f.own_event(made!(f, |out| piEnqueueEventsWait(*queue, 0, null(), out)));
    ok!(f, piEventsWait(1, &*event));
    let (name, mut size) = (PI_PROFILING_INFO_COMMAND_START, 0);
    let mut time = 0_u64;
    let room = (&raw mut time).cast();
    refused!(f, piEventGetProfilingInfo(*event, name, 8, room, &mut size), PROFILING);
    Ok(())
}

fn not_yet(f: &Env) -> Verdict {
    let (queue, data) = (f.profiling()?, f.buffer(&[0_i32; 2])?);
    let kernel = f.busy(*data, 100_000_000)?;
    let event = f.own_event(f.launch_on(*queue, *kernel, 1)?);
    let mut time = 0_u64;
    let room = (&raw mut time).cast();
    let asked = call!(f, piEventGetProfilingInfo(*event, PI_PROFILING_INFO_COMMAND_END, 8, room, null_mut()));
    let still = f.status(*event)? != PI_EVENT_COMPLETE;
    ok!(f, piEventsWait(1, &*event));
    if !still {
        return Err(Failure::skip(skip::TOO_FAST));
    }
    crate::outcome::refusal("piEventGetProfilingInfo", f.strict, asked, PROFILING).map(|_| ())
}

fn of_a_barrier(f: &Env) -> Verdict {
    let queue = f.profiling()?;
    let event = f.own_event(made!(f, |out| piEnqueueEventsWaitWithBarrier(*queue, 0, null(), out)));
    ok!(f, piEventsWait(1, &*event));
    let times = times(f, *event)?;
    check(
        "started, ended",
        times[2] != 0 && times[3] >= times[2],
        "more than 0, not earlier",
        times.in_words(),
    )
}

fn queue_released_first(f: &Env) -> Verdict {
    let queue = f.profiling()?;
    let event = f.own_event(made!(f, |out| piEnqueueEventsWait(*queue, 0, null(), out)));
    ok!(f, piEventsWait(1, &*event));
    drop(queue);
    times(f, *event).map(|_| ())
}

fn bad_questions(f: &Env) -> Verdict {
    let queue = f.profiling()?;
    let event = f.own_event(made!(f, |out| piEnqueueEventsWait(*queue, 0, null(), out)));
    ok!(f, piEventsWait(1, &*event));
    bad_questions!(f, piEventGetProfilingInfo(*event), PI_PROFILING_INFO_COMMAND_END);
    let (name, mut size) = (PI_PROFILING_INFO_COMMAND_END, 0);
    refused!(f, piEventGetProfilingInfo(null_mut(), name, 0, null_mut(), &mut size), EVENT);
    Ok(())
}
