//! Device memory for the libraries' own use: each stream has its own, which the stream's order keeps apart.

use crate::driver::{Stream, driver};
use crate::failure::Result;
use crate::pool::Pool;

/// Device memory of one stream.
pub(crate) struct Workspace {
    memory: u64,
    size: usize,
}

/// Copies of a batch that need more bytes are made part by part.
pub(crate) const LARGE: usize = 256 << 20;

/// Streams whose memory is kept. A program that makes ever more streams has that of old ones freed.
const STREAMS: usize = 32;

static WORKSPACES: Pool<(usize, usize), Workspace> = Pool::new();

/// Runs work with memory that no other call uses before this stream has reached its end.
pub(crate) fn with<T>(stream: Stream, work: impl FnOnce(&mut Workspace) -> Result<T>) -> Result<T> {
    for mut old in WORKSPACES.drain_above(STREAMS) {
        old.free();
    }
    let none = || Ok(Workspace { memory: 0, size: 0 });
    WORKSPACES.with((stream.context, stream.address()), none, work)
}

impl Workspace {
    /// At least so many bytes. What an earlier call was given is free again.
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

    /// The driver waits until the device is done with it.
    fn free(&mut self) {
        if self.memory != 0 {
            let _ = driver().and_then(|driver| driver.cuMemFree_v2(self.memory));
        }
        (self.memory, self.size) = (0, 0);
    }
}
