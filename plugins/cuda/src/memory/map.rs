//! Mapping of buffer regions to the host.

use core::ffi::c_void;
use std::sync::Arc;

use sycl_pi_backend::types::*;
use sycl_pi_backend::{Counted, Dependencies, Error, Result};

use crate::copy::check_range;
use crate::event::event_object::Event;
use crate::mem::Mem;
use crate::memory::buffer::MappedRegion;
use crate::memory::buffer_use::{BufferUse, with_buffers};
use crate::queue::{Queue, StreamKind};
use crate::submit::{CommandRequest, submit};
use crate::sys::{self, DriverHandle, cuda};

/// Maps `size` bytes at `offset`: either the buffer's own host memory, or a block that the bytes are copied to.
pub(crate) fn map(
    queue: &Counted<Queue>,
    mem: &Counted<Mem>,
    blocking: bool,
    flags: MapFlags,
    (offset, size): (usize, usize),
    dependencies: Dependencies<'_, Counted<Event>>,
) -> Result<*mut c_void> {
    let known = MapFlags::READ | MapFlags::WRITE | MapFlags::WRITE_INVALIDATE_REGION;
    if flags.is_empty() || !known.contains(flags) {
        return Err(Error::bad_map_flags(flags));
    }
    let part = mem.buffer()?;
    check_range(offset, size, part.size, "the buffer")?;
    if size == 0 {
        return Err(Error::empty_command("a map"));
    }
    let storage = &part.buffer.storage;
    let device_context = queue.device_context();
    let mut block = None;
    let start = match storage.host().or(storage.unregistered_host()) {
        Some(host) => host.wrapping_byte_add(part.origin + offset),
        None => {
            let _current = device_context.enter()?;
            block.insert(device_context.staging.acquire(size)?).start()
        }
    };
    let copies = storage.host().is_none() && !flags.contains(MapFlags::WRITE_INVALIDATE_REGION);
    let from = if copies { Some(mem.range(queue.index, offset, size)?) } else { None };
    let mut started = None;
    let request = CommandRequest::new(CommandType::MEM_BUFFER_MAP, StreamKind::Copy).blocking(blocking);
    let result = submit(queue, request, dependencies, |stream| {
        if let Some(from) = from {
            with_buffers(queue, stream, &[BufferUse::read(mem)], || {
                cuda()?.cuMemcpyDtoHAsync_v2(start, from, size, stream)
            })?;
            started = Some(DriverHandle::new(stream).addr());
        }
        Ok(())
    });
    if let Err(error) = result {
        if let (Some(_), Some(block)) = (started, block) {
            device_context.staging.retire(Arc::new(block));
        }
        return Err(error);
    }
    let copied_by = started.filter(|_| block.is_some() && !blocking).map(|stream| (queue.share(), stream));
    part.buffer.mapped.lock().push(MappedRegion {
        address: start.expose_provenance(),
        offset: part.origin + offset,
        size,
        flags,
        block: block.map(Arc::new),
        copied_by,
    });
    Ok(start)
}

/// Unmaps a region, and copies its bytes back if they may have been written.
pub(crate) fn unmap(
    queue: &Counted<Queue>,
    mem: &Counted<Mem>,
    mapped: *mut c_void,
    dependencies: Dependencies<'_, Counted<Event>>,
) -> Result<()> {
    let buffer = mem.buffer()?.buffer;
    let address = mapped.expose_provenance();
    let (region, copied) = {
        let mut regions = buffer.mapped.lock();
        let at = regions
            .iter()
            .position(|region| region.address == address)
            .ok_or_else(|| Error::not_mapped(address))?;
        let copied = regions[at].copied(queue)?;
        (regions.swap_remove(at), copied)
    };
    let result = (|| {
        let writes = buffer.storage.host().is_none()
            && region.flags.intersects(MapFlags::WRITE | MapFlags::WRITE_INVALIDATE_REGION);
        let to = if writes {
            Some(buffer.address(&mem.context, queue.index)? + region.offset as u64)
        } else {
            None
        };
        let request = CommandRequest::new(CommandType::MEM_BUFFER_UNMAP, StreamKind::Copy);
        submit(queue, request, dependencies, |stream| {
            if let Some(event) = &copied {
                cuda()?.cuStreamWaitEvent(stream, event.end.get(), 0)?;
            }
            if let Some(to) = to {
                with_buffers(queue, stream, &[BufferUse::write(mem)], || {
                    cuda()?.cuMemcpyHtoDAsync_v2(to, mapped, region.size, stream)
                })?;
            }
            match region.block.clone() {
                // The copy may still read it.
                Some(block) => sys::call_after(DriverHandle::new(stream), Box::new(move || drop(block))),
                None => Ok(()),
            }
        })
    })();
    if result.is_err() {
        // The caller gets an error, so the region is still mapped, and copies to and from the block may be in flight.
        buffer.mapped.lock().push(region);
    }
    result
}
