//! Virtual memory: reserved addresses, and physical memory, whose pages are mapped there.

use std::collections::BTreeMap;
use std::ffi::{c_int, c_void};
use std::fs::File;
use std::os::fd::{AsRawFd, FromRawFd};
use std::sync::Arc;

use level_zero_sys::*;
use parking_lot::Mutex;

use crate::caller::{desc, write};
use crate::complaints::complain_here;
use crate::entry::{Answer, driver_calls};
use crate::object::context::{Context, context};
use crate::object::device::device;
use crate::object::table;
use crate::{allocations, requests};

/// Bytes of a page of memory up to the size of a large page, and of a large page.
const PAGE: usize = 1 << 16;
const LARGE_PAGE: usize = 1 << 21;

/// Physical memory.
pub(crate) struct Physical {
    pages: File,
    size: usize,
    device: ze_device_handle_t,
    root: u32,
    _context: Arc<Context>,
}
table::object!(Physical, 14, "physical memory");

/// Physical memory's pages at addresses.
struct Mapping {
    size: usize,
    access: ze_memory_access_attribute_t,
    _memory: Arc<Physical>,
}

/// The sizes of reserved ranges, by their first address.
static RESERVED: Mutex<BTreeMap<usize, usize>> = Mutex::new(BTreeMap::new());
/// By the first address.
static MAPPED: Mutex<BTreeMap<usize, Mapping>> = Mutex::new(BTreeMap::new());

fn wrong<T>(what: &str) -> Answer<T> {
    complain_here(what.to_owned());
    Err(ZE_RESULT_ERROR_INVALID_ARGUMENT)
}

/// Fails unless the numbers are whole pages, of which there is at least one.
fn whole_pages(size: usize, offset: usize) -> Answer {
    if size != 0 && size.is_multiple_of(PAGE) && offset.is_multiple_of(PAGE) {
        return Ok(());
    }
    complain_here(format!("{size} bytes at offset {offset} are not whole pages"));
    Err(ZE_RESULT_ERROR_UNSUPPORTED_SIZE)
}

fn protection(access: ze_memory_access_attribute_t) -> Answer<c_int> {
    match access {
        ZE_MEMORY_ACCESS_ATTRIBUTE_NONE => Ok(libc::PROT_NONE),
        ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE => Ok(libc::PROT_READ | libc::PROT_WRITE),
        ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY => Ok(libc::PROT_READ),
        _ => Err(ZE_RESULT_ERROR_INVALID_ENUMERATION),
    }
}

/// Maps pages of a file with an access, or reserves addresses without one. `more` are further flags.
fn map(
    start: *const c_void,
    size: usize,
    pages: Option<(&File, usize, c_int)>,
    more: c_int,
) -> Answer<*mut c_void> {
    let (file, offset, access, kind) = match pages {
        Some((file, offset, access)) => (file.as_raw_fd(), offset, access, libc::MAP_SHARED),
        None => (-1, 0, libc::PROT_NONE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE),
    };
    // SAFETY: a new mapping, or one that replaces pages of a reserved range.
    let at = unsafe { libc::mmap(start.cast_mut(), size, access, kind | more, file, offset as i64) };
    if at == libc::MAP_FAILED { Err(ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY) } else { Ok(at) }
}

/// Returns whether a range is a part of a reserved one.
fn is_reserved(start: usize, size: usize) -> bool {
    let reserved = RESERVED.lock();
    let range = reserved.range(..=start).next_back();
    range.is_some_and(|(first, most)| (start - first).checked_add(size).is_some_and(|end| end <= *most))
}

/// Returns whether something is mapped in a range.
fn has_mappings(start: usize, size: usize) -> bool {
    let mapped = MAPPED.lock();
    let before = mapped.range(..start.saturating_add(size)).next_back();
    before.is_some_and(|(first, mapping)| first + mapping.size > start)
}

driver_calls! {
    fn zeVirtualMemQueryPageSize(
        hContext: ze_context_handle_t,
        hDevice: ze_device_handle_t,
        size: usize,
        pagesize: *mut usize,
    ) {
        context(hContext)?;
        device(hDevice)?;
        if size == 0 {
            return Err(ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
        }
        write(pagesize, if size < LARGE_PAGE { PAGE } else { LARGE_PAGE })
    }

    fn zeVirtualMemReserve(
        hContext: ze_context_handle_t,
        pStart: *const c_void,
        size: usize,
        pptr: *mut *mut c_void,
    ) {
        context(hContext)?;
        whole_pages(size, 0)?;
        let start = map(pStart, size, None, 0)?;
        RESERVED.lock().insert(start.expose_provenance(), size);
        write(pptr, start)
    }

    fn zeVirtualMemFree(hContext: ze_context_handle_t, ptr: *const c_void, size: usize) {
        context(hContext)?;
        if RESERVED.lock().get(&ptr.addr()) != Some(&size) {
            return wrong("a range that is not reserved with this size");
        }
        if has_mappings(ptr.addr(), size) {
            return wrong("a range in which memory is mapped");
        }
        RESERVED.lock().remove(&ptr.addr());
        // SAFETY: a range of `zeVirtualMemReserve`.
        match unsafe { libc::munmap(ptr.cast_mut(), size) } {
            0 => Ok(()),
            _ => Err(ZE_RESULT_ERROR_UNKNOWN),
        }
    }

    fn zePhysicalMemCreate(
        hContext: ze_context_handle_t,
        hDevice: ze_device_handle_t,
        from: *mut ze_physical_mem_desc_t,
        phPhysicalMemory: *mut ze_physical_mem_handle_t,
    ) {
        let (context, device) = (context(hContext)?, device(hDevice)?);
        let asked = desc(from.cast_const())?;
        whole_pages(asked.size, 0)?;
        requests::record(format!("device {} size {} flags {}", device.root, asked.size, asked.flags));
        // SAFETY: a name and flags.
        let number = unsafe { libc::memfd_create(c"software-level-zero".as_ptr(), libc::MFD_CLOEXEC) };
        if number < 0 {
            return Err(ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
        }
        // SAFETY: just created, and not owned elsewhere.
        let pages = unsafe { File::from_raw_fd(number) };
        pages.set_len(asked.size as u64).map_err(|_| ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY)?;
        let (size, root) = (asked.size, device.root);
        let memory = Physical { pages, size, device: hDevice, root, _context: context };
        write(phPhysicalMemory, ze_physical_mem_handle_t(table::insert(memory)))
    }

    fn zePhysicalMemDestroy(hContext: ze_context_handle_t, hPhysicalMemory: ze_physical_mem_handle_t) {
        context(hContext)?;
        table::remove::<Physical>(hPhysicalMemory.0).map(drop)
    }

    fn zeVirtualMemMap(
        hContext: ze_context_handle_t,
        ptr: *const c_void,
        size: usize,
        hPhysicalMemory: ze_physical_mem_handle_t,
        offset: usize,
        access: ze_memory_access_attribute_t,
    ) {
        let (context, memory) = (context(hContext)?, table::get::<Physical>(hPhysicalMemory.0)?);
        whole_pages(size, offset)?;
        if !is_reserved(ptr.addr(), size) || has_mappings(ptr.addr(), size) {
            return wrong("a range that is not reserved, or already mapped");
        }
        if offset.checked_add(size).is_none_or(|end| end > memory.size) {
            return wrong("more than the physical memory");
        }
        let start = map(ptr, size, Some((&memory.pages, offset, protection(access)?)), libc::MAP_FIXED)?;
        allocations::add_variable(start.expose_provenance(), size, context.handle, memory.device, memory.root);
        MAPPED.lock().insert(ptr.addr(), Mapping { size, access, _memory: memory });
        Ok(())
    }

    fn zeVirtualMemUnmap(hContext: ze_context_handle_t, ptr: *const c_void, size: usize) {
        context(hContext)?;
        if MAPPED.lock().get(&ptr.addr()).is_none_or(|mapping| mapping.size != size) {
            return wrong("a range that is not mapped with this size");
        }
        map(ptr, size, None, libc::MAP_FIXED)?;
        allocations::remove_variable(ptr.addr());
        MAPPED.lock().remove(&ptr.addr());
        Ok(())
    }

    fn zeVirtualMemSetAccessAttribute(
        hContext: ze_context_handle_t,
        ptr: *const c_void,
        size: usize,
        access: ze_memory_access_attribute_t,
    ) {
        context(hContext)?;
        let protection = protection(access)?;
        let mut mapped = MAPPED.lock();
        let Some(mapping) = mapped.get_mut(&ptr.addr()).filter(|mapping| mapping.size == size) else {
            return wrong("a range that is not mapped with this size");
        };
        // SAFETY: the pages of the mapping.
        if unsafe { libc::mprotect(ptr.cast_mut(), size, protection) } != 0 {
            return Err(ZE_RESULT_ERROR_UNKNOWN);
        }
        mapping.access = access;
        Ok(())
    }

    fn zeVirtualMemGetAccessAttribute(
        hContext: ze_context_handle_t,
        ptr: *const c_void,
        size: usize,
        access: *mut ze_memory_access_attribute_t,
        outSize: *mut usize,
    ) {
        context(hContext)?;
        let mapped = MAPPED.lock();
        let Some(mapping) = mapped.get(&ptr.addr()).filter(|mapping| size <= mapping.size) else {
            return wrong("a range that is not mapped with this size");
        };
        write(access, mapping.access)?;
        write(outSize, mapping.size)
    }
}
