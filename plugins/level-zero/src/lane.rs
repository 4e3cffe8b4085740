//! The commands of a queue that may not be done yet, and what each of them needs until it is.
//!
//! A command is one append to an engine, with a signal of its own. The lane holds the signal, the signals it waits for,
//! its kernel and its memory; they are let go when the signal is known to be done. Finding that out costs no driver call
//! where somebody waited anyway; else the oldest commands are asked for when many have gathered.

use std::any::Any;
use std::collections::VecDeque;

use parking_lot::Mutex;
use sycl_pi_backend::{Counted, Dependencies, Result, Shared};
use sycl_pi_backend::types::*;

use crate::engine::{Engine, Place};
use crate::pool::Flavour;
use crate::signal::{self, Signal};
use crate::sys::{ze, *};
use crate::tracks::{MAIN, Main, Tracks};
use crate::{Event, Queue, context, device, event, kernel, mem};

/// Commands at which the oldest are asked whether they are done.
const MANY: usize = 128;
/// How long letting go of a queue waits for its commands.
const PATIENCE: u64 = 10_000_000_000;

/// How commands of a queue are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ordering {
    /// By wait lists and barriers only, on lists without an order.
    Free,
    /// By wait lists and barriers, on several lists that the driver keeps in order each.
    Turns,
    /// By the driver.
    Driver,
    /// Each command waits for the one before it.
    Chained,
}

/// Which engine a command wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    Compute,
    /// The copy engine, where the queue has one.
    Copy,
    /// On the queue's first list, which barriers are on.
    Barrier,
}

/// What a command needs until it is done: kept, never looked at.
#[derive(Default)]
#[expect(dead_code, reason = "held for their drop")]
pub(crate) struct Held {
    pub(crate) kernel: Option<Shared<kernel::Body>>,
    pub(crate) mems: Vec<Shared<mem::Body>>,
    pub(crate) other: Option<Box<dyn Any + Send + Sync>>,
}

impl Held {
    /// A memory object.
    pub(crate) fn mem(mem: &crate::Mem) -> Self {
        Self { mems: vec![mem.share()], ..Self::default() }
    }

    /// Anything else.
    pub(crate) fn other(other: impl Any + Send + Sync) -> Self {
        Self { other: Some(Box::new(other)), ..Self::default() }
    }
}

/// Where a command is appended, what it waits for and what it signals, as the driver's calls take them.
pub(crate) struct At {
    pub(crate) list: ze_command_list_handle_t,
    pub(crate) signal: ze_event_handle_t,
    pub(crate) count: u32,
    pub(crate) waits: *mut ze_event_handle_t,
}

struct InFlight {
    signal: Signal,
    /// The list of the lane that it was appended to. None for another list: no order and no barrier covers it.
    track: Option<usize>,
    list: Option<ze_command_list_handle_t>,
    _waits: Vec<Signal>,
    _held: Held,
}

/// A queue's engines and commands.
pub(crate) struct Lane {
    pub(crate) context: Shared<context::Body>,
    pub(crate) device: Shared<device::Body>,
    pub(crate) ordering: Ordering,
    pub(crate) profiling: bool,
    state: Mutex<State>,
}

struct State {
    tracks: Tracks,
    ring: VecDeque<InFlight>,
    /// What commands on another list are behind: the last command in order, the last barrier out of order.
    last: Option<Signal>,
    /// The end of commands on another list, which the driver's order of this one does not cover.
    elsewhere: Option<Signal>,
    waits: Vec<ze_event_handle_t>,
    ask_at: usize,
    /// What commands need of which the driver took a part and refused the rest: until everything is done.
    adrift: Vec<(Vec<Signal>, Held)>,
}

impl Lane {
    pub(crate) fn new(
        context: Shared<context::Body>,
        device: Shared<device::Body>,
        ordering: Ordering,
        profiling: bool,
        main: Main,
        copy_place: Option<Place>,
    ) -> Self {
        let state = State {
            tracks: Tracks::new(ordering, main, copy_place, device.sub_slices()),
            ring: VecDeque::new(),
            last: None,
            elsewhere: None,
            waits: Vec::new(),
            ask_at: MANY,
            adrift: Vec::new(),
        };
        Self { context, device, ordering, profiling, state: Mutex::new(state) }
    }

    /// The driver's immediate list, or queue from outside.
    pub(crate) fn native(&self) -> Result<(usize, bool)> {
        Ok(match self.state.lock().tracks.engine(&self.context, &self.device, MAIN)? {
            Engine::Immediate { list, .. } => (list.0.expose_provenance(), true),
            Engine::Outside { queue, .. } => (queue.0.expose_provenance(), false),
        })
    }

    fn flavour(&self, wanted: bool) -> Flavour {
        match (self.profiling, wanted) {
            (true, _) => Flavour::Timed,
            (false, true) => Flavour::Plain,
            (false, false) => Flavour::Quiet,
        }
    }

    /// Appends one command. `append` makes the driver's call; on its error nothing is enqueued.
    #[inline]
    pub(crate) fn append(
        &self,
        work: Work,
        waits: &[&Event],
        more: Vec<Signal>,
        wanted: bool,
        held: Held,
        append: impl FnOnce(&At) -> Result<()>,
    ) -> Result<Signal> {
        self.ask_oldest();
        let mut holds = more;
        for event in waits {
            if let Some(signal) = event.awaited()? {
                holds.push(signal);
            }
        }
        let mut hosted = holds.iter().any(|hold| hold.is_hosted());
        let mut state = self.state.lock();
        let state = &mut *state;
        if self.is_in_order()
            && let Some(last) = state.last.as_ref().filter(|last| !last.is_known_done())
        {
            hosted |= last.is_hosted();
            if self.ordering == Ordering::Chained {
                holds.push(last.clone());
            }
        }
        match &state.elsewhere {
            Some(end) if end.is_known_done() => state.elsewhere = None,
            Some(end) => holds.push(end.clone()),
            None => {}
        }
        let barrier = state.last.as_ref().filter(|last| !self.is_in_order() && !last.is_known_done());
        hosted |= barrier.is_some_and(|barrier| barrier.is_hosted());
        let track = state.tracks.choose(work, &holds, hosted);
        holds.extend(barrier.filter(|_| state.tracks.needs_barrier(track)).cloned());
        state.waits.clear();
        let told = holds.iter().filter(|hold| !state.tracks.covers(track, hold));
        state.waits.extend(told.map(|signal| signal.ze));
        let signal = signal::fresh(&self.context, self.flavour(wanted), hosted)?;
        let engine = state.tracks.engine(&self.context, &self.device, track)?;
        let list = engine.open(&self.context, &self.device)?;
        let at = At {
            list,
            signal: signal.ze,
            count: state.waits.len() as u32,
            waits: if state.waits.is_empty() { std::ptr::null_mut() } else { state.waits.as_mut_ptr() },
        };
        let list = match append(&at).and_then(|()| engine.close(list)) {
            Ok(list) => list,
            Err(error) => {
                engine.recycle(list);
                // Of several appends the first ones may be under way.
                if !holds.is_empty() || held.other.is_some() {
                    state.adrift.push((holds, held));
                }
                return Err(error);
            }
        };
        if self.is_in_order() {
            state.last = Some(signal.clone());
        }
        state.tracks.appended(track, &signal);
        let entry = InFlight { signal: signal.clone(), track: Some(track), list, _waits: holds, _held: held };
        state.ring.push_back(entry);
        Ok(signal)
    }

    /// Whether each command of the queue is behind the one before it.
    #[inline(always)]
    fn is_in_order(&self) -> bool {
        matches!(self.ordering, Ordering::Driver | Ordering::Chained)
    }

    /// Puts commands to work on another list. `run` makes the driver's calls, behind the signals that it is given; on its
    /// error nothing is enqueued. No command comes between what the run waits for and its place in the queue: what follows it
    /// waits for it alone, and counts on what was before.
    pub(crate) fn run_elsewhere(
        &self,
        waits: &[&Event],
        wanted: bool,
        held: Held,
        run: impl FnOnce(&[Signal], &Signal) -> Result<()>,
    ) -> Result<Signal> {
        let mut holds = Vec::new();
        for event in waits {
            holds.extend(event.awaited()?);
        }
        let mut state = self.state.lock();
        holds.extend(state.last.iter().filter(|last| !last.is_known_done()).cloned());
        let hosted = holds.iter().any(|hold| hold.is_hosted());
        let signal = signal::fresh(&self.context, self.flavour(wanted), hosted)?;
        run(&holds, &signal)?;
        if self.is_in_order() {
            state.last = Some(signal.clone());
        }
        if self.ordering == Ordering::Driver {
            state.elsewhere = Some(signal.clone());
        }
        state.ring.push_back(InFlight {
            signal: signal.clone(),
            track: None,
            list: None,
            _waits: holds,
            _held: held,
        });
        Ok(signal)
    }

    /// A command after the wait list, or after everything before it where `all`; where it `holds_back`, before everything
    /// after it.
    pub(crate) fn barrier(
        &self,
        waits: &[&Event],
        all: bool,
        holds_back: bool,
        wanted: bool,
    ) -> Result<Signal> {
        let ze = ze()?;
        // Where nothing is held back, the command may wait on any list.
        let work = if holds_back || self.ordering != Ordering::Turns { Work::Barrier } else { Work::Compute };
        let covered = (work == Work::Barrier).then_some(MAIN);
        let others = if all { self.ends(|track| track.is_none() || track != covered) } else { Vec::new() };
        let both = all && !others.is_empty() && self.ordering == Ordering::Free;
        let done = self.append(work, waits, others, wanted, Held::default(), |at| {
            // The driver's barrier is behind its wait list, or behind everything where it has none.
            if both {
                ze.zeCommandListAppendBarrier(at.list, ze_event_handle_t::NULL, 0, std::ptr::null_mut())?;
            }
            ze.zeCommandListAppendBarrier(at.list, at.signal, at.count, at.waits)
        })?;
        if holds_back && !self.is_in_order() {
            let mut state = self.state.lock();
            state.last = Some(done.clone());
            state.tracks.hold_back();
        }
        Ok(done)
    }

    /// Of the commands on some lists that are not known to be done those behind which all others are.
    fn ends(&self, which: impl Fn(Option<usize>) -> bool) -> Vec<Signal> {
        let state = self.state.lock();
        let mut seen = 0_u32;
        let open =
            state.ring.iter().rev().filter(|entry| !entry.signal.is_known_done() && which(entry.track));
        let mut ends: Vec<Signal> = open
            .filter(|entry| match entry.track {
                Some(track) if state.tracks.is_ordered(track) => {
                    let first = seen & (1 << track) == 0;
                    seen |= 1 << track;
                    first
                }
                _ => true,
            })
            .map(|entry| entry.signal.clone())
            .collect();
        if self.is_in_order() {
            ends.truncate(1);
        }
        ends
    }

    fn pending(&self) -> Vec<Signal> {
        let state = self.state.lock();
        let open = state.ring.iter().filter(|entry| !entry.signal.is_known_done());
        open.map(|entry| entry.signal.clone()).collect()
    }

    /// Returns when every command so far is done.
    pub(crate) fn finish(&self) -> Result<()> {
        let open = self.pending();
        let ends = self.ends(|_| true);
        let few = ends.len() <= 1 || self.ordering == Ordering::Turns && ends.len() <= 2;
        if few && ends.iter().all(|signal| signal.is_for_host()) {
            ends.iter().try_for_each(|signal| signal.wait())?;
        } else {
            self.barrier(&[], true, true, true)?.wait()?;
        }
        open.iter().for_each(|signal| signal.set_done());
        let adrift = std::mem::take(&mut self.state.lock().adrift);
        drop(adrift);
        self.sweep();
        Ok(())
    }

    /// Whether everything is done; asks the driver.
    pub(crate) fn is_empty(&self) -> Result<bool> {
        for signal in self.ends(|_| true) {
            if !signal.is_done()? {
                return Ok(false);
            }
        }
        self.sweep();
        Ok(true)
    }

    /// Lets go of the oldest commands that are known to be done. Nothing is dropped under the lock.
    pub(crate) fn sweep(&self) {
        if self.ordering != Ordering::Free {
            self.settle();
        }
        loop {
            let mut state = self.state.lock();
            if !state.ring.front().is_some_and(|entry| entry.signal.is_known_done()) {
                return;
            }
            let entry = state.ring.pop_front();
            let last = if state.ring.is_empty() {
                [state.last.take(), state.elsewhere.take()]
            } else {
                [None, None]
            };
            let mut end = None;
            if let Some(InFlight { signal, track: Some(track), list, .. }) = &entry {
                end = state.tracks.let_go(*track, signal);
                list.iter().for_each(|list| state.tracks.recycle(*list));
            }
            drop(state);
            drop((entry, last, end));
        }
    }

    /// What came before a command that is done on a list in order is done too; in order, what came before it anywhere.
    fn settle(&self) {
        let state = self.state.lock();
        if state.ring.front().is_none_or(|entry| entry.signal.is_known_done()) {
            return;
        }
        let mut reached = 0_u32;
        for entry in state.ring.iter().rev() {
            let bit = match entry.track {
                _ if self.is_in_order() => 1,
                Some(track) if state.tracks.is_ordered(track) => 1 << track,
                _ => continue,
            };
            if entry.signal.is_known_done() {
                reached |= bit;
            } else if reached & bit != 0 {
                entry.signal.set_done();
            }
        }
    }

    /// Where many commands have gathered, asks the oldest until one is not done.
    #[inline]
    fn ask_oldest(&self) {
        let state = self.state.lock();
        if state.ring.len() >= state.ask_at {
            drop(state);
            self.ask();
        }
    }

    #[cold]
    fn ask(&self) {
        loop {
            let front = self.state.lock().ring.front().map(|entry| entry.signal.clone());
            match front.map(|signal| signal.is_done()) {
                Some(Ok(true)) => self.sweep(),
                _ => break,
            }
        }
        let mut dead = Vec::new();
        let mut state = self.state.lock();
        // Out of order, a slow command may stand before many that are done.
        if state.ring.len() >= state.ask_at && !self.is_in_order() {
            let all = std::mem::take(&mut state.ring);
            for entry in all {
                if entry.list.is_none() && entry.signal.is_known_done() {
                    dead.push(entry);
                } else {
                    state.ring.push_back(entry);
                }
            }
        }
        state.ask_at = MANY.max(state.ring.len() * 2);
        drop(state);
        drop(dead);
    }
}

impl Drop for Lane {
    fn drop(&mut self) {
        let state = self.state.get_mut();
        for entry in &state.ring {
            match entry.signal.wait_for(PATIENCE) {
                // A lost device runs nothing any more.
                Ok(true) | Err(_) => {}
                Ok(false) => {
                    log::warn!(
                        "a queue was released with commands that do not end; it is left to the driver"
                    );
                    std::mem::forget(std::mem::take(&mut state.ring));
                    std::mem::forget(self.context.clone());
                    return;
                }
            }
        }
        for entry in std::mem::take(&mut state.ring) {
            entry.list.iter().for_each(|list| state.tracks.recycle(*list));
        }
        state.tracks.destroy();
    }
}

/// What is asked of a command besides its driver call.
pub(crate) struct Ask {
    pub(crate) command: CommandType,
    pub(crate) work: Work,
    pub(crate) blocking: bool,
    pub(crate) held: Held,
}

impl Ask {
    pub(crate) fn new(command: CommandType, work: Work) -> Self {
        Self { command, work, blocking: false, held: Held::default() }
    }

    pub(crate) fn blocking(self, blocking: bool) -> Self {
        Self { blocking, ..self }
    }

    pub(crate) fn held(self, held: Held) -> Self {
        Self { held, ..self }
    }
}

/// Puts one command into a queue: behind the wait list, with the event that the caller wants.
#[inline]
pub(crate) fn enqueue(
    queue: &Queue,
    ask: Ask,
    dependencies: Dependencies<'_, Event>,
    append: impl FnOnce(&At) -> Result<()>,
) -> Result<()> {
    let wanted = dependencies.event.is_wanted();
    let lane = &queue.lane;
    let signal = lane.append(ask.work, dependencies.waits, Vec::new(), wanted || ask.blocking, ask.held, append)?;
    give(queue, ask.command, signal, ask.blocking, dependencies)
}

/// Waits for a command, if the caller blocks, and hands out its event.
#[inline]
pub(crate) fn give(
    queue: &Queue,
    command: CommandType,
    signal: Signal,
    blocking: bool,
    dependencies: Dependencies<'_, Event>,
) -> Result<()> {
    if blocking {
        signal.wait()?;
        queue.lane.sweep();
    }
    if dependencies.event.is_wanted() {
        let event = event::Body::of_command(queue, command, signal);
        let _ = dependencies.event.put(Counted::create(event));
    }
    Ok(())
}
