//! Allocations. All memory is host memory, and every allocation is identified by its address.

use std::alloc::Layout;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use level_zero_sys::*;
use parking_lot::{RwLock, RwLockWriteGuard};

use crate::complaints::complain_here;
use crate::config::{HOST_MEMORY, MEMORY};
use crate::entry::Answer;
use crate::line::Line;
use crate::shared_pages;

/// An allocation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allocation {
    pub(crate) kind: ze_memory_type_t,
    pub(crate) size: usize,
    pub(crate) context: usize,
    pub(crate) device: ze_device_handle_t,
    root: u32,
    pub(crate) id: u64,
    pub(crate) origin: Origin,
}

/// The origin of memory, which determines how it is released.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// From this process's allocator.
    Allocated(Layout),
    /// A module's variable, or mapped pages.
    Variable,
    /// The program's own memory, imported temporarily.
    Imported,
    /// The program's own memory, temporarily registered as a host allocation.
    Registered,
    /// Another process's memory, which is also mapped here.
    Opened,
}

impl Allocation {
    /// Returns whether a client has to release it.
    fn is_owed(&self) -> bool {
        matches!(self.origin, Origin::Allocated(_) | Origin::Registered | Origin::Opened)
    }
}

static ALLOCATIONS: Line<RwLock<BTreeMap<usize, Allocation>>> = Line(RwLock::new(BTreeMap::new()));
/// Counts possible changes of the table.
static CHANGES: Line<AtomicU64> = Line(AtomicU64::new(1));
static CREATED: AtomicU64 = AtomicU64::new(0);

/// The content of new and freed memory, so that no test relies on zeros.
const JUNK: u8 = 0xa5;
const JUNK_MOST: usize = 1 << 16;

/// Returns the size of the largest allocation without relaxed limits.
pub(crate) fn max_size() -> u64 {
    MEMORY - 4096
}

/// Returns the bytes of device memory in use on a root device.
pub(crate) fn used(root: u32) -> u64 {
    let on_device = |a: &&Allocation| {
        matches!(a.origin, Origin::Allocated(_)) && a.kind != ZE_MEMORY_TYPE_HOST && a.root == root
    };
    ALLOCATIONS.read().values().filter(on_device).map(|a| a.size as u64).sum()
}

fn change() -> RwLockWriteGuard<'static, BTreeMap<usize, Allocation>> {
    let memory = ALLOCATIONS.write();
    CHANGES.fetch_add(1, Ordering::Release);
    memory
}

/// Returns a number that changes with every allocation or free. While it is the same, earlier look-ups are still
/// valid.
#[inline]
pub(crate) fn changes() -> u64 {
    CHANGES.load(Ordering::Acquire)
}

/// Returns the allocation that contains an address, with its start.
pub(crate) fn find(address: usize) -> Option<(usize, Allocation)> {
    let memory = ALLOCATIONS.read();
    let (start, allocation) = memory.range(..=address).next_back()?;
    (address - start < allocation.size).then_some((*start, *allocation))
}

/// Returns whether the address may be passed to a kernel: inside an allocation, or just after one.
pub(crate) fn reachable(address: usize) -> bool {
    address == 0 || find(address).is_some() || find(address - 1).is_some()
}

/// Returns whether `size` bytes from `address` are unknown, or are all inside one allocation.
pub(crate) fn bounded(address: usize, size: usize) -> bool {
    find(address).is_none_or(|(start, allocation)| {
        (address - start).checked_add(size).is_some_and(|end| end <= allocation.size)
    })
}

/// Fails if `size` bytes from `address` are not inside one allocation.
pub(crate) fn inside(address: usize, size: usize) -> Answer {
    if find(address).is_some() && bounded(address, size) {
        return Ok(());
    }
    complain_here("memory that is no allocation, or goes beyond its end".to_owned());
    Err(ZE_RESULT_ERROR_INVALID_ARGUMENT)
}

/// Returns the number of allocations of a context.
pub(crate) fn of_context(context: usize) -> usize {
    ALLOCATIONS.read().values().filter(|a| a.context == context && a.is_owed()).count()
}

/// Returns the numbers of created and leaked allocations, and the leaked bytes.
pub(crate) fn census() -> (u64, u64, u64) {
    let memory = ALLOCATIONS.read();
    let live = memory.values().filter(|a| a.is_owed());
    let (count, bytes) = live.fold((0, 0), |(count, bytes), a| (count + 1, bytes + a.size as u64));
    (CREATED.load(Ordering::Relaxed), count, bytes)
}

/// Records memory that the client does not release: a module's variable, or mapped pages.
pub(crate) fn add_variable(
    address: usize,
    size: usize,
    context: usize,
    device: ze_device_handle_t,
    root: u32,
) {
    let kind = ZE_MEMORY_TYPE_DEVICE;
    let id = next_id();
    let variable = Allocation { kind, size, context, device, root, id, origin: Origin::Variable };
    change().insert(address, variable);
}

/// Removes such memory.
pub(crate) fn remove_variable(address: usize) {
    change().remove(&address);
}

/// Imports a program's memory as host memory. It belongs to no context, and thus to every one.
pub(crate) fn import(address: usize, size: usize) {
    let (kind, device, id) = (ZE_MEMORY_TYPE_HOST, ze_device_handle_t::NULL, next_id());
    let imported = Allocation { kind, size, context: 0, device, root: 0, id, origin: Origin::Imported };
    change().insert(address, imported);
}

/// Undoes an import. Returns whether the memory was imported.
pub(crate) fn release(address: usize) -> bool {
    let mut memory = change();
    let imported = memory.get(&address).is_some_and(|a| a.origin == Origin::Imported);
    imported && memory.remove(&address).is_some()
}

/// Registers pages of the program as a host allocation, which `free` ends.
pub(crate) fn register(address: usize, size: usize, context: usize) -> Answer {
    let mut memory = change();
    let before = memory.range(..address.saturating_add(size)).next_back();
    if before.is_some_and(|(start, other)| start + other.size > address) {
        complain_here("a part of the memory is an allocation already".to_owned());
        return Err(ZE_RESULT_ERROR_INVALID_ARGUMENT);
    }
    let (kind, device, id) = (ZE_MEMORY_TYPE_HOST, ze_device_handle_t::NULL, next_id());
    CREATED.fetch_add(1, Ordering::Relaxed);
    let origin = Origin::Registered;
    memory.insert(address, Allocation { kind, size, context, device, root: 0, id, origin });
    Ok(())
}

/// Records another process's memory, which is mapped here.
pub(crate) fn add_opened(address: usize, size: usize, context: usize, device: ze_device_handle_t, root: u32) {
    let (kind, id) = (ZE_MEMORY_TYPE_DEVICE, next_id());
    CREATED.fetch_add(1, Ordering::Relaxed);
    let opened = Allocation { kind, size, context, device, root, id, origin: Origin::Opened };
    change().insert(address, opened);
}

/// Removes such memory, and returns its size.
pub(crate) fn remove_opened(address: usize) -> Option<usize> {
    let mut memory = change();
    memory.get(&address).filter(|a| a.origin == Origin::Opened)?;
    memory.remove(&address).map(|opened| opened.size)
}

fn next_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Allocates memory of a size other than 0, on a root device unless it is host memory.
pub(crate) fn allocate(
    kind: ze_memory_type_t,
    layout: Layout,
    context: usize,
    device: ze_device_handle_t,
    root: u32,
) -> Answer<*mut u8> {
    let size = layout.size();
    // The last page is not shared with other allocations.
    let layout = layout.pad_to_align();
    if kind != ZE_MEMORY_TYPE_HOST && used(root) + size as u64 > MEMORY {
        return Err(ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    }
    // Drivers pin host memory. Otherwise a system may provide more than it has.
    if size as u64 > HOST_MEMORY {
        return Err(ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    }
    // SAFETY: the size is not 0.
    let memory = unsafe { std::alloc::alloc(layout) };
    if memory.is_null() {
        return Err(ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    }
    // SAFETY: just allocated with at least this length.
    unsafe { memory.write_bytes(JUNK, size.min(JUNK_MOST)) };
    let id = next_id();
    CREATED.fetch_add(1, Ordering::Relaxed);
    let allocation = Allocation { kind, size, context, device, root, id, origin: Origin::Allocated(layout) };
    change().insert(memory.expose_provenance(), allocation);
    Ok(memory)
}

/// Frees the allocation of a context that starts at `start`.
pub(crate) fn free(context: usize, start: *mut u8) -> Answer {
    let mut memory = change();
    let can_be_freed = |a: &Allocation| matches!(a.origin, Origin::Allocated(_) | Origin::Registered);
    let Some(allocation) = memory.get(&start.addr()).copied().filter(can_be_freed) else {
        complain_here("no allocation starts here: freed already, or never allocated".to_owned());
        return Err(ZE_RESULT_ERROR_INVALID_ARGUMENT);
    };
    if allocation.context != context {
        complain_here("the allocation is of another context".to_owned());
        return Err(ZE_RESULT_ERROR_INVALID_ARGUMENT);
    }
    memory.remove(&start.addr());
    drop(memory);
    let Origin::Allocated(layout) = allocation.origin else { return Ok(()) };
    // Another process keeps what it has opened. These pages belong to the allocator again.
    shared_pages::end(start.addr())?;
    // SAFETY: allocated with this layout, and just removed from the map, so that nothing else frees it.
    unsafe {
        start.write_bytes(JUNK, allocation.size.min(JUNK_MOST));
        std::alloc::dealloc(start, layout);
    }
    Ok(())
}
