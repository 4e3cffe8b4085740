//! A few workers, so that several kernels compile at once.

use std::io;
use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use parking_lot::{Condvar, Mutex};
use sycl_pi_host_process::{Current, PerProcess};

use crate::protocol::{NvvmAnswer, NvvmRequest};
use crate::worker::{NoAnswer, Worker, WorkerSetup};

/// More workers do not help: the driver's own compiler follows, in this process.
const MOST: usize = 8;

/// Workers that wait, and how many more there may be. A forked child has workers of its own.
pub(crate) struct WorkerPool {
    setup: WorkerSetup,
    state: PerProcess<PoolState>,
}

#[derive(Default)]
struct PoolState {
    workers: Mutex<Workers>,
    freed: Condvar,
}

struct Workers {
    waiting: Vec<Worker>,
    /// Workers that may still be taken or started.
    left: usize,
}

impl Default for Workers {
    fn default() -> Self {
        let left = available_parallelism().map_or(1, NonZeroUsize::get).min(MOST);
        Self { waiting: Vec::new(), left }
    }
}

impl WorkerPool {
    pub(crate) fn new(setup: WorkerSetup) -> Self {
        Self { setup, state: PerProcess::default() }
    }

    pub(crate) fn setup(&self) -> &WorkerSetup {
        &self.setup
    }

    /// Has a worker answer a request. A worker that ends without an answer may have been ended by somebody else, while it waited or
    /// while it worked: then a new one gets the same request. The outer error: none could be started.
    pub(crate) fn call(&self, request: &NvvmRequest) -> io::Result<Result<NvvmAnswer, NoAnswer>> {
        let turn = self.turn();
        let waiting = turn.0.workers.lock().waiting.pop().filter(Worker::is_fresh);
        let worker = match waiting {
            Some(worker) => worker,
            None => Worker::start(&self.setup)?,
        };
        match turn.call(worker, request) {
            Err(NoAnswer::Ended(said)) => {
                log::info!("a process that runs libnvvm ended, another one gets its request: {said}");
                Ok(turn.call(Worker::start(&self.setup)?, request))
            }
            answer => Ok(answer),
        }
    }

    /// Waits until one more worker may be at work.
    fn turn(&self) -> Turn {
        let state = self.state.get_and_leave(|parents| {
            // They are the parent's; this process only has copies of the descriptors.
            if let Some(mut workers) = parents.workers.try_lock() {
                workers.waiting.clear();
            }
        });
        let mut workers = state.workers.lock();
        while workers.left == 0 {
            state.freed.wait(&mut workers);
        }
        workers.left -= 1;
        drop(workers);
        Turn(state)
    }
}

/// The right to one worker.
struct Turn(Current<PoolState>);

impl Turn {
    fn call(&self, mut worker: Worker, request: &NvvmRequest) -> Result<NvvmAnswer, NoAnswer> {
        let answer = worker.call(request);
        if answer.is_ok() {
            self.0.workers.lock().waiting.push(worker);
        }
        answer
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.0.workers.lock().left += 1;
        self.0.freed.notify_one();
    }
}
