//! Tests of events, as far as OpenCL drivers differ. The conformance harness tests the rest.

use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(registry, "event", [a_marker_has_the_type_of_a_marker]);
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
