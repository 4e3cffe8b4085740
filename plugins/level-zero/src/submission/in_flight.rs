//! The in-flight list: submitted commands that are not known to be complete, and the objects that each of them needs
//! until then.

use std::collections::VecDeque;

use crate::driver::EventRef;
use crate::sys::ze_command_list_handle_t;

/// The number of commands from which on the oldest ones are queried for completion.
const MANY: usize = 128;

/// A submitted command. The last fields are only held until drop.
pub(crate) struct InFlight<K> {
    pub(crate) event: EventRef,
    /// The number of its command list in the queue's strategy, or `None` for a foreign list.
    pub(crate) list: Option<usize>,
    /// The chain of the command. Commands of a chain complete in order.
    pub(crate) chain: Option<usize>,
    /// A regular list that contains only this command, kept for reuse.
    pub(crate) regular_list: Option<ze_command_list_handle_t>,
    pub(crate) _waits: Vec<EventRef>,
    pub(crate) _resources: K,
}

/// The commands of a queue in the order of their submission, until they are reaped.
pub(crate) struct InFlightList<K> {
    commands: VecDeque<InFlight<K>>,
    /// A bit for each chain that has ever had a command.
    chains: u32,
    ask_at: usize,
}

impl<K> InFlightList<K> {
    pub(crate) fn new() -> Self {
        Self { commands: VecDeque::new(), chains: 0, ask_at: MANY }
    }

    pub(crate) fn push(&mut self, command: InFlight<K>) {
        self.chains |= command.chain.map_or(0, |chain| 1 << chain);
        self.commands.push_back(command);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.commands.is_empty()
    }

    pub(crate) fn commands(&self) -> impl DoubleEndedIterator<Item = &InFlight<K>> {
        self.commands.iter()
    }

    /// Returns the event of the oldest command.
    pub(crate) fn oldest(&self) -> Option<EventRef> {
        self.commands.front().map(|command| command.event.clone())
    }

    /// Returns events after which all commands on the wanted lists are complete, one for each chain.
    pub(crate) fn last_events(&self, wanted: impl Fn(Option<usize>) -> bool) -> Vec<EventRef> {
        let mut chains_seen = 0_u32;
        let pending = |command: &&InFlight<K>| !command.event.is_known_complete() && wanted(command.list);
        let mut events = Vec::new();
        for command in self.commands.iter().rev().filter(pending) {
            let bit = command.chain.map_or(0, |chain| 1 << chain);
            if chains_seen & bit == 0 {
                events.push(command.event.clone());
            }
            chains_seen |= bit;
        }
        events
    }

    /// Marks the commands before a complete command of the same chain as complete.
    pub(crate) fn infer_completion(&self) {
        if self.chains == 0 || self.commands.front().is_none_or(|oldest| oldest.event.is_known_complete()) {
            return;
        }
        let mut chains_complete = 0_u32;
        for command in self.commands.iter().rev() {
            let bit = command.chain.map_or(0, |chain| 1 << chain);
            if command.event.is_known_complete() {
                chains_complete |= bit;
            } else if chains_complete & bit != 0 {
                command.event.set_complete();
            }
        }
    }

    /// Removes and returns the oldest command if it is known to be complete.
    pub(crate) fn pop_complete(&mut self) -> Option<InFlight<K>> {
        let is_complete = self.commands.front().is_some_and(|command| command.event.is_known_complete());
        if is_complete { self.commands.pop_front() } else { None }
    }

    /// Returns whether enough commands are in flight that the oldest ones should be queried for completion.
    pub(crate) fn is_long(&self) -> bool {
        self.commands.len() >= self.ask_at
    }

    /// Removes the complete commands behind a slow one, after the oldest were queried, and sets when to query again.
    pub(crate) fn shorten(&mut self) -> Vec<InFlight<K>> {
        let mut complete = Vec::new();
        if self.is_long() {
            for command in std::mem::take(&mut self.commands) {
                if command.regular_list.is_none() && command.event.is_known_complete() {
                    complete.push(command);
                } else {
                    self.commands.push_back(command);
                }
            }
        }
        self.ask_at = MANY.max(self.commands.len() * 2);
        complete
    }

    /// Removes and returns all commands.
    pub(crate) fn take_all(&mut self) -> VecDeque<InFlight<K>> {
        std::mem::take(&mut self.commands)
    }
}
