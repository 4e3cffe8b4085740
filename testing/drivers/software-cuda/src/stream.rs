//! Streams. Each is a thread with a list of work.

use std::collections::VecDeque;
use std::ffi::{c_int, c_uint, c_void};
use std::sync::{Arc, Condvar, LazyLock, Mutex};
use std::time::Duration;

use cudarc::driver::sys::{CUcontext, CUhostFn, CUstream};

use crate::context::Context;
use crate::{Code, INVALID_HANDLE, NOT_READY, context, entries, faults, late, lock, put};

/// A piece of work.
pub(crate) type Work = Box<dyn FnOnce() + Send>;

/// An entry of a stream's list.
enum Piece {
    Work(Work),
    /// Marks an event as reached while the list is locked, so that the stream no longer contains it when the event
    /// is visible.
    Event(Work),
}

/// A stream.
pub(crate) struct Stream {
    list: Mutex<List>,
    changed: Condvar,
    /// Whether the default stream does not wait for it.
    non_blocking: bool,
    priority: c_int,
    /// The context that was current when it was created. The default stream belongs to any context.
    context: Option<&'static Context>,
}

#[derive(Default)]
struct List {
    work: VecDeque<Piece>,
    running: bool,
    closed: bool,
    /// The number of pieces that were added, and that are done.
    pushed: u64,
    done: u64,
}

static STREAMS: Mutex<Vec<Arc<Stream>>> = Mutex::new(Vec::new());
/// The rest of copies in the default stream, for which the caller's streams do not wait.
static LATE: LazyLock<Arc<Stream>> = LazyLock::new(|| Stream::create(0, 0, None));
/// The default stream, whose handle is null.
static DEFAULT: LazyLock<Arc<Stream>> = LazyLock::new(|| Stream::create(NON_BLOCKING, 0, None));
const NON_BLOCKING: c_uint = 1;

impl Stream {
    fn create(flags: c_uint, priority: c_int, context: Option<&'static Context>) -> Arc<Self> {
        let non_blocking = flags & NON_BLOCKING != 0;
        let (list, changed) = (Mutex::default(), Condvar::new());
        let stream = Arc::new(Self { list, changed, non_blocking, priority, context });
        let own = stream.clone();
        // Starting a thread takes the dynamic loader's lock, which a thread that waits in a library's destructor
        // holds.
        let (starts, started) = std::sync::mpsc::channel::<()>();
        std::thread::spawn(move || {
            drop(starts);
            own.run();
        });
        let _ = started.recv();
        lock(&STREAMS).push(stream.clone());
        stream
    }

    fn run(&self) {
        let mut list = lock(&self.list);
        loop {
            if let Some(piece) = list.work.pop_front() {
                match piece {
                    Piece::Work(work) => {
                        list.running = true;
                        drop(list);
                        late::before_work();
                        work();
                        list = lock(&self.list);
                        list.running = false;
                    }
                    Piece::Event(reach) => reach(),
                }
                list.done += 1;
                self.changed.notify_all();
            } else if list.closed {
                return;
            } else {
                list = self.changed.wait(list).unwrap_or_else(std::sync::PoisonError::into_inner);
            }
        }
    }

    fn push(&self, piece: Piece) {
        let mut list = lock(&self.list);
        list.work.push_back(piece);
        list.pushed += 1;
        drop(list);
        self.changed.notify_all();
    }

    fn pushed(&self) -> u64 {
        lock(&self.list).pushed
    }

    /// Waits for the first `count` pieces of work.
    fn wait_for(&self, count: u64) {
        let mut list = lock(&self.list);
        while list.done < count {
            list = self.changed.wait(list).unwrap_or_else(std::sync::PoisonError::into_inner);
        }
    }

    fn is_empty(&self) -> bool {
        let list = lock(&self.list);
        list.work.is_empty() && !list.running
    }

    fn finish(&self) {
        let mut list = lock(&self.list);
        while !list.work.is_empty() || list.running {
            list = self.changed.wait(list).unwrap_or_else(std::sync::PoisonError::into_inner);
        }
    }
}

/// Runs the last step of a copy from pageable memory slightly after the call has returned, which the driver may do
/// too.
pub(crate) fn push_late(work: Work) {
    LATE.push(Piece::Work(Box::new(move || {
        std::thread::sleep(Duration::from_micros(300));
        work();
    })));
}

/// Returns the stream of a handle.
fn find(raw: CUstream) -> Result<Arc<Stream>, Code> {
    if raw.is_null() {
        return Ok(DEFAULT.clone());
    }
    let list = lock(&STREAMS);
    let found = list.iter().find(|stream| Arc::as_ptr(stream).cast_mut().cast() == raw);
    found.cloned().ok_or(INVALID_HANDLE)
}

/// Waits for every stream.
pub(crate) fn finish_all() {
    let all = lock(&STREAMS).clone();
    all.iter().for_each(|stream| stream.finish());
}

/// Returns the streams that synchronize with the default stream: all that were not created as non-blocking.
fn blocking() -> Vec<Arc<Stream>> {
    lock(&STREAMS).iter().filter(|stream| !stream.non_blocking).cloned().collect()
}

/// Waits for one stream. The default stream also waits for those that it synchronizes with.
pub(crate) fn finish(stream: CUstream) -> Result<(), Code> {
    if stream.is_null() {
        blocking().iter().for_each(|stream| stream.finish());
    }
    find(stream)?.finish();
    Ok(())
}

/// Adds work to a stream. In the default stream it waits for the current work of the others, and vice versa.
pub(crate) fn push(stream: CUstream, work: Work) -> Result<(), Code> {
    behind_others(stream)?.push(Piece::Work(work));
    Ok(())
}

/// Adds the recording of an event to a stream.
pub(crate) fn push_event(stream: CUstream, reach: Work) -> Result<(), Code> {
    behind_others(stream)?.push(Piece::Event(reach));
    Ok(())
}

/// Returns the stream of a handle, after making it wait for the streams that precede its next piece.
fn behind_others(stream: CUstream) -> Result<Arc<Stream>, Code> {
    context::current()?;
    let to = find(stream)?;
    let others = if stream.is_null() {
        blocking()
    } else if to.non_blocking {
        Vec::new()
    } else {
        vec![DEFAULT.clone()]
    };
    if !others.is_empty() {
        let before: Vec<_> = others.into_iter().map(|other| (other.pushed(), other)).collect();
        to.push(Piece::Work(Box::new(move || {
            before.iter().for_each(|(count, other)| other.wait_for(*count));
        })));
    }
    Ok(to)
}

entries! {
    cuStreamCreateWithPriority(stream: *mut CUstream, flags: c_uint, priority: c_int) {
        let context = context::current()?;
        faults::live(1);
        put(stream, Arc::as_ptr(&Stream::create(flags, priority, Some(context))).cast_mut().cast())
    };
    cuStreamCreate(stream: *mut CUstream, flags: c_uint) {
        let context = context::current()?;
        faults::live(1);
        put(stream, Arc::as_ptr(&Stream::create(flags, 0, Some(context))).cast_mut().cast())
    };
    cuStreamDestroy_v2(stream: CUstream) {
        if stream.is_null() {
            return Err(INVALID_HANDLE);
        }
        let found = find(stream)?;
        lock(&STREAMS).retain(|other| !Arc::ptr_eq(other, &found));
        lock(&found.list).closed = true;
        found.changed.notify_all();
        faults::live(-1);
        Ok(())
    };
    cuCtxSynchronize() {
        context::current()?;
        finish_all();
        Ok(())
    };
    cuStreamSynchronize(stream: CUstream) {
        context::current()?;
        finish(stream)?;
        after()
    };
    cuStreamQuery(stream: CUstream) {
        if find(stream)?.is_empty() { after() } else { Err(NOT_READY) }
    };
    cuStreamGetPriority(stream: CUstream, priority: *mut c_int) put(priority, find(stream)?.priority);
    cuStreamGetCtx(stream: CUstream, out: *mut CUcontext) {
        let of_stream = find(stream)?.context;
        let context = of_stream.map_or_else(context::current, Ok)?;
        put(out, std::ptr::from_ref(context).cast_mut().cast())
    };
    cuStreamWaitValue32_v2(stream: CUstream, address: u64, value: u32, _flags: c_uint)
        push(stream, Box::new(move || {
            let word = std::ptr::with_exposed_provenance::<std::sync::atomic::AtomicU32>(address as usize);
            // SAFETY: the caller's aligned word, which lives until the wait is over.
            while unsafe { (*word).load(std::sync::atomic::Ordering::Acquire) } < value {
                std::thread::sleep(std::time::Duration::from_micros(20));
            }
        }));
    cuLaunchHostFunc(stream: CUstream, function: CUhostFn, data: *mut c_void) {
        let (function, data) = (function.ok_or(crate::INVALID_VALUE)?, data.expose_provenance());
        push(stream, Box::new(move || {
            // SAFETY: the caller's function with its data.
            unsafe { function(std::ptr::with_exposed_provenance_mut(data)) }
        }))
    };
}

/// Returns the sticky error of a kernel that has failed since.
pub(crate) fn after() -> Result<(), Code> {
    match faults::sticky() {
        0 => Ok(()),
        code => Err(code),
    }
}
