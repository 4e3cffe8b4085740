//! Exportable memory is ordinary device memory, and its file descriptor has the same bytes.

use std::ffi::{c_int, c_void};
use std::os::fd::AsRawFd;
use std::ptr::{null, null_mut};

use sycl_ur_core::*;
use testing_ur_host::{Host, ok};

use super::Case;
use super::unified_runtime::{COUNT, host, increment, newest, open};
use crate::software;

pub(crate) const CASES: &[Case] = &[
    ("ur_exportable_memory_is_device_memory", device_memory),
    ("ur_exported_memory_has_the_same_bytes_elsewhere", same_bytes),
    ("ur_exportable_memory_is_refused_where_it_is_wrong", refused),
    ("ur_exportable_memory_leaves_nothing_behind", nothing_left),
];

/// Returns whether the device exports memory.
pub(super) fn exports() -> bool {
    host().has(UR_DEVICE_INFO_MEMORY_EXPORT_EXPORTABLE_DEVICE_MEM_EXP)
}

/// Queries an allocation.
fn info<T: Default>(host: Host, start: *mut c_void, query: ur_usm_alloc_info_t) -> T {
    let mut answer = T::default();
    let room = (&raw mut answer).cast();
    // SAFETY: live handles, and room for the answer.
    ok(unsafe {
        host.calls.urUSMGetMemAllocInfo(host.context, start, query, size_of::<T>(), room, null_mut())
    });
    answer
}

/// Returns the text of the last error.
fn last_error(host: Host) -> String {
    let (mut adapter, mut text, mut code) = (null_mut(), null(), 0);
    // SAFETY: room for the results, and a text that ends with a NUL.
    unsafe {
        ok(host.calls.urAdapterGet(1, &mut adapter, null_mut()));
        ok(host.calls.urAdapterGetLastError(adapter, &mut text, &mut code));
        ok(host.calls.urAdapterRelease(adapter));
        std::ffi::CStr::from_ptr(text).to_string_lossy().into_owned()
    }
}

fn device_memory() {
    for host in [host(), open(Layout::V2025_3)] {
        let calls = host.calls;
        let start = host.exportable(0, COUNT * 4).unwrap();
        assert_eq!(info::<u32>(host, start, UR_USM_ALLOC_INFO_TYPE), UR_USM_TYPE_DEVICE);
        assert_eq!(info::<usize>(host, start, UR_USM_ALLOC_INFO_BASE_PTR), start.addr());
        assert!(info::<usize>(host, start, UR_USM_ALLOC_INFO_SIZE) >= COUNT * 4);
        assert_eq!(info::<usize>(host, start, UR_USM_ALLOC_INFO_DEVICE), host.device.addr());
        host.fill(start, 5, COUNT);
        let kernel = increment(host);
        let (global, numbers) = (COUNT, [7_u32; COUNT / 2]);
        let from = numbers.as_ptr().cast();
        // SAFETY: live handles, and memory of that size.
        unsafe {
            ok(calls.urKernelSetArgPointer(kernel, 0, null(), start));
            ok(match calls.layout() {
                Layout::V2025_3 => calls.urEnqueueKernelLaunch_until_2025_3(
                    host.queue,
                    kernel,
                    1,
                    null(),
                    &global,
                    null(),
                    0,
                    null(),
                    0,
                    null(),
                    null_mut(),
                ),
                _ => calls.urEnqueueKernelLaunch(
                    host.queue,
                    kernel,
                    1,
                    null(),
                    &global,
                    null(),
                    null(),
                    0,
                    null(),
                    null_mut(),
                ),
            });
            ok(calls.urEnqueueUSMMemcpy(host.queue, 1, start, from, COUNT * 2, 0, null(), null_mut()));
        }
        let expected = [[7; COUNT / 2], [6; COUNT / 2]].concat();
        assert_eq!(host.numbers(start, COUNT), expected);
        // Freeing it like other memory fails, and leaves it unchanged. SAFETY: live handles.
        let code = unsafe { calls.urUSMFree(host.context, start) };
        assert_eq!(code, UR_RESULT_ERROR_INVALID_VALUE);
        assert!(last_error(host).contains("has a free of its own"));
        assert_eq!(host.numbers(start, COUNT), expected);
        ok(host.free_exportable(start));
        assert_eq!(host.free_exportable(start), UR_RESULT_ERROR_INVALID_VALUE);
        assert_eq!(info::<u32>(host, start, UR_USM_ALLOC_INFO_TYPE), UR_USM_TYPE_UNKNOWN);
    }
}

/// The driver's functions that import memory, called like in any other program.
mod driver {
    use super::{c_int, c_void, software::function};

    /// `CUmemLocation` and the flags of an access.
    #[repr(C)]
    struct Access {
        kind: u32,
        device: c_int,
        flags: u32,
    }

    /// Maps the memory of a descriptor, and returns its address.
    pub(super) fn import(fd: c_int, size: usize) -> u64 {
        const FILE_DESCRIPTOR: u32 = 1;
        let retain: unsafe extern "C" fn(*mut *mut c_void, c_int) -> u32 =
            function("cuDevicePrimaryCtxRetain");
        let release: unsafe extern "C" fn(c_int) -> u32 = function("cuDevicePrimaryCtxRelease_v2");
        let set: unsafe extern "C" fn(*mut c_void) -> u32 = function("cuCtxSetCurrent");
        let import: unsafe extern "C" fn(*mut u64, *mut c_void, u32) -> u32 =
            function("cuMemImportFromShareableHandle");
        let reserve: unsafe extern "C" fn(*mut u64, usize, usize, u64, u64) -> u32 =
            function("cuMemAddressReserve");
        let map: unsafe extern "C" fn(u64, usize, usize, u64, u64) -> u32 = function("cuMemMap");
        let access: unsafe extern "C" fn(u64, usize, *const Access, usize) -> u32 =
            function("cuMemSetAccess");
        let (mut context, mut memory, mut start) = (std::ptr::null_mut(), 0, 0);
        let handle = std::ptr::without_provenance_mut(fd as usize);
        let all = Access { kind: 1, device: 0, flags: 3 };
        // SAFETY: room for the results, and a descriptor of physical memory.
        unsafe {
            assert_eq!(retain(&mut context, 0), 0);
            assert_eq!(set(context), 0);
            assert_eq!(import(&mut memory, handle, FILE_DESCRIPTOR), 0);
            assert_eq!(reserve(&mut start, size, 0, 0, 0), 0);
            assert_eq!(map(start, size, 0, memory, 0), 0);
            assert_eq!(access(start, size, &all, 1), 0);
            // The adapter keeps the context alive.
            assert_eq!(set(std::ptr::null_mut()), 0);
            assert_eq!(release(0), 0);
        }
        start
    }
}

fn same_bytes() {
    let host = newest();
    // All of the physical memory, because sizes are rounded up.
    let start = host.exportable(0, COUNT * 4).unwrap();
    let size = info::<usize>(host, start, UR_USM_ALLOC_INFO_SIZE);
    let (one, two) = (host.descriptor(start).unwrap(), host.descriptor(start).unwrap());
    assert_ne!(one.as_raw_fd(), two.as_raw_fd());
    let there =
        std::ptr::with_exposed_provenance_mut::<c_void>(driver::import(one.as_raw_fd(), size) as usize);
    assert_ne!(there, start);
    host.fill(start, 11, COUNT);
    assert_eq!(host.numbers(there, COUNT), [11; COUNT]);
    host.fill(there, 12, COUNT);
    assert_eq!(host.numbers(start, COUNT), [12; COUNT]);
    // The imported memory is still valid after the free.
    ok(host.free_exportable(start));
    assert_eq!(host.numbers(there, COUNT), [12; COUNT]);
}

fn refused() {
    let host = host();
    let (calls, context, device) = (host.calls, host.context, host.device);
    let (mut start, mut fd): (*mut c_void, c_int) = (null_mut(), -1);
    let (kind, room) = (UR_EXP_EXTERNAL_MEM_TYPE_OPAQUE_FD, (&raw mut fd).cast());
    let memory = host.exportable(1 << 22, 64).unwrap();
    assert!(memory.addr().is_multiple_of(1 << 22));
    // SAFETY: live handles, room for results, and addresses that the adapter looks up.
    unsafe {
        let mut alloc = |alignment, size, kind| {
            calls.urMemoryExportAllocExportableMemoryExp(context, device, alignment, size, kind, &mut start)
        };
        assert_eq!(alloc(3, 64, kind), UR_RESULT_ERROR_INVALID_VALUE);
        assert_ne!(alloc(0, 0, kind), UR_RESULT_SUCCESS);
        assert_ne!(alloc(0, usize::MAX, kind), UR_RESULT_SUCCESS);
        assert_ne!(alloc(0, 1 << 50, kind), UR_RESULT_SUCCESS);
        assert_eq!(alloc(0, 64, UR_EXP_EXTERNAL_MEM_TYPE_WIN32_NT), UR_RESULT_ERROR_UNSUPPORTED_FEATURE);
        assert_eq!(alloc(0, 64, 77), UR_RESULT_ERROR_INVALID_ENUMERATION);
        let export =
            |kind, memory| calls.urMemoryExportExportMemoryHandleExp(context, device, kind, memory, room);
        let middle = memory.byte_add(16);
        for wrong in [null_mut(), middle] {
            assert_ne!(export(kind, wrong), UR_RESULT_SUCCESS);
            assert_ne!(host.free_exportable(wrong), UR_RESULT_SUCCESS);
        }
        assert_eq!(export(UR_EXP_EXTERNAL_MEM_TYPE_DMA_BUF, memory), UR_RESULT_ERROR_UNSUPPORTED_FEATURE);
        let mut plain = null_mut();
        ok(calls.urUSMDeviceAlloc(context, device, null(), null_mut(), 64, &mut plain));
        assert_eq!(export(kind, plain), UR_RESULT_ERROR_INVALID_VALUE);
        assert_eq!(host.free_exportable(plain), UR_RESULT_ERROR_INVALID_VALUE);
        ok(calls.urUSMFree(context, plain));
    }
    assert_eq!(fd, -1);
    ok(host.free_exportable(memory));
}

fn nothing_left() {
    let host = host();
    for _ in 0..3 {
        ok(host.free_exportable(host.exportable(0, 64).unwrap()));
    }
    // Every step fails once.
    let before = software::live();
    for call in
        ["cuMemCreate", "cuMemAddressReserve", "cuMemMap", "cuMemSetAccess", "cuMemGetAllocationGranularity"]
    {
        software::inject(&format!("{call}:1:1"));
        assert!(host.exportable(0, 64).is_err(), "{call}");
        assert_eq!(software::live(), before, "{call}");
    }
    software::inject("");
    ok(host.free_exportable(host.exportable(0, 64).unwrap()));
    assert_eq!(software::live(), before);
}
