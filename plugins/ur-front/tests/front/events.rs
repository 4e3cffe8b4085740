//! Times and callbacks of events, as they reach the backend.

use std::cell::RefCell;
use std::ffi::c_void;
use std::ptr::null_mut;

use sycl_pi_backend::types::ErrorCode;
use sycl_ur_core::*;
use sycl_ur_front::stubs::*;

use crate::fake::{Fake, address, fail, handles, noted};

const NEWEST: Layout = Layout::V2026_2;

/// No command has commands of its own, so it is complete when it ends.
#[test]
fn each_time_of_an_event_is_the_one_that_is_asked_for() {
    let of = handles(NEWEST);
    let ask = |name, size| {
        let (mut time, mut length) = (77_u64, 99);
        noted();
        // SAFETY: a live handle, and room for the answer.
        let result = unsafe {
            urEventGetProfilingInfo::<Fake>(of.event, name, size, (&raw mut time).cast(), &mut length)
        };
        (result, time, length, noted().join(" "))
    };
    for (name, wanted) in [
        (UR_PROFILING_INFO_COMMAND_QUEUED, "COMMAND_QUEUED"),
        (UR_PROFILING_INFO_COMMAND_SUBMIT, "COMMAND_SUBMIT"),
        (UR_PROFILING_INFO_COMMAND_START, "COMMAND_START"),
        (UR_PROFILING_INFO_COMMAND_END, "COMMAND_END"),
        (UR_PROFILING_INFO_COMMAND_COMPLETE, "COMMAND_END"),
    ] {
        assert_eq!(ask(name, 8), (UR_RESULT_SUCCESS, 9, 8, wanted.to_owned()));
    }
    let refused = |code| (code, 77, 99, String::new());
    assert_eq!(ask(UR_PROFILING_INFO_COMMAND_END, 0), refused(UR_RESULT_ERROR_INVALID_VALUE));
    assert_eq!(ask(99, 8), refused(UR_RESULT_ERROR_INVALID_ENUMERATION));
}

/// The arguments of a callback: the event, the status, and the caller's data.
type Told = (usize, ur_execution_info_t, usize);

thread_local! {
    static TOLD: RefCell<Vec<Told>> = const { RefCell::new(Vec::new()) };
}

extern "C" fn tell(event: ur_event_handle_t, status: ur_execution_info_t, data: *mut c_void) {
    TOLD.with_borrow_mut(|told| told.push((event.addr(), status, data.addr())));
}

/// The callback gets the caller's handle, status and data, not the backend's.
#[test]
fn a_callback_is_for_its_status_and_gets_what_the_caller_knows() {
    let of = handles(NEWEST);
    let set = |status, function: ur_event_callback_t| {
        noted();
        // SAFETY: a live handle, and a function that reads nothing.
        let result = unsafe { urEventSetCallback::<Fake>(of.event, status, function, address(0x77)) };
        (result, noted().concat(), TOLD.take())
    };
    for (status, wanted) in [
        (UR_EXECUTION_INFO_COMPLETE, "COMPLETE"),
        (UR_EXECUTION_INFO_RUNNING, "RUNNING"),
        (UR_EXECUTION_INFO_SUBMITTED, "SUBMITTED"),
    ] {
        let told = vec![(of.event.addr(), status, 0x77)];
        assert_eq!(set(status, Some(tell)), (UR_RESULT_SUCCESS, format!("callback {wanted}"), told));
    }
    let refused = |code| (code, String::new(), Vec::new());
    let queued = set(UR_EXECUTION_INFO_QUEUED, Some(tell));
    assert_eq!(queued, refused(UR_RESULT_ERROR_UNSUPPORTED_ENUMERATION));
    assert_eq!(set(99, Some(tell)), refused(UR_RESULT_ERROR_INVALID_ENUMERATION));
    assert_eq!(set(UR_EXECUTION_INFO_COMPLETE, None), refused(UR_RESULT_ERROR_INVALID_NULL_POINTER));
    fail(ErrorCode::INVALID_EVENT);
    let failed = set(UR_EXECUTION_INFO_COMPLETE, Some(tell));
    assert_eq!(failed, (UR_RESULT_ERROR_INVALID_EVENT, "callback COMPLETE".to_owned(), Vec::new()));
}

#[test]
fn the_host_waits_for_each_event_of_its_list() {
    let of = handles(NEWEST);
    let wait = |list: &[ur_event_handle_t]| {
        noted();
        // SAFETY: live handles or null, in a list of that length.
        let result = unsafe { urEventWait::<Fake>(list.len() as u32, list.as_ptr()) };
        (result, noted().concat())
    };
    assert_eq!(wait(&[of.event; 3]), (UR_RESULT_SUCCESS, "host waits for 3".into()));
    assert_eq!(wait(&[of.event, null_mut()]), (UR_RESULT_ERROR_INVALID_NULL_HANDLE, String::new()));
}
