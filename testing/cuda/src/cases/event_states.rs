//! The states of events: what a failure leaves, and what the driver's answers mean.

use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::{Duration, Instant};

use super::Case;
use crate::fixture::{status, wait};
use crate::software::{calls, inject, live};
use crate::{Fixture, code, fails, ok, software};
use sycl_pi_core::*;
use testing_support::{Gate, Usm, under_test};

pub(crate) const CASES: &[Case] = &[
    ("a_command_that_failed_once_stays_failed", failed_once),
    ("a_callback_of_a_failed_event_gets_its_failure", failed_event),
    ("a_callback_is_given_the_status_that_it_was_registered_for", passed_status),
    ("a_failed_event_of_the_caller_lets_its_queue_go_on", failed_gate),
    ("a_command_that_is_not_complete_has_no_times_yet", no_times),
    ("a_command_behind_others_is_submitted_until_it_starts", submitted),
    ("a_command_of_a_shared_stream_ends_before_what_the_caller_adds_later", shared),
    ("events_and_streams_beyond_what_is_kept_are_given_back", bounded),
];

fn set(queue: pi_queue, memory: &Usm, waits: &[pi_event]) -> pi_event {
    let (mut event, count) = (null_mut(), waits.len() as u32);
    let list = if waits.is_empty() { null() } else { waits.as_ptr() };
    ok!(piextUSMEnqueueMemset(queue, memory.start, 1, 64, count, list, &mut event));
    event
}

/// The driver reports an error only once.
fn failed_once() {
    let fixture = Fixture::new();
    let memory = fixture.device_memory(64);
    for waits in [false, true] {
        let gate = Gate::new(&fixture);
        let event = set(fixture.queue, &memory, &[gate.0]);
        let function = if waits { "cuStreamSynchronize" } else { "cuStreamQuery" };
        inject(&format!("{function}:1:719"));
        let (told, expected) = if waits {
            (code!(piEventsWait(1, &event)), PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
        } else {
            (status(event), PI_ERROR_COMMAND_EXECUTION_FAILURE)
        };
        assert_eq!((told, calls(function)), (expected, 1));
        inject("");
        gate.open();
        fixture.finish();
        assert_eq!(status(event), PI_ERROR_COMMAND_EXECUTION_FAILURE, "{function}");
        ok!(piEventRelease(event));
    }
}

extern "C" fn take_status(_: pi_event, status: pi_int32, place: *mut c_void) {
    // SAFETY: the test passes the address of such a number.
    unsafe { &*place.cast::<AtomicI32>() }.store(status, Ordering::SeqCst);
}

fn failed_event() {
    let (fixture, old) = (Fixture::new(), under_test(Version::V9_11));
    for failure in [PI_EVENT_COMPLETE, -7] {
        let seen = AtomicI32::new(99);
        let place = (&raw const seen).cast_mut().cast();
        let gate = Gate::new(&fixture);
        testing_support::ok!(old, piEventSetStatus(gate.0, failure));
        ok!(piEventSetCallback(gate.0, PI_EVENT_COMPLETE, Some(take_status), place));
        let start = Instant::now();
        while seen.load(Ordering::SeqCst) == 99 && start.elapsed().as_secs() < 10 {
            std::thread::yield_now();
        }
        assert_eq!(seen.load(Ordering::SeqCst), failure);
        ok!(piEventRelease(gate.0));
    }
}

/// The event may be past that status, even complete.
fn passed_status() {
    let fixture = Fixture::new();
    let memory = fixture.device_memory(64);
    let event = set(fixture.queue, &memory, &[]);
    ok!(piEventsWait(1, &event));
    for registered in [PI_EVENT_SUBMITTED, PI_EVENT_RUNNING, PI_EVENT_COMPLETE] {
        let seen = AtomicI32::new(99);
        let place = (&raw const seen).cast_mut().cast();
        ok!(piEventSetCallback(event, registered, Some(take_status), place));
        let start = Instant::now();
        while seen.load(Ordering::SeqCst) == 99 && start.elapsed().as_secs() < 10 {
            std::thread::yield_now();
        }
        assert_eq!(seen.load(Ordering::SeqCst), registered);
    }
    ok!(piEventRelease(event));
}

fn failed_gate() {
    let (fixture, old) = (Fixture::new(), under_test(Version::V9_11));
    let memory = fixture.device_memory(64);
    let gate = Gate::new(&fixture);
    let behind = set(fixture.queue, &memory, &[gate.0]);
    testing_support::ok!(old, piEventSetStatus(gate.0, -7));
    let start = Instant::now();
    while status(behind) != PI_EVENT_COMPLETE && start.elapsed().as_secs() < 5 {
        std::thread::sleep(Duration::from_millis(1));
    }
    let at_the_end = status(behind);
    let (queue, mut none) = (fixture.queue, null_mut());
    fails!(
        piextUSMEnqueueMemset(queue, memory.start, 1, 64, 1, &gate.0, &mut none),
        PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
    );
    // Releasing the event also opens it.
    ok!(piEventRelease(gate.0));
    assert_eq!(at_the_end, PI_EVENT_COMPLETE);
    wait(&[behind]);
}

fn no_times() {
    let fixture = Fixture::new();
    let (memory, gate) = (fixture.device_memory(64), Gate::new(&fixture));
    let queue = fixture.queue(PI_QUEUE_FLAG_PROFILING_ENABLE);
    let event = set(queue, &memory, &[gate.0]);
    let time = |name| {
        let mut time = 0_u64;
        let code = code!(piEventGetProfilingInfo(event, name, 8, (&raw mut time).cast(), null_mut()));
        (code, time > 0)
    };
    let missing = (PI_ERROR_PROFILING_INFO_NOT_AVAILABLE, false);
    let later =
        [PI_PROFILING_INFO_COMMAND_SUBMIT, PI_PROFILING_INFO_COMMAND_START, PI_PROFILING_INFO_COMMAND_END];
    let early = (time(PI_PROFILING_INFO_COMMAND_QUEUED), later.map(time));
    gate.open();
    ok!(piEventsWait(1, &event));
    assert_eq!(early, ((PI_SUCCESS, true), [missing; 3]));
    assert_eq!(later.map(time), [(PI_SUCCESS, true); 3]);
    ok!(piEventRelease(event));
    ok!(piQueueRelease(queue));
}

/// Only a queue with times records when a command starts.
fn submitted() {
    for (flags, expected) in [(PI_QUEUE_FLAG_PROFILING_ENABLE, PI_EVENT_SUBMITTED), (0, PI_EVENT_RUNNING)] {
        let fixture = Fixture::with(flags);
        let memory = fixture.device_memory(64);
        let gate = Gate::new(&fixture);
        let behind = set(fixture.queue, &memory, &[gate.0]);
        assert_eq!(status(behind), expected, "{flags}");
        gate.open();
        wait(&[behind]);
    }
}

/// A stream whose handle was given away never becomes idle if the caller goes on adding work.
fn shared() {
    let wait_value: unsafe extern "C" fn(*mut c_void, u64, u32, u32) -> u32 =
        software::function("cuStreamWaitValue32_v2");
    let current: unsafe extern "C" fn(*mut c_void) -> u32 = software::function("cuCtxSetCurrent");
    let fixture = Fixture::new();
    let (memory, words) = (fixture.device_memory(64), fixture.host_memory(64));
    let (mut stream, mut kind, mut driver) = (0, 0, 0);
    let word = |number: usize| {
        // SAFETY: an atomic number in memory of 64 bytes, which the stream reads.
        unsafe { &*words.start.cast::<AtomicI32>().add(number) }
    };
    word(0).store(0, Ordering::SeqCst);
    word(1).store(0, Ordering::SeqCst);
    ok!(piextQueueGetNativeHandle(fixture.queue, &mut stream, &mut kind));
    ok!(piextContextGetNativeHandle(fixture.context, &mut driver));
    let [stream, driver] = [stream, driver].map(std::ptr::with_exposed_provenance_mut);
    let event = set(fixture.queue, &memory, &[]);
    let add_wait_for = |number: usize| {
        let address = word(number).as_ptr().addr() as u64;
        // SAFETY: handles that live until the end, and an address of the device. 0 waits for at least the value.
        let told = unsafe { [current(driver), wait_value(stream, address, 1, 0), current(null_mut())] };
        assert_eq!(told, [0; 3]);
    };
    add_wait_for(0);
    let at_first = status(event);
    add_wait_for(1);
    word(0).store(1, Ordering::SeqCst);
    let start = Instant::now();
    while status(event) != PI_EVENT_COMPLETE && start.elapsed().as_secs() < 5 {
        std::thread::sleep(Duration::from_millis(1));
    }
    let at_last = status(event);
    word(1).store(1, Ordering::SeqCst);
    fixture.finish();
    assert_eq!((at_first, at_last), (PI_EVENT_RUNNING, PI_EVENT_COMPLETE));
    ok!(piEventRelease(event));
}

fn bounded() {
    const HELD: usize = 1500;
    let fixture = Fixture::new();
    let memory = fixture.device_memory(64);
    let before = live();
    let queues: Vec<_> = (0..100).map(|_| fixture.queue(0)).collect();
    for queue in &queues {
        wait(&[set(*queue, &memory, &[])]);
    }
    queues.into_iter().for_each(|queue| ok!(piQueueRelease(queue)));
    let streams = live() - before;
    let timed = fixture.queue(PI_QUEUE_FLAG_PROFILING_ENABLE);
    let events: Vec<_> = (0..HELD).map(|_| set(timed, &memory, &[])).collect();
    wait(&events);
    ok!(piQueueRelease(timed));
    let events = live() - before - streams;
    // Of each queue, an event, too. Of each of the other commands, two events.
    assert!(streams < 180 && events < 2 * 1200, "{streams} streams and {events} events");
}
