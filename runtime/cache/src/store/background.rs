//! Writing what was built without keeping the program waiting: the disk takes milliseconds per file to be sure of it.

use std::collections::VecDeque;
use std::time::{Duration, Instant, SystemTime};

use parking_lot::{Condvar, Mutex};

use super::format::Notes;
use super::lock::Lock;
use super::read::Used;
use super::{LOG, Store, StoreKey};

/// Binaries that wait to be written may take this much memory together, in bytes; beyond, the builder writes itself.
const MOST_BYTES: usize = 256 << 20;

/// Uses of items are noted when the process ends, or when so many wait: a program that starts does not wait for it.
const MOST_USES: usize = 64;
/// A use is noted at once if the last one that was noted is older: not every process comes to an orderly end.
const NOTED_LATELY: Duration = Duration::from_secs(60 * 60);

/// A program that was built and is to be kept.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) key: StoreKey,
    pub(super) notes: Notes,
    pub(super) binary: Vec<u8>,
    /// The item's lock: other processes wait until the item is written.
    pub(super) lock: Option<Lock>,
}

/// The items to write, and whether a thread writes them. The thread ends when the queue is empty.
#[derive(Debug, Default)]
pub(super) struct Queue {
    state: Mutex<WriteQueueState>,
    idle: Condvar,
    /// Items whose use is to be noted.
    uses: Mutex<Vec<Used>>,
}

#[derive(Debug, Default)]
struct WriteQueueState {
    jobs: VecDeque<Job>,
    bytes: usize,
    running: bool,
}

impl Store {
    /// Writes soon, in a thread; or now, if that is not wanted or not possible.
    pub(super) fn write_later(&self, job: Job) {
        let queue = &self.inner.queue;
        let mut state = queue.state.lock();
        if !self.inner.config.background || state.bytes.saturating_add(job.size()) > MOST_BYTES {
            drop(state);
            return self.write_now(job);
        }
        state.bytes += job.size();
        state.jobs.push_back(job);
        if std::mem::replace(&mut state.running, true) {
            return;
        }
        drop(state);
        let store = self.clone();
        let thread = std::thread::Builder::new().name("pi-cache writer".into());
        if let Err(error) = thread.spawn(move || store.write_all()) {
            log::debug!(target: LOG, "the thread that writes the cache cannot start: {error}");
            self.write_all();
        }
    }

    /// Notes that an item was used: now, or with others later. `noted` is when it was noted before.
    pub(super) fn note_use_soon(&self, used: Used, noted: Option<SystemTime>) {
        let inner = &*self.inner;
        let age = noted.and_then(|noted| noted.elapsed().ok());
        if !inner.config.background || age.is_none_or(|age| age > NOTED_LATELY) {
            return inner.note_use(&used);
        }
        let mut uses = inner.queue.uses.lock();
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
        let queue = &self.inner.queue;
        loop {
            let mut state = queue.state.lock();
            let Some(job) = state.jobs.pop_front() else {
                state.running = false;
                queue.idle.notify_all();
                return;
            };
            state.bytes = state.bytes.saturating_sub(job.size());
            drop(state);
            self.write_now(job);
        }
    }

    /// Waits until everything that was built is written, for at most `limit`; says whether it is.
    pub fn flush(&self, limit: Duration) -> bool {
        let queue = &self.inner.queue;
        let end = Instant::now().checked_add(limit);
        let uses = std::mem::take(&mut *queue.uses.lock());
        uses.iter().for_each(|used| self.inner.note_use(used));
        let mut state = queue.state.lock();
        while state.running {
            match end {
                Some(end) if queue.idle.wait_until(&mut state, end).timed_out() => return !state.running,
                Some(_) => {}
                None => queue.idle.wait(&mut state),
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
