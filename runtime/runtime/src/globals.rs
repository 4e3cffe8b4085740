//! Storage of device globals ("Implementation design for device_global", Changes to the DPC++ runtime).
//!
//! Without image scope, a variable's value is in a zero-initialized USM allocation for each device of a context. All
//! images share it, because its address is written into each program before the program's first kernel. With image
//! scope, the value is in the program, and its initial value is the one that the host wrote before. The value of a
//! variable that is in no image is stored on the host.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::call::{Queue, Usm, UsmKind};
use crate::error::{Error, Result};
use crate::host_memory;

/// A variable's unique id, and the device.
type AllocationKey = (Arc<str>, u64);

/// A variable's memory. The lock is held while the memory is allocated, initialized and written.
type Allocation = Arc<Mutex<Option<Usm<u8>>>>;

/// The device globals of a context.
#[derive(Default)]
pub(crate) struct Globals {
    allocations: Mutex<HashMap<AllocationKey, Allocation>>,
    /// Values of variables that are in no image.
    host: Mutex<HashMap<Arc<str>, Vec<u8>>>,
}

impl Globals {
    /// Returns the variable's allocation on the queue's device. The first call allocates it and copies the value
    /// written before any image had the variable.
    pub(crate) fn allocation(&self, queue: &Queue, unique_id: &str, size: usize) -> Result<Usm<u8>> {
        let key = (Arc::<str>::from(unique_id), queue.device().id());
        let allocation = self.allocations.lock().entry(key).or_default().clone();
        let mut allocation = allocation.lock();
        if let Some(memory) = &*allocation {
            return Ok(memory.clone());
        }
        let memory = Usm::<u8>::new(queue.context(), queue.device(), UsmKind::Device, size)?;
        memory.fill(queue, 0)?;
        if let Some(value) = self.host_value(unique_id, size)? {
            memory.write(queue, 0, &value)?;
        }
        Ok(allocation.insert(memory).clone())
    }

    /// Returns the value written before any image had the variable, which has this size.
    pub(crate) fn host_value(&self, unique_id: &str, size: usize) -> Result<Option<Vec<u8>>> {
        let value = self.host.lock().get(unique_id).cloned();
        match value {
            Some(value) if value.len() > size => Err(out_of_bounds(unique_id, 0, value.len(), size)),
            value => Ok(value),
        }
    }

    /// Writes a variable that is in no image.
    pub(crate) fn write_host(&self, unique_id: &str, offset: usize, bytes: &[u8]) -> Result<()> {
        let mut host = self.host.lock();
        let value = host.entry(unique_id.into()).or_default();
        let end = offset.saturating_add(bytes.len());
        if value.len() < end {
            host_memory::resize(value, end, 0)?;
        }
        if let Some(to) = value.get_mut(offset..end) {
            to.copy_from_slice(bytes);
        }
        Ok(())
    }

    /// Reads a variable that is in no image. Bytes that were never written are zero.
    pub(crate) fn read_host(&self, unique_id: &str, offset: usize, to: &mut [u8]) {
        to.fill(0);
        let host = self.host.lock();
        let value = host.get(unique_id).and_then(|value| value.get(offset..));
        for (to, from) in to.iter_mut().zip(value.unwrap_or_default()) {
            *to = *from;
        }
    }
}

/// Makes an errc::invalid error for a copy beyond the end of a variable.
pub(crate) fn out_of_bounds(unique_id: &str, offset: usize, count: usize, size: usize) -> Error {
    Error::invalid(format!(
        "Copy to device_global is out of bounds. {count} bytes from byte {offset} on are beyond the {size} bytes of \
         {unique_id}"
    ))
}
