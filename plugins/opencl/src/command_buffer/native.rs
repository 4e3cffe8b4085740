//! The driver's own command buffers, where it has them and they cover every recorded command.

use std::ops::RangeInclusive;

use sycl_pi_backend::types::{ErrorCode, SyncPoint};
use sycl_pi_backend::{New, Result};

use super::command::{OwnedCommand, RecordedCommand};
use super::replay::CommandSequence;
use crate::sys::{
    Device, Event, HasPlatform, KhrCommandBuffer, KhrSyncPoints, Queue, command_buffer_version,
};

/// The versions of the extension whose signatures are called here: 0.9.5 added a parameter.
const VERSIONS: RangeInclusive<(u32, u32, u32)> = (0, 9, 0)..=(0, 9, 4);

/// A finalized command buffer of the driver.
pub(super) struct NativeCommandBuffer(KhrCommandBuffer);

impl NativeCommandBuffer {
    /// The commands as the driver's command buffer for queues like this one. None where that cannot be: they are replayed.
    pub(super) fn build(sequence: &CommandSequence, queue: &Queue, device: &Device) -> Option<Self> {
        let version = command_buffer_version(device)?;
        let commands = sequence.commands();
        if !VERSIONS.contains(&version) || commands.is_empty() || !commands.iter().all(is_covered) {
            return None;
        }
        // Parts of buffers, which PoCL does not stand here, are seen when the copy is made (see `mem::whole`).
        let copies_boxes =
            commands.iter().any(|command| matches!(command.command, OwnedCommand::BufferCopyRect { .. }));
        if copies_boxes && device.driver().is_ok_and(|driver| driver.is_pocl) {
            return None;
        }
        match record(commands, queue, device) {
            Ok(native) => {
                log::debug!("command buffer: the driver's own, cl_khr_command_buffer {version:?}");
                Some(native)
            }
            Err(error) => {
                log::info!("command buffer: replayed, as the driver does not take it: {error}");
                None
            }
        }
    }

    /// Runs it. None where the driver wants another queue or fewer runs at a time: the commands are replayed then.
    pub(super) fn enqueue(&self, queue: &Queue, waits: &[&Event]) -> Result<Option<New<Event>>> {
        match self.0.enqueue(queue, waits) {
            Err(error)
                if [ErrorCode::INCOMPATIBLE_COMMAND_QUEUE_KHR, ErrorCode::INVALID_OPERATION]
                    .contains(&error.code()) =>
            {
                Ok(None)
            }
            result => result.map(Some),
        }
    }
}

/// Whether cl_khr_command_buffer has the command.
fn is_covered(command: &RecordedCommand) -> bool {
    matches!(
        command.command,
        OwnedCommand::KernelLaunch(_)
            | OwnedCommand::BufferCopy { .. }
            | OwnedCommand::BufferCopyRect { .. }
            | OwnedCommand::BufferFill { .. }
    )
}

fn record(commands: &[RecordedCommand], queue: &Queue, device: &Device) -> Result<NativeCommandBuffer> {
    let buffer = KhrCommandBuffer::create(queue, device)?;
    let mut points: Vec<SyncPoint> = Vec::with_capacity(commands.len());
    for command in commands {
        let waits = command.waits.iter().filter_map(|point| points.get(*point as usize - 1).copied());
        let waits: Vec<_> = waits.collect();
        let mut point = 0;
        let dependencies = KhrSyncPoints { waits: &waits, point: &mut point };
        match &command.command {
            OwnedCommand::KernelLaunch(launch) => {
                buffer.kernel(&launch.kernel, launch.range.view(), dependencies)?
            }
            OwnedCommand::BufferCopy { src, dst, src_offset, dst_offset, size } => {
                buffer.copy((src, *src_offset), (dst, *dst_offset), *size, dependencies)?;
            }
            OwnedCommand::BufferCopyRect { src, dst, rect } => {
                buffer.copy_rect(src, dst, rect.view(), dependencies)?
            }
            OwnedCommand::BufferFill { buffer: mem, pattern, offset, size } => {
                buffer.fill(mem, pattern, *offset, *size, dependencies)?
            }
            _ => {}
        }
        points.push(point);
    }
    buffer.finalize()?;
    Ok(NativeCommandBuffer(buffer))
}
