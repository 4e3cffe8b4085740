//! Wait lists of several pending events, and events that refer to others: a command follows everything in its list.

use std::ptr::null_mut;

use sycl_pi_core::*;

use super::common::of;
use crate::case::{Case, case};
use crate::env::commands::Objects;
use crate::env::{Env, Owned};
use crate::outcome::{Failure, Verdict, check, same};

pub(super) const CASES: &[Case] = &[
    case("ENQ-18", "piEnqueueEventsWait", two_of_other_queues),
    case("ENQ-19", "piEnqueueEventsWait", two_of_the_queue_itself),
    case("NAT-18", "piextEventCreateWithNativeHandle", native_events),
];

/// A command that waits only for this finishes long before [`SLOW`].
const FAST: i32 = 20_000;
/// Long enough that a command that does not wait finishes before it.
const SLOW: i32 = 2_000_000;

/// A fast and a slow kernel.
struct Kernels<'e> {
    fast: Owned<'e, pi_kernel>,
    slow: Owned<'e, pi_kernel>,
    /// The data of the kernels.
    _data: [Owned<'e, pi_mem>; 2],
}

impl<'e> Kernels<'e> {
    fn new(f: &'e Env) -> Verdict<Self> {
        let data = [f.buffer(&[0_i32; 2])?, f.buffer(&[0_i32; 2])?];
        let (fast, slow) = (f.busy(*data[0], FAST)?, f.busy(*data[1], SLOW)?);
        Ok(Self { fast, slow, _data: data })
    }

    /// Starts both, and returns their events, the slow one's last.
    fn launch(&self, f: &'e Env, fast_on: pi_queue, slow_on: pi_queue) -> Verdict<[Owned<'e, pi_event>; 2]> {
        let slow = f.own_event(f.launch_on(slow_on, *self.slow, 1)?);
        Ok([f.own_event(f.launch_on(fast_on, *self.fast, 1)?), slow])
    }
}

/// Enqueues each command into `queue` after the first two of the events that `waits` returns. All of them are
/// complete when it is.
fn each_behind<'e, const COUNT: usize>(
    f: &'e Env,
    queue: pi_queue,
    waits: impl Fn() -> Verdict<[Owned<'e, pi_event>; COUNT]>,
) -> Verdict {
    const LISTED: u32 = 2;
    let objects = Objects::new(f, queue)?;
    // Once without a list, so that nothing has to be initialized while the slow kernel runs.
    objects.each(queue, &[], |command, result, out| {
        of(command.name, result.map_err(Failure::from))?;
        f.wait(out)
    })?;
    for command in objects.commands(queue) {
        let events = waits()?;
        let list = events.each_ref().map(|event| **event);
        let mut out = null_mut();
        of(command.name, (command.enqueue)(LISTED, list.as_ptr(), &mut out).map_err(Failure::from))?;
        of(command.name, check("", !out.is_null(), "an event", "null"))?;
        f.wait(out)?;
        for event in list {
            let given = format!("status of what {} waits for, when that is complete", command.name);
            of(command.name, same(&given, PI_EVENT_COMPLETE, f.status(event)?))?;
        }
    }
    Ok(())
}

/// Returns queues for the commands: an in-order one, and an out-of-order one if the device supports it.
fn queues(f: &Env) -> Verdict<Vec<Owned<'_, pi_queue>>> {
    let mut queues = vec![f.new_queue(0)?];
    if f.has_out_of_order() {
        queues.push(f.out_of_order()?);
    }
    Ok(queues)
}

fn two_of_other_queues(f: &Env) -> Verdict {
    let (kernels, one, two) = (Kernels::new(f)?, f.new_queue(0)?, f.new_queue(0)?);
    for queue in queues(f)? {
        each_behind(f, *queue, || kernels.launch(f, *one, *two))?;
    }
    Ok(())
}

/// In an out-of-order queue, in which the commands of the list may be anywhere.
fn two_of_the_queue_itself(f: &Env) -> Verdict {
    let (kernels, queue) = (Kernels::new(f)?, f.out_of_order()?);
    each_behind(f, *queue, || kernels.launch(f, *queue, *queue))
}

/// The second event of the list is created from another's native handle.
fn native_events(f: &Env) -> Verdict {
    let (kernels, one, two) = (Kernels::new(f)?, f.new_queue(0)?, f.new_queue(0)?);
    let context = f.context()?;
    for queue in queues(f)? {
        each_behind(f, *queue, || {
            let [fast, slow] = kernels.launch(f, *one, *two)?;
            let native: pi_native_handle = made!(f, |out| piextEventGetNativeHandle(*slow, out));
            let other = made!(f, |out| piextEventCreateWithNativeHandle(native, context, 0, out));
            // The slow event itself is not in the list.
            Ok([fast, f.own_event(other), slow])
        })?;
    }
    Ok(())
}
