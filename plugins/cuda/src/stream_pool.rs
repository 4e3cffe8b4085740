//! The stream pool of a CUDA context.
//!
//! Array libraries create and drop a queue in almost every call. Creating and destroying a stream takes the driver about 6 µs,
//! so the streams of queues that were dropped are kept for the next ones.

use parking_lot::Mutex;

use crate::sys::{CUstream, DriverHandle, cuda};

/// Idle streams that a pool keeps at most.
const KEPT: usize = 64;

/// Idle streams, each with its priority. No command is left in them.
#[derive(Default)]
pub(crate) struct StreamPool {
    idle: Mutex<Vec<(i32, DriverHandle<CUstream>)>>,
}

impl StreamPool {
    /// Takes an idle stream of this priority, if there is one.
    pub(crate) fn acquire(&self, priority: i32) -> Option<DriverHandle<CUstream>> {
        let mut idle = self.idle.lock();
        let index = idle.iter().rposition(|(of_stream, _)| *of_stream == priority)?;
        Some(idle.swap_remove(index).1)
    }

    /// Keeps a stream whose commands are complete, or destroys it if the pool is full. The context is current.
    pub(crate) fn release(&self, priority: i32, stream: DriverHandle<CUstream>) {
        {
            let mut idle = self.idle.lock();
            if idle.len() < KEPT {
                idle.push((priority, stream));
                return;
            }
        }
        destroy(stream);
    }

    /// Destroys the streams. The context is current.
    pub(crate) fn clear(&self) {
        let idle = std::mem::take(&mut *self.idle.lock());
        idle.into_iter().for_each(|(_, stream)| destroy(stream));
    }
}

/// Destroys an idle stream. A lost context takes its streams along, so an error means nothing.
pub(crate) fn destroy(stream: DriverHandle<CUstream>) {
    let _ = cuda().and_then(|cuda| cuda.cuStreamDestroy_v2(stream.get()));
}
