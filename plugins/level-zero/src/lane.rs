//! The commands of a queue that may not be done yet, and what each of them needs until it is.
//!
//! A command is one append to an engine, with a signal of its own. The lane holds the signal, the signals it waits for,
//! its kernel and its memory; they are let go when the signal is known to be done. Finding that out costs no driver call
//! where somebody waited anyway; else the oldest commands are asked for when many have gathered.

use std::any::Any;
use std::collections::VecDeque;

use parking_lot::Mutex;
use pi_core::*;
use pi_plugin::{Counted, Error, Order, Result, Shared};

use crate::engine::{Engine, Place};
use crate::pool::Flavour;
use crate::signal::{self, Signal};
use crate::sys::{ze, *};
use crate::{Event, Queue, context, device, event, kernel, mem};

/// Commands at which the oldest are asked whether they are done.
const MANY: usize = 128;
/// How long letting go of a queue waits for its commands.
const PATIENCE: u64 = 10_000_000_000;

/// How commands of a queue are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ordering {
    /// By wait lists and barriers only.
    Free,
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
    /// Appended to another list than the lane's: barriers there do not cover it.
    elsewhere: bool,
    work: Work,
    list: Option<ze_command_list_handle_t>,
    _waits: Vec<Signal>,
    _held: Held,
}

/// A queue's first engine: made when the first command comes. Many queues never see one.
pub(crate) enum Main {
    At(Place),
    Ready(Engine),
}

/// A queue's engines and commands.
pub(crate) struct Lane {
    pub(crate) context: Shared<context::Body>,
    pub(crate) device: Shared<device::Body>,
    pub(crate) ordering: Ordering,
    pub(crate) profiling: bool,
    copy_place: Option<Place>,
    state: Mutex<State>,
}

struct State {
    main: Main,
    copy: Option<Engine>,
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
            main,
            copy: None,
            ring: VecDeque::new(),
            last: None,
            elsewhere: None,
            waits: Vec::new(),
            ask_at: MANY,
            adrift: Vec::new(),
        };
        Self { context, device, ordering, profiling, copy_place, state: Mutex::new(state) }
    }

    /// The driver's immediate list, or queue from outside.
    pub(crate) fn native(&self) -> Result<(usize, bool)> {
        Ok(match self.state.lock().engine(self, Work::Compute)? {
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
        let mut state = self.state.lock();
        let state = &mut *state;
        let work = if self.copy_place.is_some() { work } else { Work::Compute };
        if self.ordering == Ordering::Chained
            && let Some(last) = &state.last
            && !last.is_known_done()
        {
            holds.push(last.clone());
        }
        match &state.elsewhere {
            Some(end) if end.is_known_done() => state.elsewhere = None,
            Some(end) => holds.push(end.clone()),
            None => {}
        }
        state.waits.clear();
        state.waits.extend(holds.iter().map(|signal| signal.ze));
        let signal = signal::fresh(&self.context, self.flavour(wanted))?;
        let engine = state.engine(self, work)?;
        let list = engine.open(&self.context, &self.device)?;
        let at = At {
            list,
            signal: signal.ze,
            count: state.waits.len() as u32,
            waits: if state.waits.is_empty() { std::ptr::null_mut() } else { state.waits.as_mut_ptr() },
        };
        let appended = append(&at);
        let engine = state.engine(self, work)?;
        let list = match appended.and_then(|()| engine.close(list)) {
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
        if self.ordering != Ordering::Free {
            state.last = Some(signal.clone());
        }
        let entry =
            InFlight { signal: signal.clone(), elsewhere: false, work, list, _waits: holds, _held: held };
        state.ring.push_back(entry);
        Ok(signal)
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
        let signal = signal::fresh(&self.context, self.flavour(wanted))?;
        let mut state = self.state.lock();
        holds.extend(state.last.iter().filter(|last| !last.is_known_done()).cloned());
        run(&holds, &signal)?;
        if self.ordering != Ordering::Free {
            state.last = Some(signal.clone());
        }
        if self.ordering == Ordering::Driver {
            state.elsewhere = Some(signal.clone());
        }
        state.ring.push_back(InFlight {
            signal: signal.clone(),
            elsewhere: true,
            work: Work::Compute,
            list: None,
            _waits: holds,
            _held: held,
        });
        Ok(signal)
    }

    /// A command after the wait list, or after everything before it where `all`; before everything after it.
    pub(crate) fn barrier(&self, waits: &[&Event], all: bool, wanted: bool) -> Result<Signal> {
        let ze = ze()?;
        let used_copy = self.state.lock().copy.is_some();
        let others = if all {
            self.pending(|entry| entry.elsewhere || (used_copy && entry.work == Work::Copy))
        } else {
            Vec::new()
        };
        let both = all && !others.is_empty();
        let done = self.append(Work::Compute, waits, others, wanted, Held::default(), |at| {
            // The driver's barrier is behind its wait list, or behind everything where it has none.
            if both {
                ze.zeCommandListAppendBarrier(at.list, ze_event_handle_t::NULL, 0, std::ptr::null_mut())?;
            }
            ze.zeCommandListAppendBarrier(at.list, at.signal, at.count, at.waits)
        })?;
        if self.ordering == Ordering::Free {
            self.state.lock().last = Some(done.clone());
        }
        if used_copy && self.ordering == Ordering::Free {
            self.append(Work::Copy, &[], vec![done.clone()], false, Held::default(), |at| {
                ze.zeCommandListAppendBarrier(at.list, at.signal, at.count, at.waits)
            })?;
        }
        Ok(done)
    }

    fn pending(&self, which: impl Fn(&InFlight) -> bool) -> Vec<Signal> {
        let state = self.state.lock();
        let open = state.ring.iter().filter(|entry| !entry.signal.is_known_done() && which(entry));
        open.map(|entry| entry.signal.clone()).collect()
    }

    /// Returns when every command so far is done.
    pub(crate) fn finish(&self) -> Result<()> {
        let open = self.pending(|_| true);
        let one_list = self.pending(|entry| entry.elsewhere || entry.work == Work::Copy).is_empty();
        match open.as_slice() {
            [] => {}
            [only] if only.is_for_host() => only.wait()?,
            [.., last] if self.ordering != Ordering::Free && last.is_for_host() => {
                last.wait()?;
                open.iter().for_each(|signal| signal.set_done());
            }
            _ if one_list => {
                let ze = ze()?;
                let end = self.append(Work::Compute, &[], Vec::new(), true, Held::default(), |at| {
                    ze.zeCommandListAppendBarrier(at.list, at.signal, at.count, at.waits)
                })?;
                end.wait()?;
                open.iter().for_each(|signal| signal.set_done());
            }
            _ => {
                for signal in &open {
                    signal.wait()?;
                }
            }
        }
        let adrift = std::mem::take(&mut self.state.lock().adrift);
        drop(adrift);
        self.sweep();
        Ok(())
    }

    /// Whether everything is done; asks the driver.
    pub(crate) fn is_empty(&self) -> Result<bool> {
        for signal in self.pending(|_| true) {
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
            let last = if state.ring.is_empty() { state.last.take() } else { None };
            if let Some(InFlight { work, list: Some(list), .. }) = &entry
                && let Ok(engine) = state.engine(self, *work)
            {
                engine.recycle(*list);
            }
            drop(state);
            drop((entry, last));
        }
    }

    /// In order, what came before a command that is done is done too.
    fn settle(&self) {
        let state = self.state.lock();
        if state.ring.front().is_none_or(|entry| entry.signal.is_known_done()) {
            return;
        }
        if let Some(last) = state.ring.iter().rposition(|entry| entry.signal.is_known_done()) {
            state.ring.iter().take(last).for_each(|entry| entry.signal.set_done());
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
        if state.ring.len() >= state.ask_at && self.ordering == Ordering::Free {
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

impl Main {
    #[inline(always)]
    fn ready(&mut self, context: &context::Body, device: &device::Body) -> Result<&mut Engine> {
        if let Self::At(place) = *self {
            *self = Self::Ready(Engine::immediate(context, device, place)?);
        }
        match self {
            Self::Ready(engine) => Ok(engine),
            Self::At(_) => Err(Error::new(PI_ERROR_INVALID_QUEUE, "the queue has no engine")),
        }
    }
}

impl State {
    #[inline(always)]
    fn engine(&mut self, lane: &Lane, work: Work) -> Result<&mut Engine> {
        if work == Work::Compute {
            return self.main.ready(&lane.context, &lane.device);
        }
        match (&mut self.copy, lane.copy_place) {
            (Some(engine), _) => Ok(engine),
            (empty, Some(place)) => Ok(empty.insert(Engine::immediate(&lane.context, &lane.device, place)?)),
            (_, None) => Err(Error::new(PI_ERROR_INVALID_QUEUE, "the queue has no copy engine")),
        }
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
            if let (Some(list), Main::Ready(engine)) = (entry.list, &mut state.main) {
                engine.recycle(list);
            }
        }
        if let Main::Ready(engine) = &mut state.main {
            engine.destroy();
        }
        if let Some(copy) = &mut state.copy {
            copy.destroy();
        }
    }
}

/// What is asked of a command besides its driver call.
pub(crate) struct Ask {
    pub(crate) command: pi_command_type,
    pub(crate) work: Work,
    pub(crate) blocking: bool,
    pub(crate) held: Held,
}

impl Ask {
    pub(crate) fn new(command: pi_command_type, work: Work) -> Self {
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
    order: Order<'_, Event>,
    append: impl FnOnce(&At) -> Result<()>,
) -> Result<()> {
    let wanted = order.event.is_wanted();
    let lane = &queue.lane;
    let signal = lane.append(ask.work, order.waits, Vec::new(), wanted || ask.blocking, ask.held, append)?;
    give(queue, ask.command, signal, ask.blocking, order)
}

/// Waits for a command, if the caller blocks, and hands out its event.
#[inline]
pub(crate) fn give(
    queue: &Queue,
    command: pi_command_type,
    signal: Signal,
    blocking: bool,
    order: Order<'_, Event>,
) -> Result<()> {
    if blocking {
        signal.wait()?;
        queue.lane.sweep();
    }
    if order.event.is_wanted() {
        let event = event::Body::of_command(queue, command, signal);
        let _ = order.event.put(Counted::create(event));
    }
    Ok(())
}
