//! Rules for every command: wait lists, output events.

use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_pi_loader::Backend;

use crate::case::{Case, case};
use crate::env::commands::Objects;
use crate::env::{BASIC, Env};
use crate::outcome::{Failure, QUEUE, Verdict, WAIT_LIST, check, codes, refusal, same};

pub(super) const CASES: &[Case] = &[
    case("ENQ-01", "piEnqueueEventsWait", count_without_list),
    case("ENQ-02", "piEnqueueEventsWait", list_without_count),
    case("ENQ-03", "piEnqueueEventsWait", null_event),
    case("ENQ-04", "piEnqueueEventsWait", event_of_another_queue),
    case("ENQ-05", "piEnqueueEventsWait", event_of_another_context),
    case("ENQ-06", "piEnqueueEventsWait", no_out_event),
    case("ENQ-07", "piEnqueueEventsWait", out_event),
    case("ENQ-10", "piEnqueueMemBufferRead", nulls),
    case("ENQ-15", "piEnqueueEventsWait", no_event_after_an_error),
    case("ENQ-17", "piEnqueueEventsWait", same_event_twice),
];

/// Prepends the command's name to a failure.
pub(super) fn of(name: &str, verdict: Verdict) -> Verdict {
    verdict.map_err(|wrong| match wrong {
        Failure::Fail(mut fail) => {
            if fail.call != name {
                fail.call = format!("{name}: {}", fail.call);
            }
            Failure::Fail(fail)
        }
        skip => skip,
    })
}

fn count_without_list(f: &Env) -> Verdict {
    let objects = Objects::new(f, f.queue()?)?;
    for command in objects.commands(objects.queue) {
        refusal(command.name, f.strict, (command.enqueue)(1, null(), null_mut()), WAIT_LIST)?;
    }
    Ok(())
}

/// A runtime passes the address of an empty vector, which has to be treated as no list.
fn list_without_count(f: &Env) -> Verdict {
    let objects = Objects::new(f, f.queue()?)?;
    let dangling = std::ptr::without_provenance::<pi_event>(8);
    for command in objects.commands(objects.queue) {
        of(command.name, (command.enqueue)(0, dangling, null_mut()).map_err(Failure::from))?;
    }
    Ok(())
}

fn null_event(f: &Env) -> Verdict {
    let objects = Objects::new(f, f.queue()?)?;
    let good = objects.event()?;
    let list = [*good, null_mut()];
    objects.each(objects.queue, &list, |command, result, _| {
        refusal(command.name, f.strict, result, WAIT_LIST).map(|_| ())
    })
}

fn wait_for(f: &Env, name: &str, result: Result<(), sycl_pi_loader::CallError>, event: pi_event) -> Verdict {
    of(name, result.map_err(Failure::from))?;
    of(name, check(name, !event.is_null(), "an event", "null"))?;
    of(name, f.wait(event))
}

/// Long enough that a command that does not wait finishes before the kernel.
const ROUNDS: i32 = 5_000_000;

/// A command completes no earlier than its dependencies. Each waits for a separate kernel in a separate queue.
fn event_of_another_queue(f: &Env) -> Verdict {
    let (queue, other) = (f.queue()?, f.new_queue(0)?);
    let (objects, data) = (Objects::new(f, queue)?, f.buffer(&[0_i32; 2])?);
    let kernel = f.busy(*data, ROUNDS)?;
    objects.each(queue, &[], |command, result, out| wait_for(f, command.name, result, out))?;
    for command in objects.commands(queue) {
        let slow = f.own_event(f.launch_on(*other, *kernel, 1)?);
        let mut out = null_mut();
        of(command.name, (command.enqueue)(1, &*slow, &mut out).map_err(Failure::from))?;
        of(command.name, check("", !out.is_null(), "an event", "null"))?;
        f.wait(out)?;
        let status = f.status(*slow)?;
        let given = format!("status of what {} waits for, when that is complete", command.name);
        of(command.name, same(&given, PI_EVENT_COMPLETE, status))?;
    }
    Ok(())
}

/// A slow kernel of another context holds each command back. OpenCL and Level Zero refuse such a wait list.
fn event_of_another_context(f: &Env) -> Verdict {
    let objects = Objects::new(f, f.queue()?)?;
    let context = f.new_context()?;
    let queue = f.queue_in(*context, f.device, 0)?;
    let data = f.buffer_in(*context, &[0_i32; 2])?;
    let program = f.create_in(*context, &BASIC)?;
    f.build(*program, c"")?;
    let kernel = f.kernel_of(*program, c"slow")?;
    f.set_mem(*kernel, 0, *data)?;
    f.set_arg(*kernel, 1, ROUNDS)?;
    objects.each(objects.queue, &[], |command, result, out| wait_for(f, command.name, result, out))?;
    let may_refuse = matches!(f.backend, Backend::OpenCl | Backend::LevelZero);
    let refused = codes(&[PI_ERROR_INVALID_CONTEXT], &[PI_ERROR_INVALID_EVENT_WAIT_LIST]);
    for command in objects.commands(objects.queue) {
        let slow = f.own_event(f.launch_on(*queue, *kernel, 1)?);
        let mut out = null_mut();
        match (command.enqueue)(1, &*slow, &mut out) {
            Err(error) if may_refuse => {
                refusal(command.name, f.strict, Err(error), refused)?;
                ok!(f, piEventsWait(1, &*slow));
            }
            result => {
                wait_for(f, command.name, result, out)?;
                let given = format!("status of what {} waits for, when that is complete", command.name);
                of(command.name, same(&given, PI_EVENT_COMPLETE, f.status(*slow)?))?;
            }
        }
    }
    Ok(())
}

fn no_out_event(f: &Env) -> Verdict {
    let objects = Objects::new(f, f.queue()?)?;
    for command in objects.commands(objects.queue) {
        of(command.name, (command.enqueue)(0, null(), null_mut()).map_err(Failure::from))?;
    }
    Ok(())
}

fn out_event(f: &Env) -> Verdict {
    let objects = Objects::new(f, f.queue()?)?;
    objects.each(objects.queue, &[], |command, result, event| {
        of(command.name, result.map_err(Failure::from))?;
        check(command.name, !event.is_null(), "an event", "null")?;
        let event = f.own_event(event);
        ok!(f, piEventsWait(1, &*event));
        let queue = get!(f, piEventGetInfo(*event, PI_EVENT_INFO_COMMAND_QUEUE) as pi_queue);
        of(command.name, same("queue of the event", objects.queue, queue))
    })
}

fn nulls(f: &Env) -> Verdict {
    use crate::outcome::{MEM, VALUE};
    let objects = Objects::new(f, f.queue()?)?;
    for command in objects.commands(null_mut()) {
        refusal(command.name, f.strict, (command.enqueue)(0, null(), null_mut()), QUEUE)?;
    }
    let (queue, buffer, mut host) = (f.queue()?, f.blank(64)?, [0_u8; 64]);
    let to = host.as_mut_ptr().cast();
    refused!(f, piEnqueueMemBufferRead(queue, null_mut(), PI_TRUE, 0, 64, to, 0, null(), null_mut()), MEM);
    refused!(f, piEnqueueMemBufferWrite(queue, null_mut(), PI_TRUE, 0, 64, to, 0, null(), null_mut()), MEM);
    refused!(
        f,
        piEnqueueMemBufferRead(queue, *buffer, PI_TRUE, 0, 64, null_mut(), 0, null(), null_mut()),
        VALUE
    );
    refused!(
        f,
        piEnqueueMemBufferWrite(queue, *buffer, PI_TRUE, 0, 64, null(), 0, null(), null_mut()),
        VALUE
    );
    refused!(f, piEnqueueMemBufferCopy(queue, null_mut(), *buffer, 0, 0, 8, 0, null(), null_mut()), MEM);
    refused!(f, piEnqueueMemBufferCopy(queue, *buffer, null_mut(), 0, 0, 8, 0, null(), null_mut()), MEM);
    refused!(f, piEnqueueMemBufferFill(queue, null_mut(), to, 4, 0, 8, 0, null(), null_mut()), MEM);
    refused!(f, piEnqueueMemUnmap(queue, null_mut(), to, 0, null(), null_mut()), MEM);
    refused!(
        f,
        piEnqueueKernelLaunch(queue, null_mut(), 1, null(), &1, null(), 0, null(), null_mut()),
        crate::outcome::KERNEL
    );
    Ok(())
}

fn no_event_after_an_error(f: &Env) -> Verdict {
    let objects = Objects::new(f, f.queue()?)?;
    let list = [null_mut(); 1];
    objects.each(objects.queue, &list, |command, result, event| {
        check(command.name, result.is_err(), "an error", "PI_SUCCESS")?;
        check(command.name, event.is_null(), "no event written", "one was")
    })
}

fn same_event_twice(f: &Env) -> Verdict {
    let objects = Objects::new(f, f.queue()?)?;
    let event = objects.event()?;
    objects
        .each(objects.queue, &[*event, *event], |command, result, out| wait_for(f, command.name, result, out))
}
