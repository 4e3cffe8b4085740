//! Freed memory that is kept for the next allocation of the same size class.

use std::collections::{BTreeMap, HashMap, VecDeque};

use sycl_pi_backend::types::UsmType;

use crate::sys::{CUcontext, CUdeviceptr, DriverHandle};

/// The maximum number of blocks in a pool.
const MOST_BLOCKS: usize = 1024;

/// A block allocated by the driver, with room for an allocation of its class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Block {
    pub(crate) start: CUdeviceptr,
    /// The block's size in bytes, which is that of its class.
    pub(crate) class: usize,
    pub(crate) source: UsmSource,
}

/// Where a block comes from, and thus where it is kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct UsmSource {
    pub(crate) context: DriverHandle<CUcontext>,
    /// The ordinal of the context's device.
    pub(crate) ordinal: i32,
    /// Device or host memory.
    pub(crate) kind: UsmType,
    /// The maximum number of bytes that its pool keeps.
    pub(crate) most_kept: usize,
}

/// The context and kind that a pool belongs to.
type PoolKey = (usize, UsmType);

fn pool_of(source: UsmSource) -> PoolKey {
    (source.context.addr(), source.kind)
}

/// All freed blocks.
#[derive(Default)]
pub(crate) struct FreedMemory {
    pools: HashMap<PoolKey, Pool>,
    /// The class of each block, by its start address.
    starts: BTreeMap<CUdeviceptr, usize>,
    /// The number of blocks that were freed, which identifies the oldest one.
    clock: u64,
}

/// Blocks by class, each with the time at which it was freed, oldest first.
#[derive(Default)]
struct Pool {
    classes: HashMap<usize, VecDeque<(u64, Block)>>,
    count: usize,
    bytes: usize,
}

/// Returns the number of bytes that the driver allocates for a request of `size`: at most an eighth more, and at most 2
/// MiB more.
pub(crate) fn class_of(size: usize) -> usize {
    const SMALLEST: usize = 512;
    const LARGEST_STEP: usize = 2 << 20;
    // There is a class for each eighth of a power of two.
    let step = (size.max(1).ilog2() as usize).saturating_sub(3);
    let step = (1 << step).clamp(SMALLEST, LARGEST_STEP);
    size.checked_next_multiple_of(step).unwrap_or(size)
}

impl FreedMemory {
    /// Takes the newest block of a class, because its memory is the most likely to be in a cache.
    pub(crate) fn take(&mut self, source: UsmSource, class: usize) -> Option<Block> {
        let pool = self.pools.get_mut(&pool_of(source))?;
        let (_, block) = pool.classes.get_mut(&class)?.pop_back()?;
        pool.count -= 1;
        pool.bytes -= class;
        self.starts.remove(&block.start);
        Some(block)
    }

    /// Keeps a block, and returns the surplus blocks, oldest first.
    pub(crate) fn put(&mut self, block: Block) -> Vec<Block> {
        self.clock += 1;
        self.starts.insert(block.start, block.class);
        let pool = self.pools.entry(pool_of(block.source)).or_default();
        pool.classes.entry(block.class).or_default().push_back((self.clock, block));
        pool.count += 1;
        pool.bytes = pool.bytes.saturating_add(block.class);
        let mut surplus = Vec::new();
        while pool.count > MOST_BLOCKS || pool.bytes > block.source.most_kept {
            let Some(oldest) = pool.take_oldest() else { break };
            self.starts.remove(&oldest.start);
            surplus.push(oldest);
        }
        surplus
    }

    /// Returns whether an address is in a freed block.
    pub(crate) fn contains(&self, address: CUdeviceptr) -> bool {
        let before = self.starts.range(..=address).next_back();
        before.is_some_and(|(start, class)| address - start < *class as u64)
    }

    /// Takes all blocks of a context, or all blocks.
    pub(crate) fn take_all(&mut self, context: Option<DriverHandle<CUcontext>>) -> Vec<Block> {
        let is_chosen = |key: &PoolKey| context.is_none_or(|context| context.addr() == key.0);
        let pools = self.pools.extract_if(|key, _| is_chosen(key));
        let blocks: Vec<Block> = pools
            .flat_map(|(_, pool)| pool.classes)
            .flat_map(|(_, blocks)| blocks)
            .map(|(_, block)| block)
            .collect();
        blocks.iter().for_each(|block| {
            self.starts.remove(&block.start);
        });
        blocks
    }
}

impl Pool {
    fn take_oldest(&mut self) -> Option<Block> {
        let oldest = |blocks: &VecDeque<(u64, Block)>| blocks.front().map_or(u64::MAX, |(time, _)| *time);
        let blocks = self.classes.values_mut().min_by_key(|blocks| oldest(blocks))?;
        let (_, block) = blocks.pop_front()?;
        self.count -= 1;
        self.bytes = self.bytes.saturating_sub(block.class);
        Some(block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn context(number: usize) -> DriverHandle<CUcontext> {
        DriverHandle::new(std::ptr::without_provenance_mut(number))
    }

    fn source(of: usize, kind: UsmType, most_kept: usize) -> UsmSource {
        UsmSource { context: context(of), ordinal: 0, kind, most_kept }
    }

    fn block(of: usize, kind: UsmType, start: CUdeviceptr, class: usize) -> Block {
        Block { start, class, source: source(of, kind, 1000) }
    }

    #[test]
    fn a_class_wastes_an_eighth_at_most_and_never_more_than_two_mebibytes() {
        for size in (1..70_000).chain([(1 << 20) + 1, (1 << 30) - 1, (1 << 30) + 1, 60 << 30]) {
            let class = class_of(size);
            let waste = class - size;
            assert!(class >= size && waste < (size / 8).max(512) && waste < 2 << 20, "{size}: {class}");
            assert_eq!(class_of(class), class, "a class has its own size");
        }
        assert_eq!((class_of(0), class_of(1), class_of(512), class_of(513)), (0, 512, 512, 1024));
        assert_eq!(class_of(usize::MAX), usize::MAX);
    }

    #[test]
    fn the_newest_block_of_the_same_context_kind_and_class_is_used_again() {
        let mut freed = FreedMemory::default();
        for (start, of, kind, class) in [
            (0x100, 1, UsmType::DEVICE, 64),
            (0x200, 1, UsmType::DEVICE, 64),
            (0x300, 2, UsmType::DEVICE, 64),
            (0x400, 1, UsmType::HOST, 64),
            (0x500, 1, UsmType::DEVICE, 128),
        ] {
            assert_eq!(freed.put(block(of, kind, start, class)), []);
        }
        let mut take = |of, kind, class| freed.take(source(of, kind, 1000), class).map(|block| block.start);
        assert_eq!(take(1, UsmType::DEVICE, 64), Some(0x200));
        assert_eq!(take(1, UsmType::DEVICE, 64), Some(0x100));
        assert_eq!(take(1, UsmType::DEVICE, 64), None);
        assert_eq!(take(2, UsmType::HOST, 64), None);
        assert_eq!(take(1, UsmType::HOST, 64), Some(0x400));
        assert!(freed.contains(0x33f) && !freed.contains(0x340));
        assert!(!freed.contains(0x200) && freed.contains(0x300) && freed.contains(0x500));
        let of_one: Vec<_> = freed.take_all(Some(context(1))).iter().map(|block| block.start).collect();
        assert_eq!(of_one, [0x500]);
        assert_eq!(freed.take_all(None).len(), 1);
        assert!(!freed.contains(0x300) && !freed.contains(0x500));
    }

    #[test]
    fn the_oldest_blocks_of_a_pool_go_when_it_keeps_too_many_bytes_or_blocks() {
        let mut freed = FreedMemory::default();
        let starts = |blocks: Vec<Block>| blocks.iter().map(|block| block.start).collect::<Vec<_>>();
        assert_eq!(freed.put(block(1, UsmType::HOST, 0x900, 900)), []);
        for (start, class, gone) in [
            (1, 400, &[][..]),
            (2, 500, &[]),
            (3, 100, &[]),
            (4, 100, &[1]),
            (5, 900, &[2, 3]),
            (6, 1001, &[4, 5, 6]),
        ] {
            assert_eq!(starts(freed.put(block(1, UsmType::DEVICE, start, class))), gone, "at {start}");
        }
        assert!(freed.contains(0x900), "memory of another kind stays");
        let mut freed = FreedMemory::default();
        let source = source(1, UsmType::DEVICE, usize::MAX);
        for start in 0..MOST_BLOCKS as CUdeviceptr {
            assert_eq!(freed.put(Block { start, class: 1, source }), []);
        }
        let one_more = Block { start: 0xffff, class: 2, source };
        assert_eq!(starts(freed.put(one_more)), [0]);
    }
}
