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
use crate::queue::{Queue, StreamKind};
use crate::submit::{choose_stream, wait_for_dependencies, wait_for_other_streams};
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
    let index = choose_stream(queue, StreamKind::Compute, dependencies.waits);
    let stream = queue.stream(index)?;
    // The wait for all earlier commands of the queue includes its own events.
    let others = dependencies.waits.iter().copied().filter(|event| !event.is_in_queue(queue));
    let others: Vec<&Counted<Event>> = others.collect();
    let dependencies = Dependencies { waits: &others, event: dependencies.event };
    for event in &others {
        event.prepare_wait(queue, index)?;
    }
    wait_for_other_streams(queue, index, stream)?;
    let (queued, wanted) = (host_now(), dependencies.event.is_wanted());
    let timed = queue.profiling && wanted;
    let (mut event, mut times) = (None, None);
    {
        let mut submissions = stream.submissions.lock();
        submissions.count += 1;
        wait_for_dependencies(queue, index, stream, &mut submissions, &dependencies)?;
        if wanted {
            // The event is acquired first, so that nothing can fail once the commands are submitted.
            let acquired = device_context.events.acquire(timed)?;
            if let Some(start) = &acquired.start {
                let base = device_context.device.clock.base(device_context.raw)?;
                cuda()?.cuEventRecord(start.get(), stream.raw.get())?;
                times = Some(Box::new(CommandTimes { queued, submitted: host_now(), base }));
            }
            event = Some(acquired);
        }
    }
    {
        let _told = Told::new(stream.raw.get());
        run();
    }
    let mut submissions = stream.submissions.lock();
    submissions.count += 1;
    let count = submissions.count;
    // The callback may have changed the current context, and submitted commands.
    let recorded = device_context.enter().and_then(|_current| {
        stream.record_last_event(&mut submissions, &device_context.events)?;
        event.as_ref().filter(|_| timed).map_or(Ok(()), |event| stream.record_now(event))
    });
    let Some(event) = event else { return Ok(()) };
    match recorded {
        Ok(()) if timed => {}
        Ok(()) => submissions.last_event = EventRef::Owned(event.clone()),
        Err(error) => {
            times = None;
            stream.keep_unrecorded(&mut submissions, &event, &error);
        }
    }
    drop(submissions);
    let event = EventRef::Owned(event);
    let kind = EventKind::Command { queue: queue.share(), stream: index, count, event, times };
    dependencies.event.put(Event::create(CommandType::NATIVE_KERNEL, kind));
    Ok(())
}
