//! Commands: kernel launch, waits, buffers.

use core::ffi::c_void;

use sycl_pi_backend::api::EnqueueApi;
use sycl_pi_backend::{Error, NdRange, Order, Rect, Result};
use sycl_pi_core::*;

use crate::buffer::Map;
use crate::lane::{Ask, Held, Work, give};
use crate::sys::Address;
use crate::usm_pool::{Block, Place, Request};
use crate::{Event, Kernel, LevelZero, Mem, Queue, copy, launch};

fn ask(command: pi_command_type, mem: &Mem) -> Ask {
    Ask::new(command, Work::Copy).held(Held::mem(mem))
}

/// Refuses a buffer of another context than the queue's.
pub(crate) fn check_context(queue: &Queue, mem: &Mem) -> Result<()> {
    if mem.context.ze == queue.lane.context.ze {
        return Ok(());
    }
    Err(Error::new(
        PI_ERROR_INVALID_CONTEXT,
        "command_queue (or queue): the memory object is of another context than the queue",
    ))
}

impl EnqueueApi for LevelZero {
    #[inline]
    fn piEnqueueKernelLaunch(
        queue: &Queue,
        kernel: &Kernel,
        range: NdRange<'_>,
        order: Order<'_, Event>,
    ) -> Result<()> {
        launch::launch(queue, kernel, range, false, order)
    }

    fn piextEnqueueCooperativeKernelLaunch(
        queue: &Queue,
        kernel: &Kernel,
        range: NdRange<'_>,
        order: Order<'_, Event>,
    ) -> Result<()> {
        launch::launch(queue, kernel, range, true, order)
    }

    fn piEnqueueNativeKernel(
        _: &Queue,
        _: unsafe extern "C" fn(*mut c_void),
        _: &mut [u8],
        _: &[&Mem],
        _: &[*const c_void],
        _: Order<'_, Event>,
    ) -> Result<()> {
        Err(Error::unsupported(
            "Level Zero queues run no host functions (PI_DEVICE_INFO_EXECUTION_CAPABILITIES)",
        ))
    }

    fn piEnqueueEventsWait(queue: &Queue, order: Order<'_, Event>) -> Result<()> {
        let all = order.waits.is_empty();
        let signal = queue.lane.barrier(order.waits, all, false, order.event.is_wanted())?;
        give(queue, PI_COMMAND_TYPE_MARKER, signal, false, order)
    }

    fn piEnqueueEventsWaitWithBarrier(queue: &Queue, order: Order<'_, Event>) -> Result<()> {
        let all = order.waits.is_empty();
        let signal = queue.lane.barrier(order.waits, all, true, order.event.is_wanted())?;
        give(queue, PI_COMMAND_TYPE_BARRIER, signal, false, order)
    }

    fn piEnqueueMemBufferRead(
        queue: &Queue,
        mem: &Mem,
        blocking: bool,
        offset: usize,
        size: usize,
        ptr: *mut c_void,
        order: Order<'_, Event>,
    ) -> Result<()> {
        check_context(queue, mem)?;
        let buffer = mem.buffer()?;
        buffer.check(offset, size, "a read")?;
        let ask = ask(PI_COMMAND_TYPE_MEM_BUFFER_READ, mem).blocking(blocking);
        copy::linear(queue, ask, Address::new(ptr), buffer.address.add(offset), size, order)
    }

    fn piEnqueueMemBufferReadRect(
        queue: &Queue,
        mem: &Mem,
        blocking: bool,
        rect: Rect<'_>,
        ptr: *mut c_void,
        order: Order<'_, Event>,
    ) -> Result<()> {
        check_context(queue, mem)?;
        let buffer = mem.buffer()?;
        let [(src, end), (dst, _)] = copy::sides(&rect, buffer.address, Address::new(ptr))?;
        buffer.check(0, end, "a read of a box")?;
        let ask = ask(PI_COMMAND_TYPE_MEM_BUFFER_READ_RECT, mem).blocking(blocking);
        copy::rect(queue, ask, dst, src, rect.region, order)
    }

    fn piEnqueueMemBufferWrite(
        queue: &Queue,
        mem: &Mem,
        blocking: bool,
        offset: usize,
        size: usize,
        ptr: *const c_void,
        order: Order<'_, Event>,
    ) -> Result<()> {
        check_context(queue, mem)?;
        let buffer = mem.buffer()?;
        buffer.check(offset, size, "a write")?;
        let ask = ask(PI_COMMAND_TYPE_MEM_BUFFER_WRITE, mem).blocking(blocking);
        copy::linear(queue, ask, buffer.address.add(offset), Address::new(ptr), size, order)
    }

    fn piEnqueueMemBufferWriteRect(
        queue: &Queue,
        mem: &Mem,
        blocking: bool,
        rect: Rect<'_>,
        ptr: *const c_void,
        order: Order<'_, Event>,
    ) -> Result<()> {
        check_context(queue, mem)?;
        let buffer = mem.buffer()?;
        let [(dst, end), (src, _)] = copy::sides(&rect, buffer.address, Address::new(ptr))?;
        buffer.check(0, end, "a write of a box")?;
        let ask = ask(PI_COMMAND_TYPE_MEM_BUFFER_WRITE_RECT, mem).blocking(blocking);
        copy::rect(queue, ask, dst, src, rect.region, order)
    }

    fn piEnqueueMemBufferCopy(
        queue: &Queue,
        src: &Mem,
        dst: &Mem,
        src_offset: usize,
        dst_offset: usize,
        size: usize,
        order: Order<'_, Event>,
    ) -> Result<()> {
        check_context(queue, src)?;
        check_context(queue, dst)?;
        let (from, to) = (src.buffer()?, dst.buffer()?);
        from.check(src_offset, size, "src_buffer: a copy")?;
        to.check(dst_offset, size, "dst_buffer: a copy")?;
        let (from, to) = (from.address.add(src_offset), to.address.add(dst_offset));
        if from.number().abs_diff(to.number()) < size {
            return Err(Error::new(
                PI_ERROR_MEM_COPY_OVERLAP,
                "src_buffer and dst_buffer: what is copied overlaps",
            ));
        }
        let held = Held { mems: vec![src.share(), dst.share()], ..Held::default() };
        let ask = Ask::new(PI_COMMAND_TYPE_MEM_BUFFER_COPY, Work::Copy).held(held);
        copy::linear(queue, ask, to, from, size, order)
    }

    fn piEnqueueMemBufferCopyRect(
        queue: &Queue,
        src: &Mem,
        dst: &Mem,
        rect: Rect<'_>,
        order: Order<'_, Event>,
    ) -> Result<()> {
        check_context(queue, src)?;
        check_context(queue, dst)?;
        let (from, to) = (src.buffer()?, dst.buffer()?);
        let [(src_side, src_end), (dst_side, dst_end)] = copy::sides(&rect, from.address, to.address)?;
        from.check(0, src_end, "src_buffer: a copy of a box")?;
        to.check(0, dst_end, "dst_buffer: a copy of a box")?;
        let held = Held { mems: vec![src.share(), dst.share()], ..Held::default() };
        let ask = Ask::new(PI_COMMAND_TYPE_MEM_BUFFER_COPY_RECT, Work::Copy).held(held);
        copy::rect(queue, ask, dst_side, src_side, rect.region, order)
    }

    fn piEnqueueMemBufferFill(
        queue: &Queue,
        mem: &Mem,
        pattern: &[u8],
        offset: usize,
        size: usize,
        order: Order<'_, Event>,
    ) -> Result<()> {
        check_context(queue, mem)?;
        let buffer = mem.buffer()?;
        buffer.check(offset, size, "a fill")?;
        if size == 0 {
            return Err(Error::invalid_value("size is 0"));
        }
        let rows = copy::Rows::one(buffer.address.add(offset), size);
        copy::fill(queue, PI_COMMAND_TYPE_MEM_BUFFER_FILL, Held::mem(mem), pattern, rows, order)
    }

    fn piEnqueueMemBufferMap(
        queue: &Queue,
        mem: &Mem,
        blocking: bool,
        flags: pi_map_flags,
        offset: usize,
        size: usize,
        order: Order<'_, Event>,
    ) -> Result<*mut c_void> {
        check_context(queue, mem)?;
        let buffer = mem.buffer()?;
        buffer.check(offset, size, "a map")?;
        if size == 0 || flags & !(PI_MAP_READ | PI_MAP_WRITE | PI_MAP_WRITE_INVALIDATE_REGION) != 0 {
            return Err(Error::invalid_value(format!("map_flags {flags:#x}, size {size}")));
        }
        let command = PI_COMMAND_TYPE_MEM_BUFFER_MAP;
        let write = flags & (PI_MAP_WRITE | PI_MAP_WRITE_INVALIDATE_REGION) != 0;
        let direct = buffer.on_host && buffer.lent.is_null();
        let (at, staging) = if direct {
            (buffer.address.add(offset), None)
        } else if !buffer.lent.is_null() {
            (buffer.lent.add(offset), None)
        } else {
            let block = Block::new(&queue.lane.context, Request::new(Place::Host, size))?;
            (block.address, Some(block))
        };
        if direct || flags & PI_MAP_WRITE_INVALIDATE_REGION != 0 {
            copy::nothing(queue, ask(command, mem).blocking(blocking), order)?;
        } else {
            let ask = ask(command, mem).blocking(blocking);
            copy::linear(queue, ask, at, buffer.address.add(offset), size, order)?;
        }
        buffer.mapped(at, Map { offset, size, write, staging, direct });
        Ok(at.get())
    }

    fn piEnqueueMemUnmap(
        queue: &Queue,
        mem: &Mem,
        mapped: *mut c_void,
        order: Order<'_, Event>,
    ) -> Result<()> {
        check_context(queue, mem)?;
        let buffer = mem.buffer()?;
        let at = Address::new(mapped);
        let Map { offset, size, write, staging, direct } = buffer.unmap(at)?;
        let command = PI_COMMAND_TYPE_MEM_BUFFER_UNMAP;
        let mut held = Held::mem(mem);
        held.other = staging.map(|block| Box::new(block) as Box<dyn std::any::Any + Send + Sync>);
        let ask = Ask::new(command, Work::Copy).held(held);
        if direct || !write {
            return copy::nothing(queue, ask, order);
        }
        copy::linear(queue, ask, buffer.address.add(offset), at, size, order)
    }
}
