//! The way of every command: which stream, what it waits for, the work, its event.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use sycl_pi_backend::{Counted, Dependencies, Result};
use sycl_pi_backend::types::*;

use crate::clock::host_now;
use crate::event::{Body, Event, Times};
use crate::mark::Mark;
use crate::queue::Queue;
use crate::slots::Held;
use crate::stream::{Stream, Tail};
use crate::sys::{CUstream, cuda};

/// What kind of stream a command goes to.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Lane {
    Compute,
    Copy,
}

/// Puts a command into a queue: `work` is given the stream, while the queue's context is current.
#[inline(always)]
pub(crate) fn submit(
    queue: &Counted<Queue>,
    lane: Lane,
    command: CommandType,
    dependencies: Dependencies<'_, Counted<Event>>,
    blocking: bool,
    work: impl FnOnce(CUstream) -> Result<()>,
) -> Result<()> {
    let place = queue.place();
    let _current = place.enter()?;
    let number = if queue.in_order { 0 } else { choose(queue, lane, dependencies.waits) };
    let stream = queue.stream(number)?;
    for event in dependencies.waits {
        // Before the stream is locked: another one may have to record.
        event.prepare(queue, number)?;
    }
    let wanted = dependencies.event.is_wanted();
    if wanted && queue.profiling {
        return submit_timed(queue, number, command, dependencies, blocking, work);
    }
    let mark;
    {
        let mut tail = stream.tail.lock();
        follow(queue, number, stream, &mut tail, &dependencies)?;
        // First, so that nothing can fail once the command is on its way.
        mark = if wanted { tail.turn.take(&stream.slots, &place.marks)? } else { Held::Gone };
        if let Err(error) = work(stream.raw.get()) {
            place.marks.give_back(mark);
            return Err(error);
        }
        // There was none: `follow` took it.
        tail.last = stream.slots.hold(&mark);
        tail.submitted += 1;
    }
    if blocking {
        let waited = cuda()?.cuStreamSynchronize(stream.raw.get());
        if let Some(mark) = stream.slots.of(&mark) {
            match waited {
                Ok(()) => mark.set_done(),
                Err(_) => mark.let_go(),
            }
        }
        waited?;
    }
    if wanted {
        let body = Body::Command { queue: queue.share(), stream: number as u32, mark, times: None };
        dependencies.event.put(Event::create(command, body));
    }
    Ok(())
}

/// The same where times are wanted.
#[inline(never)]
fn submit_timed(
    queue: &Counted<Queue>,
    number: usize,
    command: CommandType,
    dependencies: Dependencies<'_, Counted<Event>>,
    blocking: bool,
    work: impl FnOnce(CUstream) -> Result<()>,
) -> Result<()> {
    let (cuda, place, stream) = (cuda()?, queue.place(), queue.stream(number)?);
    let queued = host_now();
    let (mark, times);
    {
        let mut tail = stream.tail.lock();
        follow(queue, number, stream, &mut tail, &dependencies)?;
        let base = place.device.clock.base(place.raw)?;
        mark = place.marks.take(true)?;
        if let Some(start) = &mark.start {
            cuda.cuEventRecord(start.get(), stream.raw.get())?;
        }
        work(stream.raw.get())?;
        cuda.cuEventRecord(mark.end.get(), stream.raw.get())?;
        mark.set_recorded();
        times = Some(Box::new(Times { queued, submitted: host_now(), base }));
        tail.submitted += 1;
    }
    if blocking {
        cuda.cuStreamSynchronize(stream.raw.get())?;
        mark.set_done();
    }
    let mark = Held::Own(mark);
    let body = Body::Command { queue: queue.share(), stream: number as u32, mark, times };
    dependencies.event.put(Event::create(command, body));
    Ok(())
}

/// Settles the command before, and makes the stream wait for what the next one waits for.
#[inline(always)]
fn follow(
    queue: &Counted<Queue>,
    number: usize,
    stream: &Stream,
    tail: &mut Tail,
    dependencies: &Dependencies<'_, Counted<Event>>,
) -> Result<()> {
    stream.settle(tail, queue.place())?;
    if !queue.in_order {
        wait_for_barrier(queue, stream, tail)?;
    }
    for event in dependencies.waits {
        event.delay(queue, number, stream)?;
    }
    Ok(())
}

/// The stream for a command of an out-of-order queue: behind a command that it waits for, if that is the last one of
/// its stream; else the next in turn.
fn choose(queue: &Counted<Queue>, lane: Lane, waits: &[&Counted<Event>]) -> usize {
    waits.iter().find_map(|event| event.tail_of(queue)).unwrap_or_else(|| queue.next(lane == Lane::Copy))
}

/// Makes the stream wait for the queue's last barrier, once.
fn wait_for_barrier(queue: &Queue, stream: &Stream, tail: &mut Tail) -> Result<()> {
    let number = queue.barriers.load(Ordering::Acquire);
    if tail.barrier < number {
        let barrier = queue.barrier.lock().clone();
        if let Some(mark) = barrier.filter(|mark| !mark.is_done()) {
            cuda()?.cuStreamWaitEvent(stream.raw.get(), mark.end.get(), 0)?;
        }
        tail.barrier = number;
    }
    Ok(())
}

/// Makes `stream` wait for everything that is in the queue's other streams.
fn wait_for_all(queue: &Counted<Queue>, number: usize, stream: &Stream) -> Result<()> {
    let place = queue.place();
    for (other, from) in queue.used() {
        if other != number && !from.is_empty()? {
            let mark = from.point(place)?;
            cuda()?.cuStreamWaitEvent(stream.raw.get(), mark.end.get(), 0)?;
            place.marks.give(mark);
        }
    }
    Ok(())
}

/// A marker: complete after the list, or after everything before it.
pub(crate) fn marker(queue: &Counted<Queue>, dependencies: Dependencies<'_, Counted<Event>>) -> Result<()> {
    let all = dependencies.waits.is_empty() && !queue.in_order;
    if !all {
        return submit(queue, Lane::Compute, CommandType::MARKER, dependencies, false, |_| Ok(()));
    }
    let _current = queue.place().enter()?;
    let number = queue.next(false);
    wait_for_all(queue, number, queue.stream(number)?)?;
    if !dependencies.event.is_wanted() {
        return Ok(());
    }
    let mark = seal(queue, number)?;
    give(queue, number, CommandType::MARKER, mark, dependencies)
}

/// A barrier: as a marker, and commands after it start only when it is done.
pub(crate) fn barrier(queue: &Counted<Queue>, dependencies: Dependencies<'_, Counted<Event>>) -> Result<()> {
    if queue.in_order {
        return submit(queue, Lane::Compute, CommandType::BARRIER, dependencies, false, |_| Ok(()));
    }
    let place = queue.place();
    let _current = place.enter()?;
    let number = queue.next(false);
    let stream = queue.stream(number)?;
    if dependencies.waits.is_empty() {
        wait_for_all(queue, number, stream)?;
    } else {
        for event in dependencies.waits {
            event.prepare(queue, number)?;
            event.delay(queue, number, stream)?;
        }
    }
    let mark = seal(queue, number)?;
    let mut slot = queue.barrier.lock();
    if let Some(old) = slot.replace(mark.clone()) {
        // A barrier is behind the one before it: whoever waits for the new one waits for the old one too.
        cuda()?.cuStreamWaitEvent(stream.raw.get(), old.end.get(), 0)?;
        if let Some(start) = &mark.start {
            cuda()?.cuEventRecord(start.get(), stream.raw.get())?;
        }
        cuda()?.cuEventRecord(mark.end.get(), stream.raw.get())?;
        place.marks.give(old);
    }
    queue.barriers.fetch_add(1, Ordering::AcqRel);
    drop(slot);
    give(queue, number, CommandType::BARRIER, mark, dependencies)
}

/// Hands out the event of a recorded mark, if it is wanted.
fn give(
    queue: &Counted<Queue>,
    stream: usize,
    command: CommandType,
    mark: Arc<Mark>,
    dependencies: Dependencies<'_, Counted<Event>>,
) -> Result<()> {
    if dependencies.event.is_wanted() {
        let times = times(queue)?;
        let body =
            Body::Command { queue: queue.share(), stream: stream as u32, mark: Held::Own(mark), times };
        dependencies.event.put(Event::create(command, body));
    } else {
        queue.place().marks.give(mark);
    }
    Ok(())
}

/// A recorded mark at the end of a stream.
fn seal(queue: &Counted<Queue>, number: usize) -> Result<Arc<Mark>> {
    let (place, stream) = (queue.place(), queue.stream(number)?);
    let mut tail = stream.tail.lock();
    stream.settle(&mut tail, place)?;
    let mark = place.marks.take(queue.profiling)?;
    if let Some(start) = &mark.start {
        cuda()?.cuEventRecord(start.get(), stream.raw.get())?;
    }
    cuda()?.cuEventRecord(mark.end.get(), stream.raw.get())?;
    mark.set_recorded();
    tail.submitted += 1;
    Ok(mark)
}

fn times(queue: &Counted<Queue>) -> Result<Option<Box<Times>>> {
    if !queue.profiling {
        return Ok(None);
    }
    let (place, now) = (queue.place(), host_now());
    let base = place.device.clock.base(place.raw)?;
    Ok(Some(Box::new(Times { queued: now, submitted: host_now(), base })))
}
