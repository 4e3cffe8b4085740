//! The copies of a buffer in the memory of a context's devices.
//!
//! A command on a device whose copy is not current has the bytes copied there first. Nothing waits on the host, because
//! the newest bytes may depend on an event that the host has yet to set. The copy has a stream of its own: in the
//! command's stream it would wait for all that the command waits for, and so would other commands that need the bytes.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use parking_lot::{Mutex, MutexGuard};
use sycl_pi_backend::Result;
use sycl_pi_backend::types::QueueFlags;
use sycl_pi_host_process::outside;

use crate::context::Context;
use crate::device::device_context::DeviceContext;
use crate::event::pooled_event::PooledEvent;
use crate::memory::usm_memory;
use crate::queue::stream::{Stream, is_complete};
use crate::queue::stream_pool::destroy;
use crate::sys::{CUdeviceptr, CUstream, DriverHandle, cuda};

/// The priority of streams for copies between devices.
const PRIORITY: QueueFlags = QueueFlags::empty();

/// The copies, by the index of their device in the context.
pub(crate) struct DeviceCopies {
    size: usize,
    /// Allocated at first use.
    starts: Box<[OnceLock<CUdeviceptr>]>,
    states: Mutex<Box<[CopyState]>>,
    /// Whether other code has the address of a copy.
    exposed: AtomicBool,
}

/// The copies, which no other command can use in the meantime.
pub(crate) struct LockedCopies<'a> {
    copies: &'a DeviceCopies,
    states: MutexGuard<'a, Box<[CopyState]>>,
}

/// The state of one copy. All streams belong to its device.
#[derive(Default)]
struct CopyState {
    /// Whether it has the newest bytes.
    current: bool,
    /// The command that copied the bytes here, as long as it may not be complete.
    arrival: Option<Arrival>,
    /// The last command in each stream that may write it since then.
    writes: Vec<InStream>,
}

/// A command that copies bytes between devices.
struct Arrival {
    event: Arc<PooledEvent>,
    /// Its own stream, of which it is the last command, until the next copy takes the stream.
    stream: Option<DriverHandle<CUstream>>,
}

impl Arrival {
    /// Returns event and stream to their pools. The command must be complete.
    fn release(self, device_context: &DeviceContext) {
        device_context.events.release(self.event);
        if let Some(stream) = self.stream {
            device_context.streams.release(PRIORITY, stream);
        }
    }
}

/// An event after a command, and the address of the handle of the command's stream.
#[derive(Clone)]
pub(crate) struct InStream {
    stream: usize,
    event: Arc<PooledEvent>,
}

impl InStream {
    /// Acquires an event for the next command of a stream of a device, whose context must be current.
    pub(crate) fn acquire(device_context: &DeviceContext, stream: CUstream) -> Result<Self> {
        Ok(Self { stream: stream.addr(), event: device_context.events.acquire_untimed()? })
    }

    /// Records the event after the command.
    pub(crate) fn record(&self, stream: CUstream) -> Result<()> {
        record(&self.event, stream)
    }

    /// Returns the event to its pool, unless it has another owner.
    pub(crate) fn release(self, device_context: &DeviceContext) {
        device_context.events.release(self.event);
    }
}

impl CopyState {
    /// Makes a stream wait for all that may write the copy.
    fn hold_back(&self, stream: CUstream) -> Result<()> {
        let writes = self.writes.iter().map(|write| &write.event);
        self.arrival
            .iter()
            .map(|arrival| &arrival.event)
            .chain(writes)
            .try_for_each(|event| wait(stream, event))
    }

    /// Makes a stream of the copy's device wait until the bytes are here.
    fn wait_for_arrival(&mut self, device_context: &DeviceContext, stream: CUstream) -> Result<()> {
        let Some(arrival) = &self.arrival else { return Ok(()) };
        if !is_over(&arrival.event)? {
            return wait(stream, &arrival.event);
        }
        if let Some(arrival) = self.arrival.take() {
            arrival.release(device_context);
        }
        Ok(())
    }

    /// Records a command that copies the bytes here. It waits for all commands recorded before, so they are forgotten.
    fn arrive(&mut self, device_context: &DeviceContext, arrival: Arrival) {
        if let Some(before) = self.arrival.replace(arrival) {
            device_context.events.release(before.event);
        }
        self.writes.drain(..).for_each(|write| write.release(device_context));
    }

    /// Adds a command that may write it. Earlier ones of its stream come before that.
    fn add_write(&mut self, device_context: &DeviceContext, end: InStream) {
        let is_past =
            |write: &mut InStream| write.stream == end.stream || is_over(&write.event).unwrap_or(false);
        for write in self.writes.extract_if(.., is_past) {
            write.release(device_context);
        }
        self.writes.push(end);
    }
}

impl DeviceCopies {
    /// Creates the copies, each of `size` bytes. `first` is that of the first device, and is current if `has_bytes`.
    pub(crate) fn new(context: &Context, size: usize, first: CUdeviceptr, has_bytes: bool) -> Self {
        let starts = context.devices.iter().enumerate().map(|(index, _)| match index {
            0 => OnceLock::from(first),
            _ => OnceLock::new(),
        });
        let states = context
            .devices
            .iter()
            .enumerate()
            .map(|(index, _)| CopyState { current: has_bytes && index == 0, ..CopyState::default() });
        let (starts, states) = (starts.collect(), Mutex::new(states.collect()));
        Self { size, starts, states, exposed: AtomicBool::new(false) }
    }

    /// Returns the start of a copy, which is allocated at first use.
    pub(crate) fn start(&self, context: &Context, index: usize) -> Result<CUdeviceptr> {
        match self.starts[index].get() {
            Some(start) => Ok(*start),
            None => self.allocate(context, index),
        }
    }

    #[cold]
    fn allocate(&self, context: &Context, index: usize) -> Result<CUdeviceptr> {
        let _current = context.devices[index].enter()?;
        let fresh = allocate(self.size)?;
        let kept = *self.starts[index].get_or_init(|| fresh);
        if kept != fresh {
            // Another thread was faster.
            cuda()?.cuMemFree_v2(fresh)?;
        }
        Ok(kept)
    }

    pub(crate) fn lock(&self) -> LockedCopies<'_> {
        LockedCopies { copies: self, states: self.states.lock() }
    }

    /// Makes the copy on a device the only current one, and waits until it has the bytes. From then on, other code may
    /// have its address.
    pub(crate) fn expose(&self, context: &Context, index: usize) -> Result<()> {
        if self.starts.len() == 1 {
            return Ok(());
        }
        self.exposed.store(true, Ordering::Release);
        let device_context = &context.devices[index];
        let _current = device_context.enter()?;
        let arrived = {
            let mut locked = self.lock();
            locked.make_current(context, index, None)?;
            locked.make_others_stale(index);
            locked.states[index].arrival.as_ref().map(|arrival| arrival.event.clone())
        };
        let Some(event) = arrived else { return Ok(()) };
        let waited = outside(|| cuda()?.cuEventSynchronize(event.end.get()));
        device_context.events.release(event);
        waited
    }

    /// Frees the memory. No other call may use the copies any more.
    pub(crate) fn free(&self, context: &Context) -> Result<()> {
        let mut result = Ok(());
        let states = std::mem::take(&mut *self.states.lock());
        for (device_context, state) in context.devices.iter().zip(states) {
            let current = device_context.enter();
            if let (Some(arrival), Ok(_current)) = (state.arrival, &current) {
                // It reads another device's memory, and for that the driver waits for commands of that device only. The
                // last owner of a buffer may go under a lock, so this is not a wait outside of the plugin.
                let waited = cuda()?.cuEventSynchronize(arrival.event.end.get());
                if waited.is_ok() {
                    arrival.release(device_context);
                }
                result = result.and(waited);
            }
            state.writes.into_iter().for_each(|write| write.release(device_context));
        }
        for (device_context, start) in context.devices.iter().zip(&self.starts) {
            if let Some(start) = start.get() {
                // An error on one device must not prevent freeing the memory of the others.
                result = result.and(free_on(device_context, *start));
            }
        }
        result
    }
}

impl LockedCopies<'_> {
    /// Makes the newest bytes available to the next command of a stream of a device, whose context must be current. The
    /// stream must wait for the command's dependencies already.
    ///
    /// Commands that use other parts of the buffer need no order, so the copy waits for all that may write at either
    /// end. It may overtake those that only read, because a write to the bytes that it changes was ordered after them.
    pub(crate) fn bring(&mut self, context: &Context, index: usize, stream: CUstream) -> Result<()> {
        self.make_current(context, index, Some(stream))?;
        self.states[index].wait_for_arrival(&context.devices[index], stream)
    }

    /// Copies the newest bytes to a device, whose context must be current, unless it has them. `stream` is that of the
    /// command which needs them, if there is one.
    fn make_current(&mut self, context: &Context, index: usize, stream: Option<CUstream>) -> Result<()> {
        let target = &context.devices[index];
        let newest = self.states.iter().position(|state| state.current);
        if let (Some(from), false) = (newest, self.states[index].current) {
            let last = self.states[index].arrival.as_mut().and_then(|arrival| arrival.stream.take());
            let copying = match last.or_else(|| target.streams.acquire(PRIORITY)) {
                Some(kept) => kept,
                None => Stream::create(PRIORITY)?.raw,
            };
            match self.copy(context, from, index, stream, copying) {
                Ok(event) => self.states[index].arrive(target, Arrival { event, stream: Some(copying) }),
                Err(error) => {
                    // It may wait for something by now, and no pool may take such a stream.
                    destroy(copying);
                    return Err(error);
                }
            }
        }
        self.states[index].current = true;
        Ok(())
    }

    /// Copies the bytes from one device to another in the stream `copying`, and returns an event after that.
    fn copy(
        &self,
        context: &Context,
        from: usize,
        to: usize,
        stream: Option<CUstream>,
        copying: DriverHandle<CUstream>,
    ) -> Result<Arc<PooledEvent>> {
        let (copies, copying) = (self.copies, copying.get());
        let (source, target) = (&context.devices[from], &context.devices[to]);
        let (src, dst) = (copies.start(context, from)?, copies.start(context, to)?);
        context.enable_peer_access();
        self.states[from].hold_back(copying)?;
        self.states[to].hold_back(copying)?;
        if let Some(stream) = stream
            && copies.exposed.load(Ordering::Acquire)
        {
            // Writes by other code are visible only as the command's dependencies.
            let dependencies = target.events.acquire_untimed()?;
            record(&dependencies, stream)?;
            wait(copying, &dependencies)?;
            target.events.release(dependencies);
        }
        let arrived = target.events.acquire_untimed()?;
        cuda()?.cuMemcpyPeerAsync(dst, target.raw.get(), src, source.raw.get(), copies.size, copying)?;
        record(&arrived, copying)?;
        Ok(arrived)
    }

    /// Notes the end of a command that may have written the copy on a device, which is then the only current one.
    pub(crate) fn written(&mut self, context: &Context, index: usize, end: InStream) {
        self.make_others_stale(index);
        self.states[index].add_write(&context.devices[index], end);
    }

    fn make_others_stale(&mut self, index: usize) {
        for (other, state) in self.states.iter_mut().enumerate() {
            state.current = other == index;
        }
    }
}

/// Records an event at the end of a stream.
fn record(event: &PooledEvent, stream: CUstream) -> Result<()> {
    cuda()?.cuEventRecord(event.end.get(), stream)?;
    event.set_recorded();
    Ok(())
}

/// Makes a stream wait for an event.
fn wait(stream: CUstream, event: &PooledEvent) -> Result<()> {
    cuda()?.cuStreamWaitEvent(stream, event.end.get(), 0)
}

fn is_over(event: &PooledEvent) -> Result<bool> {
    is_complete("cuEventQuery", cuda()?.queries.cuEventQuery(event.end.get()))
}

/// Allocates memory of the current device.
pub(crate) fn allocate(size: usize) -> Result<CUdeviceptr> {
    let cuda = cuda()?;
    usm_memory::make_room(|| {
        let mut fresh = 0;
        cuda.cuMemAlloc_v2(&mut fresh, size)?;
        Ok(fresh)
    })
}

/// Frees memory of a device.
pub(crate) fn free_on(device_context: &DeviceContext, start: CUdeviceptr) -> Result<()> {
    let _current = device_context.enter()?;
    cuda()?.cuMemFree_v2(start)
}
