//! Barriers and markers of out-of-order queues with several commands in flight.

use std::ptr::{null, null_mut};

use sycl_pi_core::*;

use crate::case::{Case, case};
use crate::env::{Env, Owned};
use crate::outcome::{Verdict, check};

pub(super) const CASES: &[Case] = &[
    case("EVT-34", "piEnqueueEventsWaitWithBarrier", behind_a_barrier),
    case("EVT-35", "piEnqueueEventsWaitWithBarrier", list_of_two),
    case("EVT-36", "piEnqueueEventsWait", marker_of_all),
    case("EVT-37", "piextUSMEnqueuePrefetch", hints_behind_a_barrier),
];

/// Long enough that a command that does not wait finishes before the kernel.
const SLOW: i32 = 20_000_000;
const FAST: i32 = 20_000;
/// More than a queue has streams or lists. A command may follow another just because it shares one.
const COMMANDS: usize = 40;

/// An out-of-order queue, and kernels for it.
struct Bench<'e> {
    f: &'e Env,
    queue: Owned<'e, pi_queue>,
    slow: Owned<'e, pi_kernel>,
    fast: Owned<'e, pi_kernel>,
    /// The data of the kernels.
    _data: [Owned<'e, pi_mem>; 2],
}

impl<'e> Bench<'e> {
    fn new(f: &'e Env) -> Verdict<Self> {
        let (queue, data) = (f.out_of_order()?, [f.buffer(&[0_i32; 2])?, f.buffer(&[0_i32; 2])?]);
        let (slow, fast) = (f.busy(*data[0], SLOW)?, f.busy(*data[1], FAST)?);
        let bench = Self { f, queue, slow, fast, _data: data };
        // The first launch of a kernel may take longer than the slow one.
        f.wait(bench.launch(&bench.fast)?.into_raw())?;
        Ok(bench)
    }

    fn launch(&self, kernel: &Owned<'e, pi_kernel>) -> Verdict<Owned<'e, pi_event>> {
        Ok(self.f.own_event(self.f.launch_on(*self.queue, **kernel, 1)?))
    }

    fn barrier(&self, list: &[pi_event]) -> Verdict {
        let (f, count) = (self.f, list.len() as u32);
        let list = if list.is_empty() { null() } else { list.as_ptr() };
        ok!(f, piEnqueueEventsWaitWithBarrier(*self.queue, count, list, null_mut()));
        Ok(())
    }

    fn marker(&self) -> Verdict<Owned<'e, pi_event>> {
        let f = self.f;
        Ok(f.own_event(made!(f, |out| piEnqueueEventsWait(*self.queue, 0, null(), out))))
    }

    /// Checks that none of the events is complete before the slow command is. Polls until then.
    fn none_before(&self, slow: pi_event, events: &[Owned<'_, pi_event>]) -> Verdict {
        let f = self.f;
        ok!(f, piQueueFlush(*self.queue));
        loop {
            let mut early = 0;
            for event in events {
                early += usize::from(f.status(**event)? == PI_EVENT_COMPLETE);
            }
            // Read afterwards: if the slow command is complete by now, the others may be too.
            if f.status(slow)? == PI_EVENT_COMPLETE {
                break;
            }
            check("", early == 0, "no command complete before the slow one", format!("{early} of them"))?;
        }
        for event in events {
            ok!(f, piEventsWait(1, &**event));
        }
        Ok(())
    }
}

/// The second barrier waits for a fast command. Later commands also follow the first barrier.
fn behind_a_barrier(f: &Env) -> Verdict {
    let bench = Bench::new(f)?;
    for listed in [true, false] {
        let slow = bench.launch(&bench.slow)?;
        bench.barrier(if listed { std::slice::from_ref(&*slow) } else { &[] })?;
        let other = f.new_queue(0)?;
        let fast = f.own_event(f.launch_on(*other, *bench.fast, 1)?);
        bench.barrier(std::slice::from_ref(&*fast))?;
        let behind = (0..COMMANDS).map(|_| bench.launch(&bench.fast)).collect::<Verdict<Vec<_>>>()?;
        bench.none_before(*slow, &behind)?;
        ok!(f, piQueueFinish(*bench.queue));
    }
    Ok(())
}

/// A barrier follows each event of its list, whatever the position of the slow one.
fn list_of_two(f: &Env) -> Verdict {
    let (bench, one, two) = (Bench::new(f)?, f.new_queue(0)?, f.new_queue(0)?);
    for slow_first in [false, true] {
        let slow = f.own_event(f.launch_on(*one, *bench.slow, 1)?);
        let fast = f.own_event(f.launch_on(*two, *bench.fast, 1)?);
        let list = if slow_first { [*slow, *fast] } else { [*fast, *slow] };
        bench.barrier(&list)?;
        let behind = (0..COMMANDS).map(|_| bench.launch(&bench.fast)).collect::<Verdict<Vec<_>>>()?;
        bench.none_before(*slow, &behind)?;
    }
    Ok(())
}

/// Markers without a list, after commands of which one is slow.
fn marker_of_all(f: &Env) -> Verdict {
    let bench = Bench::new(f)?;
    let before = [bench.launch(&bench.fast)?, bench.launch(&bench.fast)?];
    let slow = bench.launch(&bench.slow)?;
    let behind = [bench.launch(&bench.fast)?, bench.launch(&bench.fast)?];
    let markers = (0..COMMANDS).map(|_| bench.marker()).collect::<Verdict<Vec<_>>>()?;
    bench.none_before(*slow, &markers)?;
    for event in before.iter().chain(&behind) {
        ok!(f, piEventsWait(1, &**event));
    }
    Ok(())
}

/// Hints with a wait list whose events are complete: the barrier counts all the same.
fn hints_behind_a_barrier(f: &Env) -> Verdict {
    let (bench, other, memory) = (Bench::new(f)?, f.new_queue(0)?, f.shared(4096)?);
    let done = f.own_event(f.launch_on(*other, *bench.fast, 1)?);
    ok!(f, piEventsWait(1, &*done));
    let slow = bench.launch(&bench.slow)?;
    bench.barrier(std::slice::from_ref(&*slow))?;
    let hint = || -> Verdict<Owned<'_, pi_event>> {
        Ok(f.own_event(made!(f, |out| piextUSMEnqueuePrefetch(
            *bench.queue,
            memory.ptr,
            4096,
            0,
            1,
            &*done,
            out
        ))))
    };
    let hints = (0..COMMANDS).map(|_| hint()).collect::<Verdict<Vec<_>>>()?;
    bench.none_before(*slow, &hints)
}
