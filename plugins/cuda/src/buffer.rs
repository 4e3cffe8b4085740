//! A buffer's memory: where it is, and the regions that are mapped.

use core::ffi::c_void;
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;
use sycl_pi_backend::api::HostPtr;
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Counted, Result, Shared};

use crate::context::Context;
use crate::device_context::DeviceContext;
use crate::host_registration::{self, RegisteredFor};
use crate::pooled_event::PooledEvent;
use crate::queue::Queue;
use crate::staging::StagingBlock;
use crate::sys::{self, CUdeviceptr, cuda};
use crate::usm_memory;

/// A buffer's memory.
pub(crate) struct Buffer {
    pub(crate) size: usize,
    pub(crate) storage: Storage,
    /// Regions that are mapped now.
    pub(crate) mapped: Mutex<Vec<MappedRegion>>,
}

/// Where a buffer's bytes are.
pub(crate) enum Storage {
    /// In memory of each device, allocated at first use. `newest` is the index of the device with the newest bytes; `host` is the
    /// caller's memory that the driver did not take, or 0.
    PerDevice { copies: Box<[OnceLock<CUdeviceptr>]>, newest: Mutex<Option<usize>>, host: usize },
    /// In host memory that the driver allocated and devices reach.
    Pinned { host: usize, device: CUdeviceptr },
    /// In host memory of the caller's, registered with the driver.
    Registered { host: usize, device: CUdeviceptr },
    /// In a driver's allocation that was handed in.
    Native { device: CUdeviceptr, owned: bool },
}

/// A mapped region.
pub(crate) struct MappedRegion {
    pub(crate) address: usize,
    pub(crate) offset: usize,
    pub(crate) size: usize,
    pub(crate) flags: MapFlags,
    /// The block that was given out, which the unmapping stream keeps too; none where the buffer's own memory was given out.
    pub(crate) block: Option<Arc<StagingBlock>>,
    /// The queue that copies into the block, and its stream's handle, where the call that maps does not wait.
    pub(crate) copied_by: Option<(Shared<Queue>, usize)>,
}

impl MappedRegion {
    /// An event behind the copy into the block: the block must stay until then. None where commands of `queue` are behind the
    /// copy anyway.
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
    /// The bytes' address in host memory that devices reach.
    pub(crate) fn host(&self) -> Option<*mut c_void> {
        match self {
            Self::Pinned { host, .. } | Self::Registered { host, .. } => {
                Some(std::ptr::with_exposed_provenance_mut(*host))
            }
            _ => None,
        }
    }

    /// The caller's memory that maps give out, where the driver did not take it.
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

    /// A buffer over memory that is there.
    pub(crate) fn over(storage: Storage, size: usize) -> Self {
        Self { size, storage, mapped: Mutex::new(Vec::new()) }
    }

    /// The buffer's start on the context's device of that index, with the newest bytes.
    pub(crate) fn address(&self, context: &Context, index: usize, writes: bool) -> Result<CUdeviceptr> {
        match &self.storage {
            Storage::Pinned { device, .. }
            | Storage::Registered { device, .. }
            | Storage::Native { device, .. } => Ok(*device),
            Storage::PerDevice { copies, newest, .. } => {
                let address = match copies[index].get() {
                    Some(address) => *address,
                    None => {
                        let _current = context.devices[index].enter()?;
                        allocate(&copies[index], self.size)?
                    }
                };
                if copies.len() > 1 {
                    self.migrate(context, copies, newest, index, writes)?;
                }
                Ok(address)
            }
        }
    }

    /// Brings the newest bytes to the device of that index. Whatever runs on the other device is waited for.
    fn migrate(
        &self,
        context: &Context,
        copies: &[OnceLock<CUdeviceptr>],
        newest: &Mutex<Option<usize>>,
        index: usize,
        writes: bool,
    ) -> Result<()> {
        let mut newest = newest.lock();
        if let Some(from) = newest.filter(|from| *from != index)
            && let (Some(src), Some(dst)) = (copies[from].get(), copies[index].get())
        {
            context.enable_peer_access();
            let (source, target) = (&context.devices[from], &context.devices[index]);
            let current = source.enter()?;
            cuda()?.cuCtxSynchronize()?;
            drop(current);
            let _current = target.enter()?;
            let default_stream = std::ptr::null_mut();
            let (source, target) = (source.raw.get(), target.raw.get());
            cuda()?.cuMemcpyPeerAsync(*dst, target, *src, source, self.size, default_stream)?;
            cuda()?.cuStreamSynchronize(default_stream)?;
        }
        // Reading leaves two equal copies; the next writer decides.
        if writes || *newest != Some(index) {
            *newest = Some(index);
        }
        Ok(())
    }

    /// Gives the memory back.
    pub(crate) fn free(&self, context: &Context) -> Result<()> {
        let address = std::ptr::with_exposed_provenance_mut;
        match &self.storage {
            Storage::PerDevice { copies, .. } => {
                let mut result = Ok(());
                for (device_context, copy) in context.devices.iter().zip(copies) {
                    if let Some(copy) = copy.get() {
                        // One device's error does not keep the memory of the others.
                        result = result.and(free_on(device_context, *copy));
                    }
                }
                result
            }
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

/// Host memory of the driver's, which devices reach. The context is current.
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

/// The caller's memory, if the driver takes it. The context is current.
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

/// Memory of the devices, with the caller's bytes on the first one, whose context is current.
fn on_devices(context: &Context, uses: bool, size: usize, host_ptr: HostPtr) -> Result<Storage> {
    let copies: Box<[OnceLock<CUdeviceptr>]> = context.devices.iter().map(|_| OnceLock::new()).collect();
    let start = allocate(&copies[0], size)?;
    let mut newest = None;
    if !host_ptr.is_null() {
        if let Err(error) = sys::write_now(start, host_ptr, size) {
            // The first error is told.
            let _ = cuda()?.cuMemFree_v2(start);
            return Err(error);
        }
        newest = Some(0);
    }
    let host = if uses { host_ptr.expose_provenance() } else { 0 };
    Ok(Storage::PerDevice { copies, newest: Mutex::new(newest), host })
}

/// Allocates a buffer's memory on the current device, once.
#[cold]
fn allocate(slot: &OnceLock<CUdeviceptr>, size: usize) -> Result<CUdeviceptr> {
    let cuda = cuda()?;
    let fresh = usm_memory::make_room(|| {
        let mut fresh = 0;
        cuda.cuMemAlloc_v2(&mut fresh, size)?;
        Ok(fresh)
    })?;
    let kept = *slot.get_or_init(|| fresh);
    if kept != fresh {
        cuda.cuMemFree_v2(fresh)?;
    }
    Ok(kept)
}

fn free_on(device_context: &DeviceContext, address: CUdeviceptr) -> Result<()> {
    let _current = device_context.enter()?;
    cuda()?.cuMemFree_v2(address)
}
