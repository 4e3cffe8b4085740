//! USM, copies, events.

use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::time::{Duration, Instant};

use super::Case;
use crate::fixture::{is_software, status, wait};
use crate::{Fixture, ok};
use sycl_pi_core::*;
use testing_support::{Gate, under_test};

pub(crate) const CASES: &[Case] = &[
    ("small_shared_memory_is_zero_when_it_is_new", zero),
    ("event_of_an_earlier_command_is_recorded_late", late),
    ("more_events_are_held_than_a_stream_has_marks", held),
    ("marks_of_released_events_are_used_again_without_being_mistaken", mistaken),
    ("an_enqueue_to_the_default_stream_does_not_wait_for_a_user_event", default_stream),
    ("a_user_event_that_is_released_before_it_is_set_holds_nothing_back", never_set),
    ("a_blocking_command_is_done_when_it_returns", blocking),
];

fn zero() {
    let fixture = Fixture::new();
    for size in [1, 4, 64, 4096, 65536] {
        for _ in 0..10 {
            let memory = fixture.shared_memory(size);
            // SAFETY: the host reads and writes shared memory, and no command uses it.
            let bytes = unsafe { std::slice::from_raw_parts_mut(memory.start.cast::<u8>(), size) };
            assert!(bytes.iter().all(|byte| *byte == 0), "{size} bytes");
            bytes.fill(3);
        }
    }
}

fn blocking() {
    const SIZE: usize = 1 << 16;
    // Some milliseconds each.
    let clocks = if is_software() { 1_u64 << 32 } else { 1 << 22 };
    for flags in [0, PI_QUEUE_FLAG_PROFILING_ENABLE] {
        let fixture = Fixture::with(flags);
        let program = fixture.program("kernels");
        let kernel = program.kernel("spin");
        kernel.set(0, clocks).pointer(1, null());
        let (from, to) = (fixture.device_memory(SIZE), fixture.host_memory(SIZE));
        let mut event = null_mut();
        ok!(piextUSMEnqueueMemset(fixture.queue, from.start, 7, SIZE, 0, null(), null_mut()));
        fixture.launch(kernel.raw, &[1], None);
        ok!(piextUSMEnqueueMemcpy(fixture.queue, 1, to.start, from.start, SIZE, 0, null(), &mut event));
        // SAFETY: the host's memory, which no command uses any more.
        let bytes = unsafe { std::slice::from_raw_parts(to.start.cast::<u8>(), SIZE) };
        assert!(bytes.iter().all(|byte| *byte == 7));
        assert_eq!(status(event), PI_EVENT_COMPLETE);
        ok!(piEventRelease(event));
    }
}

fn late() {
    let fixture = Fixture::new();
    let memory = fixture.device_memory(1 << 20);
    let events: Vec<pi_event> = (0..64)
        .map(|value| {
            let mut event = null_mut();
            ok!(piextUSMEnqueueMemset(fixture.queue, memory.start, value, 1 << 20, 0, null(), &mut event));
            event
        })
        .collect();
    wait(&events[10..20]);
    wait(&events[20..]);
    wait(&events[..10]);
    assert_eq!(fixture.read::<u8>(&memory, 1)[0], 63);
}

/// The bytes that one command of the tests below fills.
const FILLED: usize = 1 << 16;

/// Fills a part with a number, and returns the event.
fn fill(queue: pi_queue, parts: *mut c_void, number: usize, value: u8) -> pi_event {
    let mut event = null_mut();
    let part = parts.cast::<u8>().wrapping_add(number * FILLED).cast();
    ok!(piextUSMEnqueueMemset(queue, part, value.into(), FILLED, 0, null(), &mut event));
    event
}

/// Waits for an event, and checks the effect of its command.
fn check(event: pi_event, parts: *mut c_void, number: usize, value: u8) {
    ok!(piEventsWait(1, &event));
    let part = parts.cast::<u8>().wrapping_add(number * FILLED);
    // SAFETY: shared memory, and the command that fills it is complete.
    let bytes = unsafe { std::slice::from_raw_parts(part, FILLED) };
    assert!(bytes.iter().all(|byte| *byte == value), "part {number}");
}

fn held() {
    const COUNT: usize = 700;
    let fixture = Fixture::new();
    let memory = fixture.shared_memory(COUNT * FILLED);
    for flags in [0, PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE] {
        let queue = fixture.queue(flags);
        let value = |number: usize| (number % 200) as u8 + flags as u8 + 1;
        let events: Vec<pi_event> =
            (0..COUNT).map(|number| fill(queue, memory.start, number, value(number))).collect();
        // 11 and the count are coprime, so that every event is used.
        for number in (0..COUNT).map(|turn| turn * 11 % COUNT) {
            check(events[number], memory.start, number, value(number));
            assert_eq!(status(events[number]), PI_EVENT_COMPLETE);
        }
        for event in events {
            ok!(piEventRelease(event));
        }
        ok!(piQueueRelease(queue));
    }
}

fn mistaken() {
    const COUNT: usize = 64;
    let fixture = Fixture::new();
    let memory = fixture.shared_memory(COUNT * FILLED);
    let queue = fixture.queue(0);
    for round in 0..40_u8 {
        let mut kept = Vec::new();
        let first = fill(queue, memory.start, 0, round);
        ok!(piEventsWait(1, &first));
        for number in 0..COUNT {
            let event = fill(queue, memory.start, number, round + 1);
            assert_eq!(status(first), PI_EVENT_COMPLETE, "what is complete stays so");
            // Some are released before the next command, some after it, some remain.
            match number % 3 {
                0 => ok!(piEventRelease(event)),
                1 => kept.push((number, event)),
                _ => {
                    let (number_before, earlier) = kept.remove(kept.len() / 2);
                    check(earlier, memory.start, number_before, round + 1);
                    ok!(piEventRelease(earlier));
                    kept.push((number, event));
                }
            }
        }
        for (number, event) in kept {
            check(event, memory.start, number, round + 1);
            ok!(piEventRelease(event));
        }
        ok!(piEventRelease(first));
    }
    ok!(piQueueRelease(queue));
}

/// The default stream's handle is 0. A queue that uses it is as asynchronous as any other.
fn default_stream() {
    let fixture = Fixture::new();
    let memory = fixture.device_memory(64);
    let (mut user, mut event, mut queue) = (null_mut(), null_mut(), null_mut());
    let old = under_test(Version::V9_11);
    testing_support::ok!(old, piEventCreate_until_9_11(fixture.context, &mut user));
    ok!(piextQueueCreateWithNativeHandle(0, 0, fixture.context, fixture.device, 0, null_mut(), &mut queue));
    ok!(piextUSMEnqueueMemset(queue, memory.start, 1, 64, 1, &user, &mut event));
    assert_ne!(status(event), PI_EVENT_COMPLETE);
    ok!(piEventSetStatus(user, PI_EVENT_COMPLETE));
    wait(&[event, user]);
    assert_eq!(fixture.read::<u8>(&memory, 64), [1; 64]);
    ok!(piQueueRelease(queue));
}

fn never_set() {
    let (fixture, mut behind) = (Fixture::new(), null_mut());
    let gate = Gate::new(&fixture);
    ok!(piEnqueueEventsWait(fixture.queue, 1, &gate.0, &mut behind));
    assert_ne!(status(behind), PI_EVENT_COMPLETE);
    ok!(piEventRelease(gate.0));
    let last = Instant::now() + Duration::from_secs(10);
    while status(behind) != PI_EVENT_COMPLETE {
        assert!(Instant::now() < last, "the command still waits");
        std::thread::sleep(Duration::from_millis(1));
    }
    wait(&[behind]);
}
