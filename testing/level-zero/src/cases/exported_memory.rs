//! Exportable memory: device memory as any other, and the same bytes behind its file descriptors.

use std::ffi::{c_int, c_void};
use std::io::Write;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::process::{Command, Stdio};
use std::ptr::null_mut;

use sycl_ur_core::*;
use testing_ur_host::{Host, ok};

use super::Case;
use super::unified_runtime::{fill, host, memory, read};
use crate::Soft;

pub(crate) const CASES: &[Case] = &[
    ("ur_exported_memory_has_the_same_bytes_in_another_process", another_process),
    ("ur_exportable_memory_is_refused_where_it_is_wrong", refused),
];

const KIND: ur_exp_external_mem_type_t = UR_EXP_EXTERNAL_MEM_TYPE_OPAQUE_FD;

fn allocate(host: Host, alignment: usize, size: usize) -> Result<*mut c_void, ur_result_t> {
    let (calls, mut start) = (host.calls, null_mut());
    // SAFETY: live handles, and a place for the address.
    let code = unsafe {
        calls.urMemoryExportAllocExportableMemoryExp(
            host.context,
            host.device,
            alignment,
            size,
            KIND,
            &mut start,
        )
    };
    if code == UR_RESULT_SUCCESS { Ok(start) } else { Err(code) }
}

fn free(host: Host, start: *mut c_void) -> ur_result_t {
    // SAFETY: live handles; the adapter looks the address up.
    unsafe { host.calls.urMemoryExportFreeExportableMemoryExp(host.context, host.device, start) }
}

fn descriptor(host: Host, start: *mut c_void) -> Result<OwnedFd, ur_result_t> {
    let mut fd: c_int = -1;
    let (calls, room) = (host.calls, (&raw mut fd).cast());
    // SAFETY: live handles, room for a number; a new descriptor is the caller's.
    unsafe {
        match calls.urMemoryExportExportMemoryHandleExp(host.context, host.device, KIND, start, room) {
            UR_RESULT_SUCCESS => Ok(OwnedFd::from_raw_fd(fd)),
            code => Err(code),
        }
    }
}

/// The file of this process, as another one opens it.
fn path(descriptor: &OwnedFd) -> String {
    format!("/proc/{}/fd/{}", std::process::id(), descriptor.as_raw_fd())
}

/// What another process reads.
fn read_elsewhere(descriptor: &OwnedFd, count: usize) -> Vec<u32> {
    let output = Command::new("head").arg(format!("--bytes={}", count * 4)).arg(path(descriptor)).output();
    let bytes = output.unwrap().stdout;
    bytes.chunks_exact(4).map(|chunk| u32::from_ne_bytes(chunk.try_into().unwrap())).collect()
}

/// Has another process write.
fn write_elsewhere(descriptor: &OwnedFd, numbers: &[u32]) {
    let to = format!("of={}", path(descriptor));
    let mut command = Command::new("dd");
    command.args(["conv=notrunc", "status=none"]).arg(to).stdin(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_ne_bytes()).collect();
    child.stdin.take().unwrap().write_all(&bytes).unwrap();
    assert!(child.wait().unwrap().success());
}

fn another_process() {
    let (soft, host) = (Soft::find().unwrap(), host());
    soft.reset();
    assert!(host.has(UR_DEVICE_INFO_MEMORY_EXPORT_EXPORTABLE_DEVICE_MEM_EXP));
    // The size of a block that the pool would cut from a slab, and one that is no multiple of a page.
    for count in [16, 5000] {
        let start = allocate(host, 0, count * 4).unwrap();
        fill(host, start, 1, count);
        let (one, two) = (descriptor(host, start).unwrap(), descriptor(host, start).unwrap());
        assert_eq!(read_elsewhere(&one, count), vec![1; count]);
        write_elsewhere(&two, &vec![2; count]);
        assert_eq!(read(host, start, count), vec![2; count]);
        // A kernel's or a fill's writes come later too.
        fill(host, start, 3, count);
        drop(two);
        assert_eq!(read_elsewhere(&one, count), vec![3; count]);
        // What is behind a descriptor stays after the free.
        ok(free(host, start));
        assert_eq!(read_elsewhere(&one, count), vec![3; count]);
    }
    let report = soft.report();
    assert!(report.complaints.is_empty(), "{:?}", report.complaints);
}

fn refused() {
    let (soft, host) = (Soft::find().unwrap(), host());
    soft.reset();
    let (start, plain) = (allocate(host, 1 << 16, 64).unwrap(), memory(host, 1, 16));
    assert!(start.addr().is_multiple_of(1 << 16));
    for (alignment, size) in [(3, 64), (1 << 33, 64), (0, 0), (0, usize::MAX), (0, 1 << 50)] {
        assert!(allocate(host, alignment, size).is_err(), "{alignment}, {size}");
    }
    // SAFETY: inside of the memory.
    let middle = unsafe { start.byte_add(16) };
    for wrong in [middle, plain] {
        assert_eq!(descriptor(host, wrong).unwrap_err(), UR_RESULT_ERROR_INVALID_VALUE);
        assert_eq!(free(host, wrong), UR_RESULT_ERROR_INVALID_VALUE);
    }
    soft.fault("zeMemAllocDevice:1=ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY");
    assert_eq!(allocate(host, 0, 64), Err(UR_RESULT_ERROR_OUT_OF_RESOURCES));
    soft.fault("zeMemGetAllocProperties:1=ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY");
    assert_eq!(descriptor(host, start).unwrap_err(), UR_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    soft.fault("");
    // Each kind of memory has a free of its own, and the other one leaves it as it is.
    // SAFETY: live handles, and addresses that the adapter looks up.
    unsafe {
        assert_eq!(host.calls.urUSMFree(host.context, start), UR_RESULT_ERROR_INVALID_VALUE);
        assert!(descriptor(host, start).is_ok());
        ok(host.calls.urUSMFree(host.context, plain));
    }
    ok(free(host, start));
    assert_eq!(free(host, start), UR_RESULT_ERROR_INVALID_VALUE);
    let mut kind = 0_u32;
    let room = (&raw mut kind).cast();
    // SAFETY: live handles, and room for a number.
    ok(unsafe {
        host.calls.urUSMGetMemAllocInfo(host.context, start, UR_USM_ALLOC_INFO_TYPE, 4, room, null_mut())
    });
    assert_eq!(kind, UR_USM_TYPE_UNKNOWN);
}
