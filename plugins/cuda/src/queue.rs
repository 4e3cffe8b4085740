//! Queues. An in-order queue is one stream; an out-of-order queue uses a bounded pool of streams.

pub(crate) mod stream;
pub(crate) mod stream_events;
pub(crate) mod stream_pool;

use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use parking_lot::Mutex;
use sycl_pi_backend::api::{QueueApi, QueueProperties};
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Counted, Error, Info, New, Result, Shared};

use self::stream::Stream;
use crate::Cuda;
use crate::context::Context;
use crate::device::device_context::DeviceContext;
use crate::device::device_object::Device;
use crate::event::pooled_event::PooledEvent;
use crate::opencl;
use crate::sys::{self, CUstream, DriverHandle, cuda};

/// The number of streams of an out-of-order queue for kernels. Other commands have separate streams, so that copies
/// overlap kernels.
const COMPUTE: usize = 16;
const COPY: usize = 4;

/// The kind of streams of an out-of-order queue that a command uses.
#[derive(Clone, Copy)]
pub(crate) enum StreamKind {
    Compute,
    Copy,
}

/// The index of a stream among those of its queue.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct StreamIndex(u32);

impl StreamIndex {
    /// The only stream of an in-order queue.
    pub(crate) const FIRST: Self = Self(0);

    #[inline(always)]
    fn new(index: usize) -> Self {
        Self(index as u32)
    }

    #[inline(always)]
    fn get(self) -> usize {
        self.0 as usize
    }
}

/// A queue on one device of a context.
pub struct Queue {
    pub(crate) context: Shared<Context>,
    /// The device's index in the context.
    pub(crate) index: usize,
    pub(crate) flags: QueueFlags,
    pub(crate) profiling: bool,
    pub(crate) in_order: bool,
    /// One stream, or `COMPUTE` and then `COPY` streams, each created when first used.
    streams: Box<[OnceLock<Stream>]>,
    next_compute: AtomicUsize,
    next_copy: AtomicUsize,
    /// The event of the last barrier of an out-of-order queue.
    pub(crate) barrier: Mutex<Option<Arc<PooledEvent>>>,
    /// The number of barriers so far.
    pub(crate) barriers: AtomicU64,
}

sycl_pi_backend::counted_kinds!(Queue: RawQueue, INVALID_QUEUE, "queue";);

impl Queue {
    fn new(context: &Counted<Context>, index: usize, flags: QueueFlags) -> Self {
        let in_order = !flags.contains(QueueFlags::OUT_OF_ORDER_EXEC_MODE_ENABLE);
        let count = if in_order { 1 } else { COMPUTE + COPY };
        let streams = (0..count).map(|_| OnceLock::new()).collect();
        Self::with_streams(context, index, flags, streams)
    }

    fn with_streams(
        context: &Counted<Context>,
        index: usize,
        flags: QueueFlags,
        streams: Box<[OnceLock<Stream>]>,
    ) -> Self {
        Self {
            context: context.share(),
            index,
            flags,
            profiling: flags.contains(QueueFlags::PROFILING_ENABLE),
            in_order: !flags.contains(QueueFlags::OUT_OF_ORDER_EXEC_MODE_ENABLE),
            streams,
            next_compute: AtomicUsize::new(0),
            next_copy: AtomicUsize::new(0),
            barrier: Mutex::new(None),
            barriers: AtomicU64::new(0),
        }
    }

    #[inline(always)]
    pub(crate) fn device_context(&self) -> &DeviceContext {
        &self.context.devices[self.index]
    }

    pub(crate) fn device(&self) -> &Counted<Device> {
        &self.device_context().device
    }

    /// Returns the flags that determine the priority of its streams.
    fn priority(&self) -> QueueFlags {
        self.flags & (QueueFlags::PRIORITY_LOW | QueueFlags::PRIORITY_HIGH)
    }

    /// Returns the stream with the given index, which is created at first use. The context must be current.
    #[inline(always)]
    pub(crate) fn stream(&self, index: StreamIndex) -> Result<&Stream> {
        match self.streams[index.get()].get() {
            Some(stream) => Ok(stream),
            None => self.create_stream(index),
        }
    }

    #[cold]
    fn create_stream(&self, index: StreamIndex) -> Result<&Stream> {
        let slot = &self.streams[index.get()];
        let context = self.device_context();
        let stream = match context.streams.acquire(self.priority()) {
            Some(raw) => Stream::from_raw(raw, true),
            None => Stream::create(self.priority())?,
        };
        context.streams.add_used(stream.raw);
        if let Err(surplus) = slot.set(stream) {
            // Another thread was faster.
            self.give_back(surplus);
        }
        slot.get().ok_or_else(|| Error::new(ErrorCode::OUT_OF_RESOURCES, "the queue has no stream"))
    }

    /// Ends the use of a stream once its commands are complete. The context must be current.
    fn give_back(&self, mut stream: Stream) {
        let context = self.device_context();
        context.streams.remove_used(stream.raw);
        if let Some(raw) = stream.finish(&context.events) {
            context.streams.release(self.priority(), raw);
        }
    }

    /// Returns the stream with the given index, if it exists yet.
    #[inline(always)]
    pub(crate) fn used_stream(&self, index: StreamIndex) -> Option<&Stream> {
        self.streams.get(index.get())?.get()
    }

    /// Returns the streams used so far, with their indices.
    pub(crate) fn used_streams(&self) -> impl Iterator<Item = (StreamIndex, &Stream)> {
        let streams = self.streams.iter().enumerate();
        streams.filter_map(|(index, stream)| Some((StreamIndex::new(index), stream.get()?)))
    }

    /// Returns whether all its commands are known to be complete.
    fn is_known_empty(&self) -> bool {
        self.used_streams().all(|(_, stream)| stream.is_known_empty())
    }

    /// Returns the index of the next stream of a kind, in round-robin order.
    pub(crate) fn next_stream(&self, kind: StreamKind) -> StreamIndex {
        StreamIndex::new(match kind {
            StreamKind::Compute => self.next_compute.fetch_add(1, Ordering::Relaxed) % COMPUTE,
            StreamKind::Copy => COMPUTE + self.next_copy.fetch_add(1, Ordering::Relaxed) % COPY,
        })
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        let used: Vec<Stream> = self.streams.iter_mut().filter_map(OnceLock::take).collect();
        if used.is_empty() {
            // Array libraries create and drop queues without using them.
            return;
        }
        let Ok(_current) = self.device_context().enter() else { return };
        used.into_iter().for_each(|stream| self.give_back(stream));
        if let Some(event) = self.barrier.get_mut().take() {
            self.device_context().events.release(event);
        }
    }
}

impl QueueApi for Cuda {
    fn queue_create(
        context: &Counted<Context>,
        device: &Counted<Device>,
        properties: QueueProperties,
    ) -> Result<New<Counted<Queue>>> {
        // Every stream can use the whole device, so the index of a compute engine has no meaning here.
        let index = context.index_of(device)?;
        Ok(Counted::create(Queue::new(context, index, properties.flags)))
    }

    fn queue_context(queue: &Counted<Queue>) -> Result<&Counted<Context>> {
        Ok(&queue.context)
    }

    fn queue_device(queue: &Counted<Queue>) -> Result<&Counted<Device>> {
        Ok(queue.device())
    }

    fn queue_flags(queue: &Counted<Queue>) -> Result<QueueFlags> {
        Ok(queue.flags)
    }

    fn queue_info(queue: &Counted<Queue>, name: QueueInfo, info: Info<'_>) -> Result<()> {
        match name {
            QueueInfo::CONTEXT => info.value(queue.context.handle()),
            QueueInfo::DEVICE => info.value(queue.device().handle()),
            QueueInfo::REFERENCE_COUNT => info.value(queue.reference_count()),
            QueueInfo::PROPERTIES => info.value(queue.flags),
            QueueInfo::EMPTY if queue.is_known_empty() => info.bool(true),
            QueueInfo::EMPTY => {
                let _current = queue.device_context().enter()?;
                let mut empty = true;
                for (_, stream) in queue.used_streams() {
                    empty = empty && stream.is_empty()?;
                }
                info.bool(empty)
            }
            QueueInfo::DEVICE_DEFAULT | QueueInfo::SIZE => Err(Error::query_of_device_queue()),
            _ => Err(Error::unknown_query("queue", name)),
        }
    }

    fn queue_finish(queue: &Counted<Queue>) -> Result<()> {
        if queue.is_known_empty() {
            return Ok(());
        }
        let _current = queue.device_context().enter()?;
        queue.used_streams().try_for_each(|(_, stream)| stream.synchronize())
    }

    fn queue_flush(_: &Counted<Queue>) -> Result<()> {
        // Every command has already been submitted to the driver.
        Ok(())
    }

    fn queue_native_handle(queue: &Counted<Queue>) -> Result<(NativeHandle, i32)> {
        opencl::refuse_native_handles()?;
        let _current = queue.device_context().enter()?;
        Ok((queue.stream(StreamIndex::FIRST)?.share_handle(), 0))
    }

    fn queue_native_command_queue(queue: &Counted<Queue>) -> Result<NativeHandle> {
        opencl::refuse_native_handles()?;
        Ok(Self::queue_native_handle(queue)?.0)
    }

    fn queue_create_with_native_handle(
        native: NativeHandle,
        _: i32,
        context: &Counted<Context>,
        device: Option<&Counted<Device>>,
        owned: bool,
        properties: QueueProperties,
    ) -> Result<New<Counted<Queue>>> {
        opencl::refuse_native_handles()?;
        let raw: DriverHandle<CUstream> = sys::from_native(native);
        let flags = properties.flags - QueueFlags::OUT_OF_ORDER_EXEC_MODE_ENABLE;
        let index = match device {
            Some(device) => context.index_of(device)?,
            None => {
                let mut of_stream = std::ptr::null_mut();
                let _current = context.first()?.enter()?;
                cuda()?.cuStreamGetCtx(raw.get(), &mut of_stream)?;
                let index = context.devices.iter().position(|known| known.raw.get() == of_stream);
                index.ok_or_else(|| {
                    Error::new(ErrorCode::INVALID_CONTEXT, "the stream belongs to another context")
                })?
            }
        };
        let streams = Box::new([OnceLock::from(Stream::from_raw(raw, owned))]);
        Ok(Counted::create(Queue::with_streams(context, index, flags, streams)))
    }
}
