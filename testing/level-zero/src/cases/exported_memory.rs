//! Tests that exportable memory works like any other device memory, and that its file descriptors give access to the
//! same bytes.

use std::io::Write;
use std::os::fd::{AsRawFd, OwnedFd};
use std::process::{Command, Stdio};
use std::ptr::null_mut;

use sycl_ur_core::*;
use testing_ur_host::ok;

use super::Case;
use super::unified_runtime::host;
use crate::Soft;

pub(crate) const CASES: &[Case] = &[
    ("ur_exported_memory_has_the_same_bytes_in_another_process", another_process),
    ("ur_exportable_memory_is_refused_where_it_is_wrong", refused),
];

/// Returns the path by which another process opens this process's file.
fn path(descriptor: &OwnedFd) -> String {
    format!("/proc/{}/fd/{}", std::process::id(), descriptor.as_raw_fd())
}

/// Returns what another process reads.
fn read_elsewhere(descriptor: &OwnedFd, count: usize) -> Vec<u32> {
    let output = Command::new("head").arg(format!("--bytes={}", count * 4)).arg(path(descriptor)).output();
    let bytes = output.unwrap().stdout;
    bytes.chunks_exact(4).map(|chunk| u32::from_ne_bytes(chunk.try_into().unwrap())).collect()
}

/// Lets another process write.
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
    // The size of a block that the pool would cut from a slab, and a size that is not a multiple of a page.
    for count in [16, 5000] {
        let start = host.exportable(0, count * 4).unwrap();
        host.fill(start, 1, count);
        let (one, two) = (host.descriptor(start).unwrap(), host.descriptor(start).unwrap());
        assert_eq!(read_elsewhere(&one, count), vec![1; count]);
        write_elsewhere(&two, &vec![2; count]);
        assert_eq!(host.numbers(start, count), vec![2; count]);
        // Writes by a kernel or a fill arrive later, too.
        host.fill(start, 3, count);
        drop(two);
        assert_eq!(read_elsewhere(&one, count), vec![3; count]);
        // The memory of a descriptor remains after the free.
        ok(host.free_exportable(start));
        assert_eq!(read_elsewhere(&one, count), vec![3; count]);
    }
    let report = soft.report();
    assert!(report.complaints.is_empty(), "{:?}", report.complaints);
}

fn refused() {
    let (soft, host) = (Soft::find().unwrap(), host());
    soft.reset();
    let (start, plain) = (host.exportable(1 << 16, 64).unwrap(), host.memory(1, 16));
    assert!(start.addr().is_multiple_of(1 << 16));
    for (alignment, size) in [(3, 64), (1 << 33, 64), (0, 0), (0, usize::MAX), (0, 1 << 50)] {
        assert!(host.exportable(alignment, size).is_err(), "{alignment}, {size}");
    }
    // SAFETY: inside the memory.
    let middle = unsafe { start.byte_add(16) };
    for wrong in [middle, plain] {
        assert_eq!(host.descriptor(wrong).unwrap_err(), UR_RESULT_ERROR_INVALID_VALUE);
        assert_eq!(host.free_exportable(wrong), UR_RESULT_ERROR_INVALID_VALUE);
    }
    soft.fault("zeMemAllocDevice:1=ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY");
    assert_eq!(host.exportable(0, 64), Err(UR_RESULT_ERROR_OUT_OF_RESOURCES));
    soft.fault("zeMemGetAllocProperties:1=ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY");
    assert_eq!(host.descriptor(start).unwrap_err(), UR_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    soft.fault("");
    // Each kind of memory has its own function to free it, and the other function leaves it unchanged.
    // SAFETY: live handles, and addresses that the adapter looks up.
    unsafe {
        assert_eq!(host.calls.urUSMFree(host.context, start), UR_RESULT_ERROR_INVALID_VALUE);
        assert!(host.descriptor(start).is_ok());
        ok(host.calls.urUSMFree(host.context, plain));
    }
    ok(host.free_exportable(start));
    assert_eq!(host.free_exportable(start), UR_RESULT_ERROR_INVALID_VALUE);
    let mut kind = 0_u32;
    let room = (&raw mut kind).cast();
    // SAFETY: live handles, and room for a number.
    ok(unsafe {
        host.calls.urUSMGetMemAllocInfo(host.context, start, UR_USM_ALLOC_INFO_TYPE, 4, room, null_mut())
    });
    assert_eq!(kind, UR_USM_TYPE_UNKNOWN);
}
