//! Command buffers and the handles of their commands, which UR adds on top of a backend's command buffers.
#![expect(unsafe_code, reason = "the caller's pointers and handles")]

use parking_lot::Mutex;
use sycl_pi_backend::api::Command;
use sycl_pi_backend::types::{ErrorCode, SyncPoint};
use sycl_pi_backend::{
    Backend, Blocks, Counted, CountedKind, Error, New, Result, Shared, SyncPointDependencies, view as neutral,
};
use sycl_ur_core::*;

use crate::enqueue::EventArgs;
use crate::handle::{Origin, Reference};
use crate::view::{counted, slice};

/// A command buffer of a backend, with the information that UR adds.
pub(crate) struct CommandBuffer<B: Backend> {
    buffer: Reference<B::CommandBuffer>,
    /// The properties that it was created with.
    pub created_with: CreatedWith,
    recorded: Mutex<Recorded>,
}

/// The properties of a new command buffer.
#[derive(Clone, Copy, Default)]
pub(crate) struct CreatedWith {
    /// Whether its launches can be updated after recording.
    pub is_updatable: bool,
    /// Whether each command waits for the previous one, regardless of its sync points.
    pub is_in_order: bool,
    /// Whether runs are profiled. Queues with profiling enabled profile every run.
    pub enable_profiling: bool,
}

/// The commands recorded so far.
#[derive(Default)]
struct Recorded {
    /// The sync point of the last command.
    last: Option<SyncPoint>,
    /// The handles of commands, which live as long as the command buffer.
    commands: Vec<Shared<CommandHandle>>,
}

// SAFETY: each library has one backend, and therefore one such kind.
unsafe impl<B: Backend> CountedKind for CommandBuffer<B> {
    type Raw = ur_exp_command_buffer_handle_t_;
    const INVALID: ErrorCode = ErrorCode::INVALID_COMMAND_BUFFER_KHR;
    const NAME: &'static str = "command buffer";

    fn blocks() -> &'static Blocks {
        static BLOCKS: Blocks = Blocks::new();
        &BLOCKS
    }
}

/// A command of an updatable command buffer.
pub(crate) struct CommandHandle {
    /// The handle of the command buffer, which is stale once that is freed.
    buffer: usize,
    /// The command's sync point.
    pub point: SyncPoint,
}

// SAFETY: the blocks are in a static of this implementation, which nothing else can name.
unsafe impl CountedKind for CommandHandle {
    type Raw = ur_exp_command_buffer_command_handle_t_;
    const INVALID: ErrorCode = ErrorCode::INVALID_COMMAND_BUFFER_KHR;
    const NAME: &'static str = "command of a command buffer";

    fn blocks() -> &'static Blocks {
        static BLOCKS: Blocks = Blocks::new();
        &BLOCKS
    }
}

impl CommandHandle {
    /// Returns the handle of the command's buffer.
    pub(crate) fn buffer(&self) -> ur_exp_command_buffer_handle_t {
        std::ptr::with_exposed_provenance_mut(self.buffer)
    }
}

/// The length of a list of sync points, and the list.
type SyncPoints = (u32, *const ur_exp_command_buffer_sync_point_t);
/// The places for a command's sync point and for its handle.
type Places = (*mut ur_exp_command_buffer_sync_point_t, *mut ur_exp_command_buffer_command_handle_t);

/// Returns the command buffer behind a handle.
///
/// # Safety
///
/// A non-null `handle` must be a handle from an adapter.
pub(crate) unsafe fn command_buffer<'a, B: Backend>(
    handle: ur_exp_command_buffer_handle_t,
) -> Result<&'a Counted<CommandBuffer<B>>> {
    // SAFETY: guaranteed by the caller.
    unsafe { counted(handle, "hCommandBuffer") }
}

impl<B: Backend> CommandBuffer<B> {
    /// Creates the handle of a backend's command buffer, taking over its reference.
    pub(crate) fn create(
        new: New<B::CommandBuffer>, created_with: CreatedWith, origin: Origin,
    ) -> Result<ur_exp_command_buffer_handle_t> {
        let no_buffer = || Error::new(ErrorCode::UNKNOWN, "the backend made no command buffer");
        let buffer = Reference::from_new(new, origin).ok_or_else(no_buffer)?;
        let buffer = Self { buffer, created_with, recorded: Mutex::default() };
        Ok(Counted::create_with_front_word(origin.word, buffer).into_raw())
    }

    /// Returns the backend's command buffer.
    pub(crate) fn of_backend(&self) -> &B::CommandBuffer {
        &self.buffer
    }

    /// Records a command.
    ///
    /// # Safety
    ///
    /// The lists have as many entries as they state, and the places are null or writable.
    pub(crate) unsafe fn record(
        this: &Counted<Self>, command: Command<'_, B>, (count, list): SyncPoints, events: EventArgs,
        places: Places,
    ) -> Result<()> {
        let ((num_events, _, event), (point_place, command_place)) = (events, places);
        if num_events > 0 || !event.is_null() {
            return Err(Error::unsupported(
                "numEventsInWaitList, phEvent: commands of command buffers neither wait for events nor give any here",
            ));
        }
        // SAFETY: guaranteed by the caller.
        let waits = unsafe { slice(count as usize, list, "pSyncPointWaitList") };
        let mut waits =
            waits.map_err(|error| error.with_code(ErrorCode::INVALID_SYNC_POINT_WAIT_LIST_KHR))?.to_vec();
        let mut recorded = this.recorded.lock();
        if let Some(last) =
            recorded.last.filter(|last| this.created_with.is_in_order && !waits.contains(last))
        {
            waits.push(last);
        }
        let mut point = 0;
        let dependencies = SyncPointDependencies { waits: &waits, point: Some(&mut point) };
        B::command_buffer_record(&this.buffer, command, dependencies)?;
        recorded.last = Some(point);
        // SAFETY: the pointers are null or writable, as the caller guarantees.
        unsafe {
            if !point_place.is_null() {
                point_place.write(point);
            }
            if !command_place.is_null() {
                command_place.write(Self::command(this, point, &mut recorded)?);
            }
        }
        Ok(())
    }

    /// Creates a handle of the command at a sync point. Returns null if the command buffer is not updatable.
    fn command(
        this: &Counted<Self>, point: SyncPoint, recorded: &mut Recorded,
    ) -> Result<ur_exp_command_buffer_command_handle_t> {
        if !this.created_with.is_updatable {
            return Ok(std::ptr::null_mut());
        }
        let command = CommandHandle { buffer: this.handle().expose_provenance(), point };
        let handle = Counted::create_with_front_word(this.front_word(), command).into_raw();
        // SAFETY: the handle was just created, so it is live.
        let command = unsafe { neutral::object::<Counted<CommandHandle>>(handle, "the new command")? };
        recorded.commands.push(command.share());
        // Until 2025.1, a caller held a reference of its own. Since then, the command buffer owns the handles.
        if this.buffer.layout() > Layout::V2025_1 {
            // SAFETY: this is the reference that the caller gets only in older layouts.
            unsafe { command.release() };
        }
        Ok(handle)
    }
}
