//! Virtual memory: reserved addresses, and memory files that are mapped there. Another process gets the file.

use std::collections::BTreeMap;
use std::ffi::{c_int, c_ulonglong, c_void};
use std::os::fd::{AsRawFd, FromRawFd, IntoRawFd, OwnedFd};
use std::ptr::null_mut;
use std::sync::Mutex;

use cudarc::driver::sys::*;

use crate::{
    Code, INVALID_DEVICE, INVALID_VALUE, OUT_OF_MEMORY, context, entries, faults, lock, memory, put, stream,
};

/// The granularity of sizes and addresses.
const GRANULARITY: usize = 2 << 20;
const NOT_SUPPORTED: Code = 801;
/// The type of handle for other processes: a file descriptor.
const FILE_DESCRIPTOR: u32 = 1;

/// Physical memory.
struct Physical {
    file: OwnedFd,
    size: usize,
    device: c_int,
    exportable: bool,
}

/// Physical memory at an address, with the access of kernels.
struct Mapping {
    size: usize,
    access: u64,
}

#[derive(Default)]
struct Table {
    next: u64,
    physical: BTreeMap<u64, Physical>,
    reserved: BTreeMap<usize, usize>,
    mapped: BTreeMap<usize, Mapping>,
}

static TABLE: Mutex<Table> = Mutex::new(Table {
    next: 0,
    physical: BTreeMap::new(),
    reserved: BTreeMap::new(),
    mapped: BTreeMap::new(),
});

impl Table {
    fn add(&mut self, physical: Physical) -> u64 {
        self.next += 1;
        self.physical.insert(self.next, physical);
        faults::live(1);
        self.next
    }

    /// Returns the starts of the mappings that fill a range.
    fn filling(&self, start: usize, size: usize) -> Result<Vec<usize>, Code> {
        let inside: Vec<_> = self.mapped.range(start..start.saturating_add(size)).collect();
        let sum: usize = inside.iter().map(|(_, mapping)| mapping.size).sum();
        if size == 0 || sum != size || inside.first().is_none_or(|(first, _)| **first != start) {
            return Err(INVALID_VALUE);
        }
        Ok(inside.into_iter().map(|(start, _)| *start).collect())
    }
}

fn granular(size: usize) -> Result<(), Code> {
    if size > 0 && size.is_multiple_of(GRANULARITY) { Ok(()) } else { Err(INVALID_VALUE) }
}

/// Reserves addresses without memory, at `at` if that is not null.
///
/// # Safety
///
/// The memory at `at` is not used.
unsafe fn reserve(at: *mut c_void, size: usize) -> Result<usize, Code> {
    let fixed = if at.is_null() { 0 } else { libc::MAP_FIXED };
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | fixed;
    // SAFETY: new addresses, or unused ones.
    let start = unsafe { libc::mmap(at, size, libc::PROT_NONE, flags, -1, 0) };
    if start == libc::MAP_FAILED { Err(OUT_OF_MEMORY) } else { Ok(start.expose_provenance()) }
}

fn pointer(address: usize) -> *mut c_void {
    std::ptr::with_exposed_provenance_mut(address)
}

entries! {
    cuMemGetAllocationGranularity(granularity: *mut usize, _properties: *const CUmemAllocationProp, option: u32) {
        faults::note("cuMemGetAllocationGranularity", option.into());
        put(granularity, GRANULARITY)
    };
    cuMemAddressReserve(out: *mut CUdeviceptr, size: usize, alignment: usize, address: CUdeviceptr,
        _flags: c_ulonglong) {
        faults::note("cuMemAddressReserve", address);
        granular(size)?;
        if alignment != 0 && !alignment.is_power_of_two() {
            return Err(INVALID_VALUE);
        }
        let alignment = alignment.max(GRANULARITY);
        let room = reserve(null_mut(), size + alignment)?;
        let start = room.next_multiple_of(alignment);
        if start > room {
            libc::munmap(pointer(room), start - room);
        }
        libc::munmap(pointer(start + size), room + alignment - start);
        lock(&TABLE).reserved.insert(start, size);
        faults::live(1);
        put(out, start as u64)
    };
    cuMemAddressFree(start: CUdeviceptr, size: usize) {
        let (mut table, start) = (lock(&TABLE), start as usize);
        let mapped = table.mapped.range(start..start.saturating_add(size)).next().is_some();
        if table.reserved.get(&start) != Some(&size) || mapped {
            return Err(INVALID_VALUE);
        }
        table.reserved.remove(&start);
        libc::munmap(pointer(start), size);
        faults::live(-1);
        Ok(())
    };
    cuMemCreate(out: *mut CUmemGenericAllocationHandle, size: usize, properties: *const CUmemAllocationProp,
        _flags: c_ulonglong) {
        granular(size)?;
        let properties = properties.as_ref().ok_or(INVALID_VALUE)?;
        let kinds = properties.requestedHandleTypes.0;
        if kinds & !FILE_DESCRIPTOR != 0 {
            return Err(NOT_SUPPORTED);
        }
        let device = properties.location.id;
        faults::note("cuMemCreate", u64::from(kinds) << 32 | u64::from(device.cast_unsigned()));
        if !context::is_device(device) {
            return Err(INVALID_DEVICE);
        }
        if size > context::MEMORY {
            return Err(OUT_OF_MEMORY);
        }
        let file = libc::memfd_create(c"software-cuda".as_ptr(), libc::MFD_CLOEXEC);
        if file < 0 {
            return Err(OUT_OF_MEMORY);
        }
        let file = OwnedFd::from_raw_fd(file);
        if libc::ftruncate(file.as_raw_fd(), size as i64) != 0 {
            return Err(OUT_OF_MEMORY);
        }
        let exportable = kinds & FILE_DESCRIPTOR != 0;
        put(out, lock(&TABLE).add(Physical { file, size, device, exportable }))
    };
    cuMemRelease(memory: CUmemGenericAllocationHandle) {
        // Mappings remain because the system keeps the file.
        lock(&TABLE).physical.remove(&memory).ok_or(INVALID_VALUE)?;
        faults::live(-1);
        Ok(())
    };
    cuMemMap(start: CUdeviceptr, size: usize, offset: usize, memory: CUmemGenericAllocationHandle, _flags: c_ulonglong) {
        granular(size)?;
        let (mut table, start) = (lock(&TABLE), start as usize);
        let physical = table.physical.get(&memory).ok_or(INVALID_VALUE)?;
        let reserved = table.reserved.range(..=start).next_back();
        let fits = reserved.is_some_and(|(first, all)| start - first <= *all && size <= first + all - start);
        let before = table.mapped.range(..start.saturating_add(size)).next_back();
        let taken = before.is_some_and(|(first, mapping)| first + mapping.size > start);
        // The driver only supports the start of the memory as offset.
        if offset != 0 || size > physical.size || !fits || taken {
            return Err(INVALID_VALUE);
        }
        let (flags, file, device) = (libc::MAP_SHARED | libc::MAP_FIXED, physical.file.as_raw_fd(), physical.device);
        if libc::mmap(pointer(start), size, libc::PROT_NONE, flags, file, 0) == libc::MAP_FAILED {
            return Err(OUT_OF_MEMORY);
        }
        table.mapped.insert(start, Mapping { size, access: 0 });
        memory::add_mapped(start, size, device);
        Ok(())
    };
    cuMemUnmap(start: CUdeviceptr, size: usize) {
        stream::finish_all();
        let (mut table, start) = (lock(&TABLE), start as usize);
        for first in table.filling(start, size)? {
            table.mapped.remove(&first);
            memory::remove_mapped(first);
        }
        reserve(pointer(start), size)?;
        Ok(())
    };
    cuMemSetAccess(start: CUdeviceptr, size: usize, list: *const CUmemAccessDesc, count: usize) {
        let mut access = 0;
        for index in 0..count {
            let one = list.add(index).as_ref().ok_or(INVALID_VALUE)?;
            if !context::is_device(one.location.id) {
                return Err(INVALID_DEVICE);
            }
            access = access.max(one.flags as u64);
        }
        faults::note("cuMemSetAccess", (count as u64) << 32 | access);
        let mut table = lock(&TABLE);
        for first in table.filling(start as usize, size)? {
            if let Some(mapping) = table.mapped.get_mut(&first) {
                mapping.access = access;
            }
        }
        let protection = match access {
            0 => libc::PROT_NONE,
            1 => libc::PROT_READ,
            _ => libc::PROT_READ | libc::PROT_WRITE,
        };
        match libc::mprotect(pointer(start as usize), size, protection) {
            0 => Ok(()),
            _ => Err(INVALID_VALUE),
        }
    };
    cuMemGetAccess(flags: *mut c_ulonglong, _location: *const CUmemLocation, address: CUdeviceptr) {
        let (table, address) = (lock(&TABLE), address as usize);
        let found = table.mapped.range(..=address).next_back();
        let (_, mapping) = found.filter(|(first, mapping)| address - *first < mapping.size).ok_or(INVALID_VALUE)?;
        put(flags, mapping.access)
    };
    cuMemExportToShareableHandle(out: *mut c_void, memory: CUmemGenericAllocationHandle, kind: u32, _flags: c_ulonglong) {
        let table = lock(&TABLE);
        let physical = table.physical.get(&memory).ok_or(INVALID_VALUE)?;
        if kind != FILE_DESCRIPTOR || !physical.exportable {
            return Err(INVALID_VALUE);
        }
        let file = physical.file.try_clone().map_err(|_| OUT_OF_MEMORY)?;
        put(out.cast::<c_int>(), file.into_raw_fd())
    };
    cuMemImportFromShareableHandle(out: *mut CUmemGenericAllocationHandle, handle: *mut c_void, kind: u32) {
        if kind != FILE_DESCRIPTOR {
            return Err(NOT_SUPPORTED);
        }
        // The caller still owns its descriptor.
        let file = libc::fcntl(handle.addr() as c_int, libc::F_DUPFD_CLOEXEC, 0);
        if file < 0 {
            return Err(INVALID_VALUE);
        }
        let file = OwnedFd::from_raw_fd(file);
        let size = std::fs::File::from(file.try_clone().map_err(|_| OUT_OF_MEMORY)?).metadata();
        let size = size.map_err(|_| INVALID_VALUE)?.len() as usize;
        granular(size)?;
        let device = context::current()?.device;
        put(out, lock(&TABLE).add(Physical { file, size, device, exportable: true }))
    };
}
