//! Physical memory that two processes use.

use std::ffi::{c_int, c_void};
use std::ptr::{null, null_mut};

use sycl_ur_core::*;
use testing_ur_host::{Host, ok};

use super::unified_runtime::{COUNT, newest};
use super::{Case, child};
use crate::fixture::is_software;
use crate::software::inject;

pub(crate) const CASES: &[Case] = &[
    ("ur_physical_memory_is_opened_by_its_name", same_process),
    ("ur_physical_memory_is_shared_with_another_process", between_processes),
    ("ur_physical_memory_is_shared_if_it_was_made_so", refused),
];

/// The task of a child that opens memory of its parent, and the variable with the memory's name.
pub(crate) const OTHER_PROCESS: &str = "other process, physical memory";
const MEMORY: &str = "PI_TEST_IPC_PHYSICAL_MEMORY";

/// Returns whether the device shares physical memory.
pub(super) fn shares() -> bool {
    newest().has(UR_DEVICE_INFO_IPC_PHYSICAL_MEMORY_SUPPORT_EXP)
}

/// Returns whether the system lets a process take a descriptor of another one. Containers may forbid it, and
/// kernels before 5.6 have no such call. This process requests its own standard input in this way.
pub(super) fn gives_descriptors() -> bool {
    // SAFETY: the calls only take numbers, and what they open is closed.
    unsafe {
        let process = libc::syscall(libc::SYS_pidfd_open, libc::getpid(), 0);
        let copy = libc::syscall(libc::SYS_pidfd_getfd, process, 0, 0);
        libc::close(process as c_int);
        libc::close(copy as c_int);
        copy >= 0
    }
}

/// Physical memory with an address in this process.
struct Mapped {
    memory: ur_physical_mem_handle_t,
    start: *mut c_void,
    size: usize,
}

/// Returns the minimum granularity of physical memory.
fn granularity(host: Host) -> usize {
    let (mut size, query) = (0_usize, UR_VIRTUAL_MEM_GRANULARITY_INFO_MINIMUM);
    let room = (&raw mut size).cast();
    // SAFETY: live handles, and room for a number.
    ok(unsafe {
        host.calls.urVirtualMemGranularityGetInfo(host.context, host.device, 1, query, 8, room, null_mut())
    });
    size
}

fn create(host: Host, flags: u32) -> ur_physical_mem_handle_t {
    let properties = ur_physical_mem_properties_t {
        stype: UR_STRUCTURE_TYPE_PHYSICAL_MEM_PROPERTIES,
        pNext: null_mut(),
        flags,
    };
    let (size, mut memory) = (granularity(host), null_mut());
    // SAFETY: live handles, and room for the memory.
    ok(unsafe { host.calls.urPhysicalMemCreate(host.context, host.device, size, &properties, &mut memory) });
    memory
}

fn map(host: Host, memory: ur_physical_mem_handle_t) -> Mapped {
    let (mut size, mut start, access) = (0_usize, null_mut(), UR_VIRTUAL_MEM_ACCESS_FLAG_READ_WRITE);
    let room = (&raw mut size).cast();
    // SAFETY: live handles, and room for the results.
    unsafe {
        ok(host.calls.urPhysicalMemGetInfo(memory, UR_PHYSICAL_MEM_INFO_SIZE, 8, room, null_mut()));
        ok(host.calls.urVirtualMemReserve(host.context, null(), size, &mut start));
        ok(host.calls.urVirtualMemMap(host.context, start, size, memory, 0, access));
    }
    Mapped { memory, start, size }
}

impl Mapped {
    fn fill(&self, host: Host, value: u32) {
        let (pattern, queue) = ((&raw const value).cast(), host.queue);
        // SAFETY: live handles, and memory of that size.
        unsafe {
            ok(host.calls.urEnqueueUSMFill(queue, self.start, 4, pattern, COUNT * 4, 0, null(), null_mut()));
            ok(host.calls.urQueueFinish(queue));
        }
    }

    /// Unmaps the memory, and releases it according to its origin.
    fn end(self, host: Host, is_opened: bool) {
        let (calls, context) = (host.calls, host.context);
        // SAFETY: live handles, and nothing uses the memory any more.
        unsafe {
            ok(calls.urVirtualMemUnmap(context, self.start, self.size));
            ok(calls.urVirtualMemFree(context, self.start, self.size));
            ok(if is_opened {
                calls.urIPCClosePhysMemHandleExp(context, self.memory)
            } else {
                calls.urPhysicalMemRelease(self.memory)
            });
        }
    }
}

/// Returns the name of memory, and the data that has to be returned.
fn name(host: Host, memory: ur_physical_mem_handle_t) -> (Vec<u8>, *mut c_void) {
    let (mut data, mut size) = (null_mut(), 0);
    // SAFETY: live handles, room for the results, and data of the reported length.
    unsafe {
        ok(host.calls.urIPCGetPhysMemHandleExp(host.context, memory, &mut data, &mut size));
        (std::slice::from_raw_parts(data.cast::<u8>(), size).to_vec(), data)
    }
}

fn opened(host: Host, name: &[u8]) -> Result<ur_physical_mem_handle_t, ur_result_t> {
    let (data, mut memory) = (name.as_ptr().cast(), null_mut());
    // SAFETY: live handles, bytes of that length, and room for the memory.
    let code = unsafe {
        host.calls.urIPCOpenPhysMemHandleExp(host.context, host.device, data, name.len(), &mut memory)
    };
    if code == UR_RESULT_SUCCESS { Ok(memory) } else { Err(code) }
}

fn same_process() {
    let host = newest();
    let one = map(host, create(host, UR_PHYSICAL_MEM_FLAG_ENABLE_IPC));
    let (name, data) = name(host, one.memory);
    let two = map(host, opened(host, &name).unwrap());
    assert_eq!(two.size, one.size);
    one.fill(host, 3);
    assert_eq!(host.numbers(two.start, COUNT), [3; COUNT]);
    two.fill(host, 4);
    assert_eq!(host.numbers(one.start, COUNT), [4; COUNT]);
    // The opened memory remains valid after the name and the first handle are released. The data is returned once,
    // and then once too often, which the adapter refuses.
    // SAFETY: live handles, and data that the adapter looks up.
    unsafe {
        ok(host.calls.urIPCPutPhysMemHandleExp(host.context, data));
        let again = host.calls.urIPCPutPhysMemHandleExp(host.context, data);
        assert_eq!(again, UR_RESULT_ERROR_INVALID_VALUE);
    }
    one.end(host, false);
    assert_eq!(host.numbers(two.start, COUNT), [4; COUNT]);
    two.end(host, true);
    assert_eq!(opened(host, &name), Err(UR_RESULT_ERROR_INVALID_VALUE), "the name was put back");
}

fn between_processes() {
    let host = newest();
    let memory = map(host, create(host, UR_PHYSICAL_MEM_FLAG_ENABLE_IPC));
    memory.fill(host, 1);
    let (name, data) = name(host, memory.memory);
    let text: String = name.iter().map(|byte| format!("{byte:02x}")).collect();
    let said = child::run(OTHER_PROCESS, &[(MEMORY, text)]);
    println!("{}", said.trim());
    assert_eq!(host.numbers(memory.start, COUNT), [2; COUNT]);
    // SAFETY: live handles.
    ok(unsafe { host.calls.urIPCPutPhysMemHandleExp(host.context, data) });
    memory.end(host, false);
}

/// Opens the parent's memory and writes to it.
pub(crate) fn in_another_process() {
    let text = std::env::var(MEMORY).unwrap();
    let digits: Vec<char> = text.chars().collect();
    let name: Vec<u8> = digits
        .chunks(2)
        .map(|pair| u8::from_str_radix(&pair.iter().collect::<String>(), 16).unwrap())
        .collect();
    let host = newest();
    assert_eq!(opened(host, &name[1..]), Err(UR_RESULT_ERROR_INVALID_VALUE));
    let memory = map(host, opened(host, &name).unwrap());
    assert_eq!(host.numbers(memory.start, COUNT), [1; COUNT]);
    memory.fill(host, 2);
    memory.end(host, true);
}

fn refused() {
    let host = newest();
    let (memory, mut data, mut size) = (create(host, 0), null_mut(), 0);
    // SAFETY: live handles, and room for the results.
    unsafe {
        let code = host.calls.urIPCGetPhysMemHandleExp(host.context, memory, &mut data, &mut size);
        assert_eq!(code, UR_RESULT_ERROR_INVALID_VALUE);
        ok(host.calls.urPhysicalMemRelease(memory));
    }
    // A driver without room is told from data that is wrong.
    if is_software() {
        let shared = create(host, UR_PHYSICAL_MEM_FLAG_ENABLE_IPC);
        let (name, data) = name(host, shared);
        inject("cuMemImportFromShareableHandle:1:2");
        assert_eq!(opened(host, &name), Err(UR_RESULT_ERROR_OUT_OF_RESOURCES));
        inject("cuMemImportFromShareableHandle:1:1");
        assert_eq!(opened(host, &name), Err(UR_RESULT_ERROR_INVALID_VALUE));
        inject("");
        // SAFETY: live handles, and data that is put back once.
        unsafe {
            ok(host.calls.urIPCPutPhysMemHandleExp(host.context, data));
            ok(host.calls.urPhysicalMemRelease(shared));
        }
    }
    // There is no process and no descriptor with this number.
    assert_eq!(opened(host, &[0xff; 16]), Err(UR_RESULT_ERROR_INVALID_VALUE));
    assert_eq!(opened(host, &[0; 17]), Err(UR_RESULT_ERROR_INVALID_VALUE));
}
