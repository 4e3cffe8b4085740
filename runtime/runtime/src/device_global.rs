//! Copies to and from device globals, by unique id or by the address of the host variable.

use std::sync::{Arc, Weak};

use crate::build::{BuiltProgram, no_global};
use crate::call::{Element, Event, Queue, Usm, UsmKind, bytes_of, bytes_of_mut};
use crate::error::{Error, Result};
use crate::globals::out_of_bounds;
use crate::host_memory::filled;
use crate::registry::DeclaredGlobal;
use crate::runtime::Runtime;

/// The location of a device global's value.
enum GlobalStorage {
    Allocation(Usm<u8>),
    Program(Arc<BuiltProgram>),
    Host,
}

impl Runtime {
    /// Copies values to a device global, starting at the byte `offset`, and waits.
    ///
    /// # Errors
    /// Fails with errc::invalid if the range exceeds the variable, or if the variable has image scope and is in more
    /// than one image or program. Also fails if the plugin fails.
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
    /// Returns the errors of [`copy_to_device_global`](Self::copy_to_device_global).
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

    /// Reads `count` bytes of a device global, starting at the byte `offset`, like
    /// [`copy_from_device_global`](Self::copy_from_device_global). Nothing is allocated if the range exceeds the
    /// variable.
    ///
    /// # Errors
    /// Returns the errors of [`copy_from_device_global`](Self::copy_from_device_global); also fails if the host has no
    /// memory for the bytes.
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

    /// Enqueues a copy of all values of `from` to a device global, starting at the byte `offset`, to run after these
    /// events.
    ///
    /// # Errors
    /// Returns the errors of [`copy_to_device_global`](Self::copy_to_device_global); also fails if the variable has
    /// image scope and `from` is device memory, which the host cannot access.
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

    /// Enqueues a copy from a device global, starting at the byte `offset`, to all values of `to`, to run after these
    /// events.
    ///
    /// # Errors
    /// Returns the errors of [`enqueue_to_device_global`](Self::enqueue_to_device_global).
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

    /// Copies values to the device global whose host variable is at `host_address`, like
    /// [`copy_to_device_global`](Self::copy_to_device_global).
    ///
    /// # Errors
    /// Fails if no device global is registered with this address
    /// ([`Registry::add_device_global`](crate::Registry::add_device_global)), and in the same cases as
    /// `copy_to_device_global`.
    pub fn copy_to_device_global_at<T: Element>(
        &self,
        queue: &Queue,
        host_address: usize,
        offset: usize,
        values: &[T],
    ) -> Result<()> {
        self.copy_to_device_global(queue, &self.device_global_at(host_address)?, offset, values)
    }

    /// Copies values from the device global whose host variable is at `host_address`, like
    /// [`copy_from_device_global`](Self::copy_from_device_global).
    ///
    /// # Errors
    /// Returns the errors of [`copy_to_device_global_at`](Self::copy_to_device_global_at).
    pub fn copy_from_device_global_at<T: Element>(
        &self,
        queue: &Queue,
        host_address: usize,
        offset: usize,
        values: &mut [T],
    ) -> Result<()> {
        self.copy_from_device_global(queue, &self.device_global_at(host_address)?, offset, values)
    }

    /// Reads `count` bytes of the device global whose host variable is at `host_address`, like
    /// [`device_global_bytes`](Self::device_global_bytes).
    ///
    /// # Errors
    /// Returns the errors of [`copy_to_device_global_at`](Self::copy_to_device_global_at); also fails if the host has
    /// no memory for the bytes.
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

    /// Returns the address of a device global on the queue's device. A compiler's host object stores it as `usmptr`;
    /// the runtime leaves that to the program, because one object cannot hold the addresses of several devices.
    ///
    /// # Errors
    /// Fails if the variable has image scope, if it is in no image and was registered without its size, or if there is
    /// no memory.
    pub fn device_global_address(&self, queue: &Queue, unique_id: &str) -> Result<usize> {
        match self.storage(queue, unique_id, 0, 0)? {
            GlobalStorage::Allocation(memory) => Ok(memory.address()),
            _ => Err(Error::invalid(format!("device global {unique_id} has no allocation of its own"))),
        }
    }

    fn storage(&self, queue: &Queue, unique_id: &str, offset: usize, count: usize) -> Result<GlobalStorage> {
        let state = self.state();
        if *queue.context() != state.context {
            return Err(Error::invalid("the queue belongs to another context than the device global"));
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
                    // It already has the value that the host wrote.
                    state.prepare(&program, queue)?;
                    Ok(GlobalStorage::Program(program))
                }
                None => Ok(GlobalStorage::Host),
            },
        }
    }

    /// Returns the only program that contains a variable of image scope, building it if necessary, or `None` if no
    /// image has the variable.
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

/// Returns the address of memory that the host can access.
fn host_reachable<T: Element>(queue: &Queue, unique_id: &str, memory: &Usm<T>) -> Result<usize> {
    if memory.context() != queue.context() {
        return Err(Error::invalid("the memory belongs to another context than the queue"));
    }
    if memory.kind() == UsmKind::Device {
        return Err(Error::invalid(format!(
            "device global {unique_id} has image scope: it is copied to and from host or shared memory, not device memory"
        )));
    }
    Ok(memory.address())
}

/// The most bytes that are stored for a variable of unknown size.
const HOST_LIMIT: usize = 1 << 30;
