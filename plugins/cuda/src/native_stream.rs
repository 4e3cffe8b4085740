//! Native commands: the caller enqueues them itself, on a stream that it queries.
//!
//! libsycl has no queue handle for a platform that reports itself as OpenCL. Therefore, the stream can be queried on
//! the thread that runs the callback.

use std::cell::Cell;
use std::ffi::c_void;

use sycl_pi_backend::types::CommandType;
use sycl_pi_backend::{Counted, Dependencies, Result};

use crate::event::clock::host_now;
use crate::event::event_object::{CommandTimes, Event, EventKind};
use crate::event::pooled_event::EventRef;
use crate::queue::Queue;
use crate::submit::{StreamKind, choose_stream, wait_for_dependencies, wait_for_other_streams};
use crate::sys::{CUstream, cuda};

thread_local! {
    static CURRENT: Cell<CUstream> = const { Cell::new(std::ptr::null_mut()) };
}

/// Returns the `CUstream` of the native command being enqueued on this thread, or null if there is none.
#[must_use]
pub fn current() -> *mut c_void {
    CURRENT.get().cast()
}

/// Makes the stream available as long as this object lives.
struct Told(CUstream);

impl Told {
    fn new(stream: CUstream) -> Self {
        // Commands may be nested, because a callback may submit another one.
        Self(CURRENT.replace(stream))
    }
}

impl Drop for Told {
    fn drop(&mut self) {
        CURRENT.set(self.0);
    }
}

/// Submits the commands that `run` enqueues, ordered after the dependencies and all earlier commands of the queue. No
/// lock is held during `run`, which may use the queue itself.
///
/// SYCL allows a native command of an out-of-order queue to overtake earlier ones. However, the native commands of
/// stock programs are calls of oneMKL, and some programs are ordered correctly only by chance on Intel's GPUs: oneDAL's
/// partial covariance does not make its product depend on the preceding sums, and waits only for the product.
pub(crate) fn submit(
    queue: &Counted<Queue>,
    run: &mut dyn FnMut(),
    dependencies: Dependencies<'_, Counted<Event>>,
) -> Result<()> {
    let device_context = queue.device_context();
    let _current = device_context.enter()?;
    let number =
        if queue.in_order { 0 } else { choose_stream(queue, StreamKind::Compute, dependencies.waits) };
    let stream = queue.stream(number)?;
    // The wait for all earlier commands of the queue includes its own events.
    let others = dependencies.waits.iter().copied().filter(|event| !event.is_in_queue(queue));
    let others: Vec<&Counted<Event>> = others.collect();
    let dependencies = Dependencies { waits: &others, event: dependencies.event };
    for event in &others {
        event.prepare_wait(queue, number)?;
    }
    wait_for_other_streams(queue, number, stream)?;
    let timed = queue.profiling && dependencies.event.is_wanted();
    let (queued, mut before) = (host_now(), None);
    {
        let mut submissions = stream.submissions.lock();
        submissions.count += 1;
        wait_for_dependencies(queue, number, stream, &mut submissions, &dependencies)?;
        if timed {
            let base = device_context.device.clock.base(device_context.raw)?;
            let event = device_context.events.acquire(true)?;
            if let Some(start) = &event.start {
                cuda()?.cuEventRecord(start.get(), stream.raw.get())?;
            }
            before = Some((event, CommandTimes { queued, submitted: host_now(), base }));
        }
    }
    {
        let _told = Told::new(stream.raw.get());
        run();
    }
    // The callback may have changed the current context.
    let _current = device_context.enter()?;
    let mut submissions = stream.submissions.lock();
    stream.record_last_event(&mut submissions, &device_context.events)?;
    submissions.count += 1;
    let count = submissions.count;
    let (event, times) = match before {
        Some((event, times)) => {
            cuda()?.cuEventRecord(event.end.get(), stream.raw.get())?;
            event.set_recorded();
            (EventRef::Owned(event), Some(Box::new(times)))
        }
        None if dependencies.event.is_wanted() => {
            let event = submissions.round_robin.acquire(&stream.events, &device_context.events)?;
            submissions.last_event = stream.events.acquire(&event);
            (event, None)
        }
        None => return Ok(()),
    };
    drop(submissions);
    let kind = EventKind::Command { queue: queue.share(), stream: number as u32, count, event, times };
    dependencies.event.put(Event::create(CommandType::NATIVE_KERNEL, kind));
    Ok(())
}
