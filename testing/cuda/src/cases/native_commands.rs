//! Commands that the caller enqueues itself, on the stream that the adapter provides.

use std::ffi::{c_int, c_void};
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use libloading::os::unix::Library;
use sycl_ur_core::*;
use testing_ur_host::{Host, ok};

use super::Case;
use super::unified_runtime::{adapter_file, host};

pub(crate) const CASES: &[Case] = &[
    ("ur_native_commands_run_in_the_order_of_their_stream", order_in_order),
    ("ur_native_commands_run_in_the_order_of_their_events", order_out_of_order),
    ("ur_native_commands_wait_for_earlier_commands_without_an_event_too", order_without_event),
    ("ur_native_commands_run_after_events_of_another_queue", order_across_queues),
    ("ur_native_commands_may_change_the_current_context", changed_context),
    ("ur_native_commands_wait_in_the_driver_once_for_each_command", waits),
    ("ur_a_native_command_may_use_its_queue", nested),
    ("ur_native_commands_that_run_succeed_although_the_driver_records_no_event", unrecorded),
];

type StreamOf = unsafe extern "C" fn() -> *mut c_void;
type SetCurrent = unsafe extern "C" fn(*mut c_void) -> c_int;
type LaunchHostFunc =
    unsafe extern "C" fn(*mut c_void, unsafe extern "C" fn(*mut c_void), *mut c_void) -> c_int;

/// Returns the stream of the native command that is being enqueued on this thread.
fn stream() -> *mut c_void {
    // SAFETY: the adapter is already loaded, and its function has this type.
    unsafe {
        let adapter = std::mem::ManuallyDrop::new(Library::new(adapter_file()).unwrap());
        adapter.get::<StreamOf>(b"pi_cuda_native_stream").unwrap()()
    }
}

/// The last step that was done, and what the callback has seen.
struct Steps {
    done: AtomicU32,
    seen: AtomicU32,
    host: Host,
    queue: ur_queue_handle_t,
}

/// Step `N`, which only counts after the previous one, and takes a while. The first takes longest, so that the second
/// would overtake it.
///
/// # Safety
/// `data` points to [`Steps`].
unsafe extern "C" fn step<const N: u32>(data: *mut c_void) {
    // SAFETY: the steps of `order`.
    let steps = unsafe { &*data.cast::<Steps>() };
    std::thread::sleep(Duration::from_millis(if N == 1 { 200 } else { 50 }));
    let _ = steps.done.compare_exchange(N - 1, N, Ordering::SeqCst, Ordering::SeqCst);
}

/// Puts step 2 into the stream.
///
/// # Safety
/// `data` points to [`Steps`] that outlive the stream's commands.
unsafe extern "C" fn enqueue_step(_: ur_queue_handle_t, data: *mut c_void) {
    // SAFETY: the steps of `order`, and the driver's function.
    unsafe {
        (*data.cast::<Steps>())
            .seen
            .store((*data.cast::<Steps>()).done.load(Ordering::SeqCst) + 1, Ordering::SeqCst);
        let driver = std::mem::ManuallyDrop::new(Library::new("libcuda.so.1").unwrap());
        let launch = driver.get::<LaunchHostFunc>(b"cuLaunchHostFunc").unwrap();
        assert_eq!(launch(stream(), step::<2>, data), 0);
    }
}

/// Puts step 2 into the stream, and leaves the thread without a current context.
///
/// # Safety
/// The same requirements as for [`enqueue_step`].
unsafe extern "C" fn enqueue_step_and_leave(queue: ur_queue_handle_t, data: *mut c_void) {
    // SAFETY: the steps of `order`, and the driver's function.
    unsafe {
        enqueue_step(queue, data);
        let driver = std::mem::ManuallyDrop::new(Library::new("libcuda.so.1").unwrap());
        assert_eq!(driver.get::<SetCurrent>(b"cuCtxSetCurrent").unwrap()(null_mut()), 0);
    }
}

/// Uses the queue, then does the same.
///
/// # Safety
/// The same requirements as for [`enqueue_step`].
unsafe extern "C" fn enqueue_nested(queue: ur_queue_handle_t, data: *mut c_void) {
    // SAFETY: the steps of `order`, and live handles.
    unsafe {
        let steps = &*data.cast::<Steps>();
        ok(steps.host.calls.urEnqueueHostTaskExp(
            steps.queue,
            Some(step::<1>),
            data,
            null(),
            0,
            null(),
            null_mut(),
        ));
        let outer = stream();
        ok(steps.host.calls.urEnqueueNativeCommandExp(
            steps.queue,
            Some(nothing),
            null_mut(),
            0,
            null(),
            null(),
            0,
            null(),
            null_mut(),
        ));
        assert_eq!(stream(), outer);
        enqueue_step(queue, data);
    }
}

extern "C" fn nothing(_: ur_queue_handle_t, _: *mut c_void) {
    assert!(!stream().is_null());
}

fn order_in_order() {
    let host = host();
    order(host, [host.queue; 2], 1, enqueue_step);
}

fn order_out_of_order() {
    let host = host();
    for flags in OUT_OF_ORDER {
        order(host, [host.queue_with(flags); 2], 1, enqueue_step);
    }
}

fn order_without_event() {
    let host = host();
    for flags in OUT_OF_ORDER {
        order(host, [host.queue_with(flags); 2], 0, enqueue_step);
    }
}

fn order_across_queues() {
    let host = host();
    for flags in [0, OUT_OF_ORDER[0]] {
        order(host, [host.queue_with(flags), host.queue_with(flags)], 1, enqueue_step);
    }
}

fn changed_context() {
    let host = host();
    for flags in [0, OUT_OF_ORDER[0], OUT_OF_ORDER[1]] {
        order(host, [host.queue_with(flags); 2], 1, enqueue_step_and_leave);
    }
}

/// Without and with profiling.
const OUT_OF_ORDER: [ur_queue_flags_t; 2] = [
    UR_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE,
    UR_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE | UR_QUEUE_FLAG_PROFILING_ENABLE,
];

/// A function that enqueues the commands of a native command.
type Enqueue = unsafe extern "C" fn(ur_queue_handle_t, *mut c_void);

/// Enqueues a slow task in the first queue. In the second, enqueues a native command after it that waits for `waits` of
/// its events, and a task after that.
fn order(host: Host, [first, queue]: [ur_queue_handle_t; 2], waits: u32, enqueue: Enqueue) {
    let (calls, mut events) = (host.calls, [null_mut(); 3]);
    let steps = Steps { done: AtomicU32::new(0), seen: AtomicU32::new(0), host, queue };
    let data: *mut c_void = (&raw const steps).cast_mut().cast();
    // SAFETY: live handles, and steps that live until all are done.
    unsafe {
        ok(calls.urEnqueueHostTaskExp(first, Some(step::<1>), data, null(), 0, null(), &mut events[0]));
        ok(calls.urEnqueueNativeCommandExp(
            queue,
            Some(enqueue),
            data,
            0,
            null(),
            null(),
            waits,
            if waits == 0 { null() } else { &events[0] },
            &mut events[1],
        ));
        ok(calls.urEnqueueHostTaskExp(queue, Some(step::<3>), data, null(), 1, &events[1], &mut events[2]));
        ok(calls.urEventWait(1, &events[2]));
    }
    assert_eq!(steps.seen.load(Ordering::SeqCst), 1, "the callback waited for what is before it");
    assert_eq!(steps.done.load(Ordering::SeqCst), 3);
    assert!(stream().is_null(), "outside of a native command there is no stream");
}

/// Ends the tasks of [`waits_behind`].
static END: AtomicBool = AtomicBool::new(false);

extern "C" fn wait_for_end(_: *mut c_void) {
    while !END.load(Ordering::SeqCst) {
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn waits() {
    let host = host();
    let own = || host.queue_with(UR_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    // New queues, because previously used streams count as busy until the driver reports them empty.
    let (first, second, other) = (own(), own(), own());
    // Two streams of the queue, and one of another queue. The native command follows the first, in its stream.
    waits_behind(host, &[first, first], 1);
    waits_behind(host, &[second, second, other], 2);
    for queue in [first, second, other] {
        // SAFETY: this test owns it, and its commands are done.
        ok(unsafe { host.calls.urQueueRelease(queue) });
    }
}

/// Checks how often a native command in the first of these queues, after a task in each, makes its stream wait for
/// others.
fn waits_behind(host: Host, queues: &[ur_queue_handle_t], expected: u64) {
    let calls = host.calls;
    END.store(false, Ordering::SeqCst);
    let mut events = vec![null_mut(); queues.len() + 1];
    // SAFETY: live handles, and functions that do not read the caller's memory.
    unsafe {
        for (queue, event) in queues.iter().zip(&mut events) {
            ok(calls.urEnqueueHostTaskExp(*queue, Some(wait_for_end), null_mut(), null(), 0, null(), event));
        }
        crate::software::inject("");
        let (tasks, last) = events.split_at_mut(queues.len());
        ok(calls.urEnqueueNativeCommandExp(
            queues[0],
            Some(nothing),
            null_mut(),
            0,
            null(),
            null(),
            tasks.len() as u32,
            tasks.as_ptr(),
            &mut last[0],
        ));
        let waits = crate::software::calls("cuStreamWaitEvent");
        END.store(true, Ordering::SeqCst);
        ok(calls.urEventWait(events.len() as u32, events.as_ptr()));
        assert_eq!(waits, expected);
        for event in events {
            ok(calls.urEventRelease(event));
        }
    }
}

fn nested() {
    let host = host();
    let steps = Steps { done: AtomicU32::new(0), seen: AtomicU32::new(0), host, queue: host.queue };
    let data: *mut c_void = (&raw const steps).cast_mut().cast();
    let mut event = null_mut();
    // SAFETY: live handles, and steps that live until all are done.
    unsafe {
        ok(host.calls.urEnqueueNativeCommandExp(
            host.queue,
            Some(enqueue_nested),
            data,
            0,
            null(),
            null(),
            0,
            null(),
            &mut event,
        ));
        ok(host.calls.urEventWait(1, &event));
    }
    assert_eq!(steps.done.load(Ordering::SeqCst), 2);
}

/// # Safety
/// `data` points to a counter.
unsafe extern "C" fn count(data: *mut c_void) {
    // SAFETY: guaranteed by the caller.
    unsafe { &*data.cast::<AtomicU32>() }.fetch_add(1, Ordering::SeqCst);
}

/// Puts a host function into the stream, after which the driver records no event.
///
/// # Safety
/// `data` points to a counter that outlives the stream's commands.
unsafe extern "C" fn enqueue_count(_: ur_queue_handle_t, data: *mut c_void) {
    // SAFETY: the driver's function.
    unsafe {
        let driver = std::mem::ManuallyDrop::new(Library::new("libcuda.so.1").unwrap());
        let launch = driver.get::<LaunchHostFunc>(b"cuLaunchHostFunc").unwrap();
        assert_eq!(launch(stream(), count, data), 0);
    }
    crate::software::inject("cuEventRecord:1:2;cuEventCreate:1:2");
}

fn unrecorded() {
    let host = host();
    let calls = host.calls;
    for flags in [UR_QUEUE_FLAG_PROFILING_ENABLE, UR_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE] {
        let (queue, counter) = (host.queue_with(flags), AtomicU32::new(0));
        let data: *mut c_void = (&raw const counter).cast_mut().cast();
        let [mut before, mut event, mut after] = [null_mut(); 3];
        // SAFETY: live handles, room for the events, and a counter that lives until all commands are done.
        unsafe {
            ok(calls.urEnqueueHostTaskExp(queue, Some(count), data, null(), 0, null(), &mut before));
            ok(calls.urEnqueueNativeCommandExp(
                queue,
                Some(enqueue_count),
                data,
                0,
                null(),
                null(),
                0,
                null(),
                &mut event,
            ));
            crate::software::inject("");
            ok(calls.urEnqueueHostTaskExp(queue, Some(count), data, null(), 1, &event, &mut after));
            ok(calls.urEventWait(2, [event, after].as_ptr()));
            assert_eq!(counter.load(Ordering::SeqCst), 3);
            let (mut time, end) = (0_u64, UR_PROFILING_INFO_COMMAND_END);
            let told = calls.urEventGetProfilingInfo(event, end, 8, (&raw mut time).cast(), null_mut());
            assert_eq!(told, UR_RESULT_ERROR_PROFILING_INFO_NOT_AVAILABLE);
            for event in [before, event, after] {
                ok(calls.urEventRelease(event));
            }
            ok(calls.urQueueRelease(queue));
        }
    }
}
