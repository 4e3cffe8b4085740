//! Command buffers.

use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_pi_loader::CallError;

use crate::commands::{End, Rows};
use crate::program::{Command, Recorded, Way};
use crate::shape::{PITCH, PLACE};
use crate::world::World;

/// A command buffer, and the handles of commands that can be changed.
pub(crate) struct Buffer {
    pub(crate) handle: pi_ext_command_buffer,
    /// One for each command. Null if it cannot be changed.
    pub(crate) commands: Vec<*mut std::ffi::c_void>,
}

impl World {
    /// Queries which commands can be recorded.
    pub(crate) fn probe_command_buffers(&mut self) {
        let is_buffer = |place: &usize| matches!(self.end(*place), End::Buffer(_));
        let (Some(buffer), Some(usm)) =
            ((0..self.places.len()).find(is_buffer), (0..self.places.len()).find(|place| !is_buffer(place)))
        else {
            return;
        };
        let takes = |command: Command| {
            let recorded = Recorded { command, after: Vec::new() };
            let made = self.record(0, 0, &[recorded]);
            let made = made.map(|buffer| self.release(&buffer));
            made.is_ok()
        };
        let (value, log, way, pinned) = (0, 0, Way::Whole, true);
        let command_buffers = self.pi.piextCommandBufferCreate.is_some()
            && takes(Command::Write { to: usm, value, way: Way::Kernel, pinned })
            && takes(Command::Write { to: usm, value, way, pinned });
        let recorded_transfers = command_buffers
            && takes(Command::Write { to: buffer, value, way, pinned })
            && takes(Command::Read { from: buffer, log, way, pinned })
            && takes(Command::Read { from: buffer, log, way: Way::Rows, pinned });
        let recorded_fills = command_buffers
            && takes(Command::Fill { to: buffer, value })
            && takes(Command::Fill { to: usm, value });
        let updates = command_buffers && self.can_update();
        let can = &mut self.shape.can;
        can.command_buffers = command_buffers;
        can.recorded_transfers = recorded_transfers;
        can.recorded_fills = recorded_fills;
        can.updates = updates;
    }

    /// Records a command buffer for a device, ready to run.
    pub(crate) fn record(
        &self,
        context: usize,
        device: usize,
        commands: &[Recorded],
    ) -> Result<Buffer, CallError> {
        if let Some(made) = self.record_updatable(context, device, commands) {
            return made;
        }
        let (pi, mut handle) = (self.pi, null_mut());
        let desc = pi_ext_command_buffer_desc {
            stype: PI_EXT_STRUCTURE_TYPE_COMMAND_BUFFER_DESC,
            pNext: null(),
            properties: null_mut(),
        };
        let own = &self.contexts[context];
        // SAFETY: live handles, and room for the command buffer.
        unsafe { pi.piextCommandBufferCreate(own.handle, own.devices[device], &desc, &mut handle)? };
        let buffer = Buffer { handle, commands: vec![null_mut(); commands.len()] };
        let mut points: Vec<pi_ext_sync_point> = Vec::new();
        for recorded in commands {
            let after: Vec<pi_ext_sync_point> =
                recorded.after.iter().map(|earlier| points[*earlier]).collect();
            match self.append(context, handle, recorded.command, &after) {
                Ok(point) => points.push(point),
                Err(error) => {
                    self.release(&buffer);
                    return Err(error);
                }
            }
        }
        // SAFETY: a live command buffer.
        unsafe { pi.piextCommandBufferFinalize(handle)? };
        Ok(buffer)
    }

    /// Releases a command buffer. This only fails for a wrong handle.
    pub(crate) fn release(&self, buffer: &Buffer) {
        // SAFETY: the reference belongs to the caller.
        let _ = unsafe { self.pi.piextCommandBufferRelease(buffer.handle) };
    }

    /// Appends a command after earlier ones.
    pub(crate) fn append(
        &self,
        context: usize,
        buffer: pi_ext_command_buffer,
        command: Command,
        after: &[pi_ext_sync_point],
    ) -> Result<pi_ext_sync_point, CallError> {
        let (pi, mut point) = (self.pi, 0);
        let (count, list, out) = (after.len() as u32, after.as_ptr(), &raw mut point);
        let list = if after.is_empty() { null() } else { list };
        let (mut rows, mut other) = (Rows::new(), Rows::new());
        let (here, there, part) = (&raw mut rows.origin, &raw mut other.origin, &raw mut rows.region);
        // SAFETY: live handles, memory that outlives the commands, and lists of that length.
        unsafe {
            if let Command::Fill { to, value } = command {
                let (pattern, end) = ([value; 4], self.end(to));
                let pattern = pattern.as_ptr().cast();
                match end {
                    End::Buffer(mem) => pi.piextCommandBufferMemBufferFill(
                        buffer, mem, pattern, 4, 0, PLACE, count, list, out,
                    )?,
                    End::Address(start) => {
                        pi.piextCommandBufferFillUSM(buffer, start, pattern, 4, PLACE, count, list, out)?
                    }
                }
            }
            match self.ends(context, command) {
                None => {}
                Some((to, from, Way::Kernel)) => {
                    let (kernel, size) = (self.contexts[context].copy, PLACE);
                    self.set_end(kernel, 0, from)?;
                    self.set_end(kernel, 1, to)?;
                    pi.piextCommandBufferNDRangeKernel(
                        buffer,
                        kernel,
                        1,
                        &0,
                        &size,
                        null(),
                        count,
                        list,
                        out,
                    )?;
                }
                Some((End::Address(to), End::Address(from), _)) => {
                    pi.piextCommandBufferMemcpyUSM(buffer, to, from, PLACE, count, list, out)?
                }
                Some((End::Address(to), End::Buffer(from), Way::Whole)) => {
                    pi.piextCommandBufferMemBufferRead(buffer, from, 0, PLACE, to, count, list, out)?
                }
                Some((End::Address(to), End::Buffer(from), Way::Rows)) => pi
                    .piextCommandBufferMemBufferReadRect(
                        buffer, from, here, there, part, PITCH, 0, PITCH, 0, to, count, list, out,
                    )?,
                Some((End::Buffer(to), End::Address(from), Way::Whole)) => {
                    pi.piextCommandBufferMemBufferWrite(buffer, to, 0, PLACE, from, count, list, out)?
                }
                Some((End::Buffer(to), End::Address(from), Way::Rows)) => pi
                    .piextCommandBufferMemBufferWriteRect(
                        buffer, to, here, there, part, PITCH, 0, PITCH, 0, from, count, list, out,
                    )?,
                Some((End::Buffer(to), End::Buffer(from), Way::Whole)) => {
                    pi.piextCommandBufferMemBufferCopy(buffer, from, to, 0, 0, PLACE, count, list, out)?
                }
                Some((End::Buffer(to), End::Buffer(from), Way::Rows)) => pi
                    .piextCommandBufferMemBufferCopyRect(
                        buffer, from, to, here, there, part, PITCH, 0, PITCH, 0, count, list, out,
                    )?,
            }
        }
        Ok(point)
    }
}
