//! Device memory for the libraries' own use. Each stream has its own, so that stream order prevents conflicts.

use crate::driver::{Stream, driver};
use crate::failure::Result;
use crate::pool::IdlePool;

/// Device memory of one stream.
pub(crate) struct Workspace {
    memory: u64,
    size: usize,
}

/// If the copies of a batch need more bytes, they are made part by part.
pub(crate) const LARGE: usize = 256 << 20;

/// The number of streams whose memory is kept. If a program creates more and more streams, the memory of old ones is
/// freed.
const STREAMS: usize = 32;

static WORKSPACES: IdlePool<(usize, usize), Workspace> = IdlePool::new();

/// Runs `work` with memory that no other call uses before this stream has completed the work.
pub(crate) fn with<T>(stream: Stream, work: impl FnOnce(&mut Workspace) -> Result<T>) -> Result<T> {
    for mut old in WORKSPACES.drain_above(STREAMS) {
        old.free();
    }
    let none = || Ok(Workspace { memory: 0, size: 0 });
    WORKSPACES.with((stream.context, stream.address()), none, work)
}

impl Workspace {
    /// Returns at least this many bytes. Memory returned to an earlier call is reused.
    pub(crate) fn at_least(&mut self, size: usize) -> Result<u64> {
        if self.size < size {
            self.free();
            // A power of two, so that growing sizes do not allocate each time.
            let rounded = size.next_power_of_two().max(1 << 12);
            let size = match driver()?.cuMemAlloc_v2(&mut self.memory, rounded) {
                Ok(()) => rounded,
                Err(_) => {
                    let exact = driver()?.cuMemAlloc_v2(&mut self.memory, size);
                    exact.map_err(|why| format!("{size} bytes of workspace on the device: {why}"))?;
                    size
                }
            };
            self.size = size;
        }
        Ok(self.memory)
    }

    /// Frees the memory; the driver waits until the device is done with it.
    fn free(&mut self) {
        if self.memory != 0 {
            let _ = driver().and_then(|driver| driver.cuMemFree_v2(self.memory));
        }
        (self.memory, self.size) = (0, 0);
    }
}
