//! The allocator behind USM and buffers. Small blocks are cut from slabs, per device and kind; large ones are allocated
//! by the driver.
//!
//! It knows every allocation of its context, so queries about an address and invalid frees cost no driver call. A slab
//! whose blocks are all free is freed, unless it is the last one of its size.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::ptr::{from_ref, null, null_mut};
use std::sync::Arc;

use parking_lot::Mutex;
use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Error, Result};

use super::allocation::{Allocation, MemoryLocation};
use super::context::DriverContext;
use super::registered_memory::RegisteredMemory;
use crate::sys::{Address, log_failure, ze, *};

/// Blocks up to this size come from slabs.
const LARGEST_BLOCK: usize = 2 << 20;
/// Above this size, a slab is a single block, kept for reuse.
const LARGEST_SHARING: usize = 256 << 10;
const SMALLEST_BLOCK: usize = 64;
const SMALLEST_SLAB: usize = 64 << 10;
/// The minimum number of blocks in a slab, which applies to large blocks.
const FEWEST_BLOCKS: usize = 8;
/// Level Zero guarantees no larger alignment.
pub(crate) const LARGEST_ALIGNMENT: usize = 64 << 10;

/// An allocation request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AllocationRequest {
    pub(crate) location: MemoryLocation,
    pub(crate) size: usize,
    /// The alignment: a power of two, or 0.
    pub(crate) alignment: usize,
    pub(crate) device_flags: ze_device_mem_alloc_flags_t,
    pub(crate) host_flags: ze_host_mem_alloc_flags_t,
    /// The type of handle that the memory can be exported as; 0 for none.
    pub(crate) exported_as: ze_external_memory_type_flags_t,
}

impl AllocationRequest {
    pub(crate) fn new(location: MemoryLocation, size: usize) -> Self {
        Self { location, size, alignment: 0, device_flags: 0, host_flags: 0, exported_as: 0 }
    }
}

/// A driver's allocation.
struct DriverAllocation {
    size: usize,
    location: MemoryLocation,
    exported_as: ze_external_memory_type_flags_t,
    slab: Option<Slab>,
}

/// Blocks of one size.
struct Slab {
    block: usize,
    free: Vec<u32>,
    /// Whether each block is allocated.
    used: Vec<bool>,
}

#[derive(Default)]
struct Allocations {
    driver_allocations: BTreeMap<usize, DriverAllocation>,
    /// Start addresses of slabs with free blocks, by location and block size.
    open: HashMap<(MemoryLocation, usize), Vec<usize>>,
}

/// The memory of a context.
pub(crate) struct UsmPool {
    allocations: Mutex<Allocations>,
    devices: Vec<ze_device_handle_t>,
    /// The memory that the program registered.
    pub(crate) registered: RegisteredMemory,
    /// Last field, because memory must be freed before its context.
    context: Arc<DriverContext>,
}

impl UsmPool {
    /// Creates a pool for these devices.
    pub(crate) fn new(context: Arc<DriverContext>, devices: Vec<ze_device_handle_t>) -> Self {
        let registered = RegisteredMemory::new(context.clone());
        Self { allocations: Mutex::default(), devices, registered, context }
    }

    /// Allocates memory of at least the requested size.
    pub(crate) fn allocate(&self, request: AllocationRequest) -> Result<Address> {
        let block = request.size.max(request.alignment).max(SMALLEST_BLOCK);
        let AllocationRequest { location, size, exported_as, .. } = request;
        let plain = request.device_flags == 0 && request.host_flags == 0 && exported_as == 0;
        if !plain || block > LARGEST_BLOCK {
            let start = self.allocate_by_driver(request)?;
            let allocation = DriverAllocation { size, location, exported_as, slab: None };
            self.allocations.lock().driver_allocations.insert(start.number(), allocation);
            return Ok(start);
        }
        let (block, slab_size) = sizes(block);
        let mut allocations = self.allocations.lock();
        let Allocations { driver_allocations, open } = &mut *allocations;
        let open = open.entry((request.location, block)).or_default();
        if open.is_empty() {
            let size = slab_size;
            let alignment = block.next_power_of_two().min(LARGEST_ALIGNMENT);
            let start = self.allocate_by_driver(AllocationRequest { size, alignment, ..request })?;
            let blocks = size / block;
            let slab = Slab { block, free: (0..blocks as u32).rev().collect(), used: vec![false; blocks] };
            driver_allocations
                .insert(start.number(), DriverAllocation { size, location, exported_as, slab: Some(slab) });
            open.push(start.number());
        }
        let taken = open.last().copied().and_then(|start| {
            let slab = driver_allocations.get_mut(&start)?.slab.as_mut()?;
            let index = slab.free.pop()? as usize;
            slab.used[index] = true;
            if slab.free.is_empty() {
                open.pop();
            }
            Some(Address::from_number(start + index * block))
        });
        taken.ok_or_else(|| Error::new(ErrorCode::OUT_OF_RESOURCES, "no block in an open slab"))
    }

    /// Frees memory. Refuses an address that is not the start of an allocation.
    pub(crate) fn free(&self, address: Address) -> Result<()> {
        let at = address.number();
        let mut allocations = self.allocations.lock();
        let Allocations { driver_allocations, open } = &mut *allocations;
        let holds = driver_allocations
            .range_mut(..=at)
            .next_back()
            .filter(|(start, allocation)| at - **start < allocation.size);
        let Some((start, allocation)) = holds else {
            drop(allocations);
            return self.free_foreign(address);
        };
        let (start, location) = (*start, allocation.location);
        let Some(slab) = &mut allocation.slab else {
            if start != at {
                return Err(not_a_start(at, start));
            }
            if allocation.exported_as != 0 {
                return Err(Error::invalid_value(format!(
                    "ptr {at:#x} is exportable memory, which has a free of its own"
                )));
            }
            driver_allocations.remove(&start);
            drop(allocations);
            return ze()?.zeMemFree(self.context.ze, address.get());
        };
        let (index, rest) = ((at - start) / slab.block, (at - start) % slab.block);
        if rest != 0 {
            return Err(not_a_start(at, at - rest));
        }
        if !std::mem::replace(&mut slab.used[index], false) {
            return Err(Error::invalid_value(format!("ptr {at:#x} is freed already")));
        }
        slab.free.push(index as u32);
        let (free, all, block) = (slab.free.len(), slab.used.len(), slab.block);
        let open = open.entry((location, block)).or_default();
        if free == 1 {
            open.push(start);
        }
        if free == all && open.len() > 1 {
            open.retain(|slab| *slab != start);
            driver_allocations.remove(&start);
            drop(allocations);
            return ze()?.zeMemFree(self.context.ze, Address::from_number(start).get());
        }
        Ok(())
    }

    /// Returns the handle types that the exportable memory at a start address supports.
    pub(crate) fn exported_as(&self, start: Address) -> Result<ze_external_memory_type_flags_t> {
        let allocations = self.allocations.lock();
        match allocations.driver_allocations.get(&start.number()) {
            Some(allocation) if allocation.exported_as != 0 => Ok(allocation.exported_as),
            _ => Err(not_exportable(start)),
        }
    }

    /// Frees exportable memory.
    pub(crate) fn free_exportable(&self, start: Address) -> Result<()> {
        let mut allocations = self.allocations.lock();
        match allocations.driver_allocations.entry(start.number()) {
            Entry::Occupied(allocation) if allocation.get().exported_as != 0 => drop(allocation.remove()),
            _ => return Err(not_exportable(start)),
        }
        drop(allocations);
        ze()?.zeMemFree(self.context.ze, start.get())
    }

    /// Returns the allocation or the registered memory that contains an address.
    pub(crate) fn find(&self, address: Address) -> Option<Allocation> {
        self.find_allocated(address).or_else(|| self.registered.find(address))
    }

    /// Returns whether an address is in memory that the pool has from the driver, whether or not it is allocated.
    pub(crate) fn contains(&self, address: Address) -> bool {
        let at = address.number();
        let allocations = self.allocations.lock();
        let before = allocations.driver_allocations.range(..=at).next_back();
        before.is_some_and(|(start, allocation)| at - start < allocation.size)
    }

    /// Returns the allocation that contains an address. Free blocks of slabs do not count.
    fn find_allocated(&self, address: Address) -> Option<Allocation> {
        let at = address.number();
        let allocations = self.allocations.lock();
        let (start, allocation) = allocations
            .driver_allocations
            .range(..=at)
            .next_back()
            .filter(|(start, allocation)| at - **start < allocation.size)?;
        match &allocation.slab {
            None => Some(Allocation { base: *start, size: allocation.size, location: allocation.location }),
            Some(slab) => {
                let index = (at - start) / slab.block;
                slab.used[index].then(|| Allocation {
                    base: start + index * slab.block,
                    size: slab.block,
                    location: allocation.location,
                })
            }
        }
    }

    /// Frees memory that the pool did not allocate. The driver is queried whether it belongs to this context.
    #[cold]
    fn free_foreign(&self, address: Address) -> Result<()> {
        if self.registered.find(address).is_some() {
            let at = address.number();
            return Err(Error::invalid_value(format!(
                "ptr {at:#x} is registered memory, which is not freed"
            )));
        }
        let ze = ze()?;
        let mut properties = ze_memory_allocation_properties_t::default();
        let mut device = ze_device_handle_t::NULL;
        ze.zeMemGetAllocProperties(self.context.ze, address.get(), &mut properties, &mut device)?;
        if properties.r#type == ZE_MEMORY_TYPE_UNKNOWN {
            let at = address.number();
            return Err(Error::invalid_value(format!("ptr {at:#x} is not a USM allocation of this context")));
        }
        ze.zeMemFree(self.context.ze, address.get())
    }

    /// Allocates memory from the driver. The driver's "too large" is reported to the caller as a lack of memory.
    fn allocate_by_driver(&self, request: AllocationRequest) -> Result<Address> {
        let ze = ze()?;
        let AllocationRequest { location, size, alignment, device_flags, host_flags, exported_as } = request;
        let export =
            ze_external_memory_export_desc_t { flags: exported_as, pNext: null(), ..Default::default() };
        let more = if exported_as == 0 { null() } else { from_ref(&export).cast() };
        let device_desc =
            ze_device_mem_alloc_desc_t { flags: device_flags, pNext: more, ..Default::default() };
        let host_desc = ze_host_mem_alloc_desc_t { flags: host_flags, pNext: null(), ..Default::default() };
        let (context, mut start) = (self.context.ze, null_mut());
        let out = &mut start;
        match location {
            MemoryLocation::Host => ze.zeMemAllocHost(context, &host_desc, size, alignment, out),
            MemoryLocation::Device(device) => {
                ze.zeMemAllocDevice(context, &device_desc, size, alignment, device, out)
            }
            MemoryLocation::Shared(device) => {
                ze.zeMemAllocShared(context, &device_desc, &host_desc, size, alignment, device, out)
            }
        }
        .map_err(|error| {
            let error = match error.code() {
                ErrorCode::INVALID_BUFFER_SIZE => error.with_code(ErrorCode::OUT_OF_RESOURCES),
                _ => error,
            };
            error.context(format!("{size} bytes"))
        })?;
        if start.is_null() {
            return Err(Error::new(
                ErrorCode::OUT_OF_RESOURCES,
                format!("the driver gave no memory for {size} bytes"),
            ));
        }
        if let MemoryLocation::Device(device) = location {
            self.make_resident_on_peers(device, start, size);
        }
        Ok(Address::new(start))
    }

    /// Makes the memory resident on the other devices of the context that can access it, so that their commands may use
    /// it.
    fn make_resident_on_peers(&self, owner: ze_device_handle_t, start: *mut std::ffi::c_void, size: usize) {
        for device in self.devices.iter().copied().filter(|device| *device != owner) {
            let reach = || -> Result<bool> {
                let mut can = 0;
                ze()?.zeDeviceCanAccessPeer(device, owner, &mut can)?;
                Ok(can != 0)
            };
            if reach().unwrap_or(false) {
                let context = self.context.ze;
                log_failure(ze().and_then(|ze| ze.zeContextMakeMemoryResident(context, device, start, size)));
            }
        }
    }
}

impl Drop for UsmPool {
    fn drop(&mut self) {
        let Ok(ze) = ze() else { return };
        for start in self.allocations.get_mut().driver_allocations.keys() {
            log_failure(ze.zeMemFree(self.context.ze, Address::from_number(*start).get()));
        }
    }
}

/// Returns the size of the block to allocate and that of its slab. Large blocks waste at most a quarter.
fn sizes(asked: usize) -> (usize, usize) {
    if asked <= LARGEST_SHARING {
        let block = asked.next_power_of_two();
        return (block, SMALLEST_SLAB.max(block * FEWEST_BLOCKS));
    }
    let step = asked.next_power_of_two() / 8;
    let block = asked.next_multiple_of(step);
    (block, block)
}

#[cold]
fn not_a_start(at: usize, start: usize) -> Error {
    Error::invalid_value(format!("ptr {at:#x} is not the start of an allocation; {start:#x} is"))
}

#[cold]
fn not_exportable(start: Address) -> Error {
    let at = start.number();
    Error::invalid_value(format!("pMem {at:#x} is not the start of exportable memory"))
}

/// Memory of the backend itself, freed on drop.
pub(crate) struct UsmBlock {
    pub(crate) address: Address,
    pool: Arc<UsmPool>,
}

impl UsmBlock {
    pub(crate) fn new(pool: &Arc<UsmPool>, request: AllocationRequest) -> Result<Self> {
        Ok(Self { address: pool.allocate(request)?, pool: pool.clone() })
    }
}

impl Drop for UsmBlock {
    fn drop(&mut self) {
        log_failure(self.pool.free(self.address));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_hold_what_was_asked_and_fill_their_slab() {
        for asked in [64, 65, 4096, 100_000, LARGEST_SHARING, LARGEST_SHARING + 1, 1 << 20, LARGEST_BLOCK] {
            let (block, slab) = sizes(asked);
            assert!(block >= asked && slab % block == 0, "{asked}: {block} of {slab}");
            assert!(block <= asked.next_power_of_two(), "{asked}: {block}");
            if asked > LARGEST_SHARING {
                assert!(block - asked <= asked / 4 && slab == block, "{asked}: {block}");
            }
        }
    }
}
