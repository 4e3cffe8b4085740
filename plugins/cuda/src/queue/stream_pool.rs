//! The stream pool of a CUDA context.
//!
//! Array libraries create and drop a queue in almost every call. The driver takes about 6 µs to create and destroy a
//! stream, so the streams of dropped queues are kept for the next ones.

use parking_lot::Mutex;
use sycl_pi_backend::types::QueueFlags;

use crate::sys::{CUstream, DriverHandle, NOT_READY, cuda};

/// The maximum number of idle streams that a pool keeps.
const KEPT: usize = 64;

/// The streams of a CUDA context.
#[derive(Default)]
pub(crate) struct StreamPool {
    /// Streams that queues use.
    used: Mutex<Vec<DriverHandle<CUstream>>>,
    /// Idle streams, each with its priority as a queue's flags. They contain no commands.
    idle: Mutex<Vec<(QueueFlags, DriverHandle<CUstream>)>>,
}

impl StreamPool {
    /// Takes an idle stream of the given priority, if there is one.
    pub(crate) fn acquire(&self, priority: QueueFlags) -> Option<DriverHandle<CUstream>> {
        let mut idle = self.idle.lock();
        let index = idle.iter().rposition(|(of_stream, _)| *of_stream == priority)?;
        Some(idle.swap_remove(index).1)
    }

    /// Keeps a stream whose commands are complete, or destroys it if the pool is full. The context must be current.
    pub(crate) fn release(&self, priority: QueueFlags, stream: DriverHandle<CUstream>) {
        {
            let mut idle = self.idle.lock();
            if idle.len() < KEPT {
                idle.push((priority, stream));
                return;
            }
        }
        destroy(stream);
    }

    /// Notes that a queue uses a stream.
    pub(crate) fn add_used(&self, stream: DriverHandle<CUstream>) {
        self.used.lock().push(stream);
    }

    /// Notes that a queue does not use a stream any more. It must not be destroyed before that.
    pub(crate) fn remove_used(&self, stream: DriverHandle<CUstream>) {
        self.used.lock().retain(|used| *used != stream);
    }

    /// Returns whether a stream of a queue has commands that are not complete. The context must be current.
    pub(crate) fn has_work(&self) -> bool {
        // The lock keeps the streams from being destroyed. The query does not wait.
        let used = self.used.lock();
        cuda()
            .is_ok_and(|cuda| used.iter().any(|stream| cuda.queries.cuStreamQuery(stream.get()) == NOT_READY))
    }

    /// Destroys the idle streams. The context must be current.
    pub(crate) fn clear(&self) {
        let idle = std::mem::take(&mut *self.idle.lock());
        idle.into_iter().for_each(|(_, stream)| destroy(stream));
    }
}

/// Destroys an idle stream. A lost context destroys its streams, so an error is ignored.
pub(crate) fn destroy(stream: DriverHandle<CUstream>) {
    let _ = cuda().and_then(|cuda| cuda.cuStreamDestroy_v2(stream.get()));
}
