//! The event object.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use sycl_pi_backend::types::*;
use sycl_pi_backend::{Counted, New, Result, Shared};
use sycl_pi_host_process::outside;

use crate::context::Context;
use crate::event::clock::ClockBase;
use crate::event::host_event::HostEvent;
use crate::event::pooled_event::{DriverEvent, EventRef, PooledEvent};
use crate::queue::stream::{Stream, is_complete};
use crate::queue::{Queue, StreamIndex};
use crate::sys::{CUevent, DriverHandle, cuda};

/// An event.
pub struct Event {
    pub(crate) command: CommandType,
    pub(crate) kind: EventKind,
    /// Negative once the command is known to have failed.
    failure: AtomicI32,
}

sycl_pi_backend::counted_kinds!(Event: RawEvent, INVALID_EVENT, "event";);

/// The kinds of events.
pub(crate) enum EventKind {
    /// The event of a command in a stream of a queue.
    Command {
        queue: Shared<Queue>,
        stream: StreamIndex,
        /// The number of the stream's commands up to this one.
        count: u64,
        /// Released only when this event is destroyed.
        event: EventRef,
        times: Option<Box<CommandTimes>>,
    },
    /// Complete from the start.
    Complete(Shared<Context>),
    /// Completed by the caller.
    Host(Shared<Context>, Box<HostEvent>),
    /// A native event of the driver.
    Native { context: Shared<Context>, event: DriverHandle<CUevent>, owned: bool },
    /// Signaled by each command that names it. The event is destroyed before its context.
    Reusable { event: DriverEvent, context: Shared<Context>, is_shared: bool },
}

/// A command's times on the host, and the base for those on the device.
pub(crate) struct CommandTimes {
    pub(crate) queued: u64,
    pub(crate) submitted: u64,
    pub(crate) base: Arc<ClockBase>,
}

/// The position of a command's event: its queue, its stream, and the pooled event in that.
pub(crate) struct StreamPosition<'a> {
    pub(crate) queue: &'a Shared<Queue>,
    index: StreamIndex,
    stream: &'a Stream,
    count: u64,
    pub(crate) event: &'a PooledEvent,
}

impl StreamPosition<'_> {
    fn is_in_queue(&self, queue: &Counted<Queue>) -> bool {
        std::ptr::eq(&**self.queue, queue)
    }

    /// Returns whether a command in stream `index` of `queue` follows this one without waiting.
    #[inline]
    fn is_before(&self, queue: &Counted<Queue>, index: StreamIndex) -> bool {
        self.is_in_queue(queue) && self.index == index || self.is_complete()
    }

    /// Returns whether the command is known to be complete, from its own event or from a later one of its stream.
    #[inline]
    fn is_complete(&self) -> bool {
        self.event.is_complete() || self.stream.has_completed(self.count)
    }

    /// Records that the command is complete, and thus all commands before it in its stream.
    fn set_complete(&self) {
        self.event.set_complete();
        self.stream.set_completed(self.count);
    }
}

impl Event {
    /// Creates an event, which will be returned to the caller.
    #[inline(always)]
    pub(crate) fn create(command: CommandType, kind: EventKind) -> New<Counted<Self>> {
        Counted::create(Self { command, kind, failure: AtomicI32::new(0) })
    }

    pub(crate) fn context(&self) -> &Shared<Context> {
        match &self.kind {
            EventKind::Command { queue, .. } => &queue.context,
            EventKind::Complete(context)
            | EventKind::Host(context, _)
            | EventKind::Native { context, .. }
            | EventKind::Reusable { context, .. } => context,
        }
    }

    /// Returns the position of a command's event.
    #[inline]
    pub(crate) fn position(&self) -> Option<StreamPosition<'_>> {
        match &self.kind {
            EventKind::Command { queue, stream: index, count, event, .. } => {
                let stream = queue.used_stream(*index)?;
                let event = stream.events.resolve(event)?;
                Some(StreamPosition { queue, index: *index, stream, count: *count, event })
            }
            _ => None,
        }
    }

    /// Returns whether this is the event of a command of `queue`.
    pub(crate) fn is_in_queue(&self, queue: &Counted<Queue>) -> bool {
        matches!(&self.kind, EventKind::Command { queue: own, .. } if std::ptr::eq(&**own, queue))
    }

    /// Returns the index of the stream of `queue` whose last command this is.
    pub(crate) fn stream_ended_by(&self, queue: &Counted<Queue>) -> Option<StreamIndex> {
        let position = self.position()?;
        (position.is_in_queue(queue) && position.event.is_unrecorded()).then_some(position.index)
    }

    /// Ensures that stream `index` of `queue` can wait for this event, which may be of another context. The queue's
    /// context must be current.
    #[inline]
    pub(crate) fn prepare_wait(&self, queue: &Counted<Queue>, index: StreamIndex) -> Result<()> {
        match self.position() {
            Some(position) if !position.is_before(queue, index) => self.record(),
            _ => Ok(()),
        }
    }

    /// Makes `stream`, which has the index `index` in `queue`, wait for this event.
    #[inline]
    pub(crate) fn enqueue_wait(
        &self,
        queue: &Counted<Queue>,
        index: StreamIndex,
        stream: &Stream,
    ) -> Result<()> {
        let event = match &self.kind {
            EventKind::Command { .. } => match self.position() {
                Some(position) if !position.is_before(queue, index) => position.event.end.get(),
                _ => return Ok(()),
            },
            EventKind::Native { event, .. } => event.get(),
            EventKind::Reusable { event, .. } => event.get(),
            EventKind::Host(_, host) => return host.enqueue_wait(stream),
            EventKind::Complete(_) => return Ok(()),
        };
        cuda()?.cuStreamWaitEvent(stream.raw.get(), event, 0)
    }

    /// Ensures that the driver can be queried.
    pub(crate) fn record(&self) -> Result<()> {
        if let Some(StreamPosition { queue, stream, event, .. }) = self.position()
            && event.is_unrecorded()
        {
            let _current = queue.device_context().enter()?;
            stream.record(event, &queue.device_context().events)?;
        }
        Ok(())
    }

    /// Waits until the command is complete.
    pub(crate) fn wait(&self) -> Result<()> {
        let result = self.wait_in_driver();
        if let Err(error) = &result {
            self.failure.store(error.code().0, Ordering::Release);
        }
        result
    }

    #[inline]
    fn wait_in_driver(&self) -> Result<()> {
        match &self.kind {
            EventKind::Command { .. } => {
                let Some(position) = self.position().filter(|position| !position.is_complete()) else {
                    return Ok(());
                };
                let _current = position.queue.device_context().enter()?;
                if position.event.is_unrecorded() {
                    // It is the last command of its stream, so it ends with the stream.
                    position.stream.synchronize()?;
                } else {
                    outside(|| cuda()?.cuEventSynchronize(position.event.end.get()))?;
                }
                position.set_complete();
                Ok(())
            }
            EventKind::Complete(_) => Ok(()),
            EventKind::Host(_, host) => host.wait(),
            EventKind::Native { context, event, .. } => {
                let _current = context.first()?.enter()?;
                outside(|| cuda()?.cuEventSynchronize(event.get()))
            }
            EventKind::Reusable { context, event, .. } => {
                let _current = context.first()?.enter()?;
                outside(|| cuda()?.cuEventSynchronize(event.get()))
            }
        }
    }

    /// Returns complete, running or submitted, or a negative status for a failure.
    pub(crate) fn status(&self) -> EventStatus {
        let failure = self.failure.load(Ordering::Acquire);
        if failure < 0 {
            return EventStatus(failure);
        }
        self.query_status().unwrap_or_else(|error| {
            self.failure.store(error.code().0, Ordering::Release);
            EventStatus(error.code().0)
        })
    }

    fn query_status(&self) -> Result<EventStatus> {
        let query = |event| is_complete("cuEventQuery", cuda()?.queries.cuEventQuery(event));
        match &self.kind {
            EventKind::Command { .. } => {
                let Some(position) = self.position().filter(|position| !position.is_complete()) else {
                    return Ok(EventStatus::COMPLETE);
                };
                let StreamPosition { queue, stream, event, .. } = &position;
                let _current = queue.device_context().enter()?;
                if event.is_unrecorded() {
                    // It is the last command of its stream, so it ends with the stream.
                    if stream.query()? {
                        position.set_complete();
                        return Ok(EventStatus::COMPLETE);
                    }
                    // Unless another command followed in the meantime, the stream has nothing else to do.
                    if event.is_unrecorded() && !stream.is_shared() {
                        return Ok(EventStatus::RUNNING);
                    }
                }
                self.record()?;
                if query(event.end.get())? {
                    position.set_complete();
                    return Ok(EventStatus::COMPLETE);
                }
                match &event.start {
                    Some(start) if !query(start.get())? => Ok(EventStatus::SUBMITTED),
                    _ => Ok(EventStatus::RUNNING),
                }
            }
            EventKind::Complete(_) => Ok(EventStatus::COMPLETE),
            EventKind::Host(_, host) => Ok(host.status()),
            EventKind::Native { context, event, .. } => {
                let _current = context.first()?.enter()?;
                Ok(if query(event.get())? { EventStatus::COMPLETE } else { EventStatus::RUNNING })
            }
            EventKind::Reusable { context, event, .. } => {
                let _current = context.first()?.enter()?;
                Ok(if query(event.get())? { EventStatus::COMPLETE } else { EventStatus::RUNNING })
            }
        }
    }
}

impl Drop for Event {
    #[inline]
    fn drop(&mut self) {
        match &mut self.kind {
            EventKind::Command { queue, stream, event: event @ EventRef::Numbered(_), .. } => {
                let stream = queue.used_stream(*stream);
                if let Some(event) = stream.and_then(|stream| stream.events.resolve(event)) {
                    event.release();
                }
            }
            kind => kind.release(),
        }
    }
}

impl EventKind {
    /// Releases everything except a stream's own event.
    #[inline(never)]
    fn release(&mut self) {
        // A lost context destroys its events, so errors are ignored.
        let _ = match self {
            Self::Command { queue, event, .. } => {
                queue.device_context().events.release_ref(std::mem::take(event));
                Ok(())
            }
            Self::Host(context, host) => {
                host.abandon();
                let free = || {
                    let _current = context.first()?.enter()?;
                    host.free()
                };
                free()
            }
            Self::Native { context, event, owned: true } => {
                let destroy = || {
                    let _current = context.first()?.enter()?;
                    cuda()?.cuEventDestroy_v2(event.get())
                };
                destroy()
            }
            Self::Native { .. } | Self::Reusable { .. } | Self::Complete(_) => Ok(()),
        };
    }
}
