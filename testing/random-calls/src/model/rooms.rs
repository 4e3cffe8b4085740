//! The model's memory: unified shared memory, buffers, and parts of buffers.

use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_pi_loader::{CallError, Table};

use super::Model;

/// The size of each memory.
pub(super) const SIZE: usize = 4096;
/// The offset of parts of buffers, aligned for every device.
const PART: usize = 1024;

/// Memory, and its expected bytes.
pub(super) struct Room {
    pub(super) name: String,
    pub(super) memory: Memory,
    pub(super) bytes: Vec<u8>,
    /// Whether the expected bytes are known. Not so at first, and after a mismatch.
    pub(super) is_known: bool,
    /// Whether the episode wrote to it.
    pub(super) is_written: bool,
    /// The last command that used it, as its queue's index and its event.
    pub(super) last: Option<(usize, pi_event)>,
}

#[derive(Clone, Copy)]
pub(super) enum Memory {
    Usm(u64),
    Buffer(pi_mem),
}

/// A command's target: a room, or a part of one.
#[derive(Clone, Copy)]
pub(super) struct Target {
    pub(super) room: usize,
    pub(super) memory: Memory,
    /// Its start in the room, and its length.
    pub(super) origin: usize,
    pub(super) size: usize,
}

/// Creates a queue if the device supports it.
pub(super) fn queue(
    pi: &Table,
    context: pi_context,
    device: pi_device,
    flags: pi_queue_properties,
) -> Option<pi_queue> {
    let (mut list, mut queue) = ([PI_QUEUE_FLAGS, flags, 0], null_mut());
    // SAFETY: live handles, a terminated list, and room for the result.
    let made = unsafe {
        match pi.piextQueueCreate {
            Some(_) => pi.piextQueueCreate(context, device, list.as_mut_ptr(), &mut queue),
            None => pi.piQueueCreate(context, device, flags, &mut queue),
        }
    };
    made.ok().map(|()| queue)
}

/// Creates a buffer.
pub(super) fn buffer(pi: &Table, context: pi_context) -> Result<pi_mem, CallError> {
    let mut buffer = null_mut();
    // SAFETY: a live context and room for the result.
    unsafe { pi.piMemBufferCreate(context, PI_MEM_FLAGS_ACCESS_RW, SIZE, null_mut(), &mut buffer, null())? };
    Ok(buffer)
}

/// Creates the memory: two of each kind, and a part of the first buffer.
pub(super) fn make(model: &mut Model, context: pi_context, device: pi_device) {
    let pi = model.pi;
    for kind in ["host", "device", "shared", "host", "device", "shared"] {
        let (mut start, list) = (null_mut(), null_mut());
        // SAFETY: live handles and room for the result.
        let made = unsafe {
            match kind {
                "host" => pi.piextUSMHostAlloc(&mut start, context, list, SIZE, 0),
                "device" => pi.piextUSMDeviceAlloc(&mut start, context, device, list, SIZE, 0),
                _ => pi.piextUSMSharedAlloc(&mut start, context, device, list, SIZE, 0),
            }
        };
        if made.is_ok() {
            model.add(format!("{kind} memory"), Memory::Usm(start as u64));
        }
    }
    for number in 0..2 {
        let Ok(buffer) = buffer(pi, context) else { continue };
        model.add("a buffer".to_owned(), Memory::Buffer(buffer));
        let mut region = pi_buffer_region_struct { origin: PART, size: SIZE / 2 };
        let (info, mut part) = ((&raw mut region).cast(), null_mut());
        let (flags, what) = (PI_MEM_FLAGS_ACCESS_RW, PI_BUFFER_CREATE_TYPE_REGION);
        // SAFETY: a live buffer, its region, and room for the result.
        if number == 0 && unsafe { pi.piMemBufferPartition(buffer, flags, what, info, &mut part) }.is_ok() {
            let room = model.rooms.len() - 1;
            let memory = Memory::Buffer(part);
            model.targets.push(Target { room, memory, origin: PART, size: SIZE / 2 });
        }
    }
}

impl Model {
    fn add(&mut self, name: String, memory: Memory) {
        let room = self.rooms.len();
        let (bytes, last) = (vec![0; SIZE], None);
        self.rooms.push(Room { name, memory, bytes, is_known: false, is_written: false, last });
        self.targets.push(Target { room, memory, origin: 0, size: SIZE });
    }
}

impl Room {
    /// Reads the actual bytes.
    pub(super) fn read(&self, pi: &Table, queue: pi_queue) -> Result<Vec<u8>, CallError> {
        let mut bytes = vec![0_u8; SIZE];
        let to = bytes.as_mut_ptr().cast();
        // SAFETY: live handles, and room for this number of bytes.
        unsafe {
            match self.memory {
                Memory::Usm(start) => pi.piextUSMEnqueueMemcpy(
                    queue,
                    PI_TRUE,
                    to,
                    start as *const _,
                    SIZE,
                    0,
                    null(),
                    null_mut(),
                )?,
                Memory::Buffer(buffer) => {
                    pi.piEnqueueMemBufferRead(queue, buffer, PI_TRUE, 0, SIZE, to, 0, null(), null_mut())?;
                }
            }
        }
        Ok(bytes)
    }
}
