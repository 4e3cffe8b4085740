//! Tests of waits with fake drivers, which record the events that they were asked to wait for. A driver takes the
//! events of one context only, and those of another driver are arbitrary memory for it.

use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::thread;
use std::time::Duration;

use testing_opencl::fake::{Fake, FakeDriver, enqueue};
use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "event_wait",
        [
            events_of_one_driver_are_waited_for_in_one_call,
            each_driver_waits_for_its_own_events,
            events_of_two_contexts_are_waited_for_one_by_one,
            a_failed_event_does_not_end_the_wait_for_those_of_other_drivers,
        ],
        isolated[only_one_thread_waits_in_a_runtime_of_intel]
    );
}

const ALONE: &str = "clWaitForEvents";
const TOGETHER: &str = "clWaitForEvents with others";

fn wait(events: &[&Fake]) -> Result<(), CallError> {
    let handles: Vec<pi_event> = events.iter().map(|event| event.handle()).collect();
    call!(under_test(Version::NEWEST), piEventsWait(handles.len() as u32, handles.as_ptr()))
}

fn events(driver: &FakeDriver) -> [&'static Fake; 2] {
    [driver.event(PI_EVENT_RUNNING), driver.event(PI_EVENT_RUNNING)]
}

fn events_of_one_driver_are_waited_for_in_one_call() {
    let [one, two] = events(&FakeDriver::unknown());
    wait(&[one, two]).unwrap();
    assert_eq!((one.calls(), two.calls()), (vec![TOGETHER], vec![TOGETHER]));
}

fn each_driver_waits_for_its_own_events() {
    let ([one, two], [other, _]) = (events(&FakeDriver::unknown()), events(&FakeDriver::unknown()));
    for list in [&[one, two, other][..], &[one, other], &[other, one, two], &[one, other, two]] {
        wait(list).unwrap();
        for event in list {
            assert_eq!(event.calls(), [ALONE]);
        }
    }
}

fn events_of_two_contexts_are_waited_for_one_by_one() {
    let [one, two] = events(&FakeDriver::unknown());
    one.refuse(TOGETHER, PI_ERROR_INVALID_CONTEXT);
    wait(&[one, two]).unwrap();
    assert_eq!((one.calls(), two.calls()), (vec![TOGETHER, ALONE], vec![TOGETHER, ALONE]));
    // A driver that says so of a single event has said all.
    one.refuse(ALONE, PI_ERROR_INVALID_CONTEXT);
    calls::expect_refusal(wait(&[one]), &[PI_ERROR_INVALID_CONTEXT]);
    assert_eq!(one.calls(), [ALONE]);
}

fn a_failed_event_does_not_end_the_wait_for_those_of_other_drivers() {
    let ([one, _], [other, _]) = (events(&FakeDriver::unknown()), events(&FakeDriver::unknown()));
    let failed = PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    one.refuse(ALONE, failed);
    calls::expect_refusal(wait(&[one, other]), &[failed]);
    assert_eq!((one.calls(), other.calls()), (vec![ALONE], vec![ALONE]));
    // Any other error is no reason for a second wait.
    let [one, two] = events(&FakeDriver::unknown());
    one.refuse(TOGETHER, failed);
    calls::expect_refusal(wait(&[one, two]), &[failed]);
    assert_eq!((one.calls(), two.calls()), (vec![TOGETHER], vec![TOGETHER]));
}

/// The others look at the status of their events. In such a runtime, two threads that wait may wait forever.
fn only_one_thread_waits_in_a_runtime_of_intel() {
    extern "C" fn long_wait(_: u32, events: &&Fake) -> i32 {
        let code = events.note(ALONE);
        while events.status() != PI_EVENT_COMPLETE {
            thread::sleep(Duration::from_millis(1));
        }
        code
    }
    extern "C" fn copy(
        queue: &'static Fake,
        blocking: u32,
        _: usize,
        _: usize,
        _: usize,
        _: u32,
        _: usize,
        event: *mut &'static Fake,
    ) -> i32 {
        // SAFETY: null or the caller's place for an event.
        unsafe { enqueue(queue, if blocking == 0 { "copy" } else { "copy and wait" }, event) }
    }
    let functions = [(41, long_wait as *const c_void)];
    let driver = FakeDriver::new("Intel(R) OpenCL", "Intel(R) Corporation", &functions);
    let other = FakeDriver::unknown();
    for driver in [&driver, &other] {
        // With one of these functions a driver has USM.
        driver.platform.extend("clEnqueueMemcpyINTEL", copy as *const c_void);
        driver.platform.extend("clSharedMemAllocINTEL", copy as *const c_void);
    }
    let blocking_copy = |queue: &Fake| {
        let (pi, mut bytes) = (under_test(Version::NEWEST), [0_u8; 64]);
        let (queue_handle, from) = (queue.handle(), bytes.as_ptr().cast());
        let to = bytes.as_mut_ptr().cast();
        ok!(pi, piextUSMEnqueueMemcpy(queue_handle, PI_TRUE, to, from, 64, 0, null(), null_mut()));
        queue.calls()
    };
    let finish = |queue: &Fake| {
        ok!(under_test(Version::NEWEST), piQueueFinish(queue.handle()));
        queue.calls()
    };
    let event = driver.event(PI_EVENT_RUNNING);
    let waiter = thread::spawn(move || wait(&[event]).unwrap());
    while event.calls().is_empty() {
        thread::sleep(Duration::from_millis(1));
    }
    let (queue, of_another_driver) = (driver.queue(), other.queue());
    assert_eq!(finish(queue), ["clEnqueueMarkerWithWaitList", "clFlush"]);
    assert_eq!(finish(of_another_driver), ["clFinish"]);
    assert_eq!(blocking_copy(queue), ["copy", "clFlush"]);
    assert_eq!(blocking_copy(of_another_driver), ["copy and wait"]);
    event.set_status(PI_EVENT_COMPLETE);
    waiter.join().unwrap();
    assert_eq!((finish(queue), blocking_copy(queue)), (vec!["clFinish"], vec!["copy and wait"]));
}
