//! Pools of unified shared memory.
//!
//! A pool returns allocations of the backend and counts them. Freed blocks stay in the pool up to its release
//! threshold, which is 0 until a caller sets it. They serve later requests of the same kind, size and alignment.
#![expect(unsafe_code, reason = "the caller's pointers and handles")]

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::ptr::{NonNull, with_exposed_provenance_mut};
use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;
use sycl_pi_backend::types::{ErrorCode, UsmType};
use sycl_pi_backend::{Backend, Blocks, Counted, CountedKind, Dependencies, Error, Result, Shared, view};
use sycl_ur_core::*;

use crate::handle::Reference;
use crate::own_queue::in_own_queue;

/// A USM pool of a context.
pub(crate) struct Pool<B: Backend> {
    pub context: Shared<Reference<B::Context>>,
    /// The maximum size of the pool in bytes; `None` for no limit.
    pub limit: Option<usize>,
    /// Whether blocks are filled with zeros when they are allocated.
    pub zeroes: bool,
    state: Mutex<PoolState>,
}

/// Blocks and counts of a pool.
#[derive(Clone, Default)]
struct PoolState {
    counts: Counts,
    /// Unused blocks, oldest first.
    kept: Vec<(BlockKind, usize)>,
}

/// Byte counts of a pool.
#[derive(Clone, Copy, Default)]
pub(crate) struct Counts {
    /// The number of unused bytes that the pool may keep.
    pub threshold: usize,
    /// Bytes allocated to callers, and their peak.
    pub used: usize,
    pub used_high: usize,
    /// Bytes allocated to callers or kept by the pool, and their peak.
    pub reserved: usize,
    pub reserved_high: usize,
}

/// The requests that a block can serve.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct BlockKind {
    /// Host, device or shared memory.
    pub usm: UsmType,
    /// The handle of the device, or 0 for none.
    pub device: usize,
    /// Size in bytes.
    pub size: usize,
    /// The requested alignment.
    pub alignment: u32,
}

/// Allocated blocks by address, with the handle of their pool and their kind.
static IN_USE: Mutex<BTreeMap<usize, (usize, BlockKind)>> = Mutex::new(BTreeMap::new());
/// The number of entries. While it is 0, the map is not searched.
static IN_USE_COUNT: AtomicUsize = AtomicUsize::new(0);

// SAFETY: each library has one backend, and therefore one such kind.
unsafe impl<B: Backend> CountedKind for Pool<B> {
    type Raw = ur_usm_pool_handle_t_;
    const INVALID: ErrorCode = ErrorCode::INVALID_VALUE;
    const NAME: &'static str = "USM pool";

    fn blocks() -> &'static Blocks {
        static BLOCKS: Blocks = Blocks::new();
        &BLOCKS
    }
}

impl<B: Backend> Pool<B> {
    /// Creates an empty pool.
    pub(crate) fn new(context: Shared<Reference<B::Context>>, limit: Option<usize>, zeroes: bool) -> Self {
        Self { context, limit, zeroes, state: Mutex::default() }
    }

    /// Returns the pool's counts.
    pub(crate) fn counts(&self) -> Counts {
        self.state.lock().counts
    }

    /// Resets the peak of used bytes, or of reserved bytes, to the current value.
    pub(crate) fn reset_high(&self, of_use: bool) {
        let counts = &mut self.state.lock().counts;
        if of_use {
            counts.used_high = counts.used;
        } else {
            counts.reserved_high = counts.reserved;
        }
    }

    /// Sets the number of unused bytes that the pool may keep.
    pub(crate) fn set_threshold(&self, threshold: usize) -> Result<()> {
        self.state.lock().counts.threshold = threshold;
        self.trim(threshold)
    }

    /// Allocates a block that the pool has kept, or else one that `make` returns.
    pub(crate) fn allocate(
        this: &Counted<Self>, kind: BlockKind, device: Option<&B::Device>,
        make: impl FnOnce() -> Result<NonNull<c_void>>,
    ) -> Result<*mut c_void> {
        let kept = this.state.lock().take_kept(kind);
        let block = match kept {
            Some(block) => block,
            None => this.allocate_new(kind, make)?,
        };
        let address = with_exposed_provenance_mut::<c_void>(block);
        if this.zeroes {
            let zeroed = in_own_queue::<B>(&this.context, device, |queue| {
                B::enqueue_usm_memset(queue, address, 0, kind.size, Dependencies::none())
            });
            zeroed.inspect_err(|_| this.give_back(kind, block))?;
        }
        this.retain();
        IN_USE.lock().insert(block, (this.handle().expose_provenance(), kind));
        IN_USE_COUNT.fetch_add(1, Ordering::Release);
        Ok(address)
    }

    fn allocate_new(&self, kind: BlockKind, make: impl FnOnce() -> Result<NonNull<c_void>>) -> Result<usize> {
        let reserved = self.state.lock().counts.reserved;
        if let Some(limit) = self.limit.filter(|limit| reserved.saturating_add(kind.size) > *limit) {
            // Freeing the unused blocks makes room.
            self.trim(0)?;
            let reserved = self.state.lock().counts.reserved;
            if reserved.saturating_add(kind.size) > limit {
                let text = format!("the pool has {reserved} of {limit} bytes; {} more do not fit", kind.size);
                return Err(Error::new(ErrorCode::OUT_OF_RESOURCES, text));
            }
        }
        let block = make()?.expose_provenance().get();
        let counts = &mut self.state.lock().counts;
        counts.reserved += kind.size;
        counts.reserved_high = counts.reserved_high.max(counts.reserved);
        counts.use_more(kind.size);
        Ok(block)
    }

    /// Takes back a block that is no longer in use.
    fn give_back(&self, kind: BlockKind, block: usize) {
        let threshold = {
            let mut state = self.state.lock();
            state.counts.used = state.counts.used.saturating_sub(kind.size);
            state.kept.push((kind, block));
            state.counts.threshold
        };
        if let Err(error) = self.trim(threshold) {
            log::warn!("a USM pool cannot free a block: {error}");
        }
    }

    /// Frees unused blocks, oldest first, until at most `keep` bytes of them are left.
    pub(crate) fn trim(&self, keep: usize) -> Result<()> {
        let surplus = self.state.lock().take_surplus(keep);
        let free = |block: usize| match NonNull::new(with_exposed_provenance_mut(block)) {
            Some(block) => B::usm_free(&self.context, block),
            None => Ok(()),
        };
        surplus.into_iter().map(free).fold(Ok(()), Result::and)
    }
}

impl<B: Backend> Drop for Pool<B> {
    fn drop(&mut self) {
        if let Err(error) = self.trim(0) {
            log::warn!("a USM pool cannot free its blocks: {error}");
        }
    }
}

impl Counts {
    fn use_more(&mut self, size: usize) {
        self.used += size;
        self.used_high = self.used_high.max(self.used);
    }
}

impl PoolState {
    /// Takes the most recently kept block of the given kind.
    fn take_kept(&mut self, kind: BlockKind) -> Option<usize> {
        let place = self.kept.iter().rposition(|(kept, _)| *kept == kind)?;
        let (_, block) = self.kept.remove(place);
        self.counts.use_more(kind.size);
        Some(block)
    }

    /// Takes the blocks that must be freed so that at most `keep` bytes are kept.
    fn take_surplus(&mut self, keep: usize) -> Vec<usize> {
        let mut kept: usize = self.kept.iter().map(|(kind, _)| kind.size).sum();
        let mut surplus = 0;
        while kept > keep && surplus < self.kept.len() {
            kept -= self.kept[surplus].0.size;
            surplus += 1;
        }
        let surplus: Vec<_> = self.kept.drain(..surplus).collect();
        let freed: usize = surplus.iter().map(|(kind, _)| kind.size).sum();
        self.counts.reserved = self.counts.reserved.saturating_sub(freed);
        surplus.into_iter().map(|(_, block)| block).collect()
    }
}

/// Returns the handle of the pool that a block belongs to, or null if it belongs to none.
pub(crate) fn pool_of(address: *const c_void) -> ur_usm_pool_handle_t {
    if IN_USE_COUNT.load(Ordering::Acquire) == 0 {
        return std::ptr::null_mut();
    }
    let in_use = IN_USE.lock();
    let below = in_use.range(..=address.addr()).next_back();
    let pool = below.filter(|(start, (_, kind))| address.addr() - **start < kind.size.max(1));
    pool.map_or(std::ptr::null_mut(), |(_, (pool, _))| with_exposed_provenance_mut(*pool))
}

/// Returns a block to its pool. Returns false if it belongs to no pool.
pub(crate) fn free<B: Backend>(address: *mut c_void) -> Result<bool> {
    if IN_USE_COUNT.load(Ordering::Acquire) == 0 {
        return Ok(false);
    }
    let Some((pool, kind)) = IN_USE.lock().remove(&address.addr()) else { return Ok(false) };
    IN_USE_COUNT.fetch_sub(1, Ordering::Release);
    // SAFETY: the block holds a reference to its pool, so the handle is live.
    let pool = unsafe { view::object::<Counted<Pool<B>>>(with_exposed_provenance_mut(pool), "the pool")? };
    pool.give_back(kind, address.expose_provenance());
    // SAFETY: this is the block's reference, which no other code releases because the block was removed from the table.
    unsafe { pool.release() };
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: BlockKind = BlockKind { usm: UsmType::HOST, device: 0, size: 64, alignment: 0 };

    fn keeping(blocks: &[usize]) -> PoolState {
        let size = blocks.len() * KIND.size;
        let counts = Counts { reserved: size, reserved_high: size, ..Counts::default() };
        PoolState { counts, kept: blocks.iter().map(|block| (KIND, *block)).collect() }
    }

    #[test]
    fn a_kept_block_serves_requests_of_its_kind_only() {
        let mut pool = keeping(&[1, 2]);
        assert_eq!(pool.take_kept(BlockKind { size: 65, ..KIND }), None);
        assert_eq!(pool.take_kept(BlockKind { usm: UsmType::DEVICE, ..KIND }), None);
        assert_eq!(pool.take_kept(BlockKind { device: 1, ..KIND }), None);
        assert_eq!(pool.take_kept(KIND), Some(2));
        assert_eq!((pool.counts.used, pool.counts.reserved), (64, 128));
    }

    #[test]
    fn the_oldest_blocks_go_until_the_rest_is_within_the_threshold() {
        let mut pool = keeping(&[1, 2, 3]);
        assert_eq!(pool.take_surplus(64), [1, 2]);
        assert_eq!((pool.counts.reserved, pool.counts.reserved_high), (64, 192));
        assert_eq!(pool.take_surplus(64), [0_usize; 0]);
    }
}
