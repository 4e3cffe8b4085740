//! A few workers, so that several kernels compile at once.

use std::io;
use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use parking_lot::{Condvar, Mutex};

use crate::protocol::{NvvmAnswer, NvvmRequest};
use crate::worker::{NoAnswer, Worker, WorkerSetup};

/// More workers do not help: the driver's own compiler follows, in this process.
const MOST: usize = 8;

/// Workers that wait, and how many more there may be.
pub(crate) struct WorkerPool {
    setup: WorkerSetup,
    state: Mutex<PoolState>,
    freed: Condvar,
}

struct PoolState {
    /// The process that started the workers: a copy of it (`fork`) must not use them.
    owner: u32,
    waiting: Vec<Worker>,
    /// Workers that may still be taken or started.
    left: usize,
}

impl WorkerPool {
    pub(crate) fn new(setup: WorkerSetup) -> Self {
        let most = available_parallelism().map_or(1, NonZeroUsize::get).min(MOST);
        let state = PoolState { owner: std::process::id(), waiting: Vec::new(), left: most };
        Self { setup, state: Mutex::new(state), freed: Condvar::new() }
    }

    pub(crate) fn setup(&self) -> &WorkerSetup {
        &self.setup
    }

    /// Has a worker answer a request. The outer error: none could be started.
    pub(crate) fn call(&self, request: &NvvmRequest) -> io::Result<Result<NvvmAnswer, NoAnswer>> {
        let mut state = self.state.lock();
        while state.left == 0 {
            self.freed.wait(&mut state);
        }
        state.left -= 1;
        let _turn = Turn(self);
        if state.owner != std::process::id() {
            state.owner = std::process::id();
            state.waiting.clear();
        }
        let waiting = state.waiting.pop().filter(Worker::is_fresh);
        drop(state);
        let mut worker = match waiting {
            Some(worker) => worker,
            None => Worker::start(&self.setup)?,
        };
        let answer = worker.call(request);
        if answer.is_ok() {
            self.state.lock().waiting.push(worker);
        }
        Ok(answer)
    }
}

/// The right to one worker.
struct Turn<'a>(&'a WorkerPool);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.state.lock().left += 1;
        self.0.freed.notify_one();
    }
}
