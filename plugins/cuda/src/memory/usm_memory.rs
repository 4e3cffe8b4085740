//! Device and host memory of USM.
//!
//! The driver's free waits for the device, and its allocation takes as long as a small kernel. Array libraries allocate
//! and free temporary memory in every call, so freed memory is kept for the next allocation of its size class.
//! Addresses are unique in the process, so one table serves all contexts.

use std::collections::BTreeMap;
use std::thread::sleep;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use sycl_pi_backend::types::{ErrorCode, UsmType};
use sycl_pi_backend::{Error, Result};

use crate::memory::freed_memory::{Block, FreedMemory, UsmSource, class_of};
use crate::sys::{CUcontext, CUdeviceptr, DriverHandle, cuda, make_current};

/// The maximum number of bytes of freed host memory that a context keeps.
pub(crate) const MOST_FREED_HOST_BYTES: usize = 1 << 30;

/// Successive waits in milliseconds for the program to free memory. The allocation fails if nothing is freed during all
/// of them, and no command runs that may use the memory.
const PAUSES: [u64; 8] = [0, 1, 2, 5, 10, 20, 50, 100];
/// An allocation fails after this time, even if the program keeps freeing memory.
const MOST_PATIENCE: Duration = Duration::from_secs(10);

static TABLE: Mutex<Option<UsmTable>> = Mutex::new(None);

#[derive(Default)]
struct UsmTable {
    /// Allocations by start address.
    used: BTreeMap<CUdeviceptr, UsmAllocation>,
    freed: FreedMemory,
    /// The number of frees so far.
    frees: u64,
}

/// A program's allocation.
#[derive(Clone, Copy)]
pub(crate) struct UsmAllocation {
    pub(crate) block: Block,
    /// The number of bytes that the program requested.
    pub(crate) size: usize,
}

impl Block {
    /// Returns the block to the driver.
    fn release(self) -> Result<()> {
        let _current = make_current(self.source.context)?;
        match self.source.kind {
            UsmType::HOST => {
                cuda()?.cuMemFreeHost(std::ptr::with_exposed_provenance_mut(self.start as usize))
            }
            _ => cuda()?.cuMemFree_v2(self.start),
        }
    }
}

/// Allocates memory: freed memory of the same source, or memory that `by_driver` allocates for a given number of bytes.
/// When the allocation is freed, it is kept. `has_work` returns whether commands run in the context.
pub(crate) fn allocate(
    source: UsmSource,
    size: usize,
    by_driver: impl Fn(usize) -> Result<CUdeviceptr>,
    has_work: impl Fn() -> bool,
) -> Result<CUdeviceptr> {
    let class = class_of(size);
    if let Some(start) = use_again(source, class, size) {
        return Ok(start);
    }
    let start = match make_room(|| by_driver(class)) {
        Err(error) if is_short(&error) && source.kind == UsmType::DEVICE => {
            after_frees(source.context, class, error, by_driver, has_work)?
        }
        answer => answer?,
    };
    let allocation = UsmAllocation { block: Block { start, class, source }, size };
    TABLE.lock().get_or_insert_default().used.insert(start, allocation);
    Ok(start)
}

fn use_again(source: UsmSource, class: usize, size: usize) -> Option<CUdeviceptr> {
    let mut table = TABLE.lock();
    let UsmTable { used, freed, .. } = table.get_or_insert_default();
    let block = freed.take(source, class)?;
    used.insert(block.start, UsmAllocation { block, size });
    Some(block.start)
}

/// Frees an allocation, which is kept for the next one of its class. Returns false if it is not in this table.
pub(crate) fn free(start: CUdeviceptr) -> Result<bool> {
    let surplus = {
        let mut table = TABLE.lock();
        let UsmTable { used, freed, frees } = table.get_or_insert_default();
        let Some(allocation) = used.remove(&start) else {
            if freed.contains(start) {
                return Err(Error::invalid_value(format!("ptr {start:#x} is freed already")));
            }
            return Ok(false);
        };
        *frees += 1;
        freed.put(allocation.block)
    };
    surplus.into_iter().try_for_each(Block::release)?;
    Ok(true)
}

/// Returns whether an address is in freed memory, which callers must not see.
pub(crate) fn is_freed(address: CUdeviceptr) -> bool {
    TABLE.lock().as_ref().is_some_and(|table| table.freed.contains(address))
}

/// Returns the allocation in this table that contains an address.
pub(crate) fn allocation_at(address: CUdeviceptr) -> Option<UsmAllocation> {
    let table = TABLE.lock();
    let (&start, allocation) = table.as_ref()?.used.range(..=address).next_back()?;
    (address - start < allocation.block.class as u64).then_some(*allocation)
}

/// Calls the driver for memory. If there is too little, frees the kept memory and tries once more.
pub(crate) fn make_room<T>(by_driver: impl Fn() -> Result<T>) -> Result<T> {
    match by_driver() {
        Err(error) if is_short(&error) && release_freed(None) => by_driver(),
        answer => answer,
    }
}

fn is_short(error: &Error) -> bool {
    error.code() == ErrorCode::OUT_OF_RESOURCES
}

/// Tries again as long as the program keeps freeing memory, or commands run after which it may free some. `error` is the
/// result of the first try.
///
/// Programs that run ahead of the device hold the memory of commands that have not run. This function does not wait in
/// the driver for the commands themselves, because they may wait for an event that the calling thread is about to
/// complete.
fn after_frees(
    context: DriverHandle<CUcontext>,
    class: usize,
    error: Error,
    by_driver: impl Fn(usize) -> Result<CUdeviceptr>,
    has_work: impl Fn() -> bool,
) -> Result<CUdeviceptr> {
    let mut answer = Err(error);
    let mut frees = frees();
    if held_in(context) < class {
        // Whatever the program frees, it cannot be enough.
        return answer;
    }
    let begin = Instant::now();
    let (mut pauses, mut had_work) = (PAUSES.iter(), has_work());
    while answer.as_ref().is_err_and(is_short) && begin.elapsed() < MOST_PATIENCE {
        let Some(&pause) = pauses.next() else {
            if !had_work {
                break;
            }
            // The program has all pauses after the end of the work.
            (pauses, had_work) = (PAUSES.iter(), has_work());
            continue;
        };
        sleep(Duration::from_millis(pause));
        let now = self::frees();
        if frees != now {
            (frees, pauses, had_work) = (now, PAUSES.iter(), has_work());
            release_freed(None);
            answer = by_driver(class);
        }
    }
    answer
}

/// Returns the number of frees so far.
fn frees() -> u64 {
    TABLE.lock().as_ref().map_or(0, |table| table.frees)
}

/// Returns the number of bytes that the program holds in a context.
fn held_in(context: DriverHandle<CUcontext>) -> usize {
    let table = TABLE.lock();
    let all = table.iter().flat_map(|table| table.used.values());
    all.filter(|one| one.block.source.context == context).map(|one| one.block.class).sum()
}

/// Removes the memory of a CUDA context that is about to be destroyed with it.
pub(crate) fn forget(context: DriverHandle<CUcontext>) {
    if let Some(table) = &mut *TABLE.lock() {
        table.used.retain(|_, allocation| allocation.block.source.context != context);
    }
}

/// Returns the freed memory of a context, or of all contexts, to the driver. Returns whether there was any.
pub(crate) fn release_freed(context: Option<DriverHandle<CUcontext>>) -> bool {
    let released = match &mut *TABLE.lock() {
        Some(table) => table.freed.take_all(context),
        None => return false,
    };
    for block in &released {
        if let Err(error) = block.release() {
            log::warn!("freed memory is not given back: {error}");
        }
    }
    !released.is_empty()
}
