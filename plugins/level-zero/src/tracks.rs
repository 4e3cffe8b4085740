//! The lists of a queue, and which of them a command goes to.
//!
//! An in-order queue has one. An out-of-order queue has several that the driver keeps in order each, used in turns: what is
//! behind each other on one of them needs no event to wait for, and who learns that a command is done knows the same of
//! those before it on its list. Commands that wait for the host, or for one that does, have a list without an order, so that
//! nothing gets stuck behind them that need not. Drivers of before version 1.7 of the specification keep no order; there
//! an out-of-order queue has one such list, and one for copies.

use sycl_pi_backend::{Error, Result};
use sycl_pi_backend::types::*;

use crate::engine::{Engine, Place};
use crate::lane::{Ordering, Work};
use crate::signal::Signal;
use crate::{context, device};

/// Most lists for kernels that an out-of-order queue takes turns with.
const TURNS: usize = 4;
/// The first list: barriers are on it, and callers are given it as the queue's native handle.
pub(crate) const MAIN: usize = 0;
/// The list for copies.
pub(crate) const COPY: usize = TURNS;
/// The list for commands that wait for the host.
const HOSTED: usize = TURNS + 1;

/// A queue's first engine: made when the first command comes. Many queues never see one.
pub(crate) enum Main {
    At(Place),
    Ready(Engine),
}

/// A queue's lists.
pub(crate) struct Tracks {
    ordering: Ordering,
    main: Main,
    /// Where the main list is, for those beside it.
    place: Option<Place>,
    copy_place: Option<Place>,
    /// Lists in turn behind the main one, the one for copies and the one without an order: made when they are needed.
    beside: [Option<Engine>; HOSTED],
    /// Of each list that commands take turns with.
    ends: [End; HOSTED],
    /// How many lists commands take turns with.
    turns: usize,
    turn: usize,
}

/// The end of a list.
#[derive(Default)]
struct End {
    /// The last command, until it is let go.
    last: Option<Signal>,
    /// A command there waits for the queue's last barrier, so that all that follow do.
    behind_barrier: bool,
}

impl Tracks {
    /// `sub_slices` is how many parts of the device can each be at a kernel of their own: more chains of commands than
    /// that gain nothing, and each costs the driver its upkeep. 0 where the driver does not tell.
    pub(crate) fn new(ordering: Ordering, main: Main, copy_place: Option<Place>, sub_slices: u32) -> Self {
        let place = match main {
            Main::At(place) => Some(place),
            Main::Ready(_) => None,
        };
        Self {
            ordering,
            main,
            place,
            copy_place,
            beside: Default::default(),
            ends: Default::default(),
            turns: if sub_slices == 0 { TURNS } else { TURNS.min(sub_slices as usize) },
            turn: 0,
        }
    }

    /// Whether commands on that list are done in the order in which they came.
    pub(crate) fn is_ordered(&self, track: usize) -> bool {
        match self.ordering {
            Ordering::Free => false,
            Ordering::Turns => track != HOSTED,
            Ordering::Driver | Ordering::Chained => true,
        }
    }

    /// The list for a command that waits for `holds`, for the host among them where `hosted`.
    #[inline]
    pub(crate) fn choose(&mut self, work: Work, holds: &[Signal], hosted: bool) -> usize {
        let copies = work == Work::Copy && self.copy_place.is_some();
        match (self.ordering, work) {
            (Ordering::Turns, Work::Compute | Work::Copy) if hosted => HOSTED,
            _ if copies => COPY,
            (Ordering::Turns, Work::Compute | Work::Copy) => self.take_turns(holds),
            _ => MAIN,
        }
    }

    fn take_turns(&mut self, holds: &[Signal]) -> usize {
        let ends = &self.ends[..self.turns];
        let awaited =
            |end: &End| end.last.as_ref().is_some_and(|last| holds.iter().any(|hold| is_same(hold, last)));
        if !holds.is_empty()
            && let Some(track) = ends.iter().position(awaited)
        {
            return track;
        }
        let idle = |end: &End| end.last.as_ref().is_none_or(|last| last.is_known_done());
        ends.iter().position(idle).unwrap_or_else(|| {
            self.turn = (self.turn + 1) % self.turns;
            self.turn
        })
    }

    /// Whether a command on that list has to be told to wait for the queue's last barrier.
    pub(crate) fn needs_barrier(&self, track: usize) -> bool {
        match self.ordering {
            Ordering::Free => track != MAIN,
            Ordering::Turns => self.ends.get(track).is_none_or(|end| !end.behind_barrier),
            Ordering::Driver | Ordering::Chained => false,
        }
    }

    /// Whether a command on that list is behind `hold` without being told.
    #[inline]
    pub(crate) fn covers(&self, track: usize, hold: &Signal) -> bool {
        self.ordering == Ordering::Turns
            && self.ends.get(track).and_then(|end| end.last.as_ref()).is_some_and(|last| is_same(hold, last))
    }

    /// A command was appended to that list.
    #[inline]
    pub(crate) fn appended(&mut self, track: usize, signal: &Signal) {
        if self.ordering == Ordering::Turns
            && let Some(end) = self.ends.get_mut(track)
        {
            end.last = Some(signal.clone());
            end.behind_barrier = true;
        }
    }

    /// The barrier that was just appended to the main list holds back what comes on every other.
    pub(crate) fn hold_back(&mut self) {
        for (track, end) in self.ends.iter_mut().enumerate() {
            end.behind_barrier = track == MAIN;
        }
    }

    /// A command that was let go; gives back what was kept of it, to be dropped without a lock.
    pub(crate) fn let_go(&mut self, track: usize, signal: &Signal) -> Option<Signal> {
        let end = self.ends.get_mut(track)?;
        end.last.take_if(|last| is_same(last, signal))
    }

    /// The list's engine, made at its first use.
    #[inline]
    pub(crate) fn engine(
        &mut self,
        context: &context::Body,
        device: &device::Body,
        track: usize,
    ) -> Result<&mut Engine> {
        if track == MAIN {
            return self.main.ready(context, device);
        }
        let place = match track {
            COPY => self.copy_place,
            HOSTED => self.place.map(|place| Place { in_order: false, ..place }),
            _ => self.place,
        };
        match (self.beside.get_mut(track - 1), place) {
            (Some(Some(engine)), _) => Ok(engine),
            (Some(empty), Some(place)) => Ok(empty.insert(Engine::immediate(context, device, place)?)),
            _ => Err(Error::new(ErrorCode::INVALID_QUEUE, "the queue has no such engine")),
        }
    }

    /// Takes back a list whose command is done.
    pub(crate) fn recycle(&mut self, list: crate::sys::ze_command_list_handle_t) {
        // Only the main engine, where it is a queue from outside, has lists of single commands.
        if let Main::Ready(engine) = &mut self.main {
            engine.recycle(list);
        }
    }

    /// Destroys what is the plugin's. Nothing is at work any more.
    pub(crate) fn destroy(&mut self) {
        if let Main::Ready(engine) = &mut self.main {
            engine.destroy();
        }
        self.beside.iter_mut().flatten().for_each(Engine::destroy);
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
            Self::At(_) => Err(Error::new(ErrorCode::INVALID_QUEUE, "the queue has no engine")),
        }
    }
}

fn is_same(one: &Signal, other: &Signal) -> bool {
    std::ptr::eq(&**one, &**other)
}
