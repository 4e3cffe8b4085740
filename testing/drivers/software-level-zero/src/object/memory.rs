//! Memory: all of it is the host's, and all of it is known.

use std::alloc::Layout;
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering};

use level_zero_sys::*;
use parking_lot::{RwLock, RwLockWriteGuard};

use crate::caller::{chained, desc, read, update, write, write_if};
use crate::config::config;
use crate::entry::{Answer, driver_calls};
use crate::faults;
use crate::line::Line;
use crate::object::context::context;
use crate::object::device::device;
use crate::report::complain_here;

/// An allocation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allocation {
    pub(crate) kind: ze_memory_type_t,
    pub(crate) size: usize,
    context: usize,
    device: ze_device_handle_t,
    root: u32,
    id: u64,
    /// How to give it back; `None` for a module's variable and for imported memory.
    layout: Option<Layout>,
}

static MEMORY: Line<RwLock<BTreeMap<usize, Allocation>>> = Line(RwLock::new(BTreeMap::new()));
/// How often that may have changed.
static CHANGES: Line<AtomicU64> = Line(AtomicU64::new(1));
static CREATED: AtomicU64 = AtomicU64::new(0);

/// What fresh and freed memory holds, so that nobody relies on zeros.
const JUNK: u8 = 0xa5;
const JUNK_MOST: usize = 1 << 16;

/// The largest allocation without relaxed limits.
pub(crate) fn max_size() -> u64 {
    config().memory.min(4 << 30) - 4096
}

/// Bytes of device memory in use on a root device.
pub(crate) fn used(root: u32) -> u64 {
    let on_device = |a: &&Allocation| a.layout.is_some() && a.kind != ZE_MEMORY_TYPE_HOST && a.root == root;
    MEMORY.read().values().filter(on_device).map(|a| a.size as u64).sum()
}

fn change() -> RwLockWriteGuard<'static, BTreeMap<usize, Allocation>> {
    let memory = MEMORY.write();
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
    let memory = MEMORY.read();
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
    MEMORY.read().values().filter(|a| a.context == context && a.layout.is_some()).count()
}

/// Created, leaked, leaked bytes.
pub(crate) fn census() -> (u64, u64, u64) {
    let memory = MEMORY.read();
    let live = memory.values().filter(|a| a.layout.is_some());
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
    change().insert(address, Allocation { kind, size, context, device, root, id, layout: None });
}

/// Forgets a module's variable.
pub(crate) fn remove_variable(address: usize) {
    change().remove(&address);
}

/// Makes a program's memory host memory. It is of no context, so of every one.
pub(crate) fn import(address: usize, size: usize) {
    let (kind, device, id) = (ZE_MEMORY_TYPE_HOST, ze_device_handle_t::NULL, next_id());
    let imported = Allocation { kind, size, context: 0, device, root: 0, id, layout: None };
    change().insert(address, imported);
}

/// Takes that back; whether it was imported.
pub(crate) fn release(address: usize) -> bool {
    let mut memory = change();
    let imported = memory.get(&address).is_some_and(|a| a.layout.is_none() && a.kind == ZE_MEMORY_TYPE_HOST);
    imported && memory.remove(&address).is_some()
}

fn next_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

struct Request {
    kind: ze_memory_type_t,
    context: ze_context_handle_t,
    device: ze_device_handle_t,
    size: usize,
    alignment: usize,
    relaxed: bool,
}

fn allocate(request: &Request, out: *mut *mut c_void) -> Answer {
    let Request { kind, size, alignment, .. } = *request;
    let context = context(request.context)?.handle;
    faults::alive()?;
    let root = match kind {
        ZE_MEMORY_TYPE_DEVICE => device(request.device)?.root,
        _ if request.device.is_null() => 0,
        _ => device(request.device)?.root,
    };
    if out.is_null() {
        return Err(ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    }
    if size == 0 || (size as u64 > max_size() && !request.relaxed) {
        return Err(ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
    }
    if alignment != 0 && !alignment.is_power_of_two() || alignment > 1 << 21 {
        return Err(ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT);
    }
    if kind != ZE_MEMORY_TYPE_HOST && used(root) + size as u64 > config().memory {
        return Err(ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    }
    let page = if size >= 4096 { 4096 } else { 64 };
    let layout =
        Layout::from_size_align(size, alignment.max(page)).map_err(|_| ZE_RESULT_ERROR_UNSUPPORTED_SIZE)?;
    // SAFETY: the size is not 0.
    let memory = unsafe { std::alloc::alloc(layout) };
    if memory.is_null() {
        return Err(ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    }
    // SAFETY: just allocated, that long at least.
    unsafe { memory.write_bytes(JUNK, size.min(JUNK_MOST)) };
    let id = next_id();
    CREATED.fetch_add(1, Ordering::Relaxed);
    let allocation =
        Allocation { kind, size, context, device: request.device, root, id, layout: Some(layout) };
    change().insert(memory.expose_provenance(), allocation);
    write(out, memory.cast())
}

fn free(hContext: ze_context_handle_t, ptr: *mut c_void) -> Answer {
    let context = context(hContext)?.handle;
    if ptr.is_null() {
        return Err(ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    }
    let mut memory = change();
    let Some(allocation) = memory.get(&ptr.addr()).copied().filter(|a| a.layout.is_some()) else {
        complain_here("no allocation starts here: freed already, or never allocated".to_owned());
        return Err(ZE_RESULT_ERROR_INVALID_ARGUMENT);
    };
    if allocation.context != context {
        complain_here("the allocation is of another context".to_owned());
        return Err(ZE_RESULT_ERROR_INVALID_ARGUMENT);
    }
    memory.remove(&ptr.addr());
    drop(memory);
    if let Some(layout) = allocation.layout {
        // SAFETY: allocated with this layout; just taken out of the map, so by nobody else.
        unsafe {
            ptr.cast::<u8>().write_bytes(JUNK, allocation.size.min(JUNK_MOST));
            std::alloc::dealloc(ptr.cast(), layout);
        }
    }
    Ok(())
}

fn is_relaxed(device_desc: &ze_device_mem_alloc_desc_t) -> bool {
    chained::<ze_relaxed_allocation_limits_exp_desc_t>(
        device_desc.pNext,
        ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXP_DESC,
    )
    .and_then(|relaxed| read(relaxed.cast_const()).ok())
    .is_some_and(|relaxed| relaxed.flags & ZE_RELAXED_ALLOCATION_LIMITS_EXP_FLAG_MAX_SIZE != 0)
}

driver_calls! {
    fn zeMemAllocDevice(
        hContext: ze_context_handle_t,
        device_desc: *const ze_device_mem_alloc_desc_t,
        size: usize,
        alignment: usize,
        hDevice: ze_device_handle_t,
        pptr: *mut *mut c_void,
    ) {
        let relaxed = is_relaxed(&desc(device_desc)?);
        let (kind, context, device) = (ZE_MEMORY_TYPE_DEVICE, hContext, hDevice);
        allocate(&Request { kind, context, device, size, alignment, relaxed }, pptr)
    }

    fn zeMemAllocShared(
        hContext: ze_context_handle_t,
        device_desc: *const ze_device_mem_alloc_desc_t,
        host_desc: *const ze_host_mem_alloc_desc_t,
        size: usize,
        alignment: usize,
        hDevice: ze_device_handle_t,
        pptr: *mut *mut c_void,
    ) {
        let relaxed = is_relaxed(&desc(device_desc)?);
        desc(host_desc)?;
        let (kind, context, device) = (ZE_MEMORY_TYPE_SHARED, hContext, hDevice);
        allocate(&Request { kind, context, device, size, alignment, relaxed }, pptr)
    }

    fn zeMemAllocHost(
        hContext: ze_context_handle_t,
        host_desc: *const ze_host_mem_alloc_desc_t,
        size: usize,
        alignment: usize,
        pptr: *mut *mut c_void,
    ) {
        desc(host_desc)?;
        let (kind, context, device) = (ZE_MEMORY_TYPE_HOST, hContext, ze_device_handle_t::NULL);
        allocate(&Request { kind, context, device, size, alignment, relaxed: true }, pptr)
    }

    fn zeMemFree(hContext: ze_context_handle_t, ptr: *mut c_void) {
        free(hContext, ptr)
    }

    fn zeMemFreeExt(
        hContext: ze_context_handle_t,
        pMemFreeDesc: *const ze_memory_free_ext_desc_t,
        ptr: *mut c_void,
    ) {
        read(pMemFreeDesc)?;
        free(hContext, ptr)
    }

    fn zeMemGetAllocProperties(
        hContext: ze_context_handle_t,
        ptr: *const c_void,
        pMemAllocProperties: *mut ze_memory_allocation_properties_t,
        phDevice: *mut ze_device_handle_t,
    ) {
        let context = context(hContext)?.handle;
        if ptr.is_null() {
            return Err(ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        let found = find(ptr.addr()).map(|(_, a)| a).filter(|a| a.context == context || a.context == 0);
        write_if(phDevice, found.map_or(ze_device_handle_t::NULL, |a| a.device));
        update(pMemAllocProperties, |properties| {
            properties.r#type = found.map_or(ZE_MEMORY_TYPE_UNKNOWN, |a| a.kind);
            properties.id = found.map_or(0, |a| a.id);
            properties.pageSize = if found.is_some() { 4096 } else { 0 };
        })
    }

    fn zeMemGetAddressRange(
        hContext: ze_context_handle_t,
        ptr: *const c_void,
        pBase: *mut *mut c_void,
        pSize: *mut usize,
    ) {
        context(hContext)?;
        let (start, allocation) = find(ptr.addr()).ok_or(ZE_RESULT_ERROR_UNKNOWN)?;
        write_if(pBase, std::ptr::with_exposed_provenance_mut(start));
        write_if(pSize, allocation.size);
        Ok(())
    }
}
