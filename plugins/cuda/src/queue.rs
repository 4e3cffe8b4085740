//! Queues. An in-order queue is one stream; an out-of-order queue spreads over a bounded pool of streams.

use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use parking_lot::Mutex;
use sycl_pi_backend::api::{QueueApi, QueueProperties};
use sycl_pi_backend::{Counted, Error, Info, New, Result, Shared};
use sycl_pi_backend::types::*;

use crate::Cuda;
use crate::context::{Context, Place};
use crate::device::Device;
use crate::mark::Mark;
use crate::platform::handle;
use crate::stream::Stream;
use crate::sys::{self, CUstream, Raw, cuda, make_current};

/// Streams of an out-of-order queue for kernels, and for everything else: copies overlap kernels.
const COMPUTE: usize = 16;
const COPY: usize = 4;

/// Behind `*mut RawQueue`.
pub struct Queue {
    pub(crate) context: Shared<Context>,
    /// The device's place in the context.
    pub(crate) index: usize,
    pub(crate) flags: QueueFlags,
    pub(crate) profiling: bool,
    pub(crate) in_order: bool,
    priority: i32,
    /// One, or `COMPUTE` and then `COPY`; made when first used.
    streams: Box<[OnceLock<Stream>]>,
    next_compute: AtomicUsize,
    next_copy: AtomicUsize,
    /// Number and mark of the last barrier of an out-of-order queue.
    pub(crate) barrier: Mutex<Option<Arc<Mark>>>,
    pub(crate) barriers: AtomicU64,
}

crate::kind!(Queue, RawQueue, ErrorCode::INVALID_QUEUE, "*mut RawQueue");

impl Queue {
    fn new(context: &Counted<Context>, index: usize, flags: QueueFlags) -> Result<Self> {
        let in_order = flags & QueueFlags::OUT_OF_ORDER_EXEC_MODE_ENABLE == 0;
        let place = &context.places[index];
        let _current = place.enter()?;
        let mut priority = 0;
        let asked = QueueFlags::PRIORITY_LOW | QueueFlags::PRIORITY_HIGH;
        if flags & asked != 0 {
            let (mut least, mut greatest) = (0, 0);
            cuda()?.cuCtxGetStreamPriorityRange(&mut least, &mut greatest)?;
            priority = if flags & QueueFlags::PRIORITY_HIGH != 0 { greatest } else { least };
        }
        let count = if in_order { 1 } else { COMPUTE + COPY };
        let queue = Self {
            context: context.share(),
            index,
            flags,
            profiling: flags & QueueFlags::PROFILING_ENABLE != 0,
            in_order,
            priority,
            streams: (0..count).map(|_| OnceLock::new()).collect(),
            next_compute: AtomicUsize::new(0),
            next_copy: AtomicUsize::new(0),
            barrier: Mutex::new(None),
            barriers: AtomicU64::new(0),
        };
        queue.stream(0)?;
        Ok(queue)
    }

    #[inline(always)]
    pub(crate) fn place(&self) -> &Place {
        &self.context.places[self.index]
    }

    pub(crate) fn device(&self) -> &Counted<Device> {
        &self.place().device
    }

    /// The stream of that number, made at first use. The context is current.
    #[inline(always)]
    pub(crate) fn stream(&self, number: usize) -> Result<&Stream> {
        match self.streams[number].get() {
            Some(stream) => Ok(stream),
            None => self.make(number),
        }
    }

    #[cold]
    fn make(&self, number: usize) -> Result<&Stream> {
        let mut stream = Stream::create(self.priority)?;
        if self.streams[number].get().is_none() {
            match self.streams[number].set(stream) {
                Ok(()) => {}
                Err(late) => {
                    stream = late;
                    stream.destroy(self.place());
                }
            }
        } else {
            stream.destroy(self.place());
        }
        self.streams[number]
            .get()
            .ok_or_else(|| Error::new(ErrorCode::OUT_OF_RESOURCES, "the queue has no stream"))
    }

    /// The stream of that number, if there is one by now.
    #[inline(always)]
    pub(crate) fn stream_in_use(&self, number: usize) -> Option<&Stream> {
        self.streams.get(number)?.get()
    }

    /// Streams that were used so far, with their numbers.
    pub(crate) fn used(&self) -> impl Iterator<Item = (usize, &Stream)> {
        self.streams.iter().enumerate().filter_map(|(number, stream)| Some((number, stream.get()?)))
    }

    /// The next stream in turn.
    pub(crate) fn next(&self, copy: bool) -> usize {
        if copy {
            COMPUTE + self.next_copy.fetch_add(1, Ordering::Relaxed) % COPY
        } else {
            self.next_compute.fetch_add(1, Ordering::Relaxed) % COMPUTE
        }
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        let Ok(current) = self.place().enter() else { return };
        let place = &self.context.places[self.index];
        for stream in self.streams.iter_mut().filter_map(OnceLock::get_mut) {
            stream.destroy(place);
        }
        if let Some(mark) = self.barrier.get_mut().take() {
            place.marks.give(mark);
        }
        drop(current);
    }
}

impl QueueApi for Cuda {
    fn queue_create_with_flags(
        context: &Counted<Context>,
        device: &Counted<Device>,
        flags: QueueFlags,
    ) -> Result<New<Counted<Queue>>> {
        let index = context.index_of(device)?;
        Queue::new(context, index, flags).map(Counted::create)
    }

    fn queue_create(
        context: &Counted<Context>,
        device: &Counted<Device>,
        properties: QueueProperties,
    ) -> Result<New<Counted<Queue>>> {
        // Every stream can use the whole device, whatever the index.
        Self::queue_create_with_flags(context, device, properties.flags)
    }

    fn queue_info(queue: &Counted<Queue>, name: QueueInfo, info: Info<'_>) -> Result<()> {
        match name {
            QueueInfo::CONTEXT => info.value(handle(&*queue.context)),
            QueueInfo::DEVICE => info.value(handle(queue.device())),
            QueueInfo::REFERENCE_COUNT => info.value(queue.reference_count()),
            QueueInfo::PROPERTIES => info.value(queue.flags),
            QueueInfo::EMPTY => {
                let _current = queue.place().enter()?;
                let mut empty = true;
                for (_, stream) in queue.used() {
                    empty = empty && stream.is_empty()?;
                }
                info.bool(empty)
            }
            QueueInfo::DEVICE_DEFAULT | QueueInfo::SIZE => Err(Error::new(
                ErrorCode::INVALID_QUEUE,
                "param_name: only queues on the device have this; this one is the host's",
            )),
            _ => Err(Error::invalid_value(format!("param_name: unknown queue query {name:#x}"))),
        }
    }

    fn queue_finish(queue: &Counted<Queue>) -> Result<()> {
        let _current = queue.place().enter()?;
        queue.used().try_for_each(|(_, stream)| stream.finish())
    }

    fn queue_flush(_: &Counted<Queue>) -> Result<()> {
        // The driver has everything already.
        Ok(())
    }

    fn queue_retain(queue: &Counted<Queue>) -> Result<()> {
        queue.retain();
        Ok(())
    }

    fn queue_release(queue: &Counted<Queue>) -> Result<()> {
        queue.release();
        Ok(())
    }

    fn queue_native_handle(queue: &Counted<Queue>) -> Result<(NativeHandle, i32)> {
        let _current = queue.place().enter()?;
        Ok((queue.stream(0)?.expose(), 0))
    }

    fn queue_native_command_queue(queue: &Counted<Queue>) -> Result<NativeHandle> {
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
        let raw: Raw<CUstream> = sys::from_native(native);
        let flags = properties.flags & !QueueFlags::OUT_OF_ORDER_EXEC_MODE_ENABLE;
        let index = match device {
            Some(device) => context.index_of(device)?,
            None => {
                let mut of_stream = std::ptr::null_mut();
                let _current = make_current(context.first()?.raw)?;
                cuda()?.cuStreamGetCtx(raw.get(), &mut of_stream)?;
                let place = context.places.iter().position(|place| place.raw.get() == of_stream);
                place
                    .ok_or_else(|| Error::new(ErrorCode::INVALID_CONTEXT, "the stream is of another context"))?
            }
        };
        Ok(Counted::create(Queue {
            context: context.share(),
            index,
            flags,
            profiling: flags & QueueFlags::PROFILING_ENABLE != 0,
            in_order: true,
            priority: 0,
            streams: Box::new([OnceLock::from(Stream::adopt(raw, owned))]),
            next_compute: AtomicUsize::new(0),
            next_copy: AtomicUsize::new(0),
            barrier: Mutex::new(None),
            barriers: AtomicU64::new(0),
        }))
    }
}
