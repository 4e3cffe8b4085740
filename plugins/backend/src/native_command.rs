//! Native commands that a caller adds to the driver's queue.

use crate::api::Backend;
use crate::{Dependencies, EventOut, Result};

/// Calls `run`, whose commands in the driver's queue are ordered after the wait list and before the event.
///
/// # Errors
///
/// The errors of the backend for the barrier and for the event.
pub fn native_command_behind_barrier<B: Backend>(
    queue: &B::Queue,
    run: &mut dyn FnMut(),
    dependencies: Dependencies<'_, B::Event>,
) -> Result<()> {
    let Dependencies { waits, event } = dependencies;
    if !waits.is_empty() {
        // The caller's native commands do not know our wait list, so a barrier holds them back.
        B::enqueue_events_wait_with_barrier(queue, Dependencies { waits, event: EventOut::none() })?;
    }
    run();
    if event.is_wanted() { B::enqueue_events_wait(queue, Dependencies { waits: &[], event }) } else { Ok(()) }
}
