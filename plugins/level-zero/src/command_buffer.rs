//! Command buffers: a closed command list of the driver, run as often as it is enqueued.
//!
//! The driver's list keeps what a launch needs as it is when it is recorded. Commands are ordered by events of the buffer's
//! own, which only the device sees; the list ends with a barrier and sets them back, so that it can run again. A list runs
//! once at a time: a run that comes while another is going on waits for it.

use core::ffi::c_void;
use std::any::Any;

use parking_lot::Mutex;
use sycl_pi_backend::api::CommandBufferApi;
use sycl_pi_backend::recording::{other_context, other_device};
use sycl_pi_backend::{Counted, Error, NdRange, New, Dependencies, SyncPointDependencies, Recording, Rect, Result, Shared};
use sycl_pi_backend::types::*;

use crate::copy::{self, Fill, append_rect};
use crate::engine::{Place, regular};
use crate::lane::{At, Held, Lane, give};
use crate::pool::{create_pool, log_failure};
use crate::signal::Signal;
use crate::sys::{Address, ze, *};
use crate::{
    CommandBuffer, Context, Device, Event, Kernel, LevelZero, Mem, Queue, context, device, launch, usm,
};

/// Events per pool of a command buffer.
const POOL: u32 = 64;

/// A command buffer: first recorded, then run.
pub struct Body {
    context: Shared<context::Body>,
    device: Shared<device::Body>,
    place: Place,
    state: Mutex<State>,
}

kind!(Body, RawCommandBuffer, ErrorCode::INVALID_COMMAND_BUFFER_KHR);

struct State {
    list: ze_command_list_handle_t,
    /// Behind every command, in the order of their sync points.
    events: Recording<ze_event_handle_t>,
    pools: Vec<ze_event_pool_handle_t>,
    held: Vec<Box<dyn Any + Send + Sync>>,
    /// Where the list runs: made for the first run.
    queue: Option<ze_command_queue_handle_t>,
    /// Short lists before and after a run, used again when it is over.
    ends: Option<(ze_command_list_handle_t, ze_command_list_handle_t)>,
    last: Option<Signal>,
}

impl Drop for Body {
    fn drop(&mut self) {
        let state = self.state.get_mut();
        if let Some(last) = &state.last
            && let Err(error) = last.wait()
        {
            log::warn!("a command buffer's last run: {error}");
        }
        let Ok(ze) = ze() else { return };
        let ends = state.ends.take().map(|(start, end)| [start, end]).into_iter().flatten();
        for list in ends.chain([state.list]) {
            log_failure(ze.zeCommandListDestroy(list));
        }
        if let Some(queue) = state.queue.take() {
            log_failure(ze.zeCommandQueueDestroy(queue));
        }
        for event in state.events.commands() {
            log_failure(ze.zeEventDestroy(*event));
        }
        for pool in state.pools.drain(..) {
            log_failure(ze.zeEventPoolDestroy(pool));
        }
    }
}

impl Body {
    /// Records one command that `append` appends, and what it needs.
    fn record(
        &self,
        dependencies: SyncPointDependencies<'_>,
        append: impl FnOnce(&At) -> Result<Option<Box<dyn Any + Send + Sync>>>,
    ) -> Result<()> {
        let State { list, events, pools, held, .. } = &mut *self.state.lock();
        let number = events.commands().len() as u32;
        events.add(dependencies, |waits| {
            let mut waits: Vec<ze_event_handle_t> = waits.iter().map(|event| **event).collect();
            let event = self.event(number, pools)?;
            let at = At {
                list: *list,
                signal: event,
                count: waits.len() as u32,
                waits: if waits.is_empty() { std::ptr::null_mut() } else { waits.as_mut_ptr() },
            };
            match append(&at) {
                Ok(new) => held.extend(new),
                Err(error) => {
                    log_failure(ze().and_then(|ze| ze.zeEventDestroy(event)));
                    return Err(error);
                }
            }
            Ok(event)
        })
    }

    /// The event of the command of that number, counted from 0.
    fn event(&self, number: u32, pools: &mut Vec<ze_event_pool_handle_t>) -> Result<ze_event_handle_t> {
        let index = number % POOL;
        if number / POOL >= pools.len() as u32 {
            let mut devices = [self.device.ze];
            pools.push(create_pool(self.context.ze, &mut devices, 0, POOL)?);
        }
        let Some(pool) = pools.last() else { return Err(Error::unsupported("no pool")) };
        let scope = ZE_EVENT_SCOPE_FLAG_DEVICE;
        let desc = ze_event_desc_t { index, signal: scope, wait: scope, ..Default::default() };
        let mut event = ze_event_handle_t::NULL;
        ze()?.zeEventCreate(*pool, &desc, &mut event)?;
        Ok(event)
    }

    fn check(&self, context: &Context, name: &str) -> Result<()> {
        if context.ze == self.context.ze {
            return Ok(());
        }
        Err(other_context(name))
    }

    /// Puts a run to work behind `waits`; `signal` is behind it. The last run is over.
    fn run(&self, state: &mut State, waits: &[Signal], signal: &Signal) -> Result<()> {
        let ze = ze()?;
        let queue = match state.queue {
            Some(queue) => queue,
            None => *state.queue.insert(self.place.queue(&self.context, &self.device)?),
        };
        let (start, end) = match state.ends {
            Some((start, end)) => {
                ze.zeCommandListReset(start)?;
                ze.zeCommandListReset(end)?;
                (start, end)
            }
            None => {
                let start = regular(&self.context, &self.device, self.place.ordinal)?;
                let end = regular(&self.context, &self.device, self.place.ordinal)?;
                *state.ends.insert((start, end))
            }
        };
        let mut events: Vec<ze_event_handle_t> = waits.iter().map(|signal| signal.ze).collect();
        if !events.is_empty() {
            ze.zeCommandListAppendWaitOnEvents(start, events.len() as u32, events.as_mut_ptr())?;
        }
        ze.zeCommandListAppendBarrier(end, signal.ze, 0, std::ptr::null_mut())?;
        ze.zeCommandListClose(start)?;
        ze.zeCommandListClose(end)?;
        let mut lists = [start, state.list, end];
        ze.zeCommandQueueExecuteCommandLists(queue, 3, lists.as_mut_ptr(), ze_fence_handle_t::NULL)
    }
}

/// Both buffers of a copy, kept.
fn two(src: &Mem, dst: &Mem) -> Option<Box<dyn Any + Send + Sync>> {
    Some(Box::new((src.share(), dst.share())))
}

fn one(mem: &Mem) -> Option<Box<dyn Any + Send + Sync>> {
    Some(Box::new(mem.share()))
}

fn linear(at: &At, dst: Address, src: Address, size: usize) -> Result<()> {
    let ze = ze()?;
    if size == 0 {
        return ze.zeCommandListAppendBarrier(at.list, at.signal, at.count, at.waits);
    }
    ze.zeCommandListAppendMemoryCopy(at.list, dst.get(), src.get(), size, at.signal, at.count, at.waits)
}

impl CommandBufferApi for LevelZero {
    fn command_buffer_create(
        context: &Context,
        device: &Device,
        _: Option<&pi_ext_command_buffer_desc>,
    ) -> Result<New<CommandBuffer>> {
        context.check(device)?;
        let ordinal = device
            .compute_group()
            .ok_or_else(|| Error::new(ErrorCode::INVALID_DEVICE, "the device has no compute engine"))?;
        let index = device.slice.unwrap_or_default();
        let place = Place { ordinal, index, priority: ZE_COMMAND_QUEUE_PRIORITY_NORMAL, in_order: false };
        let state = State {
            list: regular(context, device, ordinal)?,
            events: Recording::default(),
            pools: Vec::new(),
            held: Vec::new(),
            queue: None,
            ends: None,
            last: None,
        };
        let body = Body { context: context.share(), device: device.share(), place, state: Mutex::new(state) };
        Ok(Counted::create(body))
    }

    fn command_buffer_retain(buffer: &CommandBuffer) -> Result<()> {
        buffer.retain();
        Ok(())
    }

    fn command_buffer_release(buffer: &CommandBuffer) -> Result<()> {
        buffer.release();
        Ok(())
    }

    fn command_buffer_finalize(buffer: &CommandBuffer) -> Result<()> {
        let State { list, events, .. } = &mut *buffer.state.lock();
        events.finalize(|events| {
            let ze = ze()?;
            ze.zeCommandListAppendBarrier(*list, ze_event_handle_t::NULL, 0, std::ptr::null_mut())?;
            for event in events {
                ze.zeCommandListAppendEventReset(*list, *event)?;
            }
            ze.zeCommandListClose(*list)
        })
    }

    fn command_buffer_nd_range_kernel(
        buffer: &CommandBuffer,
        kernel: &Kernel,
        range: NdRange<'_>,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        buffer.check(&kernel.program.context, "kernel")?;
        let mut arguments = kernel.state.lock();
        buffer.record(dependencies, |at| {
            match launch::prepare(kernel, &mut arguments, &buffer.device, &range)? {
                Some((driver_kernel, shape)) => launch::append(at, driver_kernel, &shape, false)?,
                None => linear(at, Address::NULL, Address::NULL, 0)?,
            }
            Ok(Some(Box::new(launch::held(kernel, &arguments))))
        })
    }

    fn command_buffer_memcpy_usm(
        buffer: &CommandBuffer,
        dst: *mut c_void,
        src: *const c_void,
        size: usize,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        buffer.record(dependencies, |at| linear(at, Address::new(dst), Address::new(src), size).map(|()| None))
    }

    fn command_buffer_mem_buffer_copy(
        buffer: &CommandBuffer,
        src: &Mem,
        dst: &Mem,
        src_offset: usize,
        dst_offset: usize,
        size: usize,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        buffer.check(&src.context, "src_buffer")?;
        buffer.check(&dst.context, "dst_buffer")?;
        let (from, to) = (src.buffer()?, dst.buffer()?);
        from.check(src_offset, size, "src_buffer: a copy")?;
        to.check(dst_offset, size, "dst_buffer: a copy")?;
        buffer.record(dependencies, |at| {
            linear(at, to.address.add(dst_offset), from.address.add(src_offset), size)?;
            Ok(two(src, dst))
        })
    }

    fn command_buffer_mem_buffer_copy_rect(
        buffer: &CommandBuffer,
        src: &Mem,
        dst: &Mem,
        rect: Rect<'_>,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        buffer.check(&src.context, "src_buffer")?;
        buffer.check(&dst.context, "dst_buffer")?;
        let (from, to) = (src.buffer()?, dst.buffer()?);
        let [(src_side, src_end), (dst_side, dst_end)] = copy::sides(&rect, from.address, to.address)?;
        from.check(0, src_end, "src_buffer: a copy of a box")?;
        to.check(0, dst_end, "dst_buffer: a copy of a box")?;
        buffer.record(dependencies, |at| {
            append_rect(at, dst_side, src_side, rect.region)?;
            Ok(two(src, dst))
        })
    }

    fn command_buffer_mem_buffer_write(
        buffer: &CommandBuffer,
        mem: &Mem,
        offset: usize,
        size: usize,
        ptr: *const c_void,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        buffer.check(&mem.context, "buffer")?;
        let own = mem.buffer()?;
        own.check(offset, size, "a write")?;
        buffer.record(dependencies, |at| {
            linear(at, own.address.add(offset), Address::new(ptr), size)?;
            Ok(one(mem))
        })
    }

    fn command_buffer_mem_buffer_write_rect(
        buffer: &CommandBuffer,
        mem: &Mem,
        rect: Rect<'_>,
        ptr: *const c_void,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        buffer.check(&mem.context, "buffer")?;
        let own = mem.buffer()?;
        let [(dst, end), (src, _)] = copy::sides(&rect, own.address, Address::new(ptr))?;
        own.check(0, end, "a write of a box")?;
        buffer.record(dependencies, |at| {
            append_rect(at, dst, src, rect.region)?;
            Ok(one(mem))
        })
    }

    fn command_buffer_mem_buffer_read(
        buffer: &CommandBuffer,
        mem: &Mem,
        offset: usize,
        size: usize,
        dst: *mut c_void,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        buffer.check(&mem.context, "buffer")?;
        let own = mem.buffer()?;
        own.check(offset, size, "a read")?;
        buffer.record(dependencies, |at| {
            linear(at, Address::new(dst), own.address.add(offset), size)?;
            Ok(one(mem))
        })
    }

    fn command_buffer_mem_buffer_read_rect(
        buffer: &CommandBuffer,
        mem: &Mem,
        rect: Rect<'_>,
        ptr: *mut c_void,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        buffer.check(&mem.context, "buffer")?;
        let own = mem.buffer()?;
        let [(src, end), (dst, _)] = copy::sides(&rect, own.address, Address::new(ptr))?;
        own.check(0, end, "a read of a box")?;
        buffer.record(dependencies, |at| {
            append_rect(at, dst, src, rect.region)?;
            Ok(one(mem))
        })
    }

    fn command_buffer_mem_buffer_fill(
        buffer: &CommandBuffer,
        mem: &Mem,
        pattern: &[u8],
        offset: usize,
        size: usize,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        buffer.check(&mem.context, "buffer")?;
        let own = mem.buffer()?;
        own.check(offset, size, "a fill")?;
        buffer.fill(own.address.add(offset), pattern, size, dependencies, one(mem))
    }

    fn command_buffer_fill_usm(
        buffer: &CommandBuffer,
        ptr: *mut c_void,
        pattern: &[u8],
        size: usize,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        buffer.fill(Address::new(ptr), pattern, size, dependencies, None)
    }

    fn command_buffer_prefetch_usm(
        buffer: &CommandBuffer,
        ptr: *const c_void,
        size: usize,
        _: UsmMigrationFlags,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        let ze = ze()?;
        buffer.record(dependencies, |at| {
            usm::append_hint(at, || ze.zeCommandListAppendMemoryPrefetch(at.list, ptr, size)).map(|()| None)
        })
    }

    fn command_buffer_advise_usm(
        buffer: &CommandBuffer,
        ptr: *const c_void,
        length: usize,
        advice: MemAdvice,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        let ptr = Address::new(ptr);
        buffer.record(dependencies, |at| {
            let device = &buffer.device;
            usm::append_hint(at, || usm::advise(at.list, device, ptr, length, advice)).map(|()| None)
        })
    }

    fn enqueue_command_buffer(
        buffer: &CommandBuffer,
        queue: &Queue,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        let lane: &Lane = &queue.lane;
        buffer.check(&lane.context, "queue")?;
        if lane.device.ze != buffer.device.ze {
            return Err(other_device());
        }
        let mut state = buffer.state.lock();
        state.events.check_finalized()?;
        // Not under the queue's lock: this may take long.
        if let Some(last) = &state.last {
            last.wait()?;
        }
        let signal =
            lane.run_elsewhere(dependencies.waits, true, Held::other(buffer.share()), |waits, signal| {
                buffer.run(&mut state, waits, signal)
            })?;
        state.last = Some(signal.clone());
        drop(state);
        give(queue, CommandType::EXT_COMMAND_BUFFER, signal, false, dependencies)
    }
}

impl Body {
    fn fill(
        &self,
        start: Address,
        pattern: &[u8],
        size: usize,
        dependencies: SyncPointDependencies<'_>,
        held: Option<Box<dyn Any + Send + Sync>>,
    ) -> Result<()> {
        if pattern.is_empty() || !size.is_multiple_of(pattern.len()) {
            return Err(Error::invalid_value(format!(
                "pattern_size {} must be positive and divide the {size} bytes to fill",
                pattern.len()
            )));
        }
        self.record(dependencies, |at| {
            if size == 0 {
                return linear(at, start, start, 0).map(|()| held);
            }
            let fill = Fill::new(&self.context, &self.device, self.place.ordinal, pattern, size)?;
            fill.append(at, start, size, (1, 0))?;
            Ok(Some(Box::new((fill, held))))
        })
    }
}
