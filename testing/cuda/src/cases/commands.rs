//! USM, copies, events.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use super::Case;
use crate::fixture::{status, wait};
use crate::{Fixture, fails, ok};
use sycl_pi_core::*;
use testing_support::under_test;

pub(crate) const CASES: &[Case] = &[
    ("usm_copies_both_ways", copies),
    ("usm_kinds_are_reported", kinds),
    ("usm_small_shared_memory_is_zero_when_it_is_new", zero),
    ("usm_bad_input", usm_bad_input),
    ("event_becomes_complete_by_polling", polling),
    ("event_of_an_earlier_command_is_recorded_late", late),
    ("more_events_are_held_than_a_stream_has_marks", held),
    ("marks_of_released_events_are_used_again_without_being_mistaken", mistaken),
    ("event_outlives_its_queue", outlives),
    ("events_order_two_queues", two_queues),
    ("out_of_order_barrier_holds_back", barrier),
    ("profiling_times_rise", profiling),
    ("user_event_of_an_old_version_holds_back", user_event),
    ("an_enqueue_to_the_default_stream_does_not_wait_for_a_user_event", default_stream),
];

fn copies() {
    let fixture = Fixture::new();
    let memory = fixture.device_memory(4096);
    let values: Vec<u32> = (0..1024).collect();
    fixture.write(&memory, &values);
    assert_eq!(fixture.read::<u32>(&memory, 1024), values);
    let other = fixture.device_memory(4096);
    fixture.copy(other.start, memory.start, 4096);
    assert_eq!(fixture.read::<u32>(&other, 1024), values);
    let (one, mut two) = ([5_u8; 100], [0_u8; 100]);
    fixture.copy(two.as_mut_ptr().cast(), one.as_ptr().cast(), 100);
    assert_eq!(one, two);
}

fn kinds() {
    let fixture = Fixture::new();
    let reported = |pointer: *const std::ffi::c_void| {
        let mut kind: pi_usm_type = 0;
        let room = (&raw mut kind).cast();
        ok!(piextUSMGetMemAllocInfo(fixture.context, pointer, PI_MEM_ALLOC_TYPE, 4, room, null_mut()));
        kind
    };
    let (device, host, shared) =
        (fixture.device_memory(1000), fixture.host_memory(1000), fixture.shared_memory(1000));
    assert_eq!(reported(device.start), PI_MEM_TYPE_DEVICE);
    assert_eq!(reported(device.at(999)), PI_MEM_TYPE_DEVICE);
    assert_eq!(reported(host.at(10)), PI_MEM_TYPE_HOST);
    assert_eq!(reported(shared.start), PI_MEM_TYPE_SHARED);
    assert_eq!(reported((&raw const fixture).cast()), PI_MEM_TYPE_UNKNOWN);
    let mut base = null_mut::<std::ffi::c_void>();
    let room = (&raw mut base).cast();
    ok!(piextUSMGetMemAllocInfo(fixture.context, device.at(500), PI_MEM_ALLOC_BASE_PTR, 8, room, null_mut()));
    assert_eq!(base, device.start);
    let mut size = 0_usize;
    let room = (&raw mut size).cast();
    ok!(piextUSMGetMemAllocInfo(fixture.context, shared.start, PI_MEM_ALLOC_SIZE, 8, room, null_mut()));
    assert!(size >= 1000);
}

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

fn usm_bad_input() {
    let fixture = Fixture::new();
    let mut start = null_mut();
    fails!(
        piextUSMDeviceAlloc(&mut start, fixture.context, fixture.device, null_mut(), 0, 0),
        PI_ERROR_INVALID_BUFFER_SIZE
    );
    fails!(
        piextUSMDeviceAlloc(&mut start, fixture.context, fixture.device, null_mut(), 8, 3),
        PI_ERROR_INVALID_VALUE
    );
    fails!(
        piextUSMDeviceAlloc(&mut start, fixture.context, fixture.device, null_mut(), 1 << 50, 0),
        PI_ERROR_OUT_OF_RESOURCES
    );
    assert!(crate::fixture::last_error().contains("CUDA_ERROR_OUT_OF_MEMORY"));
    let mut here = 0_u64;
    fails!(piextUSMFree(fixture.context, (&raw mut here).cast()), PI_ERROR_INVALID_VALUE);
}

fn polling() {
    let fixture = Fixture::new();
    let memory = fixture.device_memory(1 << 20);
    let mut event = null_mut();
    ok!(piextUSMEnqueueMemset(fixture.queue, memory.start, 7, 1 << 20, 0, null(), &mut event));
    while status(event) != PI_EVENT_COMPLETE {
        std::thread::yield_now();
    }
    ok!(piEventRelease(event));
    assert!(fixture.read::<u8>(&memory, 1 << 20).iter().all(|byte| *byte == 7));
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

/// Bytes that one command of the tests below fills.
const FILLED: usize = 1 << 16;

/// Fills the part with that number, and says when.
fn fill(queue: pi_queue, parts: *mut c_void, number: usize, value: u8) -> pi_event {
    let mut event = null_mut();
    let part = parts.cast::<u8>().wrapping_add(number * FILLED).cast();
    ok!(piextUSMEnqueueMemset(queue, part, value.into(), FILLED, 0, null(), &mut event));
    event
}

/// Waits for an event, and sees what its command did.
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
        // 11 has no divisor in common with the count: every event's turn comes.
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
            // Some are released before the next command, some behind it, some stay.
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

fn outlives() {
    let fixture = Fixture::new();
    let memory = fixture.device_memory(64);
    let queue = fixture.queue(PI_QUEUE_FLAG_PROFILING_ENABLE);
    let mut event = null_mut();
    ok!(piextUSMEnqueueMemset(queue, memory.start, 1, 64, 0, null(), &mut event));
    ok!(piQueueRelease(queue));
    ok!(piEventsWait(1, &event));
    assert_eq!(status(event), PI_EVENT_COMPLETE);
    let mut time = 0_u64;
    ok!(piEventGetProfilingInfo(event, PI_PROFILING_INFO_COMMAND_END, 8, (&raw mut time).cast(), null_mut()));
    assert!(time > 0);
    ok!(piEventRelease(event));
}

fn two_queues() {
    let fixture = Fixture::new();
    let other = fixture.queue(0);
    let memory = fixture.device_memory(4 << 20);
    for round in 0..20 {
        let mut first = null_mut();
        ok!(piextUSMEnqueueMemset(fixture.queue, memory.start, round, 4 << 20, 0, null(), &mut first));
        let mut byte = 99_u8;
        let mut second = null_mut();
        let last = memory.at((4 << 20) - 1);
        ok!(piextUSMEnqueueMemcpy(other, 0, (&raw mut byte).cast(), last, 1, 1, &first, &mut second));
        wait(&[second]);
        ok!(piEventRelease(first));
        assert_eq!(i32::from(byte), round);
    }
    ok!(piQueueRelease(other));
}

fn barrier() {
    let fixture = Fixture::with(PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    let (memory, size) = (fixture.device_memory(4 << 20), 4 << 20);
    for round in 0..20 {
        ok!(piextUSMEnqueueMemset(fixture.queue, memory.start, round, size, 0, null(), null_mut()));
        ok!(piEnqueueEventsWaitWithBarrier(fixture.queue, 0, null(), null_mut()));
        let mut byte = 99_u8;
        let mut event = null_mut();
        let from = memory.at(size - 1);
        ok!(piextUSMEnqueueMemcpy(fixture.queue, 0, (&raw mut byte).cast(), from, 1, 0, null(), &mut event));
        let mut all = null_mut();
        ok!(piEnqueueEventsWait(fixture.queue, 0, null(), &mut all));
        wait(&[all]);
        assert_eq!(i32::from(byte), round);
        assert_eq!(status(event), PI_EVENT_COMPLETE);
        wait(&[event]);
    }
}

fn profiling() {
    let fixture = Fixture::with(PI_QUEUE_FLAG_PROFILING_ENABLE);
    let memory = fixture.device_memory(1 << 20);
    let mut previous = 0;
    for _ in 0..10 {
        let mut event = null_mut();
        ok!(piextUSMEnqueueMemset(fixture.queue, memory.start, 1, 1 << 20, 0, null(), &mut event));
        ok!(piEventsWait(1, &event));
        let mut times = [0_u64; 4];
        for (name, time) in (PI_PROFILING_INFO_COMMAND_QUEUED..).zip(&mut times) {
            ok!(piEventGetProfilingInfo(event, name, 8, (&raw mut *time).cast(), null_mut()));
        }
        assert!(times.is_sorted() && times[0] >= previous, "{times:?} after {previous}");
        previous = times[0];
        ok!(piEventRelease(event));
    }
    let plain = fixture.queue(0);
    let mut event = null_mut();
    ok!(piextUSMEnqueueMemset(plain, memory.start, 1, 1, 0, null(), &mut event));
    let mut time = 0_u64;
    fails!(
        piEventGetProfilingInfo(event, PI_PROFILING_INFO_COMMAND_END, 8, (&raw mut time).cast(), null_mut()),
        PI_ERROR_PROFILING_INFO_NOT_AVAILABLE
    );
    wait(&[event]);
    ok!(piQueueRelease(plain));
}

/// As a runtime of PI 9.11 sees it: the event is set by the host while a command waits for it.
fn user_event() {
    let fixture = Fixture::new();
    let memory = fixture.device_memory(64);
    let (mut user, mut event) = (null_mut(), null_mut());
    let old = under_test(Version::V9_11);
    testing_support::ok!(old, piEventCreate_until_9_11(fixture.context, &mut user));
    assert_eq!(status(user), PI_EVENT_SUBMITTED);
    ok!(piextUSMEnqueueMemset(fixture.queue, memory.start, 1, 64, 1, &user, &mut event));
    std::thread::sleep(std::time::Duration::from_millis(20));
    assert_ne!(status(event), PI_EVENT_COMPLETE);
    ok!(piEventSetStatus(user, PI_EVENT_COMPLETE));
    wait(&[event, user]);
    assert_eq!(fixture.read::<u8>(&memory, 64), [1; 64]);
}

/// The default stream's handle is 0. A queue on it is as asynchronous as any other.
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
