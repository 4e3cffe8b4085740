//! What a submission strategy decides.

use sycl_pi_backend::Result;

use crate::driver::{CommandList, EventRef};

/// The first list of a queue: barriers go there, and callers get it as the queue's native handle.
pub(crate) const MAIN: usize = 0;

/// Which engine a command wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EngineKind {
    Compute,
    /// The copy engine, where the queue has one.
    Copy,
    /// The engine of the queue's main list.
    Main,
}

/// Where a command goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placement {
    /// The number of a command list.
    pub(crate) list: usize,
    /// The command may not complete before the host acts.
    pub(crate) host_dependent: bool,
}

/// Whose events a barrier behind all earlier commands has to wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BarrierWaits {
    /// None: the strategy puts each command behind all earlier ones.
    None,
    /// Those of commands on other lists than the main one.
    OtherLists,
    /// Those of commands on every list.
    AllLists,
}

/// How one kind of queue brings commands to the driver and keeps their order. Called under the queue's lock.
pub(crate) trait Strategy: Send {
    /// Chooses the list for a command that waits for `waits`, and adds what the queue's order makes the command wait for.
    fn place(&mut self, engine: EngineKind, waits: &mut Vec<EventRef>) -> Placement;

    /// Whether the next command on that list is behind the event's command without waiting for the event.
    fn is_implied(&self, _list: usize, _event: &EventRef) -> bool {
        false
    }

    /// The list of that number, created at its first use.
    fn list(&mut self, list: usize) -> Result<&mut CommandList>;

    /// A command was appended to that list.
    fn appended(&mut self, list: usize, event: &EventRef);

    /// What a command on a foreign list has to wait for. Such a list is not the queue's: a command buffer has one.
    fn before_foreign_list(&self) -> Option<&EventRef>;

    /// A command went to a foreign list.
    fn appended_to_foreign_list(&mut self, event: &EventRef);

    /// The engine for a barrier behind all earlier commands, and what it waits for. `holds_back`: later commands wait for it.
    fn barrier(&self, holds_back: bool) -> (EngineKind, BarrierWaits);

    /// A barrier was appended that holds back all later commands.
    fn barrier_appended(&mut self, event: &EventRef);

    /// The chain that commands on that list belong to, `None` for a foreign list. Commands of a chain complete in
    /// the order of their submission. Chains are numbered from 0 to 31.
    fn chain(&self, list: Option<usize>) -> Option<usize>;

    /// How many events the host waits for one after the other; for more of them a barrier is cheaper.
    fn most_host_waits(&self) -> usize {
        1
    }

    /// A command of that list is complete and was reaped.
    fn released(&mut self, _list: usize, _event: &EventRef) {}

    /// No command is in flight any more.
    fn idle(&mut self);

    /// Destroys the backend's lists. Nothing is at work any more.
    fn destroy(&mut self);
}

/// The event, if its command may still be under way.
pub(crate) fn pending(event: &Option<EventRef>) -> Option<&EventRef> {
    event.as_ref().filter(|event| !event.is_known_complete())
}
