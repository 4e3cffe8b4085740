//! Writes built programs in the background, because a durable write takes milliseconds per file.

use std::collections::VecDeque;
use std::time::{Duration, Instant, SystemTime};

use parking_lot::{Condvar, Mutex};
use sycl_pi_host_process::{Current, spawn};

use super::format::Notes;
use super::lock::Lock;
use super::read::Used;
use super::{LOG, Store, StoreKey};

/// The most memory, in bytes, for all binaries that wait to be written. Beyond this, the builder writes the binary
/// itself.
const MOST_BYTES: usize = 256 << 20;

/// Uses of items are recorded when the process ends or when this many are pending, so that a starting program does not
/// wait for it.
const MOST_USES: usize = 64;
/// A use is recorded immediately if the last recorded use is older than this, because not every process ends orderly.
const NOTED_LATELY: Duration = Duration::from_secs(60 * 60);

/// A built program to store.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) key: StoreKey,
    pub(super) notes: Notes,
    pub(super) binary: Vec<u8>,
    /// The item's lock. Other processes wait until the item is written.
    pub(super) lock: Option<Lock>,
}

/// The items to write, and the worker threads. The writer thread ends when the queue is empty. A forked child has a
/// separate queue, and none of these threads.
#[derive(Debug, Default)]
pub(super) struct Queue {
    state: Mutex<WriteQueueState>,
    /// Notified when a thread has ended.
    ended: Condvar,
    /// Items whose use has to be recorded.
    uses: Mutex<Vec<Used>>,
}

#[derive(Debug, Default)]
struct WriteQueueState {
    jobs: VecDeque<Job>,
    bytes: usize,
    /// Whether a thread is writing.
    writing: bool,
    /// Whether a thread is scanning the items.
    looking: bool,
}

impl Store {
    /// Writes the item soon, in a thread, or immediately if background writing is disabled or impossible.
    pub(super) fn write_later(&self, job: Job) {
        let queue = self.queue();
        let mut state = queue.state.lock();
        if !self.inner.config.background || state.bytes.saturating_add(job.size()) > MOST_BYTES {
            drop(state);
            return self.write_now(job);
        }
        state.bytes += job.size();
        state.jobs.push_back(job);
        if std::mem::replace(&mut state.writing, true) {
            return;
        }
        drop(state);
        let store = self.clone();
        if let Err(error) = spawn("pi-cache writer", move || store.write_all()) {
            log::debug!(target: LOG, "the thread that writes the cache cannot start: {error}");
            self.write_all();
        }
    }

    /// Records that an item was used, immediately or later with others. `noted` is the time of the previous record.
    pub(super) fn note_use_soon(&self, used: Used, noted: Option<SystemTime>) {
        let inner = &*self.inner;
        let age = noted.and_then(|noted| noted.elapsed().ok());
        if !inner.config.background || age.is_none_or(|age| age > NOTED_LATELY) {
            return inner.note_use(&used);
        }
        let queue = self.queue();
        let mut uses = queue.uses.lock();
        uses.push(used);
        if uses.len() >= MOST_USES {
            let full = std::mem::take(&mut *uses);
            drop(uses);
            full.iter().for_each(|used| inner.note_use(used));
        }
    }

    fn write_now(&self, job: Job) {
        let Job { key, notes, binary, lock } = job;
        match &lock {
            Some(_) => self.write(&key, &notes, &binary),
            None => self.save(&key, &notes, &binary),
        };
        drop(lock);
        self.start_upkeep();
    }

    fn write_all(&self) {
        let queue = self.queue();
        loop {
            let mut state = queue.state.lock();
            let Some(job) = state.jobs.pop_front() else {
                state.writing = false;
                queue.ended.notify_all();
                return;
            };
            state.bytes = state.bytes.saturating_sub(job.size());
            drop(state);
            self.write_now(job);
        }
    }

    /// Waits until everything that was built is written, for at most `limit`. Returns whether it is.
    pub fn flush(&self, limit: Duration) -> bool {
        let queue = self.queue();
        let uses = std::mem::take(&mut *queue.uses.lock());
        uses.iter().for_each(|used| self.inner.note_use(used));
        queue.wait_while(limit, |state| state.writing)
    }

    /// Runs `work`, which scans the items, in a thread, unless one is already scanning.
    pub(super) fn look_through_later(&self, work: impl FnOnce() + Send + 'static) {
        let queue = self.queue();
        if std::mem::replace(&mut queue.state.lock().looking, true) {
            return;
        }
        let end = |queue: &Queue| {
            queue.state.lock().looking = false;
            queue.ended.notify_all();
        };
        let store = self.clone();
        let thread = spawn("pi-cache upkeep", move || {
            work();
            end(&store.queue());
        });
        if let Err(error) = thread {
            end(&queue);
            log::debug!(target: LOG, "the thread that looks through the cache cannot start: {error}");
        }
    }

    /// Waits for the scanning thread, and returns whether it has ended.
    pub(super) fn wait_for_look(&self, limit: Duration) -> bool {
        self.queue().wait_while(limit, |state| state.looking)
    }

    /// Returns this process's queue.
    fn queue(&self) -> Current<Queue> {
        self.inner.queue.get_and_leave(|parents| {
            // The parent writes these items. Copies of the locks' descriptors would keep them locked if the parent
            // died.
            if let Some(mut state) = parents.state.try_lock() {
                state.jobs.clear();
            }
        })
    }
}

impl Queue {
    /// Waits until `what` is false, for at most `limit`. Returns whether it is.
    fn wait_while(&self, limit: Duration, what: impl Fn(&WriteQueueState) -> bool) -> bool {
        let end = Instant::now().checked_add(limit);
        let mut state = self.state.lock();
        while what(&state) {
            match end {
                Some(end) if self.ended.wait_until(&mut state, end).timed_out() => return !what(&state),
                Some(_) => {}
                None => self.ended.wait(&mut state),
            }
        }
        true
    }
}

impl Job {
    fn size(&self) -> usize {
        self.binary.len() + self.key.bytes().len()
    }
}
