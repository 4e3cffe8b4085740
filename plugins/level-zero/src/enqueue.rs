//! Commands: kernel launch, waits, buffers.

use core::ffi::c_void;

use sycl_pi_backend::api::EnqueueApi;
use sycl_pi_backend::{Error, NdRange, Dependencies, Rect, Result};
use sycl_pi_backend::types::*;

use crate::buffer::Map;
use crate::lane::{Ask, Held, Work, give};
use crate::sys::Address;
use crate::usm_pool::{Block, Place, Request};
use crate::{Event, Kernel, LevelZero, Mem, Queue, copy, launch};

fn ask(command: CommandType, mem: &Mem) -> Ask {
    Ask::new(command, Work::Copy).held(Held::mem(mem))
}

/// Refuses a buffer of another context than the queue's.
pub(crate) fn check_context(queue: &Queue, mem: &Mem) -> Result<()> {
    if mem.context.ze == queue.lane.context.ze {
        return Ok(());
    }
    Err(Error::new(
        ErrorCode::INVALID_CONTEXT,
        "command_queue (or queue): the memory object is of another context than the queue",
    ))
}

impl EnqueueApi for LevelZero {
    #[inline]
    fn enqueue_kernel_launch(
        queue: &Queue,
        kernel: &Kernel,
        range: NdRange<'_>,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        launch::launch(queue, kernel, range, false, dependencies)
    }

    fn enqueue_cooperative_kernel_launch(
        queue: &Queue,
        kernel: &Kernel,
        range: NdRange<'_>,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        launch::launch(queue, kernel, range, true, dependencies)
    }

    fn enqueue_native_kernel(
        _: &Queue,
        _: unsafe extern "C" fn(*mut c_void),
        _: &mut [u8],
        _: &[&Mem],
        _: &[*const c_void],
        _: Dependencies<'_, Event>,
    ) -> Result<()> {
        Err(Error::unsupported(
            "Level Zero queues run no host functions (DeviceInfo::EXECUTION_CAPABILITIES)",
        ))
    }

    fn enqueue_events_wait(queue: &Queue, dependencies: Dependencies<'_, Event>) -> Result<()> {
        let all = dependencies.waits.is_empty();
        let signal = queue.lane.barrier(dependencies.waits, all, false, dependencies.event.is_wanted())?;
        give(queue, CommandType::MARKER, signal, false, dependencies)
    }

    fn enqueue_events_wait_with_barrier(queue: &Queue, dependencies: Dependencies<'_, Event>) -> Result<()> {
        let all = dependencies.waits.is_empty();
        let signal = queue.lane.barrier(dependencies.waits, all, true, dependencies.event.is_wanted())?;
        give(queue, CommandType::BARRIER, signal, false, dependencies)
    }

    fn enqueue_mem_buffer_read(
        queue: &Queue,
        mem: &Mem,
        blocking: bool,
        offset: usize,
        size: usize,
        ptr: *mut c_void,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        check_context(queue, mem)?;
        let buffer = mem.buffer()?;
        buffer.check(offset, size, "a read")?;
        let ask = ask(CommandType::MEM_BUFFER_READ, mem).blocking(blocking);
        copy::linear(queue, ask, Address::new(ptr), buffer.address.add(offset), size, dependencies)
    }

    fn enqueue_mem_buffer_read_rect(
        queue: &Queue,
        mem: &Mem,
        blocking: bool,
        rect: Rect<'_>,
        ptr: *mut c_void,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        check_context(queue, mem)?;
        let buffer = mem.buffer()?;
        let [(src, end), (dst, _)] = copy::sides(&rect, buffer.address, Address::new(ptr))?;
        buffer.check(0, end, "a read of a box")?;
        let ask = ask(CommandType::MEM_BUFFER_READ_RECT, mem).blocking(blocking);
        copy::rect(queue, ask, dst, src, rect.region, dependencies)
    }

    fn enqueue_mem_buffer_write(
        queue: &Queue,
        mem: &Mem,
        blocking: bool,
        offset: usize,
        size: usize,
        ptr: *const c_void,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        check_context(queue, mem)?;
        let buffer = mem.buffer()?;
        buffer.check(offset, size, "a write")?;
        let ask = ask(CommandType::MEM_BUFFER_WRITE, mem).blocking(blocking);
        copy::linear(queue, ask, buffer.address.add(offset), Address::new(ptr), size, dependencies)
    }

    fn enqueue_mem_buffer_write_rect(
        queue: &Queue,
        mem: &Mem,
        blocking: bool,
        rect: Rect<'_>,
        ptr: *const c_void,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        check_context(queue, mem)?;
        let buffer = mem.buffer()?;
        let [(dst, end), (src, _)] = copy::sides(&rect, buffer.address, Address::new(ptr))?;
        buffer.check(0, end, "a write of a box")?;
        let ask = ask(CommandType::MEM_BUFFER_WRITE_RECT, mem).blocking(blocking);
        copy::rect(queue, ask, dst, src, rect.region, dependencies)
    }

    fn enqueue_mem_buffer_copy(
        queue: &Queue,
        src: &Mem,
        dst: &Mem,
        src_offset: usize,
        dst_offset: usize,
        size: usize,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        check_context(queue, src)?;
        check_context(queue, dst)?;
        let (from, to) = (src.buffer()?, dst.buffer()?);
        from.check(src_offset, size, "src_buffer: a copy")?;
        to.check(dst_offset, size, "dst_buffer: a copy")?;
        let (from, to) = (from.address.add(src_offset), to.address.add(dst_offset));
        if from.number().abs_diff(to.number()) < size {
            return Err(Error::new(
                ErrorCode::MEM_COPY_OVERLAP,
                "src_buffer and dst_buffer: what is copied overlaps",
            ));
        }
        let held = Held { mems: vec![src.share(), dst.share()], ..Held::default() };
        let ask = Ask::new(CommandType::MEM_BUFFER_COPY, Work::Copy).held(held);
        copy::linear(queue, ask, to, from, size, dependencies)
    }

    fn enqueue_mem_buffer_copy_rect(
        queue: &Queue,
        src: &Mem,
        dst: &Mem,
        rect: Rect<'_>,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        check_context(queue, src)?;
        check_context(queue, dst)?;
        let (from, to) = (src.buffer()?, dst.buffer()?);
        let [(src_side, src_end), (dst_side, dst_end)] = copy::sides(&rect, from.address, to.address)?;
        from.check(0, src_end, "src_buffer: a copy of a box")?;
        to.check(0, dst_end, "dst_buffer: a copy of a box")?;
        let held = Held { mems: vec![src.share(), dst.share()], ..Held::default() };
        let ask = Ask::new(CommandType::MEM_BUFFER_COPY_RECT, Work::Copy).held(held);
        copy::rect(queue, ask, dst_side, src_side, rect.region, dependencies)
    }

    fn enqueue_mem_buffer_fill(
        queue: &Queue,
        mem: &Mem,
        pattern: &[u8],
        offset: usize,
        size: usize,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        check_context(queue, mem)?;
        let buffer = mem.buffer()?;
        buffer.check(offset, size, "a fill")?;
        if size == 0 {
            return Err(Error::invalid_value("size is 0"));
        }
        let rows = copy::Rows::one(buffer.address.add(offset), size);
        copy::fill(queue, CommandType::MEM_BUFFER_FILL, Held::mem(mem), pattern, rows, dependencies)
    }

    fn enqueue_mem_buffer_map(
        queue: &Queue,
        mem: &Mem,
        blocking: bool,
        flags: MapFlags,
        offset: usize,
        size: usize,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<*mut c_void> {
        check_context(queue, mem)?;
        let buffer = mem.buffer()?;
        buffer.check(offset, size, "a map")?;
        if size == 0 || flags & !(MapFlags::READ | MapFlags::WRITE | MapFlags::WRITE_INVALIDATE_REGION) != 0 {
            return Err(Error::invalid_value(format!("map_flags {flags:#x}, size {size}")));
        }
        let command = CommandType::MEM_BUFFER_MAP;
        let write = flags & (MapFlags::WRITE | MapFlags::WRITE_INVALIDATE_REGION) != 0;
        let direct = buffer.on_host && buffer.lent.is_null();
        let (at, staging) = if direct {
            (buffer.address.add(offset), None)
        } else if !buffer.lent.is_null() {
            (buffer.lent.add(offset), None)
        } else {
            let block = Block::new(&queue.lane.context, Request::new(Place::Host, size))?;
            (block.address, Some(block))
        };
        if direct || flags & MapFlags::WRITE_INVALIDATE_REGION != 0 {
            copy::nothing(queue, ask(command, mem).blocking(blocking), dependencies)?;
        } else {
            let ask = ask(command, mem).blocking(blocking);
            copy::linear(queue, ask, at, buffer.address.add(offset), size, dependencies)?;
        }
        buffer.mapped(at, Map { offset, size, write, staging, direct });
        Ok(at.get())
    }

    fn enqueue_mem_unmap(
        queue: &Queue,
        mem: &Mem,
        mapped: *mut c_void,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        check_context(queue, mem)?;
        let buffer = mem.buffer()?;
        let at = Address::new(mapped);
        let Map { offset, size, write, staging, direct } = buffer.unmap(at)?;
        let command = CommandType::MEM_BUFFER_UNMAP;
        let mut held = Held::mem(mem);
        held.other = staging.map(|block| Box::new(block) as Box<dyn std::any::Any + Send + Sync>);
        let ask = Ask::new(command, Work::Copy).held(held);
        if direct || !write {
            return copy::nothing(queue, ask, dependencies);
        }
        copy::linear(queue, ask, buffer.address.add(offset), at, size, dependencies)
    }
}
