//! Enqueues a command: from the caller's wait list to the caller's event.

use sycl_pi_backend::types::CommandType;
use sycl_pi_backend::{Counted, Dependencies, Error, Result};
use sycl_pi_host_process::outside;

use crate::driver::{EventKind, EventRef};
use crate::objects::{CommandResources, Event, EventHandle, QueueHandle};
use crate::submission::{AppendTarget, CommandToAppend, EngineKind};

/// The properties of a command except its driver call.
pub(crate) struct CommandRequest {
    command: CommandType,
    engine: EngineKind,
    blocking: bool,
    in_parts: bool,
    resources: CommandResources,
}

impl CommandRequest {
    pub(crate) fn new(command: CommandType, engine: EngineKind) -> Self {
        Self { command, engine, blocking: false, in_parts: false, resources: CommandResources::default() }
    }

    /// Makes the call wait until the command is complete.
    pub(crate) fn blocking(self, blocking: bool) -> Self {
        Self { blocking, ..self }
    }

    /// Selects another engine.
    pub(crate) fn on(self, engine: EngineKind) -> Self {
        Self { engine, ..self }
    }

    /// Adds the resources that the command needs until it is complete.
    pub(crate) fn holding(self, resources: CommandResources) -> Self {
        Self { resources, ..self }
    }

    /// Marks the command as taking several driver calls.
    pub(crate) fn in_parts(self) -> Self {
        Self { in_parts: true, ..self }
    }
}

/// Returns the driver's events for the wait list of a command in `queue`, except those known to be complete.
///
/// # Errors
///
/// `INVALID_CONTEXT` for an event of another context, because `zeCommandListAppendWaitOnEvents` requires that "the
/// command list and events were created on the same context".
pub(crate) fn pending_events(queue: &QueueHandle, waits: &[&EventHandle]) -> Result<Vec<EventRef>> {
    let mut events = Vec::new();
    for event in waits {
        if event.context.ze != queue.context.ze {
            return Err(Error::event_of_another_context());
        }
        events.extend(event.pending()?);
    }
    Ok(events)
}

/// Enqueues one command after the wait list, with the event that the caller wants.
pub(crate) fn enqueue(
    queue: &QueueHandle,
    request: CommandRequest,
    dependencies: Dependencies<'_, EventHandle>,
    append: impl FnOnce(AppendTarget) -> Result<()>,
) -> Result<()> {
    let CommandRequest { command, engine, blocking, in_parts, resources } = request;
    let waits = pending_events(queue, dependencies.waits)?;
    let event = EventKind::of_command(dependencies.event.is_wanted() || blocking);
    let to_append = CommandToAppend { engine, waits, event, in_parts, resources };
    let driver_event = queue.commands.append(to_append, append)?;
    if blocking {
        outside(|| driver_event.wait())?;
        queue.commands.reap();
    }
    hand_out_event(queue, command, driver_event, dependencies);
    Ok(())
}

/// Passes the event of a command to the caller.
pub(crate) fn hand_out_event(
    queue: &QueueHandle,
    command: CommandType,
    driver_event: EventRef,
    dependencies: Dependencies<'_, EventHandle>,
) {
    if dependencies.event.is_wanted() {
        let event = Event::of_command(queue, command, driver_event);
        let _ = dependencies.event.put(Counted::create(event));
    }
}
