//! Device globals ("Implementation design for device_global", Changes to the DPC++ runtime).
//!
//! Without image scope, a variable's value is in a block of USM, one for each device of a context, zero-initialised and
//! shared by all images; its address is written into each program before the program's first kernel. With image scope it is in
//! the program. One that no image has is kept on the host.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::build::BuiltProgram;
use crate::call::{Element, Queue, Usm, UsmKind, bytes_of};
use crate::error::{Error, Result};
use crate::runtime::Runtime;

/// A variable's unique id, and the device.
type BlockKey = (Arc<str>, u64);

/// What of the database belongs to a context.
#[derive(Default)]
pub(crate) struct Globals {
    blocks: Mutex<HashMap<BlockKey, Usm<u8>>>,
    /// Values of variables that no image has.
    host: Mutex<HashMap<Arc<str>, Vec<u8>>>,
}

impl Globals {
    /// The variable's block on the queue's device, made and zero-initialised unless it is there. What was written before any
    /// image had the variable is carried over.
    pub(crate) fn block(&self, queue: &Queue, unique_id: &str, size: usize) -> Result<Usm<u8>> {
        let mut blocks = self.blocks.lock();
        let place = (Arc::<str>::from(unique_id), queue.device().id());
        if let Some(block) = blocks.get(&place) {
            return Ok(block.clone());
        }
        let block = Usm::<u8>::new(queue.context(), queue.device(), UsmKind::Device, size)?;
        block.fill(queue, 0)?;
        if let Some(value) = self.host.lock().get(unique_id) {
            block.write(queue, 0, value.get(..size).unwrap_or(value))?;
        }
        blocks.insert(place, block.clone());
        Ok(block)
    }
}

enum Place {
    Block(Usm<u8>),
    Program(Arc<BuiltProgram>),
    Host,
}

impl Runtime {
    /// Copies values into a device global, from the byte `offset` on, and waits.
    ///
    /// # Errors
    /// errc::invalid: beyond the end, or with image scope in more than one image or program; or the plugin fails.
    pub fn write_global<T: Element>(
        &self,
        queue: &Queue,
        unique_id: &str,
        offset: usize,
        values: &[T],
    ) -> Result<()> {
        let bytes = bytes_of(values);
        match self.place(queue, unique_id, offset, bytes.len())? {
            Place::Block(block) => block.write(queue, offset, bytes),
            Place::Program(program) => program.raw.write_variable(queue, unique_id, offset, bytes),
            Place::Host => {
                let mut host = self.inner().globals.host.lock();
                let value = host.entry(unique_id.into()).or_default();
                if value.len() < offset + bytes.len() {
                    value.resize(offset + bytes.len(), 0);
                }
                if let Some(to) = value.get_mut(offset..offset + bytes.len()) {
                    to.copy_from_slice(bytes);
                }
                Ok(())
            }
        }
    }

    /// Copies bytes out of a device global, from the byte `offset` on, and waits.
    ///
    /// # Errors
    /// As for [`write_global`](Self::write_global).
    pub fn read_global(&self, queue: &Queue, unique_id: &str, offset: usize, to: &mut [u8]) -> Result<()> {
        match self.place(queue, unique_id, offset, to.len())? {
            Place::Block(block) => block.read(queue, offset, to),
            Place::Program(program) => program.raw.read_variable(queue, unique_id, offset, to),
            Place::Host => {
                to.fill(0);
                let host = self.inner().globals.host.lock();
                let value = host.get(unique_id).and_then(|value| value.get(offset..));
                for (to, from) in to.iter_mut().zip(value.unwrap_or_default()) {
                    *to = *from;
                }
                Ok(())
            }
        }
    }

    /// The address of a device global's block on the queue's device: what the host object's `usmptr` caches.
    ///
    /// # Errors
    /// The variable has image scope or is in no image, or there is no memory.
    pub fn global_address(&self, queue: &Queue, unique_id: &str) -> Result<usize> {
        match self.place(queue, unique_id, 0, 0)? {
            Place::Block(block) => Ok(block.address()),
            _ => Err(Error::invalid(format!("device global {unique_id} has no block of shared memory"))),
        }
    }

    fn place(&self, queue: &Queue, unique_id: &str, offset: usize, count: usize) -> Result<Place> {
        let inner = self.inner();
        if *queue.context() != inner.context {
            return Err(Error::invalid("the queue is of another context than the device global"));
        }
        let end = offset.checked_add(count);
        let images = inner.registry.images_with_global(unique_id);
        let first = images.first().and_then(|image| image.properties().device_globals.get(unique_id));
        let Some(global) = first else {
            return match end.filter(|&end| end <= HOST_LIMIT) {
                Some(_) => Ok(Place::Host),
                None => Err(out_of_bounds(unique_id, offset, count, HOST_LIMIT)),
            };
        };
        let size = global.size as usize;
        if end.is_none_or(|end| end > size) {
            return Err(out_of_bounds(unique_id, offset, count, size));
        }
        if !global.image_scope {
            return inner.globals.block(queue, unique_id, size).map(Place::Block);
        }
        let [image] = images.as_slice() else {
            return Err(Error::invalid(format!(
                "More than one image exists with the device_global. {unique_id} has image scope and is in {}",
                images.iter().map(|image| image.name().to_owned()).collect::<Vec<_>>().join(", ")
            )));
        };
        let mut programs: Vec<Arc<BuiltProgram>> =
            inner.built.lock().iter().filter_map(std::sync::Weak::upgrade).collect();
        programs.retain(|program| {
            program.device == *queue.device() && program.images.iter().any(|other| other.id() == image.id())
        });
        match (programs.pop(), programs.is_empty()) {
            (Some(program), true) => Ok(Place::Program(program)),
            (None, _) => inner.program_of(image, queue.device()).map(Place::Program),
            (Some(_), false) => Err(Error::invalid(format!(
                "More than one image exists with the device_global. {unique_id} has image scope and is in {} \
                 programs of image {}, built with different specialization constants",
                programs.len() + 1,
                image.name()
            ))),
        }
    }
}

/// The most that is kept of a variable whose size is not known.
const HOST_LIMIT: usize = 1 << 30;

fn out_of_bounds(unique_id: &str, offset: usize, count: usize, size: usize) -> Error {
    Error::invalid(format!(
        "Copy to device_global is out of bounds. {count} bytes from byte {offset} on are beyond the {size} bytes of \
         {unique_id}"
    ))
}
