//! The memory of a buffer, with its location and its mapped regions.

use core::ffi::c_void;
use std::sync::Arc;

use parking_lot::Mutex;
use sycl_pi_backend::api::HostPtr;
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Counted, Result, Shared};

use crate::context::Context;
use crate::event::pooled_event::PooledEvent;
use crate::memory::copies::{DeviceCopies, allocate, free_on};
use crate::memory::host_registration::{self, RegisteredFor};
use crate::memory::staging::StagingBlock;
use crate::memory::usm_memory;
use crate::queue::Queue;
use crate::sys::{self, CUdeviceptr, cuda};

/// The memory of a buffer.
pub(crate) struct Buffer {
    pub(crate) size: usize,
    pub(crate) storage: Storage,
    /// Regions that are currently mapped.
    pub(crate) mapped: Mutex<Vec<MappedRegion>>,
}

/// The location of a buffer's bytes.
pub(crate) enum Storage {
    /// Memory of each device. `host` is the caller's memory that the driver did not accept, or 0.
    PerDevice { copies: DeviceCopies, host: usize },
    /// Host memory that the driver allocated and devices can access.
    Pinned { host: usize, device: CUdeviceptr },
    /// Host memory of the caller, registered with the driver.
    Registered { host: usize, device: CUdeviceptr },
    /// A driver allocation from a native handle.
    Native { device: CUdeviceptr, owned: bool },
}

/// A mapped region.
pub(crate) struct MappedRegion {
    pub(crate) address: usize,
    pub(crate) offset: usize,
    pub(crate) size: usize,
    pub(crate) flags: MapFlags,
    /// The block that was returned to the caller, which the unmapping stream also keeps. `None` if the buffer's own
    /// memory was returned.
    pub(crate) block: Option<Arc<StagingBlock>>,
    /// The queue that copies into the block, and its stream's handle, if the mapping call does not wait.
    pub(crate) copied_by: Option<(Shared<Queue>, usize)>,
}

impl MappedRegion {
    /// Returns an event after the copy into the block, which must be kept until then. Returns `None` if commands of
    /// `queue` come after the copy anyway.
    pub(crate) fn copied(&self, queue: &Counted<Queue>) -> Result<Option<Arc<PooledEvent>>> {
        let Some((from, raw)) = &self.copied_by else { return Ok(None) };
        if std::ptr::eq(&**from, queue) && queue.in_order {
            return Ok(None);
        }
        let device_context = from.device_context();
        let _current = device_context.enter()?;
        match from.used_streams().find(|(_, stream)| stream.raw.addr() == *raw) {
            Some((_, stream)) if !stream.is_empty()? => stream.record_end(&device_context.events).map(Some),
            _ => Ok(None),
        }
    }
}

impl Storage {
    /// Returns the address of the bytes in host memory that devices can access.
    pub(crate) fn host(&self) -> Option<*mut c_void> {
        match self {
            Self::Pinned { host, .. } | Self::Registered { host, .. } => {
                Some(std::ptr::with_exposed_provenance_mut(*host))
            }
            _ => None,
        }
    }

    /// Returns the caller's memory, which mappings return, if the driver did not accept it.
    pub(crate) fn unregistered_host(&self) -> Option<*mut c_void> {
        match self {
            Self::PerDevice { host, .. } if *host != 0 => Some(std::ptr::with_exposed_provenance_mut(*host)),
            _ => None,
        }
    }
}

impl Buffer {
    pub(crate) fn new(
        context: &Counted<Context>,
        flags: MemFlags,
        size: usize,
        host_ptr: HostPtr,
    ) -> Result<Self> {
        let _current = context.first()?.enter()?;
        let storage = if flags.contains(MemFlags::HOST_PTR_ALLOC) {
            pinned(flags, size, host_ptr)?
        } else {
            let uses = flags.contains(MemFlags::HOST_PTR_USE);
            match if uses { registered(size, host_ptr)? } else { None } {
                Some(storage) => storage,
                None => on_devices(context, uses, size, host_ptr)?,
            }
        };
        Ok(Self::over(storage, size))
    }

    /// Creates a buffer over existing memory.
    pub(crate) fn over(storage: Storage, size: usize) -> Self {
        Self { size, storage, mapped: Mutex::new(Vec::new()) }
    }

    /// Returns the buffer's start on the context's device with the given index. A command that uses it is enqueued
    /// `with_buffers`, for the newest bytes.
    #[inline]
    pub(crate) fn address(&self, context: &Context, index: usize) -> Result<CUdeviceptr> {
        match &self.storage {
            Storage::Pinned { device, .. }
            | Storage::Registered { device, .. }
            | Storage::Native { device, .. } => Ok(*device),
            Storage::PerDevice { copies, .. } => copies.start(context, index),
        }
    }

    /// Moves the newest bytes to the context's device with the given index, waits for them, and lets other code have
    /// their address.
    pub(crate) fn expose(&self, context: &Context, index: usize) -> Result<()> {
        match &self.storage {
            Storage::PerDevice { copies, .. } => copies.expose(context, index),
            _ => Ok(()),
        }
    }

    /// Frees the memory.
    pub(crate) fn free(&self, context: &Context) -> Result<()> {
        let address = std::ptr::with_exposed_provenance_mut;
        match &self.storage {
            Storage::PerDevice { copies, .. } => copies.free(context),
            Storage::Pinned { host, .. } => {
                let _current = context.first()?.enter()?;
                cuda()?.cuMemFreeHost(address(*host))
            }
            Storage::Registered { host, .. } => {
                let _current = context.first()?.enter()?;
                host_registration::unregister(address(*host), RegisteredFor::Buffer)
            }
            Storage::Native { device, owned: true } => free_on(context.first()?, *device),
            Storage::Native { .. } => Ok(()),
        }
    }
}

/// Allocates host memory of the driver that devices can access. The context must be current.
fn pinned(flags: MemFlags, size: usize, host_ptr: HostPtr) -> Result<Storage> {
    let (cuda, mut device) = (cuda()?, 0);
    let host = usm_memory::make_room(|| {
        let mut host = std::ptr::null_mut();
        cuda.cuMemHostAlloc(&mut host, size, sys::PORTABLE_AND_MAPPED)?;
        Ok(host)
    })?;
    cuda.cuMemHostGetDevicePointer_v2(&mut device, host, 0)?;
    if flags.contains(MemFlags::HOST_PTR_COPY) {
        sys::copy_bytes(host, host_ptr, size);
    }
    Ok(Storage::Pinned { host: host.expose_provenance(), device })
}

/// Registers the caller's memory, if the driver accepts it. The context must be current.
fn registered(size: usize, host_ptr: HostPtr) -> Result<Option<Storage>> {
    let (cuda, mut device) = (cuda()?, 0);
    if host_registration::register(host_ptr, size, RegisteredFor::Buffer).is_err() {
        return Ok(None);
    }
    if cuda.cuMemHostGetDevicePointer_v2(&mut device, host_ptr, 0).is_err() {
        host_registration::unregister(host_ptr, RegisteredFor::Buffer)?;
        return Ok(None);
    }
    Ok(Some(Storage::Registered { host: host_ptr.expose_provenance(), device }))
}

/// Allocates memory of the devices, with the caller's bytes on the first one, whose context must be current.
fn on_devices(context: &Context, uses: bool, size: usize, host_ptr: HostPtr) -> Result<Storage> {
    let start = allocate(size)?;
    if !host_ptr.is_null()
        && let Err(error) = sys::write_now(start, host_ptr, size)
    {
        // The first error is returned.
        let _ = cuda()?.cuMemFree_v2(start);
        return Err(error);
    }
    let host = if uses { host_ptr.expose_provenance() } else { 0 };
    let copies = DeviceCopies::new(context, size, start, !host_ptr.is_null());
    Ok(Storage::PerDevice { copies, host })
}
