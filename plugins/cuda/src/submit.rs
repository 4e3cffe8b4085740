//! The steps of every command: choose a stream, wait for the dependencies, enqueue the work, return an event.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use sycl_pi_backend::types::*;
use sycl_pi_backend::{Counted, Dependencies, EventOut, Result};

use crate::event::clock::host_now;
use crate::event::event_object::{CommandTimes, Event, EventKind};
use crate::event::pooled_event::{EventRef, PooledEvent};
use crate::queue::stream::{Stream, Submissions};
use crate::queue::{Queue, StreamIndex, StreamKind};
use crate::sys::{CUevent, CUstream, cuda};

/// The properties of a command except its driver call.
#[derive(Clone, Copy)]
pub(crate) struct CommandRequest {
    command: CommandType,
    stream: StreamKind,
    blocking: bool,
}

impl CommandRequest {
    #[inline(always)]
    pub(crate) const fn new(command: CommandType, stream: StreamKind) -> Self {
        Self { command, stream, blocking: false }
    }

    /// Makes the call wait until the command is complete.
    #[inline(always)]
    pub(crate) const fn blocking(self, blocking: bool) -> Self {
        Self { blocking, ..self }
    }
}

/// Submits a command whose arguments were checked. `enqueue` gets the stream, while the queue's context is current.
#[inline(always)]
pub(crate) fn submit(
    queue: &Counted<Queue>,
    request: CommandRequest,
    dependencies: Dependencies<'_, Counted<Event>>,
    enqueue: impl FnOnce(CUstream) -> Result<()>,
) -> Result<()> {
    let CommandRequest { command, stream: kind, blocking } = request;
    let device_context = queue.device_context();
    let _current = device_context.enter()?;
    let index = choose_stream(queue, kind, dependencies.waits);
    let stream = queue.stream(index)?;
    for event in dependencies.waits {
        // This happens before the stream is locked, because another stream may have to record its event.
        event.prepare_wait(queue, index)?;
    }
    let wanted = dependencies.event.is_wanted();
    if wanted && queue.profiling {
        return submit_timed(queue, index, request, dependencies, enqueue);
    }
    let (event, count);
    {
        let mut submissions = stream.submissions.lock();
        // It is counted even if it fails, because the stream may have been told to wait.
        submissions.count += 1;
        count = submissions.count;
        wait_for_dependencies(queue, index, stream, &mut submissions, &dependencies)?;
        // The event is acquired first, so that nothing can fail once the command is submitted.
        event = if wanted {
            submissions.round_robin.acquire(&stream.events, &device_context.events)?
        } else {
            EventRef::None
        };
        if let Err(error) = enqueue(stream.raw.get()) {
            device_context.events.release_ref(event);
            return Err(error);
        }
        submissions.last_event = stream.events.acquire(&event);
    }
    if blocking {
        let waited = stream.synchronize();
        if let Some(event) = stream.events.resolve(&event) {
            match waited {
                Ok(()) => event.set_complete(),
                Err(_) => event.release(),
            }
        }
        waited?;
    }
    if wanted {
        let kind = EventKind::Command { queue: queue.share(), stream: index, count, event, times: None };
        dependencies.event.put(Event::create(command, kind));
    }
    Ok(())
}

/// Submits a command like [`submit`] does, to the stream with the given index and with a timed event. If the driver
/// cannot record the end of a command that runs, its event has no times.
#[inline(never)]
fn submit_timed(
    queue: &Counted<Queue>,
    index: StreamIndex,
    request: CommandRequest,
    dependencies: Dependencies<'_, Counted<Event>>,
    enqueue: impl FnOnce(CUstream) -> Result<()>,
) -> Result<()> {
    let CommandRequest { command, blocking, .. } = request;
    let (cuda, device_context, stream) = (cuda()?, queue.device_context(), queue.stream(index)?);
    let queued = host_now();
    let (event, count, times);
    {
        let mut submissions = stream.submissions.lock();
        submissions.count += 1;
        count = submissions.count;
        wait_for_dependencies(queue, index, stream, &mut submissions, &dependencies)?;
        let base = device_context.device.clock.base(device_context.raw)?;
        event = device_context.events.acquire_timed()?;
        if let Some(start) = &event.start {
            cuda.cuEventRecord(start.get(), stream.raw.get())?;
        }
        enqueue(stream.raw.get())?;
        times = match stream.record_now(&event) {
            Ok(()) => Some(Box::new(CommandTimes { queued, submitted: host_now(), base })),
            // A marker does nothing else.
            Err(error) if command == CommandType::MARKER => return Err(error),
            Err(error) => {
                stream.keep_unrecorded(&mut submissions, &event, &error);
                None
            }
        };
    }
    if blocking {
        stream.synchronize()?;
        event.set_complete();
    }
    let event = EventRef::Owned(event);
    let kind = EventKind::Command { queue: queue.share(), stream: index, count, event, times };
    dependencies.event.put(Event::create(command, kind));
    Ok(())
}

/// Records the event of the previous command, and makes the stream wait for the dependencies of the next one.
#[inline(always)]
pub(crate) fn wait_for_dependencies(
    queue: &Counted<Queue>,
    index: StreamIndex,
    stream: &Stream,
    submissions: &mut Submissions,
    dependencies: &Dependencies<'_, Counted<Event>>,
) -> Result<()> {
    stream.record_last_event(submissions, &queue.device_context().events)?;
    if !queue.in_order {
        wait_for_barrier(queue, stream, submissions)?;
    }
    for event in dependencies.waits {
        event.enqueue_wait(queue, index, stream)?;
    }
    Ok(())
}

/// Returns the stream for a command. An in-order queue has only one.
#[inline(always)]
pub(crate) fn choose_stream(
    queue: &Counted<Queue>,
    kind: StreamKind,
    waits: &[&Counted<Event>],
) -> StreamIndex {
    if queue.in_order { StreamIndex::FIRST } else { awaited_or_next_stream(queue, kind, waits) }
}

/// Returns the stream for a command of an out-of-order queue: the one whose last command it waits for, or else the next
/// in round-robin order.
fn awaited_or_next_stream(
    queue: &Counted<Queue>,
    kind: StreamKind,
    waits: &[&Counted<Event>],
) -> StreamIndex {
    let awaited = waits.iter().find_map(|event| event.stream_ended_by(queue));
    awaited.unwrap_or_else(|| queue.next_stream(kind))
}

/// Makes the stream wait for the queue's last barrier, once.
fn wait_for_barrier(queue: &Queue, stream: &Stream, submissions: &mut Submissions) -> Result<()> {
    let barriers = queue.barriers.load(Ordering::Acquire);
    if submissions.barrier < barriers {
        let barrier = queue.barrier.lock().clone();
        if let Some(event) = barrier.filter(|event| !event.is_complete()) {
            cuda()?.cuStreamWaitEvent(stream.raw.get(), event.end.get(), 0)?;
        }
        submissions.barrier = barriers;
    }
    Ok(())
}

/// Makes `stream`, which has the given index, wait for everything in the queue's other streams.
pub(crate) fn wait_for_other_streams(
    queue: &Counted<Queue>,
    index: StreamIndex,
    stream: &Stream,
) -> Result<()> {
    let pool = &queue.device_context().events;
    for (other, from) in queue.used_streams() {
        if other != index && !from.is_empty()? {
            let event = from.record_end(pool)?;
            cuda()?.cuStreamWaitEvent(stream.raw.get(), event.end.get(), 0)?;
            pool.release(event);
        }
    }
    Ok(())
}

/// Enqueues a marker, which is complete after its wait list, or after everything before it.
pub(crate) fn marker(queue: &Counted<Queue>, dependencies: Dependencies<'_, Counted<Event>>) -> Result<()> {
    if queue.in_order || !dependencies.waits.is_empty() {
        let request = CommandRequest::new(CommandType::MARKER, StreamKind::Compute);
        return submit(queue, request, dependencies, |_| Ok(()));
    }
    if !dependencies.event.is_wanted() {
        // Nothing would follow it.
        return Ok(());
    }
    let _current = queue.device_context().enter()?;
    let index = queue.next_stream(StreamKind::Compute);
    let stream = queue.stream(index)?;
    wait_for_other_streams(queue, index, stream)?;
    let recorded = {
        let mut submissions = stream.submissions.lock();
        (record_new_event(queue, stream, &mut submissions)?, submissions.count)
    };
    put_event(queue, index, CommandType::MARKER, recorded, dependencies)
}

/// Enqueues a timed marker, whether or not the queue has profiling enabled.
pub(crate) fn timestamp(
    queue: &Counted<Queue>,
    blocking: bool,
    dependencies: Dependencies<'_, Counted<Event>>,
) -> Result<()> {
    let _current = queue.device_context().enter()?;
    let request = CommandRequest::new(CommandType::MARKER, StreamKind::Compute).blocking(blocking);
    let index = choose_stream(queue, request.stream, dependencies.waits);
    let stream = queue.stream(index)?;
    for event in dependencies.waits {
        event.prepare_wait(queue, index)?;
    }
    if !queue.in_order && dependencies.waits.is_empty() {
        wait_for_other_streams(queue, index, stream)?;
    }
    submit_timed(queue, index, request, dependencies, |_| Ok(()))
}

/// Enqueues a barrier: a marker that later commands wait for.
pub(crate) fn barrier(queue: &Counted<Queue>, dependencies: Dependencies<'_, Counted<Event>>) -> Result<()> {
    if queue.in_order {
        let request = CommandRequest::new(CommandType::BARRIER, StreamKind::Compute);
        return submit(queue, request, dependencies, |_| Ok(()));
    }
    let device_context = queue.device_context();
    let _current = device_context.enter()?;
    let index = queue.next_stream(StreamKind::Compute);
    let stream = queue.stream(index)?;
    if dependencies.waits.is_empty() {
        wait_for_other_streams(queue, index, stream)?;
    } else {
        for event in dependencies.waits {
            event.prepare_wait(queue, index)?;
            event.enqueue_wait(queue, index, stream)?;
        }
    }
    // The stream stays locked until its event is recorded for the last time, so that the event's number is right.
    let mut submissions = stream.submissions.lock();
    let event = record_new_event(queue, stream, &mut submissions)?;
    let mut slot = queue.barrier.lock();
    if let Some(old) = slot.replace(event.clone()) {
        // The new barrier waits for the old one, so that commands need to wait only for the new one.
        cuda()?.cuStreamWaitEvent(stream.raw.get(), old.end.get(), 0)?;
        if let Some(start) = &event.start {
            cuda()?.cuEventRecord(start.get(), stream.raw.get())?;
        }
        cuda()?.cuEventRecord(event.end.get(), stream.raw.get())?;
        device_context.events.release(old);
    }
    queue.barriers.fetch_add(1, Ordering::AcqRel);
    drop(slot);
    let count = submissions.count;
    drop(submissions);
    put_event(queue, index, CommandType::BARRIER, (event, count), dependencies)
}

/// Enqueues a barrier that signals a driver event.
pub(crate) fn signal(queue: &Counted<Queue>, event: CUevent, waits: &[&Counted<Event>]) -> Result<()> {
    if !queue.in_order {
        // The command below comes after it.
        barrier(queue, Dependencies { waits, event: EventOut::none() })?;
    }
    let dependencies = Dependencies { waits, event: EventOut::none() };
    let request = CommandRequest::new(CommandType::BARRIER, StreamKind::Compute);
    submit(queue, request, dependencies, |stream| cuda()?.cuEventRecord(event, stream))
}

/// Returns an event for a recorded one to the caller, if wanted.
fn put_event(
    queue: &Counted<Queue>,
    stream: StreamIndex,
    command: CommandType,
    (event, count): (Arc<PooledEvent>, u64),
    dependencies: Dependencies<'_, Counted<Event>>,
) -> Result<()> {
    if !dependencies.event.is_wanted() {
        queue.device_context().events.release(event);
        return Ok(());
    }
    let (times, event) = (marker_times(queue)?, EventRef::Owned(event));
    let kind = EventKind::Command { queue: queue.share(), stream, count, event, times };
    dependencies.event.put(Event::create(command, kind));
    Ok(())
}

/// Creates an event and records it at the end of a stream, as a command.
fn record_new_event(
    queue: &Counted<Queue>,
    stream: &Stream,
    submissions: &mut Submissions,
) -> Result<Arc<PooledEvent>> {
    let pool = &queue.device_context().events;
    stream.record_last_event(submissions, pool)?;
    let event = pool.acquire(queue.profiling)?;
    if let Some(start) = &event.start {
        cuda()?.cuEventRecord(start.get(), stream.raw.get())?;
    }
    cuda()?.cuEventRecord(event.end.get(), stream.raw.get())?;
    event.set_recorded();
    submissions.count += 1;
    Ok(event)
}

/// Returns the host times of a marker, which is submitted as soon as it is queued.
fn marker_times(queue: &Counted<Queue>) -> Result<Option<Box<CommandTimes>>> {
    if !queue.profiling {
        return Ok(None);
    }
    let (device_context, now) = (queue.device_context(), host_now());
    let base = device_context.device.clock.base(device_context.raw)?;
    Ok(Some(Box::new(CommandTimes { queued: now, submitted: host_now(), base })))
}
