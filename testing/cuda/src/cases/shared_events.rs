//! Events that commands signal again, and that two processes use.

use std::ffi::{CString, c_void};
use std::fs;
use std::path::{Path, PathBuf};
use std::ptr::{null, null_mut};
use std::time::Duration;

use sycl_ur_core::*;
use testing_ur_host::{Host, ok};

use super::unified_runtime::{COUNT, newest};
use super::{Case, child};

pub(crate) const CASES: &[Case] = &[
    ("ur_event_is_signalled_again_and_again", again),
    ("ur_event_is_signalled_behind_every_command_of_a_queue_without_order", without_order),
    ("ur_event_is_shared_with_another_process", between_processes),
];

/// Returns whether the device shares events between processes.
pub(super) fn shares() -> bool {
    newest().has(UR_DEVICE_INFO_IPC_EVENT_SUPPORT_EXP)
}

/// The task of a child that opens an event of its parent, and its variables: the names of the event and of memory,
/// and a file that the parent's work waits for.
pub(crate) const OTHER_PROCESS: &str = "other process, events";
const EVENT: &str = "PI_TEST_IPC_EVENT";
const MEMORY: &str = "PI_TEST_IPC_EVENT_MEMORY";
const GO: &str = "PI_TEST_IPC_EVENT_GO";

fn create(host: Host, flags: u32) -> Result<ur_event_handle_t, ur_result_t> {
    let desc = ur_exp_event_desc_t { stype: UR_STRUCTURE_TYPE_EXP_EVENT_DESC, pNext: null(), flags };
    let mut event = null_mut();
    // SAFETY: live handles, and room for the event.
    let code = unsafe { host.calls.urEventCreateExp(host.context, host.device, &desc, &mut event) };
    if code == UR_RESULT_SUCCESS { Ok(event) } else { Err(code) }
}

/// Makes the queue signal the event after everything in it.
fn signal(host: Host, event: ur_event_handle_t) {
    let mut place = event;
    // SAFETY: live handles, and a pointer to an event.
    ok(unsafe { host.calls.urEnqueueEventsWaitWithBarrierExt(host.queue, null(), 0, null(), &mut place) });
    assert_eq!(place, event, "the event stays the caller's");
}

fn is_complete(host: Host, event: ur_event_handle_t) -> bool {
    let (mut status, query) = (0_u32, UR_EVENT_INFO_COMMAND_EXECUTION_STATUS);
    let room = (&raw mut status).cast();
    // SAFETY: live handles, and room for a number.
    ok(unsafe { host.calls.urEventGetInfo(event, query, 4, room, null_mut()) });
    status == UR_EVENT_STATUS_COMPLETE
}

/// Waits for a file for a limited time.
///
/// # Safety
/// `path` comes from `CString::into_raw`, and is not used after this call.
unsafe extern "C" fn wait_for_file(path: *mut c_void) {
    // SAFETY: the path that the test passes.
    let path = unsafe { CString::from_raw(path.cast()) }.into_string().unwrap();
    for _ in 0..1000 {
        if Path::new(&path).exists() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Blocks the queue until a file exists.
fn hold(host: Host, path: &Path) {
    let path = CString::new(path.to_str().unwrap()).unwrap().into_raw().cast();
    // SAFETY: live handles, and a path that the task takes ownership of.
    ok(unsafe {
        host.calls.urEnqueueHostTaskExp(host.queue, Some(wait_for_file), path, null(), 0, null(), null_mut())
    });
}

/// Returns the path of a file that does not exist yet.
fn file(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("pi-cuda-{}-{name}", std::process::id()))
}

/// Fills the memory without waiting.
fn fill(host: Host, start: *mut c_void, value: u32) {
    let pattern = (&raw const value).cast();
    // SAFETY: live handles, and memory of that size.
    ok(unsafe {
        host.calls.urEnqueueUSMFill(host.queue, start, 4, pattern, COUNT * 4, 0, null(), null_mut())
    });
}

fn again() {
    let host = newest();
    assert!(host.has(UR_DEVICE_INFO_REUSABLE_EVENTS_SUPPORT_EXP));
    let (event, start) = (create(host, 0).unwrap(), host.memory(0, COUNT));
    assert!(is_complete(host, event));
    for round in 1..=2 {
        let go = file(&format!("again-{round}"));
        hold(host, &go);
        fill(host, start, round);
        signal(host, event);
        assert!(!is_complete(host, event), "{round}");
        fs::write(&go, "").unwrap();
        // SAFETY: live handles.
        ok(unsafe { host.calls.urEventWait(1, &event) });
        assert!(is_complete(host, event));
        assert_eq!(host.numbers(start, COUNT), vec![round; COUNT]);
        fs::remove_file(go).unwrap();
    }
    // SAFETY: live handles, each released once.
    unsafe {
        let (mut data, mut size) = (null_mut(), 0);
        let not_shared = host.calls.urIPCGetEventHandleExp(event, &mut data, &mut size);
        assert_eq!(not_shared, UR_RESULT_ERROR_INVALID_VALUE);
        ok(host.calls.urEventRelease(event));
        ok(host.calls.urUSMFree(host.context, start));
    }
}

/// Each task is in a stream of its own.
fn without_order() {
    let host = newest();
    let host = Host { queue: host.queue_with(UR_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE), ..host };
    let (event, files) = (create(host, 0).unwrap(), ["first", "second"].map(file));
    files.iter().for_each(|path| hold(host, path));
    signal(host, event);
    for path in &files {
        assert!(!is_complete(host, event), "{}", path.display());
        fs::write(path, "").unwrap();
        std::thread::sleep(Duration::from_millis(50));
    }
    // SAFETY: live handles, each released once.
    unsafe {
        ok(host.calls.urEventWait(1, &event));
        ok(host.calls.urEventRelease(event));
        ok(host.calls.urQueueRelease(host.queue));
    }
    files.iter().for_each(|path| fs::remove_file(path).unwrap());
}

fn text(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(variable: &str) -> Vec<u8> {
    let text = std::env::var(variable).unwrap();
    let digits: Vec<char> = text.chars().collect();
    let number = |pair: &[char]| u8::from_str_radix(&pair.iter().collect::<String>(), 16).unwrap();
    digits.chunks(2).map(number).collect()
}

fn between_processes() {
    let host = newest();
    let (calls, start) = (host.calls, host.memory(0, COUNT));
    let event = create(host, UR_EXP_EVENT_FLAG_IPC_EXP).unwrap();
    let (mut data, mut size, mut name, mut name_size) = (null_mut(), 0, null_mut(), 0);
    // SAFETY: live handles, room for the results, and bytes that are valid until they are returned.
    let (event_name, memory_name) = unsafe {
        ok(calls.urIPCGetEventHandleExp(event, &mut data, &mut size));
        ok(calls.urIPCGetMemHandleExp(host.context, start, &mut name, &mut name_size));
        let text = |start: *mut c_void, size| text(std::slice::from_raw_parts(start.cast::<u8>(), size));
        (text(data, size), text(name, name_size))
    };
    let go = file("shared");
    hold(host, &go);
    fill(host, start, 7);
    signal(host, event);
    let path = go.to_str().unwrap().to_owned();
    println!(
        "{}",
        child::run(OTHER_PROCESS, &[(EVENT, event_name), (MEMORY, memory_name), (GO, path)]).trim()
    );
    fs::remove_file(go).unwrap();
    // SAFETY: live handles, each released once.
    unsafe {
        // The other process signalled it again.
        ok(calls.urEventWait(1, &event));
        assert_eq!(host.numbers(start, COUNT), [8; COUNT]);
        ok(calls.urIPCPutEventHandleExp(host.context, data));
        assert_eq!(calls.urIPCPutEventHandleExp(host.context, data), UR_RESULT_ERROR_INVALID_VALUE);
        ok(calls.urIPCPutMemHandleExp(host.context, name));
        ok(calls.urEventRelease(event));
        ok(calls.urUSMFree(host.context, start));
    }
}

/// Opens the parent's event, whose command is blocked, makes a copy wait for it, and signals it itself.
pub(crate) fn in_another_process() {
    let host = newest();
    let (calls, name, mut of_memory) = (host.calls, bytes(EVENT), bytes(MEMORY));
    // In device memory, because copies to ordinary host memory wait themselves.
    let (mut event, mut start, copy) = (null_mut(), null_mut(), host.memory(0, COUNT));
    // SAFETY: live handles, bytes of these lengths, and room for the results.
    unsafe {
        let data = name.as_ptr().cast();
        let short = calls.urIPCOpenEventHandleExp(host.context, data, name.len() - 1, &mut event);
        assert_eq!(short, UR_RESULT_ERROR_INVALID_VALUE);
        ok(calls.urIPCOpenEventHandleExp(host.context, data, name.len(), &mut event));
        let size = of_memory.len();
        let data = of_memory.as_mut_ptr().cast();
        ok(calls.urIPCOpenMemHandleExp(host.context, host.device, data, size, &mut start));
        assert!(!is_complete(host, event));
        ok(calls.urEnqueueUSMMemcpy(host.queue, 0, copy, start, COUNT * 4, 1, &event, null_mut()));
        fs::write(std::env::var(GO).unwrap(), "").unwrap();
        ok(calls.urQueueFinish(host.queue));
        assert_eq!(host.numbers(copy, COUNT), [7; COUNT]);
        ok(calls.urEventWait(1, &event));
        fill(host, start, 8);
        signal(host, event);
        ok(calls.urQueueFinish(host.queue));
        // An opened event cannot be shared again.
        let (mut data, mut size) = (null_mut(), 0);
        let shared_on = calls.urIPCGetEventHandleExp(event, &mut data, &mut size);
        assert_eq!(shared_on, UR_RESULT_ERROR_INVALID_VALUE);
        ok(calls.urEventRelease(event));
        ok(calls.urIPCCloseMemHandleExp(host.context, start));
        ok(calls.urUSMFree(host.context, copy));
    }
}
