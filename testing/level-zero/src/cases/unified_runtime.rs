//! Tests of the Unified Runtime adapter next to the plugin, for features that PI lacks.

use std::ffi::c_void;
use std::process::{Command, ExitCode};
use std::ptr::{null, null_mut};
use std::sync::Mutex;
use std::time::Duration;

use sycl_ur_core::*;
use testing_ur_host::{Host, ok};

use super::Case;
use crate::Soft;

pub(crate) const CASES: &[Case] = &[
    ("ur_memory_is_shared_with_another_process", memory_between_processes),
    ("ur_memory_that_is_shared_is_the_named_one_whatever_its_file_was_before", files_again),
    ("ur_memory_that_stays_open_is_closed_with_its_context", left_open),
    ("ur_registered_memory_is_whole_pages_that_end_with_the_context", registered_memory),
];

/// Set for a child, which opens memory of its parent: the memory's name in hexadecimal digits.
pub const CHILD: &str = "PI_TEST_IPC_MEMORY";
/// For that child: how many numbers the memory has from that address.
const COUNT: &str = "PI_TEST_IPC_COUNT";

/// Returns the adapter at the last layout with single setters of arguments.
pub(super) fn host() -> Host {
    at(Layout::V2026_1_1)
}

/// Returns the adapter at a layout. There is one loader per layout, as an adapter supports only a few loaders.
fn at(layout: Layout) -> Host {
    static HOSTS: Mutex<Vec<(Layout, Host)>> = Mutex::new(Vec::new());
    let mut hosts = HOSTS.lock().unwrap();
    if let Some((_, host)) = hosts.iter().find(|(known, _)| *known == layout) {
        return *host;
    }
    let plugin = testing_support::plugin_file();
    // SAFETY: a file that is built with the plugin under test, and trusted like it.
    let host = unsafe { Host::open(&plugin.with_file_name("libur_adapter_level_zero.so"), layout) };
    hosts.push((layout, host));
    host
}

/// Returns the name of memory, and the name's bytes in the adapter.
fn name(host: Host, memory: *mut c_void) -> (*mut c_void, Vec<u8>) {
    let (mut start, mut size) = (null_mut(), 0);
    // SAFETY: live handles, room for the results, and bytes that stay valid until they are released.
    unsafe {
        ok(host.calls.urIPCGetMemHandleExp(host.context, memory, &mut start, &mut size));
        (start, std::slice::from_raw_parts(start.cast::<u8>(), size).to_vec())
    }
}

fn open(host: Host, name: &[u8]) -> Result<*mut c_void, ur_result_t> {
    let (mut start, data) = (null_mut(), name.as_ptr().cast_mut().cast());
    let code =
        // SAFETY: live handles, bytes of that length, and room for the address.
        unsafe { host.calls.urIPCOpenMemHandleExp(host.context, host.device, data, name.len(), &mut start) };
    if code == UR_RESULT_SUCCESS { Ok(start) } else { Err(code) }
}

fn memory_between_processes() {
    let (soft, host) = (Soft::find().unwrap(), host());
    soft.reset();
    assert!(host.has(UR_DEVICE_INFO_IPC_MEMORY_SUPPORT_EXP));
    // A block among others, and memory that the driver allocates separately.
    for count in [256, 1 << 20] {
        let start = host.memory(1, count);
        // SAFETY: inside the memory.
        let half = unsafe { start.byte_add(count / 2 * 4) };
        let (kept, bytes) = name(host, half);
        in_a_child(&bytes, count / 2);
        assert_eq!(host.numbers(start, count), [vec![1; count / 2], vec![7; count / 2]].concat());
        // The same process may open it, too.
        let again = open(host, &bytes).unwrap();
        assert_eq!(host.numbers(again, 1), [7]);
        // The larger memory is an allocation of its own, in whose middle the address is.
        let half = count / 2 * 4;
        let is_alone = count == 1 << 20;
        for outside in [again.wrapping_byte_add(half), again.wrapping_byte_sub(half + 1)] {
            // SAFETY: live handles, and an address that the adapter looks up.
            let close = || unsafe { host.calls.urIPCCloseMemHandleExp(host.context, outside) };
            assert!(!is_alone || close() == UR_RESULT_ERROR_INVALID_VALUE);
        }
        let inside = if is_alone { again.wrapping_byte_add(half - 1) } else { again };
        // SAFETY: live handles. The bytes and the memory are released once.
        unsafe {
            ok(host.calls.urIPCCloseMemHandleExp(host.context, inside));
            ok(host.calls.urIPCPutMemHandleExp(host.context, kept));
            let put_again = host.calls.urIPCPutMemHandleExp(host.context, kept);
            assert_eq!(put_again, UR_RESULT_ERROR_INVALID_VALUE);
            let never_opened = host.calls.urIPCCloseMemHandleExp(host.context, start);
            assert_eq!(never_opened, UR_RESULT_ERROR_INVALID_VALUE);
            ok(host.calls.urUSMFree(host.context, start));
        }
    }
    let mut on_host = null_mut();
    // SAFETY: live handles, and room for the results.
    unsafe {
        ok(host.calls.urUSMHostAlloc(host.context, null(), null_mut(), 64, &mut on_host));
        let (mut start, mut size) = (null_mut(), 0);
        let code = host.calls.urIPCGetMemHandleExp(host.context, on_host, &mut start, &mut size);
        assert_eq!(code, UR_RESULT_ERROR_INVALID_VALUE);
        ok(host.calls.urUSMFree(host.context, on_host));
    }
    let complaints = soft.report().complaints;
    assert!(complaints.is_empty(), "{complaints:?}");
}

fn in_a_child(name: &[u8], count: usize) {
    let digits: String = name.iter().map(|byte| format!("{byte:02x}")).collect();
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.env(CHILD, digits).env(COUNT, count.to_string());
    let finished = testing_support::process::run(&mut command, Duration::from_secs(60)).unwrap();
    assert!(finished.end.is_success(), "{}: {}", finished.end, finished.stderr_text());
}

/// The child process: finds the parent's numbers, and writes others.
pub fn child() -> ExitCode {
    let digits = std::env::var(CHILD).unwrap();
    let count: usize = std::env::var(COUNT).unwrap().parse().unwrap();
    let byte = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).unwrap();
    let name: Vec<u8> = (0..digits.len()).step_by(2).map(byte).collect();
    let host = host();
    assert_eq!(open(host, &name[..5]), Err(UR_RESULT_ERROR_INVALID_VALUE));
    // The bytes begin with the process number. Use one that no process has.
    let nobody = [&u32::MAX.to_ne_bytes(), &name[4..]].concat();
    assert_eq!(open(host, &nobody), Err(UR_RESULT_ERROR_INVALID_VALUE));
    let start = open(host, &name).unwrap();
    assert_eq!(host.numbers(start, count), vec![1; count]);
    // Opening it twice returns the same memory, and each must be closed.
    assert_eq!(open(host, &name).unwrap(), start);
    // SAFETY: live handles.
    ok(unsafe { host.calls.urIPCCloseMemHandleExp(host.context, start) });
    host.fill(start, 7, count);
    // SAFETY: live handles. The second call is refused.
    unsafe {
        ok(host.calls.urIPCCloseMemHandleExp(host.context, start));
        let again = host.calls.urIPCCloseMemHandleExp(host.context, start);
        assert_eq!(again, UR_RESULT_ERROR_INVALID_VALUE);
    }
    let report = Soft::find().unwrap().report();
    assert!(report.complaints.is_empty(), "{:?}", report.complaints);
    let calls = ["zeMemOpenIpcHandle", "zeMemCloseIpcHandle"].map(|name| report.calls.get(name).copied());
    assert_eq!(calls, [Some(1); 2]);
    ExitCode::SUCCESS
}

/// Releasing a handle frees its file descriptor's number for the next one, but the memory stays open.
fn files_again() {
    let (host, count) = (host(), 1 << 20);
    let memories = [5, 6].map(|number| host.memory(number, count));
    let put_back = |kept| {
        // SAFETY: live handles.
        ok(unsafe { host.calls.urIPCPutMemHandleExp(host.context, kept) });
    };
    // The software driver keeps a file for each memory from its first handle on. So both files exist before the numbers
    // are freed.
    put_back(name(host, memories[1]).0);
    let opened = memories.map(|memory| {
        let (kept, bytes) = name(host, memory);
        let opened = open(host, &bytes).unwrap();
        put_back(kept);
        opened
    });
    assert_eq!(opened.map(|opened| host.numbers(opened, 1)), [[5], [6]]);
    for (memory, opened) in memories.into_iter().zip(opened) {
        // SAFETY: live handles, each released once.
        unsafe {
            ok(host.calls.urIPCCloseMemHandleExp(host.context, opened));
            ok(host.calls.urUSMFree(host.context, memory));
        }
    }
}

fn left_open() {
    let (soft, host) = (Soft::find().unwrap(), host());
    let (mut device, mut context, mut opened) = (host.device, null_mut(), null_mut());
    let memory = host.memory(5, 256);
    let (kept, bytes) = name(host, memory);
    soft.reset();
    // SAFETY: live handles, bytes of that length, and room for the results. Each is released once.
    unsafe {
        ok(host.calls.urContextCreate(1, &raw mut device, null(), &mut context));
        let data = bytes.as_ptr().cast_mut().cast();
        ok(host.calls.urIPCOpenMemHandleExp(context, device, data, bytes.len(), &mut opened));
        ok(host.calls.urContextRelease(context));
        ok(host.calls.urIPCPutMemHandleExp(host.context, kept));
        ok(host.calls.urUSMFree(host.context, memory));
    }
    let report = soft.report();
    assert_eq!(report.calls["zeMemCloseIpcHandle"], 1);
    assert!(report.complaints.is_empty(), "{:?}", report.complaints);
}

/// A page of host memory.
#[repr(C, align(4096))]
struct Page([u32; 1024]);

fn registered_memory() {
    let (soft, host) = (Soft::find().unwrap(), at(Layout::NEWEST));
    let calls = host.calls;
    let mut pages: Vec<Page> = (0..3).map(|_| Page([0; 1024])).collect();
    let (start, page) = (pages.as_mut_ptr().cast::<c_void>(), 4096);
    let (mut device, mut context, mut usm) = (host.device, null_mut(), null_mut());
    let register = |context, start, size| {
        // SAFETY: a live context, and memory that outlives it.
        unsafe { calls.urUSMHostAllocRegisterExp(context, start, size, null()) }
    };
    soft.reset();
    assert!(host.has(UR_DEVICE_INFO_USM_HOST_ALLOC_REGISTER_SUPPORT_EXP));
    // SAFETY: live handles, room for the results, and memory that outlives the calls.
    unsafe {
        ok(calls.urContextCreate(1, &raw mut device, null(), &mut context));
        ok(calls.urUSMHostAlloc(context, null(), null_mut(), page, &mut usm));
        for (start, size) in
            [(start.byte_add(64), page), (start, 100), (start, usize::MAX - 4095), (usm, page)]
        {
            assert_eq!(register(context, start, size), UR_RESULT_ERROR_INVALID_VALUE, "{start:?}, {size}");
        }
        soft.fault("zeMemAllocHost:1=ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY");
        assert_eq!(register(context, start, page), UR_RESULT_ERROR_OUT_OF_HOST_MEMORY);
        soft.fault("");
        ok(register(context, start.byte_add(page), page));
        // The first two pages, and the last two, include the registered one.
        for start in [start, start.byte_add(page)] {
            assert_eq!(register(context, start, 2 * page), UR_RESULT_ERROR_INVALID_VALUE);
        }
        // Those on either side of it do not.
        for start in [start, start.byte_add(2 * page)] {
            ok(register(context, start, page));
        }
        ok(calls.urUSMHostAllocUnregisterExp(context, start));
        assert_eq!(calls.urUSMHostAllocUnregisterExp(context, start), UR_RESULT_ERROR_INVALID_VALUE);
        ok(calls.urUSMFree(context, usm));
        // The other two pages are still registered, and must be released before the context.
        ok(calls.urContextRelease(context));
    }
    let complaints = soft.report().complaints;
    assert!(complaints.is_empty(), "{complaints:?}");
    assert_eq!(pages[1].0[0], 0);
}
