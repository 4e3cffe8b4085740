//! Copies to and from device globals, by unique id or by the address of the host's variable.

use std::sync::{Arc, Weak};

use crate::build::{BuiltProgram, no_global};
use crate::call::{Element, Event, Queue, Usm, UsmKind, bytes_of, bytes_of_mut};
use crate::error::{Error, Result};
use crate::globals::out_of_bounds;
use crate::host_memory::filled;
use crate::registry::DeclaredGlobal;
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
            GlobalStorage::Host => self.state().globals.write_host(unique_id, offset, bytes),
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
        let storage = self.storage(queue, unique_id, offset, bytes.len())?;
        self.read_storage(&storage, queue, unique_id, offset, bytes)
    }

    /// So many bytes of a device global, from the byte `offset` on, as
    /// [`copy_from_device_global`](Self::copy_from_device_global) copies them. Nothing is allocated for bytes that the variable does
    /// not have.
    ///
    /// # Errors
    /// As for [`copy_from_device_global`](Self::copy_from_device_global), or the host has no memory for them.
    pub fn device_global_bytes(
        &self,
        queue: &Queue,
        unique_id: &str,
        offset: usize,
        count: usize,
    ) -> Result<Vec<u8>> {
        let storage = self.storage(queue, unique_id, offset, count)?;
        let mut bytes = filled(0_u8, count)?;
        self.read_storage(&storage, queue, unique_id, offset, &mut bytes)?;
        Ok(bytes)
    }

    fn read_storage(
        &self,
        storage: &GlobalStorage,
        queue: &Queue,
        unique_id: &str,
        offset: usize,
        bytes: &mut [u8],
    ) -> Result<()> {
        match storage {
            GlobalStorage::Allocation(memory) => memory.read(queue, offset, bytes),
            GlobalStorage::Program(program) => program.raw.read_variable(queue, unique_id, offset, bytes),
            GlobalStorage::Host => {
                self.state().globals.read_host(unique_id, offset, bytes);
                Ok(())
            }
        }
    }

    /// Enqueues a copy of all values of `from` to a device global, starting at the byte `offset`, to run after these events.
    ///
    /// # Errors
    /// As for [`copy_to_device_global`](Self::copy_to_device_global); or the variable has image scope and `from` is memory of the
    /// device, which the host does not reach.
    pub fn enqueue_to_device_global<T: Element>(
        &self,
        queue: &Queue,
        unique_id: &str,
        offset: usize,
        from: &Usm<T>,
        after: &[Event],
    ) -> Result<Event> {
        let count = size_of::<T>() * from.len();
        match self.storage(queue, unique_id, offset, count)? {
            GlobalStorage::Allocation(memory) => memory.copy_bytes_from(queue, offset, from, 0, count, after),
            GlobalStorage::Program(program) => {
                let from = host_reachable(queue, unique_id, from)?;
                program.raw.enqueue_write_variable(queue, unique_id, offset, (from, count), after)
            }
            GlobalStorage::Host => {
                let done = Event::after(queue, after)?;
                done.wait()?;
                let mut bytes = filled(0_u8, count)?;
                from.read_bytes(queue, &mut bytes)?;
                self.state().globals.write_host(unique_id, offset, &bytes)?;
                Ok(done)
            }
        }
    }

    /// Enqueues a copy from a device global, starting at the byte `offset`, to all values of `to`, to run after these events.
    ///
    /// # Errors
    /// As for [`enqueue_to_device_global`](Self::enqueue_to_device_global).
    pub fn enqueue_from_device_global<T: Element>(
        &self,
        queue: &Queue,
        unique_id: &str,
        offset: usize,
        to: &Usm<T>,
        after: &[Event],
    ) -> Result<Event> {
        let count = size_of::<T>() * to.len();
        match self.storage(queue, unique_id, offset, count)? {
            GlobalStorage::Allocation(memory) => to.copy_bytes_from(queue, 0, &memory, offset, count, after),
            GlobalStorage::Program(program) => {
                let to = host_reachable(queue, unique_id, to)?;
                program.raw.enqueue_read_variable(queue, unique_id, offset, (to, count), after)
            }
            GlobalStorage::Host => {
                Event::after(queue, after)?.wait()?;
                let mut bytes = filled(0_u8, count)?;
                self.state().globals.read_host(unique_id, offset, &mut bytes);
                to.write_bytes(queue, &bytes)?;
                Event::after(queue, &[])
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

    /// So many bytes of the device global whose host variable is at `host_address`, as
    /// [`device_global_bytes`](Self::device_global_bytes) gives them.
    ///
    /// # Errors
    /// As for [`copy_to_device_global_at`](Self::copy_to_device_global_at), or the host has no memory for them.
    pub fn device_global_bytes_at(
        &self,
        queue: &Queue,
        host_address: usize,
        offset: usize,
        count: usize,
    ) -> Result<Vec<u8>> {
        self.device_global_bytes(queue, &self.device_global_at(host_address)?, offset, count)
    }

    fn device_global_at(&self, host_address: usize) -> Result<Arc<str>> {
        self.registry().device_global_at(host_address).ok_or_else(|| {
            Error::NotFound(format!("no device global is registered for the host address {host_address:#x}"))
        })
    }

    /// The address of a device global on the queue's device. A compiler's host object keeps it as `usmptr`; the runtime leaves that to
    /// the program, as one object cannot hold the addresses of several devices.
    ///
    /// # Errors
    /// The variable has image scope, or is in no image and was registered without its size; or there is no memory.
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
        state.sync();
        let global = state.registry.global(unique_id);
        if global.is_none() && !state.registry.has_host_variable(unique_id) {
            return Err(no_global(&state.registry, unique_id));
        }
        let size = global.map_or(HOST_LIMIT, |global| global.size);
        if offset.checked_add(count).is_none_or(|end| end > size) {
            return Err(out_of_bounds(unique_id, offset, count, size));
        }
        match global {
            None => Ok(GlobalStorage::Host),
            Some(DeclaredGlobal { image_scope: false, .. }) => {
                state.globals.allocation(queue, unique_id, size).map(GlobalStorage::Allocation)
            }
            Some(DeclaredGlobal { image_scope: true, .. }) => match self.program_with(queue, unique_id)? {
                Some(program) => {
                    // It has the value that the host wrote before.
                    state.prepare(&program, queue)?;
                    Ok(GlobalStorage::Program(program))
                }
                None => Ok(GlobalStorage::Host),
            },
        }
    }

    /// The one program with a variable of image scope, built if needed; none if no image has the variable.
    fn program_with(&self, queue: &Queue, unique_id: &str) -> Result<Option<Arc<BuiltProgram>>> {
        let state = self.state();
        let images = state.registry.images_with_global(unique_id);
        let image = match images.as_slice() {
            [] => return Ok(None),
            [image] => image,
            _ => {
                return Err(Error::invalid(format!(
                    "More than one image exists with the device_global. {unique_id} has image scope and is in {}",
                    images.iter().map(|image| image.name().to_owned()).collect::<Vec<_>>().join(", ")
                )));
            }
        };
        let mut programs: Vec<Arc<BuiltProgram>> =
            state.built.lock().iter().filter_map(Weak::upgrade).collect();
        programs.retain(|program| {
            program.device == *queue.device() && program.images.iter().any(|other| other.id() == image.id())
        });
        match (programs.pop(), programs.is_empty()) {
            (Some(program), true) => Ok(Some(program)),
            (None, _) => state.program_of(image, queue.device(), self.build_options()).map(Some),
            (Some(_), false) => Err(Error::invalid(format!(
                "More than one image exists with the device_global. {unique_id} has image scope and is in {} \
                 programs of image {}, built with different specialization constants, options or images",
                programs.len() + 1,
                image.name()
            ))),
        }
    }
}

/// The address of memory that the host reaches.
fn host_reachable<T: Element>(queue: &Queue, unique_id: &str, memory: &Usm<T>) -> Result<usize> {
    if memory.context() != queue.context() {
        return Err(Error::invalid("the memory is of another context than the queue"));
    }
    if memory.kind() == UsmKind::Device {
        return Err(Error::invalid(format!(
            "device global {unique_id} has image scope: it is copied to and from host or shared memory, not device memory"
        )));
    }
    Ok(memory.address())
}

/// The most bytes that are kept of a variable whose size is not known.
const HOST_LIMIT: usize = 1 << 30;
