//! Virtual memory: reserved addresses, and the pages of physical memory that are mapped there.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_ur_core::*;
use testing_ur_host::{Host, ok};

use super::Case;
use super::unified_runtime::host;
use crate::Soft;

pub(crate) const CASES: &[Case] = &[
    ("ur_virtual_memory_has_the_bytes_of_what_is_mapped", bytes),
    ("ur_virtual_memory_has_the_access_that_was_asked_for_last", access),
    ("ur_virtual_memory_that_the_driver_refuses_is_an_error", refused),
];

const PAGE: usize = 1 << 16;

/// Returns the size of the pages of an allocation.
fn granularity(host: Host, size: usize) -> usize {
    let (mut granularity, query) = (0_usize, UR_VIRTUAL_MEM_GRANULARITY_INFO_MINIMUM);
    let (calls, room) = (host.calls, (&raw mut granularity).cast());
    // SAFETY: live handles, and room for a number.
    ok(unsafe {
        calls.urVirtualMemGranularityGetInfo(host.context, host.device, size, query, 8, room, null_mut())
    });
    granularity
}

/// Addresses that are free, unless the system has something there. The checks of the loader refuse null, which the
/// specification allows.
const WANTED: *const c_void = std::ptr::without_provenance(1 << 40);

/// Returns the address to ask for where any will do.
fn anywhere() -> *const c_void {
    if std::env::var_os("ZE_ENABLE_PARAMETER_VALIDATION").is_some() { WANTED } else { null() }
}

/// Reserved addresses.
struct Range {
    host: Host,
    start: *mut c_void,
    size: usize,
}

impl Range {
    fn at(host: Host, wanted: *const c_void, pages: usize) -> Self {
        let (size, mut start) = (pages * PAGE, null_mut());
        // SAFETY: a live context, and room for the address.
        ok(unsafe { host.calls.urVirtualMemReserve(host.context, wanted, size, &mut start) });
        Self { host, start, size }
    }

    fn page(&self, index: usize) -> *mut c_void {
        self.start.wrapping_byte_add(index * PAGE)
    }

    fn map(
        &self,
        page: usize,
        memory: ur_physical_mem_handle_t,
        offset: usize,
        access: ur_virtual_mem_access_flags_t,
    ) -> ur_result_t {
        let (host, start, offset) = (self.host, self.page(page), offset * PAGE);
        // SAFETY: live handles.
        unsafe { host.calls.urVirtualMemMap(host.context, start, PAGE, memory, offset, access) }
    }

    fn unmap(&self, page: usize) -> ur_result_t {
        // SAFETY: a live context.
        unsafe { self.host.calls.urVirtualMemUnmap(self.host.context, self.page(page), PAGE) }
    }

    fn free(&self) -> ur_result_t {
        // SAFETY: a live context.
        unsafe { self.host.calls.urVirtualMemFree(self.host.context, self.start, self.size) }
    }
}

fn create(host: Host, pages: usize) -> Result<ur_physical_mem_handle_t, ur_result_t> {
    let (size, mut memory) = (pages * PAGE, null_mut());
    // SAFETY: live handles, and room for the memory.
    match unsafe { host.calls.urPhysicalMemCreate(host.context, host.device, size, null(), &mut memory) } {
        UR_RESULT_SUCCESS => Ok(memory),
        code => Err(code),
    }
}

fn release(host: Host, memory: ur_physical_mem_handle_t) {
    // SAFETY: a live handle.
    ok(unsafe { host.calls.urPhysicalMemRelease(memory) });
}

/// Fails if anything was done wrong, or is left.
fn end(soft: &Soft) {
    let report = soft.report();
    assert!(report.complaints.is_empty(), "{:?}", report.complaints);
    assert_eq!(report.alive["physical memory"], 0);
}

const READ_WRITE: ur_virtual_mem_access_flags_t = UR_VIRTUAL_MEM_ACCESS_FLAG_READ_WRITE;

fn bytes() {
    const COUNT: usize = PAGE / 4;
    let (soft, host) = (Soft::find().unwrap(), host());
    soft.reset();
    for (size, expected) in [(0, PAGE), (1, PAGE), ((2 << 20) - 1, PAGE), (2 << 20, 2 << 20)] {
        assert_eq!(granularity(host, size), expected, "{size}");
    }
    let (range, memory) = (Range::at(host, anywhere(), 3), create(host, 2).unwrap());
    let asked = format!("zePhysicalMemCreate device 0 size {} flags 0", 2 * PAGE);
    assert!(soft.report().requests.contains(&asked), "{:?}", soft.report().requests);
    // The first page of the memory is the last of the range, and its last the first.
    ok(range.map(2, memory, 0, READ_WRITE));
    ok(range.map(0, memory, 1, READ_WRITE));
    host.fill(range.page(2), 5, COUNT);
    host.fill(range.page(0), 6, COUNT);
    for page in [0, 2] {
        ok(range.unmap(page));
    }
    ok(range.map(1, memory, 0, READ_WRITE));
    ok(range.map(2, memory, 1, READ_WRITE));
    assert_eq!(host.numbers(range.page(1), COUNT), [5; COUNT]);
    assert_eq!(host.numbers(range.page(2), COUNT), [6; COUNT]);
    for page in [1, 2] {
        ok(range.unmap(page));
    }
    release(host, memory);
    ok(range.free());
    let there = Range::at(host, WANTED, 2);
    assert_eq!(there.start.cast_const(), WANTED);
    ok(there.free());
    end(&soft);
}

fn access() {
    let (soft, host) = (Soft::find().unwrap(), host());
    soft.reset();
    let (range, memory) = (Range::at(host, anywhere(), 2), create(host, 1).unwrap());
    let told = || {
        let (mut flags, query) = (77_u32, UR_VIRTUAL_MEM_INFO_ACCESS_MODE);
        let (calls, start, room) = (host.calls, range.page(1), (&raw mut flags).cast());
        // SAFETY: a live context, and room for the flags.
        ok(unsafe { calls.urVirtualMemGetInfo(host.context, start, PAGE, query, 4, room, null_mut()) });
        flags
    };
    let all = [UR_VIRTUAL_MEM_ACCESS_FLAG_NONE, READ_WRITE, UR_VIRTUAL_MEM_ACCESS_FLAG_READ_ONLY];
    for mapped in all {
        ok(range.map(1, memory, 0, mapped));
        assert_eq!(told(), mapped);
        for set in all {
            let (calls, start) = (host.calls, range.page(1));
            // SAFETY: a live context.
            ok(unsafe { calls.urVirtualMemSetAccess(host.context, start, PAGE, set) });
            assert_eq!(told(), set);
        }
        ok(range.unmap(1));
    }
    release(host, memory);
    ok(range.free());
    end(&soft);
}

fn refused() {
    let (soft, host) = (Soft::find().unwrap(), host());
    soft.reset();
    let (range, memory) = (Range::at(host, anywhere(), 1), create(host, 1).unwrap());
    let fault = |call: &str| soft.fault(&format!("{call}:1=ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY"));
    let expected = UR_RESULT_ERROR_OUT_OF_RESOURCES;
    fault("zePhysicalMemCreate");
    assert_eq!(create(host, 1), Err(expected));
    fault("zeVirtualMemReserve");
    let mut start = null_mut();
    // SAFETY: a live context, and room for the address.
    let reserved = unsafe { host.calls.urVirtualMemReserve(host.context, anywhere(), PAGE, &mut start) };
    assert_eq!((reserved, start), (expected, null_mut()));
    fault("zeVirtualMemMap");
    assert_eq!(range.map(0, memory, 0, READ_WRITE), expected);
    soft.fault("");
    ok(range.map(0, memory, 0, READ_WRITE));
    fault("zeVirtualMemUnmap");
    assert_eq!(range.unmap(0), expected);
    fault("zeVirtualMemSetAccessAttribute");
    let (calls, start) = (host.calls, range.start);
    // SAFETY: a live context.
    assert_eq!(unsafe { calls.urVirtualMemSetAccess(host.context, start, PAGE, READ_WRITE) }, expected);
    fault("zeVirtualMemGetAccessAttribute");
    let (mut flags, query) = (77_u32, UR_VIRTUAL_MEM_INFO_ACCESS_MODE);
    let room = (&raw mut flags).cast();
    // SAFETY: a live context, and room for the flags.
    let told = unsafe { calls.urVirtualMemGetInfo(host.context, start, PAGE, query, 4, room, null_mut()) };
    assert_eq!((told, flags), (expected, 77));
    soft.fault("");
    ok(range.unmap(0));
    fault("zeVirtualMemFree");
    assert_eq!(range.free(), expected);
    soft.fault("");
    ok(range.free());
    release(host, memory);
    end(&soft);
}
