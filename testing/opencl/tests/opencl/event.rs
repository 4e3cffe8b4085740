//! Events, callbacks, profiling, waits.

use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "event",
        [
            is_complete_from_the_start_since_11_15,
            is_a_user_event_until_9_11,
            another_thread_waits_for_a_user_event,
            status_has_4_bytes,
            facts,
            bad_questions_are_refused,
            is_counted,
            bad_wait_lists_are_refused,
            polling_reaches_complete,
            callbacks_run_once_each,
            a_callback_after_the_end_runs_at_once,
            a_callback_for_queued_is_refused,
            profiling_times_do_not_decrease,
            profiling_is_refused_without_the_flag,
            a_marker_waits_for_its_list,
            a_barrier_holds_back_what_follows,
            a_failed_event_fails_its_dependents,
            a_released_pending_event_changes_nothing,
            wait_lists_with_count_0_take_any_pointer,
            the_same_event_twice_in_a_list,
        ]
    );
}

fn status(f: &Fixture, event: pi_event) -> i32 {
    get!(f.pi, piEventGetInfo(event, PI_EVENT_INFO_COMMAND_EXECUTION_STATUS) as i32)
}

/// An event that the test completes.
fn user_event(f: &Fixture) -> pi_event {
    made!(plugin::table(Version::V9_11), |out| piEventCreate_until_9_11(f.context, out))
}

fn marker(f: &Fixture, queue: pi_queue, waits: &[pi_event]) -> pi_event {
    made!(f.pi, |out| piEnqueueEventsWait(queue, waits.len() as u32, waits.as_ptr(), out))
}

fn is_complete_from_the_start_since_11_15() {
    for version in Version::ALL.into_iter().filter(|version| *version > Version::V9_11) {
        let f = Fixture::at(version);
        let event: pi_event = made!(f.pi, |out| piEventCreate(f.context, out));
        assert_eq!(status(&f, event), PI_EVENT_COMPLETE, "PI {}", version.text());
        f.wait(event);
    }
}

fn is_a_user_event_until_9_11() {
    let f = Fixture::at(Version::V9_11);
    let event: pi_event = made!(f.pi, |out| piEventCreate_until_9_11(f.context, out));
    assert_eq!(status(&f, event), PI_EVENT_SUBMITTED);
    assert_eq!(get!(f.pi, piEventGetInfo(event, PI_EVENT_INFO_COMMAND_TYPE) as u32), PI_COMMAND_TYPE_USER);
    ok!(f.pi, piEventSetStatus(event, PI_EVENT_COMPLETE));
    assert_eq!(status(&f, event), PI_EVENT_COMPLETE);
    f.wait(event);
}

fn another_thread_waits_for_a_user_event() {
    let f = Fixture::new();
    let event = user_event(&f);
    let address = event.addr();
    let waiter = std::thread::spawn(move || {
        let event = address as pi_event;
        call!(plugin::table(Version::NEWEST), piEventsWait(1, &event))
    });
    std::thread::sleep(Duration::from_millis(20));
    assert!(!waiter.is_finished(), "the wait returned before the event");
    ok!(f.pi, piEventSetStatus(event, PI_EVENT_COMPLETE));
    waiter.join().unwrap().unwrap();
    ok!(f.pi, piEventRelease(event));
}

fn status_has_4_bytes() {
    let f = Fixture::new();
    let event = f.signalled_event();
    let mut room = [0x5a5a_5a5a_i32; 2];
    let mut size = 0;
    let start = room.as_mut_ptr().cast();
    ok!(f.pi, piEventGetInfo(event, PI_EVENT_INFO_COMMAND_EXECUTION_STATUS, 8, start, &mut size));
    assert_eq!((size, room), (4, [PI_EVENT_COMPLETE, 0x5a5a_5a5a]));
    ok!(f.pi, piEventRelease(event));
}

fn facts() {
    let f = Fixture::new();
    let event = marker(&f, f.queue, &[]);
    assert_eq!(get!(f.pi, piEventGetInfo(event, PI_EVENT_INFO_COMMAND_QUEUE) as pi_queue), f.queue);
    assert_eq!(get!(f.pi, piEventGetInfo(event, PI_EVENT_INFO_CONTEXT) as pi_context), f.context);
    let kind = get!(f.pi, piEventGetInfo(event, PI_EVENT_INFO_COMMAND_TYPE) as u32);
    assert_eq!(kind, PI_COMMAND_TYPE_MARKER);
    f.wait(event);
}

fn bad_questions_are_refused() {
    let f = Fixture::new();
    let queue = f.queue_with(PI_QUEUE_FLAG_PROFILING_ENABLE);
    let event = marker(&f, queue, &[]);
    ok!(f.pi, piEventsWait(1, &event));
    bad_questions!(f.pi, piEventGetInfo(event), PI_EVENT_INFO_CONTEXT);
    bad_questions!(f.pi, piEventGetInfo(event), PI_EVENT_INFO_COMMAND_EXECUTION_STATUS);
    bad_questions!(f.pi, piEventGetProfilingInfo(event), PI_PROFILING_INFO_COMMAND_END);
    ok!(f.pi, piEventRelease(event));
    ok!(f.pi, piQueueRelease(queue));
}

fn is_counted() {
    let f = Fixture::new();
    let event = user_event(&f);
    let count = || get!(f.pi, piEventGetInfo(event, PI_EVENT_INFO_REFERENCE_COUNT) as u32);
    assert_eq!(count(), 1);
    ok!(f.pi, piEventRetain(event));
    assert_eq!(count(), 2);
    ok!(f.pi, piEventRelease(event));
    assert_eq!(count(), 1);
    ok!(f.pi, piEventSetStatus(event, PI_EVENT_COMPLETE));
    ok!(f.pi, piEventRelease(event));
}

fn bad_wait_lists_are_refused() {
    let f = Fixture::new();
    let event = f.signalled_event();
    let with_null = [event, null_mut()];
    refused!(f.pi, piEventsWait(1, null()), PI_ERROR_INVALID_VALUE);
    refused!(f.pi, piEventsWait(0, &event), PI_ERROR_INVALID_VALUE);
    refused!(
        f.pi,
        piEventsWait(2, with_null.as_ptr()),
        PI_ERROR_INVALID_EVENT | PI_ERROR_INVALID_EVENT_WAIT_LIST
    );
    let none = null_mut();
    refused!(f.pi, piEnqueueEventsWait(f.queue, 1, null(), none), PI_ERROR_INVALID_EVENT_WAIT_LIST);
    refused!(
        f.pi,
        piEnqueueEventsWait(f.queue, 2, with_null.as_ptr(), none),
        PI_ERROR_INVALID_EVENT_WAIT_LIST
    );
    ok!(f.pi, piEventRelease(event));
}

fn polling_reaches_complete() {
    let f = Fixture::new();
    let event = marker(&f, f.queue, &[]);
    ok!(f.pi, piQueueFlush(f.queue));
    let started = Instant::now();
    while status(&f, event) != PI_EVENT_COMPLETE {
        assert!(started.elapsed() < Duration::from_secs(30));
        std::thread::yield_now();
    }
    ok!(f.pi, piEventRelease(event));
}

#[derive(Default)]
struct Calls {
    count: AtomicU32,
    status: AtomicI32,
}

unsafe extern "C" fn called(_: pi_event, status: i32, data: *mut c_void) {
    // SAFETY: the caller's `Calls`, which it keeps until it has seen the call counted.
    let calls = unsafe { &*data.cast::<Calls>() };
    calls.status.store(status, Ordering::SeqCst);
    calls.count.fetch_add(1, Ordering::SeqCst);
}

fn wait_for_call(calls: &Calls) {
    let started = Instant::now();
    while calls.count.load(Ordering::SeqCst) == 0 {
        assert!(started.elapsed() < Duration::from_secs(30), "never called");
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn callbacks_run_once_each() {
    let f = Fixture::new();
    let gate = user_event(&f);
    let event = marker(&f, f.queue, &[gate]);
    let kinds = [PI_EVENT_SUBMITTED, PI_EVENT_RUNNING, PI_EVENT_COMPLETE];
    let calls: [Calls; 3] = Default::default();
    for (kind, calls) in kinds.iter().zip(&calls) {
        let data = std::ptr::from_ref(calls).cast_mut().cast();
        ok!(f.pi, piEventSetCallback(event, *kind, Some(called), data));
    }
    ok!(f.pi, piQueueFlush(f.queue));
    assert_eq!(calls[2].count.load(Ordering::SeqCst), 0, "complete before its wait list");
    ok!(f.pi, piEventSetStatus(gate, PI_EVENT_COMPLETE));
    ok!(f.pi, piEventsWait(1, &event));
    for (kind, calls) in kinds.iter().zip(&calls) {
        wait_for_call(calls);
        // A driver may report a later status to a callback for an earlier one, never an earlier.
        assert!(calls.status.load(Ordering::SeqCst) <= *kind);
    }
    std::thread::sleep(Duration::from_millis(5));
    assert!(calls.iter().all(|calls| calls.count.load(Ordering::SeqCst) == 1));
    ok!(f.pi, piEventRelease(event));
    ok!(f.pi, piEventRelease(gate));
}

fn a_callback_after_the_end_runs_at_once() {
    let f = Fixture::new();
    let event = marker(&f, f.queue, &[]);
    ok!(f.pi, piEventsWait(1, &event));
    let calls = Calls::default();
    let data = (&raw const calls).cast_mut().cast();
    ok!(f.pi, piEventSetCallback(event, PI_EVENT_COMPLETE, Some(called), data));
    wait_for_call(&calls);
    ok!(f.pi, piEventRelease(event));
}

fn a_callback_for_queued_is_refused() {
    let f = Fixture::new();
    let event = f.signalled_event();
    for status in [PI_EVENT_QUEUED, 77, -1] {
        refused!(f.pi, piEventSetCallback(event, status, Some(called), null_mut()), PI_ERROR_INVALID_VALUE);
    }
    refused!(f.pi, piEventSetCallback(event, PI_EVENT_COMPLETE, None, null_mut()), PI_ERROR_INVALID_VALUE);
    ok!(f.pi, piEventRelease(event));
}

fn profiling_times_do_not_decrease() {
    let f = Fixture::new();
    let queue = f.queue_with(PI_QUEUE_FLAG_PROFILING_ENABLE);
    let buffer = f.buffer(&[0_u8; 4096]);
    let data = [1_u8; 4096];
    let start = data.as_ptr().cast();
    let event: pi_event =
        made!(f.pi, |out| piEnqueueMemBufferWrite(queue, *buffer, 0, 0, 4096, start, 0, null(), out));
    ok!(f.pi, piEventsWait(1, &event));
    let times = [
        PI_PROFILING_INFO_COMMAND_QUEUED,
        PI_PROFILING_INFO_COMMAND_SUBMIT,
        PI_PROFILING_INFO_COMMAND_START,
        PI_PROFILING_INFO_COMMAND_END,
    ]
    .map(|name| get!(f.pi, piEventGetProfilingInfo(event, name) as u64));
    assert!(times[0] > 0 && times.is_sorted(), "{times:?}");
    ok!(f.pi, piEventRelease(event));
    ok!(f.pi, piQueueRelease(queue));
}

fn profiling_is_refused_without_the_flag() {
    let f = Fixture::new();
    let event = marker(&f, f.queue, &[]);
    ok!(f.pi, piEventsWait(1, &event));
    let mut time = 0_u64;
    let room = (&raw mut time).cast();
    refused!(
        f.pi,
        piEventGetProfilingInfo(event, PI_PROFILING_INFO_COMMAND_END, 8, room, null_mut()),
        PI_ERROR_PROFILING_INFO_NOT_AVAILABLE
    );
    ok!(f.pi, piEventRelease(event));
}

fn a_marker_waits_for_its_list() {
    let f = Fixture::new();
    let gate = user_event(&f);
    let event = marker(&f, f.queue, &[gate]);
    ok!(f.pi, piQueueFlush(f.queue));
    std::thread::sleep(Duration::from_millis(5));
    assert_ne!(status(&f, event), PI_EVENT_COMPLETE);
    ok!(f.pi, piEventSetStatus(gate, PI_EVENT_COMPLETE));
    f.wait(event);
    ok!(f.pi, piEventRelease(gate));
}

fn a_barrier_holds_back_what_follows() {
    let f = Fixture::new();
    let queue = f.queue_with(PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    let buffer = f.buffer(&[1_u32]);
    let gate = user_event(&f);
    ok!(f.pi, piEnqueueEventsWaitWithBarrier(queue, 1, &gate, null_mut()));
    let value = 2_u32;
    let start = (&raw const value).cast();
    let event: pi_event =
        made!(f.pi, |out| piEnqueueMemBufferWrite(queue, *buffer, 0, 0, 4, start, 0, null(), out));
    ok!(f.pi, piQueueFlush(queue));
    std::thread::sleep(Duration::from_millis(10));
    assert_ne!(status(&f, event), PI_EVENT_COMPLETE);
    assert_eq!(f.content::<u32>(*buffer, 1), [1]);
    ok!(f.pi, piEventSetStatus(gate, PI_EVENT_COMPLETE));
    f.wait(event);
    assert_eq!(f.content::<u32>(*buffer, 1), [2]);
    ok!(f.pi, piEventRelease(gate));
    ok!(f.pi, piQueueRelease(queue));
}

fn a_failed_event_fails_its_dependents() {
    let f = Fixture::new();
    let gate = user_event(&f);
    let event = marker(&f, f.queue, &[gate]);
    ok!(f.pi, piEventSetStatus(gate, -5));
    refused!(f.pi, piEventsWait(1, &event), PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    // The wait tells the failure; what the dependent's own status says is the driver's choice, but not "pending".
    let own = status(&f, event);
    assert!(own <= PI_EVENT_COMPLETE, "{own}");
    ok!(f.pi, piEventRelease(event));
    ok!(f.pi, piEventRelease(gate));
}

fn a_released_pending_event_changes_nothing() {
    let f = Fixture::new();
    let buffer = f.buffer(&[0_u32]);
    let gate = user_event(&f);
    let value = 8_u32;
    let start = (&raw const value).cast();
    let event: pi_event =
        made!(f.pi, |out| piEnqueueMemBufferWrite(f.queue, *buffer, 0, 0, 4, start, 1, &gate, out));
    ok!(f.pi, piEventRelease(event));
    ok!(f.pi, piEventSetStatus(gate, PI_EVENT_COMPLETE));
    ok!(f.pi, piQueueFinish(f.queue));
    assert_eq!(f.content::<u32>(*buffer, 1), [8]);
    ok!(f.pi, piEventRelease(gate));
}

fn wait_lists_with_count_0_take_any_pointer() {
    let f = Fixture::new();
    let buffer = f.buffer(&[3_u32]);
    // What an empty vector of the runtime gives: an address, and nothing behind it.
    let dangling = std::ptr::without_provenance::<pi_event>(8);
    let mut value = 0_u32;
    let room = (&raw mut value).cast();
    ok!(f.pi, piEnqueueMemBufferRead(f.queue, *buffer, 1, 0, 4, room, 0, dangling, null_mut()));
    assert_eq!(value, 3);
    ok!(f.pi, piEnqueueEventsWait(f.queue, 0, dangling, null_mut()));
    ok!(f.pi, piEnqueueEventsWaitWithBarrier(f.queue, 0, dangling, null_mut()));
    let program = f.built_source();
    let kernel = f.kernel(*program, c"nothing");
    ok!(f.pi, piEnqueueKernelLaunch(f.queue, *kernel, 1, null(), &1, null(), 0, dangling, null_mut()));
}

fn the_same_event_twice_in_a_list() {
    let f = Fixture::new();
    let event = f.signalled_event();
    f.wait(marker(&f, f.queue, &[event, event]));
    ok!(f.pi, piEventRelease(event));
}
