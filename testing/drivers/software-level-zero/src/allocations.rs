//! Allocations: all memory is the host's, and every allocation is known by its address.

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

/// Where memory came from, and so who ends it how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// From this process's allocator.
    Allocated(Layout),
    /// A module's variable.
    Variable,
    /// The program's own, known to the driver for a while.
    Imported,
    /// The program's own, a host allocation for a while.
    Registered,
    /// Another process's, mapped here too.
    Opened,
}

impl Allocation {
    /// Whether a client has to end it.
    fn is_owed(&self) -> bool {
        matches!(self.origin, Origin::Allocated(_) | Origin::Registered | Origin::Opened)
    }
}

static ALLOCATIONS: Line<RwLock<BTreeMap<usize, Allocation>>> = Line(RwLock::new(BTreeMap::new()));
/// How often that may have changed.
static CHANGES: Line<AtomicU64> = Line(AtomicU64::new(1));
static CREATED: AtomicU64 = AtomicU64::new(0);

/// What fresh and freed memory holds, so that nobody relies on zeros.
const JUNK: u8 = 0xa5;
const JUNK_MOST: usize = 1 << 16;

/// The largest allocation without relaxed limits.
pub(crate) fn max_size() -> u64 {
    MEMORY - 4096
}

/// Bytes of device memory in use on a root device.
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

/// A number that is another one once something was allocated or freed: as long as it is the same, what was looked up before
/// is so still.
#[inline]
pub(crate) fn changes() -> u64 {
    CHANGES.load(Ordering::Acquire)
}

/// The allocation that an address is in, with its start.
pub(crate) fn find(address: usize) -> Option<(usize, Allocation)> {
    let memory = ALLOCATIONS.read();
    let (start, allocation) = memory.range(..=address).next_back()?;
    (address - start < allocation.size).then_some((*start, *allocation))
}

/// Whether a kernel may be given the address: inside an allocation, or just behind one.
pub(crate) fn reachable(address: usize) -> bool {
    address == 0 || find(address).is_some() || find(address - 1).is_some()
}

/// Whether `size` bytes from `address` are not known, or are all inside one allocation.
pub(crate) fn bounded(address: usize, size: usize) -> bool {
    find(address).is_none_or(|(start, allocation)| {
        (address - start).checked_add(size).is_some_and(|end| end <= allocation.size)
    })
}

/// An error where `size` bytes from `address` are not inside one allocation.
pub(crate) fn inside(address: usize, size: usize) -> Answer {
    if find(address).is_some() && bounded(address, size) {
        return Ok(());
    }
    complain_here("memory that is no allocation, or goes beyond its end".to_owned());
    Err(ZE_RESULT_ERROR_INVALID_ARGUMENT)
}

/// How many allocations a context has.
pub(crate) fn of_context(context: usize) -> usize {
    ALLOCATIONS.read().values().filter(|a| a.context == context && a.is_owed()).count()
}

/// Created, leaked, leaked bytes.
pub(crate) fn census() -> (u64, u64, u64) {
    let memory = ALLOCATIONS.read();
    let live = memory.values().filter(|a| a.is_owed());
    let (count, bytes) = live.fold((0, 0), |(count, bytes), a| (count + 1, bytes + a.size as u64));
    (CREATED.load(Ordering::Relaxed), count, bytes)
}

/// Makes a module's variable known.
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

/// Forgets a module's variable.
pub(crate) fn remove_variable(address: usize) {
    change().remove(&address);
}

/// Makes a program's memory host memory. It is of no context, so of every one.
pub(crate) fn import(address: usize, size: usize) {
    let (kind, device, id) = (ZE_MEMORY_TYPE_HOST, ze_device_handle_t::NULL, next_id());
    let imported = Allocation { kind, size, context: 0, device, root: 0, id, origin: Origin::Imported };
    change().insert(address, imported);
}

/// Takes that back; whether it was imported.
pub(crate) fn release(address: usize) -> bool {
    let mut memory = change();
    let imported = memory.get(&address).is_some_and(|a| a.origin == Origin::Imported);
    imported && memory.remove(&address).is_some()
}

/// Makes pages of the program's a host allocation, which `free` ends.
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

/// Makes another process's memory known, which is mapped here.
pub(crate) fn add_opened(address: usize, size: usize, context: usize, device: ze_device_handle_t, root: u32) {
    let (kind, id) = (ZE_MEMORY_TYPE_DEVICE, next_id());
    CREATED.fetch_add(1, Ordering::Relaxed);
    let opened = Allocation { kind, size, context, device, root, id, origin: Origin::Opened };
    change().insert(address, opened);
}

/// Forgets such memory, and gives its size.
pub(crate) fn remove_opened(address: usize) -> Option<usize> {
    let mut memory = change();
    memory.get(&address).filter(|a| a.origin == Origin::Opened)?;
    memory.remove(&address).map(|opened| opened.size)
}

fn next_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Allocates memory of a size that is not 0, on a root device for all but host memory.
pub(crate) fn allocate(
    kind: ze_memory_type_t,
    layout: Layout,
    context: usize,
    device: ze_device_handle_t,
    root: u32,
) -> Answer<*mut u8> {
    let size = layout.size();
    // Its last page is its own.
    let layout = layout.pad_to_align();
    if kind != ZE_MEMORY_TYPE_HOST && used(root) + size as u64 > MEMORY {
        return Err(ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    }
    // Drivers pin host memory. Without that, a system may promise more than it has.
    if size as u64 > HOST_MEMORY {
        return Err(ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    }
    // SAFETY: the size is not 0.
    let memory = unsafe { std::alloc::alloc(layout) };
    if memory.is_null() {
        return Err(ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    }
    // SAFETY: just allocated, that long at least.
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
    // Another process keeps what it has open; these pages are the allocator's again.
    shared_pages::end(start.addr())?;
    // SAFETY: allocated with this layout; just taken out of the map, so by nobody else.
    unsafe {
        start.write_bytes(JUNK, allocation.size.min(JUNK_MOST));
        std::alloc::dealloc(start, layout);
    }
    Ok(())
}
