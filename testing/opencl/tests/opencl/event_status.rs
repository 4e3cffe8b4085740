//! Tests of the status "queued" with a fake driver that reports it: which runtimes see it, and who flushes the queue.

use testing_opencl::fake::{Fake, FakeDriver, event_in};
use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "event_status",
        [
            runtimes_until_12_27_hear_of_a_queued_command_and_flush_its_queue_themselves,
            later_runtimes_hear_of_a_submitted_command_once_its_queue_is_flushed,
            a_queue_that_cannot_be_flushed_leaves_its_command_queued,
            a_queued_event_without_a_queue_stays_queued,
            every_other_status_is_the_drivers,
        ]
    );
}

/// An event in a queue of a fake driver.
fn queue_and_event(status: i32) -> (&'static Fake, &'static Fake) {
    let queue = FakeDriver::unknown().queue().set_status(status);
    (queue, event_in(queue))
}

/// Returns the status that the plugin reports at a PI version.
fn status_at(event: &Fake, version: Version) -> i32 {
    let (pi, event) = (under_test(version), event.handle());
    get!(pi, piEventGetInfo(event, PI_EVENT_INFO_COMMAND_EXECUTION_STATUS) as i32)
}

fn versions(is_wanted: impl Fn(Version) -> bool) -> impl Iterator<Item = Version> {
    Version::ALL.into_iter().filter(move |version| is_wanted(*version))
}

fn runtimes_until_12_27_hear_of_a_queued_command_and_flush_its_queue_themselves() {
    for version in versions(|version| version <= Version::V12_27) {
        let (queue, event) = queue_and_event(PI_EVENT_QUEUED);
        assert_eq!(status_at(event, version), PI_EVENT_QUEUED, "PI {}", version.text());
        assert_eq!(queue.calls(), [""; 0], "PI {}", version.text());
    }
}

fn later_runtimes_hear_of_a_submitted_command_once_its_queue_is_flushed() {
    for version in versions(|version| version > Version::V12_27) {
        let (queue, event) = queue_and_event(PI_EVENT_QUEUED);
        assert_eq!(status_at(event, version), PI_EVENT_SUBMITTED, "PI {}", version.text());
        assert_eq!(queue.calls(), ["clFlush"], "PI {}", version.text());
    }
}

fn a_queue_that_cannot_be_flushed_leaves_its_command_queued() {
    let (queue, event) = queue_and_event(PI_EVENT_QUEUED);
    queue.refuse("clFlush", PI_ERROR_OUT_OF_RESOURCES);
    assert_eq!(status_at(event, Version::NEWEST), PI_EVENT_QUEUED);
    assert_eq!(queue.calls(), ["clFlush"]);
}

fn a_queued_event_without_a_queue_stays_queued() {
    let event = FakeDriver::unknown().event(PI_EVENT_QUEUED);
    assert_eq!(status_at(event, Version::NEWEST), PI_EVENT_QUEUED);
}

fn every_other_status_is_the_drivers() {
    for status in [PI_EVENT_SUBMITTED, PI_EVENT_RUNNING, PI_EVENT_COMPLETE, -5] {
        let (queue, event) = queue_and_event(status);
        for version in Version::ALL {
            assert_eq!(status_at(event, version), status, "PI {}", version.text());
        }
        assert_eq!(queue.calls(), [""; 0]);
    }
}
