//! Events and their clones.

use std::path::Path;

use libtest_mimic::Trial;
use sycl_pi_runtime::*;

use super::behaviours::{Fixture, fixture};
use super::globals::slow_copy;
use crate::{Test, shim, trials};
use testing_programs::Launch as _;

pub(crate) fn all(plugin: &Path) -> Vec<Trial> {
    let tests: &[(&str, Test)] = &[
        ("a_clone_outlives_the_event_it_was_made_of", a_clone_outlives_the_event_it_was_made_of),
        ("a_clone_without_a_reference_says_so", a_clone_without_a_reference_says_so),
        ("a_copy_of_no_bytes_waits_for_its_events", a_copy_of_no_bytes_waits_for_its_events),
    ];
    trials("events", plugin, tests)
}

/// Returns the memory and the event of a launched kernel with one work-item. The memory must outlive the kernel.
fn launched(fixture: &Fixture) -> (Usm<i32>, Event) {
    let memory = fixture.memory(&[4]);
    let kernel = fixture.kernel("_ZTS3DlA").unwrap();
    let event = kernel.start(&fixture.queue, NdRange::single(), &[Arg::usm(&memory)]).unwrap();
    (memory, event)
}

fn a_clone_outlives_the_event_it_was_made_of(plugin: &Path) {
    let fixture = fixture(plugin, &["dl_a", "dl_c", "dl_b"]);
    let (memory, event) = launched(&fixture);
    let shown = format!("{event:?}");
    assert_eq!(shown, format!("event of {:?}", fixture.queue));
    let clone = event.clone();
    drop(event);
    clone.wait().unwrap();
    let profile = clone.profile().unwrap();
    // The times are those of the command, and not zero.
    assert!(profile.queued > 0 && profile.started >= profile.queued, "{profile:?}");
    assert!(profile.ended >= profile.started, "{profile:?}");
    assert_eq!(memory.to_vec(&fixture.queue).unwrap(), [71]);
}

fn a_clone_without_a_reference_says_so(plugin: &Path) {
    let (_folder, library) = shim("no_references", plugin);
    let fixture = fixture(&library, &["dl_a", "dl_c", "dl_b"]);
    let (_memory, event) = launched(&fixture);
    let clone = event.clone();
    for error in [clone.wait().unwrap_err(), clone.clone().profile().unwrap_err()] {
        assert!(error.to_string().contains("refused piEventRetain"), "{error}");
    }
    event.wait().unwrap();
}

/// It gives no event, so its caller expects that everything before it is done.
fn a_copy_of_no_bytes_waits_for_its_events(plugin: &Path) {
    let fixture = fixture(plugin, &[]);
    let slow = Queue::new(&fixture.context, &fixture.device, QueueOptions::new()).unwrap();
    let (found, seven, empty) = (fixture.memory(&[0]), fixture.memory(&[7]), fixture.memory::<i32>(&[]));
    let before = slow_copy(&fixture, &slow, &found, &seven);
    assert!(empty.copy_from(&fixture.queue, &empty, &[before]).unwrap().is_none());
    assert_eq!(found.to_vec(&fixture.queue).unwrap(), [7]);
}
