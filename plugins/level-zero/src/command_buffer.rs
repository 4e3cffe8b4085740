//! Command buffers: a closed command list of the driver, run as often as it is enqueued.
//!
//! The driver's list keeps what a launch needs as it is when it is recorded. Commands are ordered by events of the buffer's
//! own, which only the device sees; the list ends with a barrier and sets them back, so that it can run again. A list runs
//! once at a time: a run that comes while another is going on waits for it.

use std::any::Any;

use parking_lot::Mutex;
use sycl_pi_backend::api::{CommandBufferApi, CommandToRecord};
use sycl_pi_backend::recording::{other_context, other_device};
use sycl_pi_backend::types::*;
use sycl_pi_backend::{
    Counted, Dependencies, Error, NdRange, New, Recording, Rect, Result, Shared, SyncPointDependencies,
};

use crate::copy::{self, BoxSide, append_rect};
use crate::driver::{EngineDesc, EventRef, create_event_pool};
use crate::fill::PatternFill;
use crate::objects::{
    CommandResources, Context, ContextHandle, Device, DeviceHandle, EventHandle, KernelHandle, MemHandle,
    QueueHandle,
};
use crate::submission::AppendTarget;
use crate::submit::{hand_out_event, pending_events};
use crate::sys::{Address, log_failure, ze, *};
use crate::{LevelZero, hint, launch};

/// Events per pool of a command buffer.
const EVENTS_PER_POOL: u32 = 64;

/// A command buffer: first recorded, then run.
pub struct CommandBuffer {
    context: Shared<Context>,
    device: Shared<Device>,
    engine: EngineDesc,
    state: Mutex<Recorded>,
}

pub(crate) type CommandBufferHandle = Counted<CommandBuffer>;

kind!(CommandBuffer, "command buffer", RawCommandBuffer, INVALID_COMMAND_BUFFER_KHR);

struct Recorded {
    list: ze_command_list_handle_t,
    /// Behind every command, in the order of their sync points.
    events: Recording<ze_event_handle_t>,
    pools: Vec<ze_event_pool_handle_t>,
    kept_alive: Vec<Box<dyn Any + Send + Sync>>,
    /// Where the list runs: made for the first run.
    queue: Option<ze_command_queue_handle_t>,
    /// Short lists before and after a run, used again when it is over.
    ends: Option<(ze_command_list_handle_t, ze_command_list_handle_t)>,
    last: Option<EventRef>,
}

impl Drop for CommandBuffer {
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

impl CommandBuffer {
    /// Records one command that `append` appends, and what it needs.
    fn record(
        &self,
        dependencies: SyncPointDependencies<'_>,
        append: impl FnOnce(AppendTarget) -> Result<KeptAlive>,
    ) -> Result<()> {
        let Recorded { list, events, pools, kept_alive, .. } = &mut *self.state.lock();
        let number = events.commands().len() as u32;
        events.add(dependencies, |waits| {
            let mut waits: Vec<ze_event_handle_t> = waits.iter().map(|event| **event).collect();
            let event = self.event(number, pools)?;
            let target = AppendTarget::new(*list, event, &mut waits);
            match append(target) {
                Ok(new) => kept_alive.extend(new),
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
        let index = number % EVENTS_PER_POOL;
        if number / EVENTS_PER_POOL >= pools.len() as u32 {
            pools.push(create_event_pool(&self.context.driver, &[self.device.ze], 0, EVENTS_PER_POOL)?);
        }
        let Some(pool) = pools.last() else { return Err(Error::unsupported("no pool")) };
        let scope = ZE_EVENT_SCOPE_FLAG_DEVICE;
        let desc = ze_event_desc_t { index, signal: scope, wait: scope, ..Default::default() };
        let mut event = ze_event_handle_t::NULL;
        ze()?.zeEventCreate(*pool, &desc, &mut event)?;
        Ok(event)
    }

    fn check(&self, context: &ContextHandle, name: &str) -> Result<()> {
        if context.ze == self.context.ze {
            return Ok(());
        }
        Err(other_context(name))
    }

    /// Puts a run to work behind `waits`; `signal` is behind it. The last run is over.
    fn run(&self, state: &mut Recorded, waits: &[EventRef], signal: &EventRef) -> Result<()> {
        let ze = ze()?;
        let queue = match state.queue {
            Some(queue) => queue,
            None => *state.queue.insert(self.engine.command_queue()?),
        };
        let (start, end) = match state.ends {
            Some((start, end)) => {
                ze.zeCommandListReset(start)?;
                ze.zeCommandListReset(end)?;
                (start, end)
            }
            None => {
                let start = self.engine.regular_list()?;
                let end = self.engine.regular_list()?;
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

/// What a recorded command needs for as long as it can run.
type KeptAlive = Option<Box<dyn Any + Send + Sync>>;

/// Both buffers of a copy.
fn two(src: &MemHandle, dst: &MemHandle) -> KeptAlive {
    Some(Box::new((src.share(), dst.share())))
}

fn one(mem: &MemHandle) -> KeptAlive {
    Some(Box::new(mem.share()))
}

impl CommandBufferApi for LevelZero {
    fn command_buffer_create(
        context: &ContextHandle,
        device: &DeviceHandle,
    ) -> Result<New<CommandBufferHandle>> {
        context.check(device)?;
        let ordinal = device
            .compute_group()
            .ok_or_else(|| Error::new(ErrorCode::INVALID_DEVICE, "the device has no compute engine"))?;
        let index = device.slice.unwrap_or_default();
        let priority = ZE_COMMAND_QUEUE_PRIORITY_NORMAL;
        let (context_ze, device_ze) = (context.ze, device.ze);
        let engine =
            EngineDesc { context: context_ze, device: device_ze, ordinal, index, priority, in_order: false };
        let state = Recorded {
            list: engine.regular_list()?,
            events: Recording::default(),
            pools: Vec::new(),
            kept_alive: Vec::new(),
            queue: None,
            ends: None,
            last: None,
        };
        let body = CommandBuffer {
            context: context.share(),
            device: device.share(),
            engine,
            state: Mutex::new(state),
        };
        Ok(Counted::create(body))
    }

    fn command_buffer_finalize(buffer: &CommandBufferHandle) -> Result<()> {
        let Recorded { list, events, .. } = &mut *buffer.state.lock();
        events.finalize(|events| {
            let ze = ze()?;
            ze.zeCommandListAppendBarrier(*list, ze_event_handle_t::NULL, 0, std::ptr::null_mut())?;
            for event in events {
                ze.zeCommandListAppendEventReset(*list, *event)?;
            }
            ze.zeCommandListClose(*list)
        })
    }

    fn command_buffer_record(
        buffer: &CommandBufferHandle,
        command: CommandToRecord<'_, Self>,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        use CommandToRecord::*;
        match command {
            KernelLaunch { kernel, range } => buffer.record_launch(kernel, &range, dependencies),
            UsmMemcpy { dst, src, size } => {
                buffer.record_copy(Address::new(dst), Address::new(src), size, None, dependencies)
            }
            UsmFill { ptr, pattern, size } => {
                buffer.record_fill(Address::new(ptr), pattern, size, None, dependencies)
            }
            UsmPrefetch { ptr, size, flags: _ } => {
                let ze = ze()?;
                buffer.record(dependencies, |target| {
                    hint::append_hint(target, || {
                        ze.zeCommandListAppendMemoryPrefetch(target.list, ptr, size)
                    })?;
                    Ok(None)
                })
            }
            UsmAdvise { ptr, length, advice } => buffer.record(dependencies, |target| {
                let (device, ptr) = (&buffer.device, Address::new(ptr));
                hint::append_hint(target, || hint::advise(target.list, device, ptr, length, advice))?;
                Ok(None)
            }),
            BufferCopy { src, dst, src_offset, dst_offset, size } => {
                let from = buffer.bytes_of(src, "src_buffer", src_offset, size, "src_buffer: a copy")?;
                let to = buffer.bytes_of(dst, "dst_buffer", dst_offset, size, "dst_buffer: a copy")?;
                buffer.record_copy(to, from, size, two(src, dst), dependencies)
            }
            BufferCopyRect { src, dst, rect } => {
                buffer.check(&src.context, "src_buffer")?;
                buffer.check(&dst.context, "dst_buffer")?;
                let (from, to) = (src.buffer()?, dst.buffer()?);
                let [(src_side, src_end), (dst_side, dst_end)] =
                    copy::sides(&rect, from.address, to.address)?;
                from.check(0, src_end, "src_buffer: a copy of a box")?;
                to.check(0, dst_end, "dst_buffer: a copy of a box")?;
                buffer.record_rect(dst_side, src_side, &rect, two(src, dst), dependencies)
            }
            BufferRead { buffer: mem, offset, size, dst } => {
                let src = buffer.bytes_of(mem, "buffer", offset, size, "a read")?;
                buffer.record_copy(Address::new(dst), src, size, one(mem), dependencies)
            }
            BufferReadRect { buffer: mem, rect, dst } => {
                let (own, host) = buffer.box_of(mem, &rect, Address::new(dst), "a read of a box")?;
                buffer.record_rect(host, own, &rect, one(mem), dependencies)
            }
            BufferWrite { buffer: mem, offset, size, src } => {
                let dst = buffer.bytes_of(mem, "buffer", offset, size, "a write")?;
                buffer.record_copy(dst, Address::new(src), size, one(mem), dependencies)
            }
            BufferWriteRect { buffer: mem, rect, src } => {
                let (own, host) = buffer.box_of(mem, &rect, Address::new(src), "a write of a box")?;
                buffer.record_rect(own, host, &rect, one(mem), dependencies)
            }
            BufferFill { buffer: mem, pattern, offset, size } => {
                let start = buffer.bytes_of(mem, "buffer", offset, size, "a fill")?;
                buffer.record_fill(start, pattern, size, one(mem), dependencies)
            }
        }
    }

    fn enqueue_command_buffer(
        buffer: &CommandBufferHandle,
        queue: &QueueHandle,
        dependencies: Dependencies<'_, EventHandle>,
    ) -> Result<()> {
        buffer.check(&queue.context, "queue")?;
        if queue.device.ze != buffer.device.ze {
            return Err(other_device());
        }
        let mut state = buffer.state.lock();
        state.events.check_finalized()?;
        // Not under the queue's lock: this may take long.
        if let Some(last) = &state.last {
            last.wait()?;
        }
        let waits = pending_events(dependencies.waits)?;
        let resources = CommandResources::other(buffer.share());
        let run = queue
            .commands
            .append_to_foreign_list(waits, resources, |waits, event| buffer.run(&mut state, waits, event))?;
        state.last = Some(run.clone());
        drop(state);
        hand_out_event(queue, CommandType::EXT_COMMAND_BUFFER, run, dependencies);
        Ok(())
    }
}

impl CommandBuffer {
    fn record_launch(
        &self,
        kernel: &KernelHandle,
        range: &NdRange<'_>,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        self.check(&kernel.program.context, "kernel")?;
        let mut arguments = kernel.arguments.lock();
        self.record(dependencies, |target| {
            match launch::prepare(kernel, &mut arguments, &self.device, range)? {
                Some((driver_kernel, shape)) => launch::append(target, driver_kernel, &shape, false)?,
                None => target.barrier()?,
            }
            Ok(Some(Box::new(launch::resources(kernel, &arguments))))
        })
    }

    fn record_copy(
        &self,
        dst: Address,
        src: Address,
        size: usize,
        kept_alive: KeptAlive,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        self.record(dependencies, |target| {
            if size == 0 {
                target.barrier()?;
            } else {
                target.copy(dst, src, size)?;
            }
            Ok(kept_alive)
        })
    }

    fn record_rect(
        &self,
        dst: BoxSide,
        src: BoxSide,
        rect: &Rect<'_>,
        kept_alive: KeptAlive,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        self.record(dependencies, |target| {
            append_rect(target, dst, src, rect.region)?;
            Ok(kept_alive)
        })
    }

    fn record_fill(
        &self,
        start: Address,
        pattern: &[u8],
        size: usize,
        kept_alive: KeptAlive,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        if pattern.is_empty() || !size.is_multiple_of(pattern.len()) {
            return Err(Error::invalid_value(format!(
                "pattern_size {} must be positive and divide the {size} bytes to fill",
                pattern.len()
            )));
        }
        self.record(dependencies, |target| {
            if size == 0 {
                target.barrier()?;
                return Ok(kept_alive);
            }
            let fill = PatternFill::new(&self.context, &self.device, self.engine.ordinal, pattern, size)?;
            fill.append(target, start, size, (1, 0))?;
            Ok(Some(Box::new((fill, kept_alive))))
        })
    }

    /// The address of a buffer's bytes; refuses bytes that the buffer has not.
    fn bytes_of(
        &self,
        mem: &MemHandle,
        name: &str,
        offset: usize,
        size: usize,
        what: &str,
    ) -> Result<Address> {
        self.check(&mem.context, name)?;
        let buffer = mem.buffer()?;
        buffer.check(offset, size, what)?;
        Ok(buffer.address.add(offset))
    }

    /// Both sides of a box that is copied between a buffer and the host.
    fn box_of(
        &self,
        mem: &MemHandle,
        rect: &Rect<'_>,
        host: Address,
        what: &str,
    ) -> Result<(BoxSide, BoxSide)> {
        self.check(&mem.context, "buffer")?;
        let buffer = mem.buffer()?;
        let [(own, end), (host, _)] = copy::sides(rect, buffer.address, host)?;
        buffer.check(0, end, what)?;
        Ok((own, host))
    }
}
