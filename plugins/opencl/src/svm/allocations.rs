//! The allocations in shared virtual memory, and what the driver has to be told about them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::RwLock;
use sycl_pi_backend::types::UsmType;

use crate::sys::{self, Context};

/// An allocation of a context. Objects are named by their addresses.
#[derive(Clone, Copy)]
pub(super) struct SvmAllocation {
    pub(super) size: usize,
    pub(super) kind: UsmType,
    pub(super) context: usize,
    pub(super) device: usize,
    pub(super) grain: Grain,
}

/// The shared virtual memory that all devices of a context have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Grain {
    /// The host may use an allocation while it is mapped, and a kernel may use those that it was told.
    Coarse,
    /// The host may always use it, and a kernel may use those that it was told.
    Fine,
    /// The host and kernels may use any memory.
    System,
}

impl Grain {
    /// Returns the finest grain of a device, or of several if the capabilities are those that all have.
    pub(super) fn of(capabilities: u64) -> Option<Self> {
        let has = |capability: u64| capabilities & capability != 0;
        if !has(sys::CL_DEVICE_SVM_FINE_GRAIN_BUFFER) {
            return has(sys::CL_DEVICE_SVM_COARSE_GRAIN_BUFFER).then_some(Self::Coarse);
        }
        Some(if has(sys::CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) { Self::System } else { Self::Fine })
    }
}

impl SvmAllocation {
    /// Returns whether the host must have it mapped.
    pub(super) fn is_mapped(&self) -> bool {
        self.grain == Grain::Coarse && self.kind != UsmType::DEVICE
    }

    /// Returns whether kernels must be told that they use it.
    pub(super) fn is_told(&self) -> bool {
        self.grain < Grain::System
    }
}

/// Allocations by their start address.
static ALLOCATIONS: RwLock<BTreeMap<usize, SvmAllocation>> = RwLock::new(BTreeMap::new());
/// The numbers of allocations that the host must have mapped, and that kernels must be told. On most drivers both are
/// zero, which saves the search for such allocations.
static MAPPED: AtomicUsize = AtomicUsize::new(0);
static TOLD: AtomicUsize = AtomicUsize::new(0);

/// Adds an allocation.
pub(super) fn insert(start: usize, allocation: SvmAllocation) {
    MAPPED.fetch_add(usize::from(allocation.is_mapped()), Ordering::Relaxed);
    TOLD.fetch_add(usize::from(allocation.is_told()), Ordering::Relaxed);
    ALLOCATIONS.write().insert(start, allocation);
}

/// Removes an allocation.
pub(super) fn remove(start: usize) {
    if let Some(allocation) = ALLOCATIONS.write().remove(&start) {
        MAPPED.fetch_sub(usize::from(allocation.is_mapped()), Ordering::Relaxed);
        TOLD.fetch_sub(usize::from(allocation.is_told()), Ordering::Relaxed);
    }
}

/// Returns whether there is memory that the host must have mapped.
#[inline]
pub(super) fn any_mapped() -> bool {
    MAPPED.load(Ordering::Relaxed) != 0
}

/// Returns whether there is memory that kernels must be told.
#[inline]
pub(super) fn any_told() -> bool {
    TOLD.load(Ordering::Relaxed) != 0
}

/// Returns the start and size of each wanted allocation of a context.
pub(super) fn blocks(
    context: &Context,
    is_wanted: impl Fn(usize, &SvmAllocation) -> bool,
) -> Vec<(usize, usize)> {
    let of_context = context.cl().addr();
    let allocations = ALLOCATIONS.read();
    let of_interest =
        allocations.iter().filter(|(start, one)| one.context == of_context && is_wanted(**start, one));
    of_interest.map(|(start, one)| (*start, one.size)).collect()
}

/// Returns the allocation of a context that contains the address, with its start.
pub(super) fn find(context: &Context, address: usize) -> Option<(usize, SvmAllocation)> {
    let allocations = ALLOCATIONS.read();
    let (start, allocation) = allocations.range(..=address).next_back()?;
    let inside = address - start < allocation.size && allocation.context == context.cl().addr();
    inside.then_some((*start, *allocation))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_coarse_memory_of_the_host_is_mapped_and_all_but_that_of_the_system_is_told() {
        let of = |grain, kind| SvmAllocation { size: 1, kind, context: 0, device: 0, grain };
        for kind in [UsmType::HOST, UsmType::SHARED, UsmType::DEVICE] {
            let is_mapped =
                [Grain::Coarse, Grain::Fine, Grain::System].map(|grain| of(grain, kind).is_mapped());
            assert_eq!(is_mapped, [kind != UsmType::DEVICE, false, false], "{kind:?}");
            let is_told = [Grain::Coarse, Grain::Fine, Grain::System].map(|grain| of(grain, kind).is_told());
            assert_eq!(is_told, [true, true, false], "{kind:?}");
        }
    }

    #[test]
    fn kernels_are_told_of_memory_until_the_last_block_goes() {
        let block =
            SvmAllocation { size: 1, kind: UsmType::SHARED, context: 1, device: 0, grain: Grain::Coarse };
        // No other test uses these addresses.
        for start in [0x10, 0x20] {
            insert(start, block);
        }
        remove(0x10);
        assert!(any_told() && any_mapped());
        remove(0x20);
        // An address that is no longer allocated is ignored.
        remove(0x20);
        assert!(!any_told() && !any_mapped());
    }
}
