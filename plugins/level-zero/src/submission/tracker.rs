//! Submits the commands of a queue and holds the objects that each of them needs until it is complete.
//!
//! A command is one append to a command list, with its own event. After a wait, no driver call is needed to determine
//! which commands are complete. Without waits, the events of the oldest commands are queried when many commands are in
//! flight.

use std::sync::Arc;

use parking_lot::Mutex;
use sycl_pi_backend::Result;
use sycl_pi_host_process::outside;

use super::append_target::AppendTarget;
use super::in_flight::{InFlight, InFlightList};
use super::strategy::{BarrierKind, BarrierWaits, EngineKind, MAIN, Strategy};
use crate::driver::{CommandList, EventKind, EventPools, EventRef, PooledEvent};
use crate::sys::ze_event_handle_t;

/// The maximum time that the release of a queue waits for its commands, in nanoseconds.
const LONGEST_WAIT: u64 = 10_000_000_000;

/// A command without the driver's call. `K` contains the objects that it needs until it is complete.
pub(crate) struct CommandToAppend<K> {
    pub(crate) engine: EngineKind,
    /// The events that the caller wants it to wait for.
    pub(crate) waits: Vec<EventRef>,
    /// The kind of its event. In a profiling queue, every event has timestamps.
    pub(crate) event: EventKind,
    /// Whether it takes several driver calls. If one fails, the commands of the calls before it may be in flight.
    pub(crate) in_parts: bool,
    pub(crate) resources: K,
}

/// The commands that a barrier comes after.
pub(crate) enum BarrierAfter {
    /// Those of the caller's wait list.
    Waits(Vec<EventRef>),
    /// All commands of the queue so far.
    AllEarlier,
}

/// A queue's submission strategy and its commands.
pub(crate) struct CommandTracker<K> {
    events: Arc<EventPools>,
    profiling: bool,
    state: Mutex<Submission<K>>,
}

/// How to append a barrier.
struct BarrierPlan {
    engine: EngineKind,
    waits: Vec<EventRef>,
    /// Whether a barrier for the commands of its list precedes the one with the wait list.
    in_parts: bool,
}

struct Submission<K> {
    strategy: Box<dyn Strategy>,
    in_flight: InFlightList<K>,
    /// The wait list of the command being appended, kept to avoid an allocation.
    wait_handles: Vec<ze_event_handle_t>,
    /// Objects of commands that the driver accepted only in part, held until the queue is finished.
    orphaned: Vec<(Vec<EventRef>, K)>,
}

impl<K> CommandTracker<K> {
    pub(crate) fn new(events: Arc<EventPools>, profiling: bool, strategy: Box<dyn Strategy>) -> Self {
        let state = Submission {
            strategy,
            in_flight: InFlightList::new(),
            wait_handles: Vec::new(),
            orphaned: Vec::new(),
        };
        Self { events, profiling, state: Mutex::new(state) }
    }

    /// Returns the driver's immediate list, or the driver queue from a native handle, and whether it is an immediate
    /// list.
    pub(crate) fn native(&self) -> Result<(usize, bool)> {
        Ok(match self.state.lock().strategy.list(MAIN)? {
            CommandList::Immediate { list, .. } => (list.0.expose_provenance(), true),
            CommandList::Queue { queue, .. } => (queue.0.expose_provenance(), false),
        })
    }

    fn event_kind(&self, wanted: EventKind) -> EventKind {
        if self.profiling { EventKind::Timestamped } else { wanted }
    }

    /// Appends one command. `append` makes the driver's call; if it fails, nothing is enqueued.
    pub(crate) fn append(
        &self,
        command: CommandToAppend<K>,
        append: impl FnOnce(AppendTarget) -> Result<()>,
    ) -> Result<EventRef> {
        let CommandToAppend { engine, mut waits, event, in_parts, resources } = command;
        self.reap_if_long();
        let mut state = self.state.lock();
        let Submission { strategy, in_flight, wait_handles, orphaned } = &mut *state;
        let placement = strategy.place(engine, &mut waits);
        wait_handles.clear();
        let explicit = waits.iter().filter(|event| !strategy.is_implied(placement.list, event));
        wait_handles.extend(explicit.map(|event| event.ze));
        let event = PooledEvent::take(&self.events, self.event_kind(event), placement.host_dependent)?;
        let list = strategy.list(placement.list)?;
        let open = list.open()?;
        let target = AppendTarget::new(open, event.ze, wait_handles);
        let regular_list = match append(target).and_then(|()| list.submit(open)) {
            Ok(regular_list) => regular_list,
            Err(error) => {
                list.recycle(open);
                if in_parts || !waits.is_empty() {
                    orphaned.push((waits, resources));
                }
                return Err(error);
            }
        };
        strategy.appended(placement.list, &event);
        in_flight.push(InFlight {
            event: event.clone(),
            list: Some(placement.list),
            chain: strategy.chain(Some(placement.list)),
            regular_list,
            _waits: waits,
            _resources: resources,
        });
        Ok(event)
    }

    /// Submits a foreign list. `submit` makes the driver's calls, ordered after the events that it gets; if it fails,
    /// nothing is enqueued. No other command comes in between: later ones wait only for the new event, which comes
    /// after all earlier ones.
    pub(crate) fn append_to_foreign_list(
        &self,
        mut waits: Vec<EventRef>,
        resources: K,
        submit: impl FnOnce(&[EventRef], &EventRef) -> Result<()>,
    ) -> Result<EventRef> {
        let mut state = self.state.lock();
        waits.extend(state.strategy.before_foreign_list().cloned());
        let host_dependent = waits.iter().any(|event| event.is_host_dependent());
        let event = PooledEvent::take(&self.events, self.event_kind(EventKind::HostVisible), host_dependent)?;
        submit(&waits, &event)?;
        state.strategy.appended_to_foreign_list(&event);
        let chain = state.strategy.chain(None);
        state.in_flight.push(InFlight {
            event: event.clone(),
            list: None,
            chain,
            regular_list: None,
            _waits: waits,
            _resources: resources,
        });
        Ok(event)
    }

    /// Waits until the commands so far are complete.
    pub(crate) fn finish(&self) -> Result<()>
    where
        K: Default,
    {
        let (pending, last, most_host_waits): (Vec<EventRef>, _, _) = {
            let state = self.state.lock();
            let events = state.in_flight.commands().map(|command| &command.event);
            let pending = events.filter(|event| !event.is_known_complete()).cloned().collect();
            (pending, state.in_flight.last_events(|_| true), state.strategy.most_host_waits())
        };
        if last.len() <= most_host_waits && last.iter().all(|event| event.is_host_visible()) {
            outside(|| last.iter().try_for_each(|event| event.wait()))?;
        } else {
            let end = self.barrier(BarrierKind::Barrier, BarrierAfter::AllEarlier, EventKind::HostVisible)?;
            outside(|| end.wait())?;
        }
        pending.iter().for_each(|event| event.set_complete());
        let orphaned = std::mem::take(&mut self.state.lock().orphaned);
        drop(orphaned);
        self.reap();
        Ok(())
    }

    /// Appends a barrier, which signals an event of the given kind.
    pub(crate) fn barrier(&self, kind: BarrierKind, after: BarrierAfter, event: EventKind) -> Result<EventRef>
    where
        K: Default,
    {
        let BarrierPlan { engine, waits, in_parts } = self.plan_barrier(kind, after);
        let command = CommandToAppend { engine, waits, event, in_parts, resources: K::default() };
        let event = self.append(command, |target| {
            if in_parts {
                AppendTarget::without_events(target.list).barrier()?;
            }
            target.barrier()
        })?;
        if kind == BarrierKind::Barrier {
            self.state.lock().strategy.barrier_appended(&event);
        }
        Ok(event)
    }

    fn plan_barrier(&self, kind: BarrierKind, after: BarrierAfter) -> BarrierPlan {
        let state = self.state.lock();
        let (engine, earlier) = state.strategy.barrier(kind);
        let waits = match (after, earlier) {
            (BarrierAfter::Waits(waits), _) => return BarrierPlan { engine, waits, in_parts: false },
            (BarrierAfter::AllEarlier, BarrierWaits::None) => Vec::new(),
            (BarrierAfter::AllEarlier, BarrierWaits::OtherLists) => {
                state.in_flight.last_events(|list| list != Some(MAIN))
            }
            (BarrierAfter::AllEarlier, BarrierWaits::AllLists) => state.in_flight.last_events(|_| true),
        };
        // On an unordered list, a barrier with a wait list comes after that list only.
        let in_parts = !waits.is_empty() && state.strategy.chain(Some(MAIN)).is_none();
        BarrierPlan { engine, waits, in_parts }
    }

    /// Returns whether every command is complete, querying the driver.
    pub(crate) fn is_empty(&self) -> Result<bool> {
        let last = self.state.lock().in_flight.last_events(|_| true);
        for event in last {
            if !event.is_complete()? {
                return Ok(false);
            }
        }
        self.reap();
        Ok(true)
    }

    /// Releases the objects of the oldest commands that are known to be complete. Nothing is dropped under the lock.
    pub(crate) fn reap(&self) {
        self.state.lock().in_flight.infer_completion();
        loop {
            let command = self.state.lock().pop_complete();
            if command.is_none() {
                return;
            }
        }
    }

    fn reap_if_long(&self) {
        let is_long = self.state.lock().in_flight.is_long();
        if is_long {
            self.ask_and_reap();
        }
    }

    /// Queries the oldest commands until one is not complete.
    #[cold]
    fn ask_and_reap(&self) {
        loop {
            let oldest = self.state.lock().in_flight.oldest();
            match oldest.map(|event| event.is_complete()) {
                Some(Ok(true)) => self.reap(),
                _ => break,
            }
        }
        let complete = self.state.lock().in_flight.shorten();
        drop(complete);
    }

    /// Waits for every command and destroys the lists. Returns false if commands do not end. Everything is then left to
    /// the driver, and objects that it may still use must not be destroyed.
    pub(crate) fn close(&mut self) -> bool {
        let state = self.state.get_mut();
        // A lost device runs nothing any more.
        let ended = |command: &InFlight<K>| command.event.wait_for(LONGEST_WAIT).unwrap_or(true);
        if !state.in_flight.commands().all(ended) {
            log::warn!("a queue was released with commands that do not end; they are left to the driver");
            std::mem::forget(state.in_flight.take_all());
            return false;
        }
        for command in state.in_flight.take_all() {
            state.recycle(&command);
        }
        state.strategy.destroy();
        true
    }
}

impl<K> Submission<K> {
    fn pop_complete(&mut self) -> Option<InFlight<K>> {
        let command = self.in_flight.pop_complete()?;
        if let Some(list) = command.list {
            self.strategy.released(list, &command.event);
        }
        self.recycle(&command);
        if self.in_flight.is_empty() {
            self.strategy.idle();
        }
        Some(command)
    }

    /// Takes back a regular list whose command is complete.
    fn recycle(&mut self, command: &InFlight<K>) {
        if let (Some(list), Some(regular_list)) = (command.list, command.regular_list)
            && let Ok(list) = self.strategy.list(list)
        {
            list.recycle(regular_list);
        }
    }
}
