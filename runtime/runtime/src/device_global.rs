//! Copies to and from device globals, by unique id or by the address of the host's variable.

use std::sync::{Arc, Weak};

use crate::build::BuiltProgram;
use crate::call::{Element, Queue, Usm, bytes_of, bytes_of_mut};
use crate::error::{Error, Result};
use crate::runtime::Runtime;

/// Where a device global's value is.
enum GlobalStorage {
    Allocation(Usm<u8>),
    Program(Arc<BuiltProgram>),
    Host,
}

impl Runtime {
    /// Copies values to a device global, starting at the byte `offset`, and waits.
    ///
    /// # Errors
    /// errc::invalid: beyond the end, or with image scope in more than one image or program; or the plugin fails.
    pub fn copy_to_device_global<T: Element>(
        &self,
        queue: &Queue,
        unique_id: &str,
        offset: usize,
        values: &[T],
    ) -> Result<()> {
        let bytes = bytes_of(values);
        match self.storage(queue, unique_id, offset, bytes.len())? {
            GlobalStorage::Allocation(memory) => memory.write(queue, offset, bytes),
            GlobalStorage::Program(program) => program.raw.write_variable(queue, unique_id, offset, bytes),
            GlobalStorage::Host => {
                self.state().globals.write_host(unique_id, offset, bytes);
                Ok(())
            }
        }
    }

    /// Copies values from a device global, starting at the byte `offset`, and waits.
    ///
    /// # Errors
    /// As for [`copy_to_device_global`](Self::copy_to_device_global).
    pub fn copy_from_device_global<T: Element>(
        &self,
        queue: &Queue,
        unique_id: &str,
        offset: usize,
        values: &mut [T],
    ) -> Result<()> {
        let bytes = bytes_of_mut(values);
        match self.storage(queue, unique_id, offset, bytes.len())? {
            GlobalStorage::Allocation(memory) => memory.read(queue, offset, bytes),
            GlobalStorage::Program(program) => program.raw.read_variable(queue, unique_id, offset, bytes),
            GlobalStorage::Host => {
                self.state().globals.read_host(unique_id, offset, bytes);
                Ok(())
            }
        }
    }

    /// Copies values to the device global whose host variable is at `host_address`, as
    /// [`copy_to_device_global`](Self::copy_to_device_global) does.
    ///
    /// # Errors
    /// No device global is registered with this address
    /// ([`Registry::add_device_global`](crate::Registry::add_device_global)), or as for the other.
    pub fn copy_to_device_global_at<T: Element>(
        &self,
        queue: &Queue,
        host_address: usize,
        offset: usize,
        values: &[T],
    ) -> Result<()> {
        self.copy_to_device_global(queue, &self.device_global_at(host_address)?, offset, values)
    }

    /// Copies values from the device global whose host variable is at `host_address`, as
    /// [`copy_from_device_global`](Self::copy_from_device_global) does.
    ///
    /// # Errors
    /// As for [`copy_to_device_global_at`](Self::copy_to_device_global_at).
    pub fn copy_from_device_global_at<T: Element>(
        &self,
        queue: &Queue,
        host_address: usize,
        offset: usize,
        values: &mut [T],
    ) -> Result<()> {
        self.copy_from_device_global(queue, &self.device_global_at(host_address)?, offset, values)
    }

    fn device_global_at(&self, host_address: usize) -> Result<Arc<str>> {
        self.registry().device_global_at(host_address).ok_or_else(|| {
            Error::NotFound(format!("no device global is registered for the host address {host_address:#x}"))
        })
    }

    /// The address of a device global on the queue's device. A compiler's host object keeps it as `usmptr`.
    ///
    /// # Errors
    /// The variable has image scope or is in no image, or there is no memory.
    pub fn device_global_address(&self, queue: &Queue, unique_id: &str) -> Result<usize> {
        match self.storage(queue, unique_id, 0, 0)? {
            GlobalStorage::Allocation(memory) => Ok(memory.address()),
            _ => Err(Error::invalid(format!("device global {unique_id} has no allocation of its own"))),
        }
    }

    fn storage(&self, queue: &Queue, unique_id: &str, offset: usize, count: usize) -> Result<GlobalStorage> {
        let state = self.state();
        if *queue.context() != state.context {
            return Err(Error::invalid("the queue is of another context than the device global"));
        }
        let end = offset.checked_add(count);
        let images = state.registry.images_with_global(unique_id);
        let first = images.first().and_then(|image| image.properties().device_globals.get(unique_id));
        let Some(global) = first else {
            return match end.filter(|&end| end <= HOST_LIMIT) {
                Some(_) => Ok(GlobalStorage::Host),
                None => Err(out_of_bounds(unique_id, offset, count, HOST_LIMIT)),
            };
        };
        let size = global.size as usize;
        if end.is_none_or(|end| end > size) {
            return Err(out_of_bounds(unique_id, offset, count, size));
        }
        if !global.image_scope {
            return state.globals.allocation(queue, unique_id, size).map(GlobalStorage::Allocation);
        }
        let [image] = images.as_slice() else {
            return Err(Error::invalid(format!(
                "More than one image exists with the device_global. {unique_id} has image scope and is in {}",
                images.iter().map(|image| image.name().to_owned()).collect::<Vec<_>>().join(", ")
            )));
        };
        let mut programs: Vec<Arc<BuiltProgram>> =
            state.built.lock().iter().filter_map(Weak::upgrade).collect();
        programs.retain(|program| {
            program.device == *queue.device() && program.images.iter().any(|other| other.id() == image.id())
        });
        match (programs.pop(), programs.is_empty()) {
            (Some(program), true) => Ok(GlobalStorage::Program(program)),
            (None, _) => state.program_of(image, queue.device()).map(GlobalStorage::Program),
            (Some(_), false) => Err(Error::invalid(format!(
                "More than one image exists with the device_global. {unique_id} has image scope and is in {} \
                 programs of image {}, built with different specialization constants",
                programs.len() + 1,
                image.name()
            ))),
        }
    }
}

/// The most bytes that are kept of a variable whose size is not known.
const HOST_LIMIT: usize = 1 << 30;

fn out_of_bounds(unique_id: &str, offset: usize, count: usize, size: usize) -> Error {
    Error::invalid(format!(
        "Copy to device_global is out of bounds. {count} bytes from byte {offset} on are beyond the {size} bytes of \
         {unique_id}"
    ))
}
