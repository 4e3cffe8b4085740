//! Commands of a queue. Each one runs, or goes into the graph that the queue captures.

use std::ffi::c_void;

use sycl_pi_backend::api::{Backend, Command};
use sycl_pi_backend::{Dependencies, Fill, LaunchProperties, NdRange, Result};

use crate::capture::recorded::ToRecord;
use crate::launch;

/// A command of a queue.
pub(crate) enum QueueCommand<'a, B: Backend> {
    /// A command that command buffers know as well.
    Recordable(Command<'a, B>),
    /// The same, and the caller waits until it is complete.
    Blocking(Command<'a, B>),
    /// A launch with properties.
    Launch { kernel: &'a B::Kernel, range: NdRange<'a>, properties: Option<LaunchProperties> },
    /// A fill of rows.
    UsmFill2d { ptr: *mut c_void, pitch: usize, fill: Fill<'a> },
    /// A copy of rows, whose addresses stand beside their pitches.
    UsmMemcpy2d {
        blocking: bool,
        dst: (*mut c_void, usize),
        src: (*const c_void, usize),
        width: usize,
        height: usize,
    },
    /// An event after the wait list, or after everything before it.
    Wait,
    /// Waits like `Wait`, and later commands wait for it in turn.
    Barrier,
}

impl<'a, B: Backend> From<Command<'a, B>> for QueueCommand<'a, B> {
    #[inline(always)]
    fn from(command: Command<'a, B>) -> Self {
        Self::Recordable(command)
    }
}

impl<'a, B: Backend> QueueCommand<'a, B> {
    /// A command that the caller waits for if `blocking` is not zero.
    #[inline(always)]
    pub(crate) fn blocking(blocking: u8, command: Command<'a, B>) -> Self {
        if blocking == 0 { Self::Recordable(command) } else { Self::Blocking(command) }
    }

    /// Enqueues the command.
    #[inline(always)]
    pub(crate) fn run(self, queue: &B::Queue, dependencies: Dependencies<'_, B::Event>) -> Result<()> {
        match self {
            Self::Recordable(command) => command.enqueue(queue, false, dependencies),
            Self::Blocking(command) => command.enqueue(queue, true, dependencies),
            Self::Launch { kernel, range, properties } => {
                launch::run::<B>(queue, kernel, range, properties, dependencies)
            }
            Self::UsmFill2d { ptr, pitch, fill } => {
                B::enqueue_usm_fill_2d(queue, ptr, pitch, fill, dependencies)
            }
            Self::UsmMemcpy2d { blocking, dst, src, width, height } => {
                B::enqueue_usm_memcpy_2d(queue, blocking, dst, src, width, height, dependencies)
            }
            Self::Wait => B::enqueue_events_wait(queue, dependencies),
            Self::Barrier => B::enqueue_events_wait_with_barrier(queue, dependencies),
        }
    }

    /// Converts the command to the form in which a capture records it.
    pub(crate) fn into_record(self) -> ToRecord<'a, B> {
        match self {
            Self::Recordable(command) => command.into(),
            Self::Blocking(_) | Self::UsmMemcpy2d { blocking: true, .. } => {
                ToRecord::Refused("a blocking command")
            }
            Self::Launch { properties: Some(asked), .. } if asked != LaunchProperties::default() => {
                ToRecord::Refused("a launch with properties")
            }
            Self::Launch { kernel, range, .. } => Command::KernelLaunch { kernel, range }.into(),
            Self::UsmFill2d { ptr, pitch, fill } => ToRecord::rows(fill.height(), |row| Command::UsmFill {
                ptr: ptr.wrapping_byte_add(row * pitch),
                fill: fill.row(),
            }),
            Self::UsmMemcpy2d { dst, src, width, height, .. } => {
                ToRecord::rows(height, |row| Command::UsmMemcpy {
                    dst: dst.0.wrapping_byte_add(row * dst.1),
                    src: src.0.wrapping_byte_add(row * src.1),
                    size: width,
                })
            }
            Self::Wait => ToRecord::Wait,
            Self::Barrier => ToRecord::Barrier,
        }
    }
}
