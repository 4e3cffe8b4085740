//! The decisions of a submission strategy.

use sycl_pi_backend::Result;

use crate::driver::{CommandList, EventRef};

/// The first list of a queue. Barriers are appended to it, and callers get it as the queue's native handle.
pub(crate) const MAIN: usize = 0;

/// The engine that a command prefers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EngineKind {
    Compute,
    /// The copy engine, if the queue has one.
    Copy,
    /// The engine of the queue's main list.
    Main,
}

/// The placement of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placement {
    /// The number of a command list.
    pub(crate) list: usize,
    /// The command may not complete before the host acts.
    pub(crate) host_dependent: bool,
}

/// The kinds of barriers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BarrierKind {
    /// Only signals its event. Later commands do not wait for it.
    Marker,
    /// Holds back every later command until it is complete.
    Barrier,
}

/// The events that a barrier after all earlier commands must wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BarrierWaits {
    /// No events, because the strategy orders each command after all earlier ones.
    None,
    /// Those of commands on lists other than the main one.
    OtherLists,
    /// Those of commands on every list.
    AllLists,
}

/// How one kind of queue submits commands to the driver and keeps their order. Its methods are called under the queue's
/// lock.
pub(crate) trait Strategy: Send {
    /// Chooses the list for a command that waits for `waits`, and adds the events required by the queue's order.
    fn place(&mut self, engine: EngineKind, waits: &mut Vec<EventRef>) -> Placement;

    /// Returns whether the next command on a list comes after the event's command without waiting for the event.
    fn is_implied(&self, _list: usize, _event: &EventRef) -> bool {
        false
    }

    /// Returns the list with the given number, which is created at its first use.
    fn list(&mut self, list: usize) -> Result<&mut CommandList>;

    /// Records that a command was appended to a list.
    fn appended(&mut self, list: usize, event: &EventRef);

    /// Returns the event that a command on a foreign list must wait for. A foreign list, such as that of a command
    /// buffer, does not belong to the queue.
    fn before_foreign_list(&self) -> Option<&EventRef>;

    /// Records that a command was submitted on a foreign list.
    fn appended_to_foreign_list(&mut self, event: &EventRef);

    /// Returns the engine for a barrier after all earlier commands, and the events that it waits for.
    fn barrier(&self, kind: BarrierKind) -> (EngineKind, BarrierWaits);

    /// Records that a [`BarrierKind::Barrier`] was appended.
    fn barrier_appended(&mut self, event: &EventRef);

    /// Returns the chain that commands on a list belong to; the list is `None` for a foreign list. Commands of a chain
    /// complete in the order of their submission. Chains are numbered from 0 to 31.
    fn chain(&self, list: Option<usize>) -> Option<usize>;

    /// Returns the maximum number of events that the host waits for one after another. For more events, a barrier is
    /// cheaper.
    fn most_host_waits(&self) -> usize {
        1
    }

    /// Records that a command of a list is complete and was reaped.
    fn released(&mut self, _list: usize, _event: &EventRef) {}

    /// Records that no command is in flight any more.
    fn idle(&mut self);

    /// Destroys the backend's lists. No command may be running any more.
    fn destroy(&mut self);
}

/// Returns the event if its command may still be in flight.
pub(crate) fn pending(event: &Option<EventRef>) -> Option<&EventRef> {
    event.as_ref().filter(|event| !event.is_known_complete())
}
