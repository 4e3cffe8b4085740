//! Buffers: their location, the host pointer given by the caller, and their mappings.
//!
//! A buffer is one allocation. In a context with one root device, it is on that device, or in host memory if the device
//! is integrated. In a context with several root devices, it is in host memory, which all of them can access.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Error, Result};

use super::context::ContextHandle;
use crate::driver::{AllocationRequest, DriverContext, MemoryLocation, UsmBlock};
use crate::sys::{Address, copy_in, log_failure, ze};

/// A buffer or a sub-buffer.
pub(crate) struct Buffer {
    pub(crate) address: Address,
    pub(crate) size: usize,
    /// Whether the host may access the memory directly.
    pub(crate) on_host: bool,
    /// The host pointer that the caller passed with MemFlags::HOST_PTR_USE. Mappings are located there.
    pub(crate) lent: Address,
    memory: BufferMemory,
    mapped: Mutex<HashMap<usize, Vec<MappedRegion>>>,
}

enum BufferMemory {
    /// Memory of the backend, freed when the block is dropped.
    Own { _block: UsmBlock },
    /// A sub-buffer of another buffer.
    Part,
    /// From a native handle, freed with the buffer if the backend owns it.
    Native { context: Arc<DriverContext>, owned: bool },
}

/// A mapped part.
pub(crate) struct MappedRegion {
    pub(crate) offset: usize,
    pub(crate) size: usize,
    /// Whether the host's bytes must be written back.
    pub(crate) write: bool,
    /// Host memory used as a copy of the part.
    pub(crate) staging: Option<Arc<UsmBlock>>,
    /// Whether the mapping is the buffer's own memory.
    pub(crate) direct: bool,
}

impl Buffer {
    pub(crate) fn new(
        context: &ContextHandle,
        flags: MemFlags,
        size: usize,
        host_ptr: Address,
    ) -> Result<Self> {
        let roots = context.roots();
        let device = &context.devices[0];
        let on_host = roots.len() > 1 || device.is_integrated() || flags.contains(MemFlags::HOST_PTR_ALLOC);
        let location = match (on_host, context.devices.as_slice()) {
            (true, _) => MemoryLocation::Host,
            (false, [only]) => MemoryLocation::Device(only.ze),
            (false, _) => MemoryLocation::Device(roots[0].ze),
        };
        let block = UsmBlock::new(&context.usm, AllocationRequest::new(location, size))?;
        let address = block.address;
        let mut lent = Address::NULL;
        if flags.intersects(MemFlags::HOST_PTR_USE | MemFlags::HOST_PTR_COPY) {
            if on_host {
                copy_in(address, host_ptr, size);
            } else {
                let ordinal = device.compute_group().unwrap_or_default();
                context.synchronous.copy(device.ze, ordinal, address, host_ptr, size)?;
            }
            if flags.contains(MemFlags::HOST_PTR_USE) {
                lent = host_ptr;
            }
        }
        Ok(Self {
            address,
            size,
            on_host,
            lent,
            memory: BufferMemory::Own { _block: block },
            mapped: Mutex::default(),
        })
    }

    /// Creates a sub-buffer.
    pub(crate) fn part(&self, origin: usize, size: usize) -> Result<Self> {
        if matches!(self.memory, BufferMemory::Part) {
            return Err(Error::new(ErrorCode::INVALID_MEM_OBJECT, "a sub-buffer cannot be divided again"));
        }
        self.check(origin, size, "the region of a sub-buffer")
            .map_err(|error| error.with_code(ErrorCode::INVALID_BUFFER_SIZE))?;
        let lent = if self.lent.is_null() { Address::NULL } else { self.lent.add(origin) };
        Ok(Self {
            address: self.address.add(origin),
            size,
            on_host: self.on_host,
            lent,
            memory: BufferMemory::Part,
            mapped: Mutex::default(),
        })
    }

    /// Wraps memory from a native handle.
    pub(crate) fn native(
        context: &ContextHandle,
        address: Address,
        size: usize,
        on_host: bool,
        owned: bool,
    ) -> Self {
        let memory = BufferMemory::Native { context: context.driver.clone(), owned };
        Self { address, size, on_host, lent: Address::NULL, memory, mapped: Mutex::default() }
    }

    /// Returns the address of bytes. Refuses bytes outside of the buffer.
    pub(crate) fn bytes(&self, offset: usize, size: usize, what: &str) -> Result<Address> {
        self.check(offset, size, what)?;
        Ok(self.address.add(offset))
    }

    /// Refuses bytes outside of the buffer. Does not compute any sum that could overflow.
    pub(crate) fn check(&self, offset: usize, size: usize, what: &str) -> Result<()> {
        if size <= self.size && offset <= self.size - size {
            return Ok(());
        }
        Err(Error::outside(format_args!("{what} of the buffer"), offset, size, self.size))
    }

    /// Records a mapping.
    pub(crate) fn add_mapped(&self, at: Address, region: MappedRegion) {
        self.mapped.lock().entry(at.number()).or_default().push(region);
    }

    /// Removes and returns the mapping that starts at an address.
    pub(crate) fn unmap(&self, at: Address) -> Result<MappedRegion> {
        let mut mapped = self.mapped.lock();
        let found = mapped.get_mut(&at.number()).and_then(Vec::pop);
        if mapped.get(&at.number()).is_some_and(Vec::is_empty) {
            mapped.remove(&at.number());
        }
        found.ok_or_else(|| Error::not_mapped(at.number()))
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if let BufferMemory::Native { context, owned: true } = &self.memory {
            log_failure(ze().and_then(|ze| ze.zeMemFree(context.ze, self.address.get())));
        }
    }
}
