//! Memory: allocation, release, queries.

use std::alloc::Layout;
use std::ffi::c_void;

use level_zero_sys::*;

use crate::caller::{chained, desc, read, update, write, write_if};
use crate::complaints::complain_here;
use crate::entry::{Answer, driver_calls};
use crate::object::context::context;
use crate::object::device::device;
use crate::shared_pages::{self, PAGE};
use crate::{allocations, faults, requests};

struct Request {
    /// The flags for the device and for the host.
    flags: [u32; 2],
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
    if size == 0 || (size as u64 > allocations::max_size() && !request.relaxed) {
        return Err(ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
    }
    if alignment != 0 && !alignment.is_power_of_two() || alignment > 1 << 21 {
        return Err(ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT);
    }
    // Device memory consists of whole pages, which another process can map.
    let whole_pages = kind == ZE_MEMORY_TYPE_DEVICE || size >= PAGE;
    let layout = Layout::from_size_align(size, alignment.max(if whole_pages { PAGE } else { 64 }))
        .map_err(|_| ZE_RESULT_ERROR_UNSUPPORTED_SIZE)?;
    let memory = allocations::allocate(kind, layout, context, request.device, root)?;
    let [of_device, of_host] = request.flags;
    requests::record(format!("size {size} alignment {alignment} flags {of_device} {of_host}"));
    write(out, memory.cast())
}

/// Registers pages of the program as a host allocation.
fn register(
    hContext: ze_context_handle_t,
    pages: &ze_external_memmap_sysmem_ext_desc_t,
    size: usize,
    out: *mut *mut c_void,
) -> Answer {
    let context = context(hContext)?.handle;
    faults::alive()?;
    let start = pages.pSystemMemory.expose_provenance();
    let whole = start.is_multiple_of(PAGE) && size.is_multiple_of(PAGE) && size as u64 == pages.size;
    if start == 0 || size == 0 || !whole {
        complain_here(format!("{size} bytes from {start:#x} on are not whole pages"));
        return Err(ZE_RESULT_ERROR_INVALID_ARGUMENT);
    }
    allocations::register(start, size, context)?;
    write(out, pages.pSystemMemory)
}

fn free(hContext: ze_context_handle_t, ptr: *mut c_void) -> Answer {
    let context = context(hContext)?.handle;
    if ptr.is_null() {
        return Err(ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    }
    allocations::free(context, ptr.cast())
}

fn is_relaxed(device_desc: &ze_device_mem_alloc_desc_t) -> bool {
    chained::<ze_relaxed_allocation_limits_exp_desc_t>(
        device_desc.pNext,
        ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXP_DESC,
    )
    .and_then(|relaxed| read(relaxed.cast_const()).ok())
    .is_some_and(|relaxed| relaxed.flags & ZE_RELAXED_ALLOCATION_LIMITS_EXP_FLAG_MAX_SIZE != 0)
}

/// Fails unless the kinds are those in which memory is exported here, which are those of Intel's driver on Linux.
fn check_export(kinds: ze_external_memory_type_flags_t) -> Answer {
    if kinds == ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF {
        return Ok(());
    }
    complain_here(format!("memory is not exported as {kinds:#x}"));
    Err(ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION)
}

/// Fills a request for a descriptor in a chain of properties.
fn export(next: *const c_void, address: usize) -> Answer {
    let wanted: Option<*mut ze_external_memory_export_fd_t> =
        chained(next, ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD);
    let Some(wanted) = wanted else { return Ok(()) };
    check_export(read(wanted.cast_const())?.flags)?;
    let fd = shared_pages::export(address).inspect_err(|_| {
        complain_here("no memory that was allocated to be exported starts here".to_owned());
    })?;
    update(wanted, |wanted| wanted.fd = fd)
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
        let asked = desc(device_desc)?;
        let export: Option<*mut ze_external_memory_export_desc_t> =
            chained(asked.pNext, ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC);
        if let Some(export) = export {
            check_export(read(export.cast_const())?.flags)?;
        }
        let (kind, context, device) = (ZE_MEMORY_TYPE_DEVICE, hContext, hDevice);
        let (relaxed, flags) = (is_relaxed(&asked), [asked.flags, 0]);
        allocate(&Request { flags, kind, context, device, size, alignment, relaxed }, pptr)?;
        if export.is_none() {
            return Ok(());
        }
        let start = read(pptr)?;
        shared_pages::make_exportable(start.addr(), size).inspect_err(|_| _ = free(hContext, start))
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
        let (asked, of_host) = (desc(device_desc)?, desc(host_desc)?);
        let (relaxed, flags) = (is_relaxed(&asked), [asked.flags, of_host.flags]);
        let (kind, context, device) = (ZE_MEMORY_TYPE_SHARED, hContext, hDevice);
        allocate(&Request { flags, kind, context, device, size, alignment, relaxed }, pptr)
    }

    fn zeMemAllocHost(
        hContext: ze_context_handle_t,
        host_desc: *const ze_host_mem_alloc_desc_t,
        size: usize,
        alignment: usize,
        pptr: *mut *mut c_void,
    ) {
        let asked = desc(host_desc)?;
        let pages = chained::<ze_external_memmap_sysmem_ext_desc_t>(
            asked.pNext,
            ZE_STRUCTURE_TYPE_EXTERNAL_MEMMAP_SYSMEM_EXT_DESC,
        );
        if let Some(pages) = pages {
            return register(hContext, &read(pages.cast_const())?, size, pptr);
        }
        let (kind, context, device) = (ZE_MEMORY_TYPE_HOST, hContext, ze_device_handle_t::NULL);
        let flags = [0, asked.flags];
        allocate(&Request { flags, kind, context, device, size, alignment, relaxed: true }, pptr)
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
        let found = allocations::find(ptr.addr()).map(|(_, a)| a).filter(|a| a.context == context || a.context == 0);
        write_if(phDevice, found.map_or(ze_device_handle_t::NULL, |a| a.device));
        update(pMemAllocProperties, |properties| {
            properties.r#type = found.map_or(ZE_MEMORY_TYPE_UNKNOWN, |a| a.kind);
            properties.id = found.map_or(0, |a| a.id);
            properties.pageSize = if found.is_some() { 4096 } else { 0 };
        })?;
        export(read(pMemAllocProperties)?.pNext, ptr.addr())
    }

    fn zeMemGetAddressRange(
        hContext: ze_context_handle_t,
        ptr: *const c_void,
        pBase: *mut *mut c_void,
        pSize: *mut usize,
    ) {
        context(hContext)?;
        let (start, allocation) = allocations::find(ptr.addr()).ok_or(ZE_RESULT_ERROR_UNKNOWN)?;
        write_if(pBase, std::ptr::with_exposed_provenance_mut(start));
        write_if(pSize, allocation.size);
        Ok(())
    }
}
