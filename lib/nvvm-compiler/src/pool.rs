//! A small number of workers, so that several kernels can be compiled concurrently.

use std::io;
use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use parking_lot::{Condvar, Mutex};
use sycl_pi_host_process::{Current, PerProcess};

use crate::protocol::{NvvmAnswer, NvvmRequest};
use crate::worker::{NoAnswer, Worker, WorkerSetup};

/// More workers have no benefit, because the driver's own compiler runs afterwards, in this process.
const MOST: usize = 8;

/// Waiting workers, and the number of additional ones allowed. A forked child has its own workers.
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
    /// The number of workers that may still be taken or started.
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

    /// Makes a worker answer a request. A worker that ends without an answer may have been killed by something else,
    /// while it was waiting or working; in this case, a new one gets the same request. The outer error means that none
    /// could be started.
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

    /// Waits until one more worker may run.
    fn turn(&self) -> Turn {
        let state = self.state.get_and_leave(|parents| {
            // They belong to the parent; this process only has copies of the descriptors.
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

/// The right to use one worker.
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
