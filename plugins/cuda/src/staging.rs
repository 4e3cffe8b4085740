//! Pinned host memory of the plugin's own: what maps give out, and what images are filled from.
//!
//! A copy from a device to pageable memory holds up the calling thread until it is done, and one from pageable memory takes the
//! bytes before the stream comes to it ("API synchronization behavior" of the driver's documentation); pinned memory has neither.

use std::sync::Arc;

use parking_lot::Mutex;
use sycl_pi_backend::Result;

use crate::sys::{CUstream, Pinned, Raw, call_after, cuda};

/// Blocks are multiples of this many bytes.
const PAGE: usize = 4096;
/// Bytes of unused blocks that are kept when a new one is made.
const KEPT: usize = 64 << 20;

/// Blocks that nobody uses. They go when the next one is made or with the context, never where a block is let go of: that may
/// be within a host function of a stream, which must not call the driver.
#[derive(Default)]
pub(crate) struct Staging {
    unused: Arc<Mutex<Vec<Pinned>>>,
    retired: Mutex<Vec<Arc<Block>>>,
}

/// A block in use.
pub(crate) struct Block {
    pinned: Option<Pinned>,
    unused: Arc<Mutex<Vec<Pinned>>>,
}

impl Staging {
    /// A block of `size` bytes or more; what is in it is undefined. The context is current.
    pub(crate) fn take(&self, size: usize) -> Result<Block> {
        let (kept, surplus) = {
            let mut unused = self.unused.lock();
            let fits = size..=size.saturating_mul(2).max(PAGE);
            let fitting = unused.iter().enumerate().filter(|(_, block)| fits.contains(&block.size()));
            match fitting.min_by_key(|(_, block)| block.size()).map(|(at, _)| at) {
                Some(at) => (Some(unused.swap_remove(at)), Vec::new()),
                None => (None, surplus(&mut unused)),
            }
        };
        let mut surplus = surplus.into_iter();
        let freed = surplus.try_for_each(Pinned::free);
        if freed.is_err() {
            // Those behind the one that the driver did not take back are tried again by the next call.
            self.unused.lock().extend(surplus);
            freed?;
        }
        let pinned = match kept {
            Some(pinned) => pinned,
            None => Pinned::new(size.checked_next_multiple_of(PAGE).unwrap_or(size))?,
        };
        Ok(Block { pinned: Some(pinned), unused: self.unused.clone() })
    }

    /// Keeps a block until the context goes: nothing tells whether a copy into it is still to come.
    pub(crate) fn retire(&self, block: Arc<Block>) {
        self.retired.lock().push(block);
    }

    /// Lets a block go when the stream has come so far: what is in it may still use the block. The context is current.
    pub(crate) fn let_go_after(&self, stream: Raw<CUstream>, block: Block) -> Result<()> {
        let block = Arc::new(block);
        let kept = block.clone();
        let result = call_after(stream, Box::new(move || drop(kept)));
        if result.is_err() && cuda()?.cuStreamSynchronize(stream.get()).is_err() {
            self.retire(block);
        }
        result
    }

    /// Gives the blocks back to the driver. The context is current, and none of its streams is left.
    pub(crate) fn clear(&self) {
        self.retired.lock().clear();
        for block in self.unused.lock().drain(..) {
            // A lost context takes its memory along.
            let _ = block.free();
        }
    }
}

/// The blocks that are too many, the oldest first.
fn surplus(unused: &mut Vec<Pinned>) -> Vec<Pinned> {
    let mut bytes: usize = unused.iter().map(Pinned::size).sum();
    let mut count = 0;
    while bytes > KEPT {
        bytes -= unused[count].size();
        count += 1;
    }
    unused.drain(..count).collect()
}

impl Block {
    /// Where it is.
    pub(crate) fn start(&self) -> *mut std::ffi::c_void {
        self.pinned.as_ref().map_or(std::ptr::null_mut(), Pinned::start)
    }

    /// Writes a pattern into its first `size` bytes, again and again.
    pub(crate) fn fill(&mut self, pattern: &[u8], size: usize) {
        if let Some(pinned) = &mut self.pinned {
            pinned.fill(pattern, size);
        }
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        self.unused.lock().extend(self.pinned.take());
    }
}
