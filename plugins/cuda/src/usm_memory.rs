//! Device and host memory of USM: what is allocated, and what was freed and is kept for the next allocation of its size.
//!
//! The driver's free waits for the device, and its allocation takes as long as a small kernel. Array libraries allocate and
//! free temporary memory in every call, so freed memory is worth keeping. Addresses are unique in the process, so one table
//! serves all contexts.

use std::collections::HashMap;

use parking_lot::Mutex;
use sycl_pi_backend::types::{ErrorCode, UsmType};
use sycl_pi_backend::{Error, Result};

use crate::sys::{CUcontext, CUdeviceptr, DriverHandle, cuda, make_current};

/// Freed allocations of a context and kind that are kept at most.
const MOST_FREED: usize = 64;
/// Bytes of freed allocations of the host, of a context, that are kept at most.
pub(crate) const MOST_FREED_HOST_BYTES: usize = 1 << 30;

static TABLE: Mutex<Option<UsmTable>> = Mutex::new(None);

#[derive(Default)]
struct UsmTable {
    used: HashMap<CUdeviceptr, UsmAllocation>,
    /// The oldest first.
    freed: Vec<UsmAllocation>,
}

/// An allocation of the driver's.
#[derive(Clone, Copy)]
struct UsmAllocation {
    start: CUdeviceptr,
    size: usize,
    /// Device or host memory.
    kind: UsmType,
    context: DriverHandle<CUcontext>,
    /// How many bytes of this context and kind are kept at most once they are freed.
    most_freed: usize,
}

impl UsmAllocation {
    fn release(self) -> Result<()> {
        let _current = make_current(self.context)?;
        match self.kind {
            UsmType::HOST => {
                cuda()?.cuMemFreeHost(std::ptr::with_exposed_provenance_mut(self.start as usize))
            }
            _ => cuda()?.cuMemFree_v2(self.start),
        }
    }
}

/// Memory of this kind and size: freed memory of the context, or what `by_driver` allocates. The context is current. When it is freed, it
/// is kept unless more than `most_freed` bytes of the context and kind are.
pub(crate) fn allocate(
    context: DriverHandle<CUcontext>,
    kind: UsmType,
    size: usize,
    most_freed: usize,
    by_driver: impl Fn() -> Result<CUdeviceptr>,
) -> Result<CUdeviceptr> {
    let fits = |freed: &UsmAllocation| freed.size == size && freed.kind == kind && freed.context == context;
    let kept = {
        let mut table = TABLE.lock();
        let table = table.get_or_insert_default();
        let newest = table.freed.iter().rposition(fits);
        newest.map(|index| table.freed.remove(index).start)
    };
    let start = kept.map_or_else(|| make_room(by_driver), Ok)?;
    let allocation = UsmAllocation { start, size, kind, context, most_freed };
    TABLE.lock().get_or_insert_default().used.insert(start, allocation);
    Ok(start)
}

/// Frees an allocation, which is kept for the next one of its size. False if it is not of this table.
pub(crate) fn free(start: CUdeviceptr) -> Result<bool> {
    let surplus: Vec<UsmAllocation> = {
        let mut table = TABLE.lock();
        let UsmTable { used, freed } = table.get_or_insert_default();
        let Some(allocation) = used.remove(&start) else {
            if freed.iter().any(|freed| freed.start == start) {
                return Err(Error::invalid_value(format!("ptr {start:#x} is freed already")));
            }
            return Ok(false);
        };
        freed.push(allocation);
        let mut surplus = Vec::new();
        while let Some(oldest) = oldest_surplus(freed, &allocation) {
            surplus.push(freed.remove(oldest));
        }
        surplus
    };
    surplus.into_iter().try_for_each(UsmAllocation::release)?;
    Ok(true)
}

/// The oldest freed allocation of the context and kind of this one, if there are more than are kept.
fn oldest_surplus(freed: &[UsmAllocation], newest: &UsmAllocation) -> Option<usize> {
    let is_alike = |freed: &UsmAllocation| freed.context == newest.context && freed.kind == newest.kind;
    let sizes = || freed.iter().filter(|freed| is_alike(freed)).map(|freed| freed.size);
    let too_many = sizes().count() > MOST_FREED || sizes().sum::<usize>() > newest.most_freed;
    if too_many { freed.iter().position(is_alike) } else { None }
}

/// Whether an address is in freed memory, which callers must not see.
pub(crate) fn is_freed(address: CUdeviceptr) -> bool {
    let holds = |freed: &UsmAllocation| address.wrapping_sub(freed.start) < freed.size as CUdeviceptr;
    TABLE.lock().as_ref().is_some_and(|table| table.freed.iter().any(holds))
}

/// Calls for memory of the driver's, and once more without freed memory if there is too little.
pub(crate) fn make_room<T>(by_driver: impl Fn() -> Result<T>) -> Result<T> {
    match by_driver() {
        Err(error) if error.code() == ErrorCode::OUT_OF_RESOURCES && release_freed(|_| true) => by_driver(),
        answer => answer,
    }
}

/// Forgets the memory of a context that ends, and gives its freed memory to the driver.
pub(crate) fn forget(context: DriverHandle<CUcontext>) {
    release_freed(|freed| freed.context == context);
    if let Some(table) = &mut *TABLE.lock() {
        table.used.retain(|_, allocation| allocation.context != context);
    }
}

/// Gives freed memory to the driver; whether there was any.
fn release_freed(which: impl Fn(&UsmAllocation) -> bool) -> bool {
    let released: Vec<UsmAllocation> = match &mut *TABLE.lock() {
        Some(table) => table.freed.extract_if(.., |freed| which(freed)).collect(),
        None => return false,
    };
    for allocation in &released {
        if let Err(error) = allocation.release() {
            log::warn!("freed memory is not given back: {error}");
        }
    }
    !released.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn freed(context: usize, kind: UsmType, size: usize) -> UsmAllocation {
        let context = DriverHandle::new(std::ptr::without_provenance_mut(context));
        UsmAllocation { start: 0, size, kind, context, most_freed: 1000 }
    }

    /// How many are kept, and how many bytes: one test at each limit, one beyond it, and others' memory does not count.
    #[test]
    fn the_oldest_of_the_same_context_and_kind_goes_where_there_are_too_many() {
        let own = |size| freed(1, UsmType::DEVICE, size);
        let others =
            [freed(2, UsmType::DEVICE, 900), freed(1, UsmType::HOST, 900), freed(2, UsmType::HOST, 900)];
        for (list, expected) in [
            (vec![], None),
            (vec![own(500), own(500)], None),
            (vec![own(500), own(501)], Some(3)),
            (vec![own(1); MOST_FREED], None),
            (vec![own(1); MOST_FREED + 1], Some(3)),
        ] {
            let all = [&others[..], &list].concat();
            assert_eq!(oldest_surplus(&all, &own(1)), expected, "{} of its own", list.len());
        }
        assert_eq!(MOST_FREED_HOST_BYTES, 1_073_741_824);
    }
}
