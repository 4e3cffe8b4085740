//! `piEventsWait`, `piEnqueueEventsWait`, `piEnqueueEventsWaitWithBarrier`.

use std::ptr::{null, null_mut};

use sycl_pi_core::*;

use crate::case::{Case, case};
use crate::cases::plugin::{Table, together};
use crate::env::Env;
use crate::outcome::{VALUE, Verdict, check, codes, same};

pub(super) const CASES: &[Case] = &[
    case("EVT-11", "piEventsWait", null_list),
    case("EVT-12", "piEventsWait", count_0),
    case("EVT-13", "piEventsWait", five_contexts),
    case("EVT-15", "piEventsWait", several_threads),
    case("EVT-29", "piEnqueueEventsWait", marker),
    case("EVT-31", "piEnqueueEventsWaitWithBarrier", barrier),
    case("EVT-32", "piEnqueueEventsWaitWithBarrier", between_queues),
    case("EVT-33", "piEventRelease", released_while_pending),
];

fn null_list(f: &Env) -> Verdict {
    refused!(f, piEventsWait(1, null()), VALUE);
    Ok(())
}

fn count_0(f: &Env) -> Verdict {
    let queue = f.queue()?;
    let event = f.own_event(made!(f, |out| piEnqueueEventsWait(queue, 0, null(), out)));
    refused!(f, piEventsWait(0, &*event), VALUE);
    let (list, codes) = ([*event, null_mut()], codes(&[PI_ERROR_INVALID_EVENT], &[PI_ERROR_INVALID_VALUE]));
    refused!(f, piEventsWait(2, list.as_ptr()), codes);
    refused!(f, piEventsWait(1, &null_mut()), codes);
    Ok(())
}

/// The host waits for all. Some OpenCL plugins refuse events of several contexts.
fn five_contexts(f: &Env) -> Verdict {
    let contexts = (0..4).map(|_| f.new_context()).collect::<Result<Vec<_>, _>>()?;
    let (mut queues, mut events) = (Vec::new(), Vec::new());
    for context in &contexts {
        let queue = f.queue_in(**context, f.device, 0)?;
        events.push(f.own_event(made!(f, |out| piEnqueueEventsWait(*queue, 0, null(), out))));
        queues.push(queue);
    }
    // The last one completes long after the others.
    let data = f.buffer(&[0_i32; 2])?;
    let kernel = f.busy(*data, 5_000_000)?;
    events.push(f.own_event(f.launch_on(f.queue()?, *kernel, 1)?));
    let list: Vec<pi_event> = events.iter().map(|event| **event).collect();
    match call!(f, piEventsWait(5, list.as_ptr())) {
        Ok(()) => list.into_iter().try_for_each(|event| same("status", PI_EVENT_COMPLETE, f.status(event)?)),
        Err(error) => {
            let known = !f.strict
                && f.backend == sycl_pi_loader::Backend::OpenCl
                && error.code() == Some(PI_ERROR_INVALID_CONTEXT);
            check("", known, "PI_SUCCESS", crate::outcome::answer(error))
        }
    }
}

fn several_threads(f: &Env) -> Verdict {
    let (queue, data) = (f.queue()?, f.buffer(&[0_i32; 2])?);
    let kernel = f.busy(*data, 10_000_000)?;
    let event = f.own_event(f.launch_on(queue, *kernel, 1)?);
    let (pi, address) = (f.pi, *event as usize);
    together(6, |_| {
        let f = Table { pi };
        let event = address as pi_event;
        call!(f, piEventsWait(1, &event)).map_err(|error| error.to_string())
    })?;
    same("status", PI_EVENT_COMPLETE, f.status(*event)?)
}

fn marker(f: &Env) -> Verdict {
    for listed in [true, false] {
        let (queue, data) = (f.new_queue(0)?, f.buffer(&[0_i32; 2])?);
        let kernel = f.busy(*data, 5_000_000)?;
        let event = f.own_event(f.launch_on(*queue, *kernel, 1)?);
        let (count, list) = if listed { (1, &raw const *event) } else { (0, null()) };
        let marker = f.own_event(made!(f, |out| piEnqueueEventsWait(*queue, count, list, out)));
        ok!(f, piEventsWait(1, &*marker));
        same("status of what the marker waits for", PI_EVENT_COMPLETE, f.status(*event)?)?;
    }
    Ok(())
}

/// `data[0]`: the slow kernel adds 1, then everything after the barrier is multiplied.
fn barrier(f: &Env) -> Verdict {
    let queue = if f.has_out_of_order() { f.out_of_order()? } else { f.new_queue(0)? };
    for listed in [false, true] {
        let data = f.buffer(&[2_i32, 1])?;
        let (slow, mul) = (f.busy(*data, 20_000_000)?, f.kernel(c"mul_value")?);
        f.set_mem(*mul, 0, *data)?;
        f.set_arg(*mul, 1, 10_i32)?;
        let event = f.own_event(f.launch_on(*queue, *slow, 1)?);
        let (count, list) = if listed { (1, &raw const *event) } else { (0, null()) };
        ok!(f, piEnqueueEventsWaitWithBarrier(*queue, count, list, null_mut()));
        drop(f.own_event(f.launch_on(*queue, *mul, 1)?));
        ok!(f, piQueueFinish(*queue));
        same("value", vec![30], f.read_on::<i32>(*queue, *data, 0, 1)?)?;
    }
    Ok(())
}

/// ((1 + 1000) * 4) computed by two queues, in this order every time.
fn between_queues(f: &Env) -> Verdict {
    let (one, two) = (f.new_queue(0)?, f.new_queue(0)?);
    let (add, mul) = (f.kernel(c"add_value")?, f.kernel(c"mul_value")?);
    f.set_arg(*add, 1, 1000_i32)?;
    f.set_arg(*mul, 1, 4_i32)?;
    for _ in 0..20 {
        let data = f.buffer(&[1_i32; 256])?;
        f.set_mem(*add, 0, *data)?;
        f.set_mem(*mul, 0, *data)?;
        let added = f.own_event(f.launch_on(*one, *add, 256)?);
        ok!(f, piQueueFlush(*one));
        ok!(f, piEnqueueEventsWaitWithBarrier(*two, 1, &*added, null_mut()));
        let multiplied = f.own_event(f.launch_on(*two, *mul, 256)?);
        ok!(f, piQueueFlush(*two));
        let back = f.own_event(made!(f, |out| piEnqueueEventsWaitWithBarrier(*one, 1, &*multiplied, out)));
        ok!(f, piEventsWait(1, &*back));
        same("values", vec![4004; 256], f.read_on::<i32>(*one, *data, 0, 256)?)?;
    }
    Ok(())
}

fn released_while_pending(f: &Env) -> Verdict {
    let (queue, data) = (f.profiling()?, f.buffer(&[0_i32; 2])?);
    let kernel = f.busy(*data, 5_000_000)?;
    let first = f.launch_on(*queue, *kernel, 1)?;
    ok!(f, piEventRelease(first));
    ok!(f, piQueueFinish(*queue));
    let marker = f.own_event(made!(f, |out| piEnqueueEventsWait(*queue, 0, null(), out)));
    ok!(f, piEventsWait(1, &*marker));
    let end = get!(f, piEventGetProfilingInfo(*marker, PI_PROFILING_INFO_COMMAND_END) as u64);
    let kernel = f.own_event(f.launch_on(*queue, *kernel, 1)?);
    ok!(f, piEventsWait(1, &*kernel));
    let start = get!(f, piEventGetProfilingInfo(*kernel, PI_PROFILING_INFO_COMMAND_START) as u64);
    check("start of a later command", start >= end, format!("at least {end}"), start)
}
