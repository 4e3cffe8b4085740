//! Events, as far as OpenCL drivers have their own: the conformance harness tests the rest.

use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(registry, "event", [a_marker_has_the_type_of_a_marker, a_failed_event_fails_its_dependents,]);
}

fn status(f: &Fixture, event: pi_event) -> i32 {
    get!(f.pi, piEventGetInfo(event, PI_EVENT_INFO_COMMAND_EXECUTION_STATUS) as i32)
}

fn marker(f: &Fixture, queue: pi_queue, waits: &[pi_event]) -> pi_event {
    made!(f.pi, |out| piEnqueueEventsWait(queue, waits.len() as u32, waits.as_ptr(), out))
}

fn a_marker_has_the_type_of_a_marker() {
    let f = Fixture::new();
    let event = marker(&f, f.queue, &[]);
    let kind = get!(f.pi, piEventGetInfo(event, PI_EVENT_INFO_COMMAND_TYPE) as u32);
    assert_eq!(kind, PI_COMMAND_TYPE_MARKER);
    f.wait(event);
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
