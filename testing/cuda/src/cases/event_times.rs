//! Times and states of events where clocks disagree, where nothing is asked of the driver, and where threads wait.

use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::mpsc;
use std::time::Duration;

use sycl_pi_core::*;
use sycl_ur_core::*;
use testing_support::{Gate, Usm};
use testing_ur_host as ur_host;

use super::Case;
use super::unified_runtime::newest;
use crate::fixture::wait;
use crate::software::{calls, inject, set_attributes};
use crate::{Fixture, ok};

pub(crate) const CASES: &[Case] = &[
    ("times_of_an_event_are_in_their_order_whatever_the_clocks_say", clocks),
    ("the_size_of_a_status_is_told_without_the_driver", sizes),
    ("a_thread_that_waits_for_the_caller_goes_on_when_it_says_so", woken),
    ("a_barrier_begins_behind_the_barrier_before_it", barriers),
    ("ur_native_commands_have_times_in_a_queue_with_profiling", native),
    ("events_of_the_driver_keep_their_handle", handles),
];

fn set(queue: pi_queue, memory: &Usm, value: i32, waits: &[pi_event]) -> pi_event {
    let (mut event, count) = (null_mut(), waits.len() as u32);
    let list = if waits.is_empty() { null() } else { waits.as_ptr() };
    ok!(piextUSMEnqueueMemset(queue, memory.start, value, 64, count, list, &mut event));
    event
}

fn times(event: pi_event) -> [u64; 4] {
    [
        PI_PROFILING_INFO_COMMAND_QUEUED,
        PI_PROFILING_INFO_COMMAND_SUBMIT,
        PI_PROFILING_INFO_COMMAND_START,
        PI_PROFILING_INFO_COMMAND_END,
    ]
    .map(|name| {
        let mut time = 0_u64;
        ok!(piEventGetProfilingInfo(event, name, 8, (&raw mut time).cast(), null_mut()));
        time
    })
}

/// The clocks of host and device are read one after the other, so one may be ahead.
fn clocks() {
    let fixture = Fixture::with(PI_QUEUE_FLAG_PROFILING_ENABLE);
    let memory = fixture.device_memory(64);
    for behind in [0, 3000, -3000] {
        let event = set(fixture.queue, &memory, 1, &[]);
        ok!(piEventsWait(1, &event));
        set_attributes(&format!("10002={behind}"));
        let times = times(event);
        set_attributes("");
        assert!(times.is_sorted() && times[0] > 0, "{behind}: {times:?}");
        // A clock that is ahead says so, one that is behind cannot.
        assert_eq!(times[2] - times[0] > 2_000_000_000, behind < 0, "{behind}: {times:?}");
        ok!(piEventRelease(event));
    }
}

fn sizes() {
    let fixture = Fixture::new();
    let memory = fixture.device_memory(64);
    let gate = Gate::new(&fixture);
    let event = set(fixture.queue, &memory, 1, &[gate.0]);
    inject("");
    let mut size = 0;
    ok!(piEventGetInfo(event, PI_EVENT_INFO_COMMAND_EXECUTION_STATUS, 0, null_mut(), &mut size));
    let calls = calls("*");
    gate.open();
    wait(&[event]);
    assert_eq!((size, calls), (4, 0));
}

/// A thread waits for the event itself, not for a command behind it.
fn woken() {
    let fixture = Fixture::new();
    let gate = Gate::new(&fixture);
    let event = gate.0.expose_provenance();
    ok!(piEventRetain(gate.0));
    let (told, heard) = mpsc::channel();
    let thread = std::thread::spawn(move || {
        let event: pi_event = std::ptr::with_exposed_provenance_mut(event);
        told.send(()).unwrap();
        wait(&[event]);
        told.send(()).unwrap();
    });
    heard.recv().unwrap();
    std::thread::sleep(Duration::from_millis(20));
    heard.try_recv().unwrap_err();
    gate.open();
    heard.recv_timeout(Duration::from_secs(5)).unwrap();
    thread.join().unwrap();
}

/// Even if it has a list of its own, all of which is complete.
fn barriers() {
    let flags = PI_QUEUE_FLAG_PROFILING_ENABLE | PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    let fixture = Fixture::with(flags);
    let (queue, memory) = (fixture.queue, fixture.device_memory(64));
    let done = set(queue, &memory, 1, &[]);
    ok!(piEventsWait(1, &done));
    let gate = Gate::new(&fixture);
    let held = set(queue, &memory, 2, &[gate.0]);
    let [mut first, mut second] = [null_mut(); 2];
    ok!(piEnqueueEventsWaitWithBarrier(queue, 1, &held, &mut first));
    ok!(piEnqueueEventsWaitWithBarrier(queue, 1, &done, &mut second));
    std::thread::sleep(Duration::from_millis(10));
    gate.open();
    fixture.finish();
    let [before, behind] = [times(first), times(second)];
    assert!(before[3] <= behind[2] && behind[2] <= behind[3], "{before:?} {behind:?}");
    for event in [done, held, first, second] {
        ok!(piEventRelease(event));
    }
}

/// # Safety
/// `data` must point to a number that nothing else uses during the call.
unsafe extern "C" fn linger(_: ur_queue_handle_t, data: *mut c_void) {
    std::thread::sleep(Duration::from_millis(2));
    // SAFETY: guaranteed by the caller.
    unsafe { *data.cast::<u32>() += 1 };
}

/// Runs a native command in a queue with these flags, and returns the code of a query of its times, and these.
fn native_times(flags: ur_queue_flags_t) -> (ur_result_t, [u64; 4]) {
    let host = newest();
    let (ur, context, device) = (host.calls, host.context, host.device);
    let (mut ran, mut event, mut queue, mut times) = (0_u32, null_mut(), null_mut(), [0_u64; 4]);
    let data = (&raw mut ran).cast();
    let properties =
        ur_queue_properties_t { stype: UR_STRUCTURE_TYPE_QUEUE_PROPERTIES, pNext: null_mut(), flags };
    // SAFETY: live handles, data that outlives the command, and room for the results.
    let codes = unsafe {
        ur_host::ok(ur.urQueueCreate(context, device, &properties, &mut queue));
        let (run, none) = (Some(linger as unsafe extern "C" fn(_, _)), null());
        let command = &mut event;
        ur_host::ok(ur.urEnqueueNativeCommandExp(queue, run, data, 0, none, null(), 0, null(), command));
        ur_host::ok(ur.urEventWait(1, &event));
        let queries = [
            UR_PROFILING_INFO_COMMAND_QUEUED,
            UR_PROFILING_INFO_COMMAND_SUBMIT,
            UR_PROFILING_INFO_COMMAND_START,
            UR_PROFILING_INFO_COMMAND_END,
        ];
        let mut rooms = times.each_mut().map(|time| std::ptr::from_mut(time).cast()).into_iter();
        let codes = queries
            .map(|query| ur.urEventGetProfilingInfo(event, query, 8, rooms.next().unwrap(), null_mut()));
        ur_host::ok(ur.urEventRelease(event));
        ur_host::ok(ur.urQueueRelease(queue));
        codes
    };
    assert_eq!((ran, codes), (1, [codes[0]; 4]));
    assert!(times.is_sorted(), "{times:?}");
    (codes[0], times)
}

fn native() {
    assert_eq!(native_times(0), (UR_RESULT_ERROR_PROFILING_INFO_NOT_AVAILABLE, [0; 4]));
    // The command is enqueued while its function runs, though its stream may begin late.
    let lasts = (0..50).any(|_| {
        let (code, times) = native_times(UR_QUEUE_FLAG_PROFILING_ENABLE);
        assert_eq!(code, UR_RESULT_SUCCESS);
        times[3] - times[2] >= 1_000_000
    });
    assert!(lasts);
}

fn handles() {
    let fixture = Fixture::new();
    let memory = fixture.device_memory(64);
    let event = set(fixture.queue, &memory, 1, &[]);
    let (mut native, mut again, mut of_native) = (0, 0, null_mut());
    ok!(piextEventGetNativeHandle(event, &mut native));
    ok!(piextEventCreateWithNativeHandle(native, fixture.context, 0, &mut of_native));
    ok!(piextEventGetNativeHandle(of_native, &mut again));
    assert_eq!(again, native);
    ok!(piEventRelease(of_native));
    wait(&[event]);
}
