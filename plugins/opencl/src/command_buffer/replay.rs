//! Replay: enqueues the recorded commands to a queue.

use std::ptr::null_mut;

use sycl_pi_backend::api::EnqueueApi;
use sycl_pi_backend::raw::RawEvent;
use sycl_pi_backend::recording::no_launch;
use sycl_pi_backend::types::SyncPoint;
use sycl_pi_backend::{Dependencies, EventOut, Result};

use super::command::{OwnedCommand, OwnedLaunch, RecordedCommand};
use crate::OpenCl;
use crate::sys::{Event, Owned, Queue};

/// The commands of a finalized command buffer.
pub(super) struct CommandSequence {
    commands: Vec<RecordedCommand>,
    /// For each command, whether another one waits for it.
    awaited: Vec<bool>,
}

impl CommandSequence {
    pub(super) fn new(commands: Vec<RecordedCommand>) -> Self {
        let mut awaited = vec![false; commands.len()];
        for point in commands.iter().flat_map(|command| command.waits.iter()) {
            if let Some(awaited) = awaited.get_mut((*point as usize).wrapping_sub(1)) {
                *awaited = true;
            }
        }
        Self { commands, awaited }
    }

    /// Returns the launch at a sync point.
    pub(super) fn launch_mut(&mut self, point: SyncPoint) -> Result<&mut OwnedLaunch> {
        let command = (point as usize).checked_sub(1).and_then(|index| self.commands.get_mut(index));
        match command.map(|command| &mut command.command) {
            Some(OwnedCommand::KernelLaunch(launch)) => Ok(launch),
            _ => Err(no_launch(point)),
        }
    }

    /// Enqueues every command after the wait list. The event completes after every command.
    pub(super) fn replay(
        &self,
        queue: &Queue,
        out_of_order: bool,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        if self.commands.is_empty() {
            return OpenCl::enqueue_events_wait(queue, dependencies);
        }
        if out_of_order {
            self.replay_by_events(queue, dependencies)
        } else {
            self.replay_in_order(queue, dependencies)
        }
    }

    /// Relies on the queue for the order: the first command waits for the wait list, and the last one's event comes
    /// after all.
    fn replay_in_order(&self, queue: &Queue, dependencies: Dependencies<'_, Event>) -> Result<()> {
        let last = self.commands.len() - 1;
        let mut event = Some(dependencies.event);
        for index in 0..self.commands.len() {
            let waits = if index == 0 { dependencies.waits } else { &[] };
            let own = if index == last { event.take() } else { None };
            let own = own.unwrap_or(Dependencies::none().event);
            self.enqueue(index, queue, Dependencies { waits, event: own })?;
        }
        Ok(())
    }

    /// Relies on events for the order. A command without sync points waits for the wait list, and the others wait for
    /// it through their sync points. The event is that of the only command that no other waits for, or of a marker
    /// after all such commands.
    fn replay_by_events(&self, queue: &Queue, dependencies: Dependencies<'_, Event>) -> Result<()> {
        let Dependencies { waits: before, event } = dependencies;
        let wanted = event.is_wanted();
        let one_end = self.awaited.iter().filter(|awaited| !**awaited).count() == 1;
        let mut event = Some(event);
        let mut events: Vec<Option<Owned<Event>>> = Vec::with_capacity(self.commands.len());
        for (index, command) in self.commands.iter().enumerate() {
            let points = command.waits.iter().filter_map(|point| events.get(*point as usize - 1));
            let own_waits: Vec<&Event> = points.filter_map(Option::as_deref).collect();
            let waits = if command.waits.is_empty() { before } else { &own_waits };
            let awaited = self.awaited[index];
            let last = if one_end && !awaited { event.take() } else { None };
            let own = if last.is_none() && (awaited || wanted) {
                let mut own: *mut RawEvent = null_mut();
                self.enqueue(index, queue, Dependencies { waits, event: EventOut::into(&mut own) })?;
                Some(Owned::adopt(own.cast())?)
            } else {
                let event = last.unwrap_or(Dependencies::none().event);
                self.enqueue(index, queue, Dependencies { waits, event })?;
                None
            };
            events.push(own);
        }
        match event {
            Some(event) if wanted => {
                let ends = events.iter().zip(&self.awaited).filter(|(_, awaited)| !**awaited);
                let ends: Vec<&Event> = ends.filter_map(|(event, _)| event.as_deref()).collect();
                OpenCl::enqueue_events_wait(queue, Dependencies { waits: &ends, event })
            }
            _ => Ok(()),
        }
    }

    fn enqueue(&self, index: usize, queue: &Queue, dependencies: Dependencies<'_, Event>) -> Result<()> {
        let command = &self.commands[index].command;
        command.enqueue(queue, dependencies).map_err(|error| {
            let (number, all) = (index + 1, self.commands.len());
            error.context(format!("the command buffer: command {number} of {all} ({})", command.name()))
        })
    }
}
