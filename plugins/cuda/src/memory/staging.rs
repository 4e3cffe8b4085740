//! Pinned host memory of the plugin itself, used for mappings and for fills of images.
//!
//! A copy from a device to pageable memory blocks the calling thread until it is complete. A copy from pageable memory
//! reads the bytes before the stream reaches the copy. Pinned memory avoids both ("API synchronization behavior" in the
//! driver's documentation).

use std::sync::Arc;

use parking_lot::Mutex;
use sycl_pi_backend::Result;

use crate::sys::{CUstream, DriverHandle, PinnedMemory, call_after, cuda};

/// Block sizes are multiples of this number of bytes.
const PAGE: usize = 4096;
/// Bytes of unused blocks that are kept when a new block is allocated.
const KEPT: usize = 64 << 20;

/// Unused blocks. They are freed when the next one is allocated, or with the context. They are not freed on release,
/// because that may happen in a host function of a stream, which must not call the driver.
#[derive(Default)]
pub(crate) struct Staging {
    unused: Arc<Mutex<Vec<PinnedMemory>>>,
    retired: Mutex<Vec<Arc<StagingBlock>>>,
}

/// A block in use.
pub(crate) struct StagingBlock {
    pinned: Option<PinnedMemory>,
    unused: Arc<Mutex<Vec<PinnedMemory>>>,
}

impl Staging {
    /// Returns a block of at least `size` bytes with undefined content. The context must be current.
    pub(crate) fn acquire(&self, size: usize) -> Result<StagingBlock> {
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
        let freed = surplus.try_for_each(PinnedMemory::free);
        if freed.is_err() {
            // The next call tries the remaining ones again.
            self.unused.lock().extend(surplus);
            freed?;
        }
        let pinned = match kept {
            Some(pinned) => pinned,
            None => PinnedMemory::new(size.checked_next_multiple_of(PAGE).unwrap_or(size))?,
        };
        Ok(StagingBlock { pinned: Some(pinned), unused: self.unused.clone() })
    }

    /// Keeps a block until the context is destroyed, because a copy into it may still be in flight.
    pub(crate) fn retire(&self, block: Arc<StagingBlock>) {
        self.retired.lock().push(block);
    }

    /// Releases a block once the stream's commands are complete, because they may use it. The context must be current.
    pub(crate) fn release_after(&self, stream: DriverHandle<CUstream>, block: StagingBlock) -> Result<()> {
        let block = Arc::new(block);
        let kept = block.clone();
        let result = call_after(stream, Box::new(move || drop(kept)));
        if result.is_err() && cuda()?.cuStreamSynchronize(stream.get()).is_err() {
            self.retire(block);
        }
        result
    }

    /// Returns the blocks to the driver. The context must be current, and none of its streams may be left.
    pub(crate) fn clear(&self) {
        self.retired.lock().clear();
        for block in self.unused.lock().drain(..) {
            // A lost context frees its memory.
            let _ = block.free();
        }
    }
}

/// Removes and returns the surplus blocks, oldest first.
fn surplus(unused: &mut Vec<PinnedMemory>) -> Vec<PinnedMemory> {
    let mut bytes: usize = unused.iter().map(PinnedMemory::size).sum();
    let mut count = 0;
    while bytes > KEPT {
        bytes -= unused[count].size();
        count += 1;
    }
    unused.drain(..count).collect()
}

impl StagingBlock {
    /// Returns the start address.
    pub(crate) fn start(&self) -> *mut std::ffi::c_void {
        self.pinned.as_ref().map_or(std::ptr::null_mut(), PinnedMemory::start)
    }

    /// Fills the first `size` bytes with a repeated pattern.
    pub(crate) fn fill(&mut self, pattern: &[u8], size: usize) {
        if let Some(pinned) = &mut self.pinned {
            pinned.fill(pattern, size);
        }
    }
}

impl Drop for StagingBlock {
    fn drop(&mut self) {
        self.unused.lock().extend(self.pinned.take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_blocks_go_until_as_much_is_left_as_is_kept() {
        // Nothing is read or written there, so no page of it is allocated.
        let mut room = vec![0_u8; 65 << 20];
        for (sizes, gone) in
            [(&[24, 40][..], 0), (&[24, 41], 1), (&[8, 8, 40, 40, 24], 3), (&[64], 0), (&[65], 1), (&[], 0)]
        {
            let block = |size: &usize| PinnedMemory::over(&mut room[..*size << 20]);
            let mut unused: Vec<_> = sizes.iter().map(block).collect();
            let freed: Vec<_> = surplus(&mut unused).iter().map(|block| block.size() >> 20).collect();
            assert_eq!((&freed[..], unused.len()), (&sizes[..gone], sizes.len() - gone));
        }
    }
}
