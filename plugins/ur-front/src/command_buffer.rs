//! Command buffers and the handles of their commands, as UR has them around those of a backend.
#![expect(unsafe_code, reason = "the caller's pointers and handles")]

use parking_lot::Mutex;
use sycl_pi_backend::api::CommandToRecord;
use sycl_pi_backend::types::{ErrorCode, SyncPoint};
use sycl_pi_backend::{
    Backend, Blocks, Counted, CountedKind, Error, New, Result, Shared, SyncPointDependencies, view as neutral,
};
use sycl_ur_core::*;

use crate::handle::{Origin, Reference};
use crate::view::{counted, slice};

/// A command buffer of a backend, with what UR says about it.
pub(crate) struct CommandBuffer<B: Backend> {
    buffer: Reference<B::CommandBuffer>,
    /// What it was created with.
    pub created_with: CreatedWith,
    recorded: Mutex<Recorded>,
}

/// What a command buffer is created with.
#[derive(Clone, Copy, Default)]
pub(crate) struct CreatedWith {
    /// Its launches can be changed after recording.
    pub is_updatable: bool,
    /// Each command waits for the one before it, whatever its sync points are.
    pub is_in_order: bool,
    /// Runs are measured. Queues with profiling measure every run.
    pub enable_profiling: bool,
}

/// What was recorded so far.
#[derive(Default)]
struct Recorded {
    /// The sync point of the last command.
    last: Option<SyncPoint>,
    /// The handles of commands, which live as long as the command buffer.
    commands: Vec<Shared<Command>>,
}

// SAFETY: a library has one backend, and so one such kind.
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
pub(crate) struct Command {
    /// The handle of the command buffer; stale when that is gone.
    buffer: usize,
    /// The command's sync point.
    pub point: SyncPoint,
}

// SAFETY: the blocks are in a static of this implementation, and nothing else names them.
unsafe impl CountedKind for Command {
    type Raw = ur_exp_command_buffer_command_handle_t_;
    const INVALID: ErrorCode = ErrorCode::INVALID_COMMAND_BUFFER_KHR;
    const NAME: &'static str = "command of a command buffer";

    fn blocks() -> &'static Blocks {
        static BLOCKS: Blocks = Blocks::new();
        &BLOCKS
    }
}

impl Command {
    /// The handle of the command's buffer.
    pub(crate) fn buffer(&self) -> ur_exp_command_buffer_handle_t {
        std::ptr::with_exposed_provenance_mut(self.buffer)
    }
}

/// What every recorded command has besides its own arguments.
pub(crate) struct Place {
    /// The sync points that the command waits for.
    pub waits: (u32, *const ur_exp_command_buffer_sync_point_t),
    /// The number of events that the command waits for.
    pub num_events: u32,
    /// Where the command's sync point goes; may be null.
    pub point: *mut ur_exp_command_buffer_sync_point_t,
    /// Where the command's event goes; may be null.
    pub event: *mut ur_event_handle_t,
    /// Where the command's handle goes; may be null.
    pub command: *mut ur_exp_command_buffer_command_handle_t,
}

/// The command buffer behind a handle.
///
/// # Safety
///
/// A non-null `handle` was given out by an adapter.
pub(crate) unsafe fn command_buffer<'a, B: Backend>(
    handle: ur_exp_command_buffer_handle_t,
) -> Result<&'a Counted<CommandBuffer<B>>> {
    // SAFETY: guaranteed by the caller.
    unsafe { counted(handle, "hCommandBuffer") }
}

impl<B: Backend> CommandBuffer<B> {
    /// The handle of a backend's command buffer, whose reference it takes over.
    pub(crate) fn create(
        new: New<B::CommandBuffer>,
        created_with: CreatedWith,
        origin: Origin,
    ) -> Result<ur_exp_command_buffer_handle_t> {
        let no_buffer = || Error::new(ErrorCode::UNKNOWN, "the backend made no command buffer");
        let buffer = Reference::from_new(new, origin).ok_or_else(no_buffer)?;
        let buffer = Self { buffer, created_with, recorded: Mutex::default() };
        Ok(Counted::create_with_front_word(origin.word, buffer).into_raw())
    }

    /// The backend's command buffer.
    pub(crate) fn of_backend(&self) -> &B::CommandBuffer {
        &self.buffer
    }

    /// Records a command.
    ///
    /// # Safety
    ///
    /// The pointers of `place` are null or point to what they name.
    pub(crate) unsafe fn record(
        this: &Counted<Self>,
        command: CommandToRecord<'_, B>,
        place: Place,
    ) -> Result<()> {
        if place.num_events > 0 || !place.event.is_null() {
            return Err(Error::unsupported(
                "numEventsInWaitList, phEvent: commands of command buffers neither wait for events nor give any here",
            ));
        }
        let (count, list) = place.waits;
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
        // SAFETY: null or writable, as the caller promises.
        unsafe {
            if !place.point.is_null() {
                place.point.write(point);
            }
            if !place.command.is_null() {
                place.command.write(Self::command(this, point, &mut recorded)?);
            }
        }
        Ok(())
    }

    /// A handle of the command at a sync point; null where the command buffer is not updatable.
    fn command(
        this: &Counted<Self>,
        point: SyncPoint,
        recorded: &mut Recorded,
    ) -> Result<ur_exp_command_buffer_command_handle_t> {
        if !this.created_with.is_updatable {
            return Ok(std::ptr::null_mut());
        }
        let command = Command { buffer: this.handle().expose_provenance(), point };
        let handle = Counted::create_with_front_word(this.front_word(), command).into_raw();
        // SAFETY: a live handle: it was just made.
        let command = unsafe { neutral::object::<Counted<Command>>(handle, "the new command")? };
        recorded.commands.push(command.share());
        // Until 2025.1 a caller had a reference of its own; later, handles go with the command buffer.
        if this.buffer.layout() > Layout::V2025_1 {
            // SAFETY: the reference that the caller of an older layout gets.
            unsafe { command.release() };
        }
        Ok(handle)
    }
}
