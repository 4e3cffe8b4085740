//! Tests of the program's signals in threads of a plugin.

use std::ffi::c_void;
use std::fs;
use std::ptr::null_mut;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use sycl_pi_core::*;
use sycl_pi_loader::Table;

use crate::{Fixture, Gate, ok};

/// Signals that programs handle: SIGINT, SIGUSR1, SIGALRM, SIGTERM, SIGCHLD and SIGPROF.
const HANDLED: [u32; 6] = [2, 10, 14, 15, 17, 27];

/// Returns those of [`HANDLED`] that this thread does not block.
fn let_in() -> Vec<u32> {
    let status = fs::read_to_string("/proc/thread-self/status").unwrap();
    let blocked = status.lines().find_map(|line| line.strip_prefix("SigBlk:")).unwrap();
    let blocked = u64::from_str_radix(blocked.trim(), 16).unwrap();
    HANDLED.into_iter().filter(|signal| blocked >> (signal - 1) & 1 == 0).collect()
}

/// # Safety
/// `sender` must be the box of a `Sender`, which this call takes over.
unsafe extern "C" fn tell(_: pi_event, _: pi_int32, sender: *mut c_void) {
    // SAFETY: the box that the test passed. The plugin calls this once.
    let sender = unsafe { Box::from_raw(sender.cast::<Sender<Vec<u32>>>()) };
    sender.send(let_in()).unwrap();
}

/// Checks that the thread that calls an event's callback belongs to the plugin and receives none of the program's
/// signals, so that handlers only run in threads that the program knows.
pub fn are_blocked_where_callbacks_run(pi: &'static Table) {
    assert_eq!(let_in(), HANDLED, "the test's own thread blocks some");
    let fixture = Fixture::new(pi);
    let gate = Gate::new(&fixture);
    let mut event = null_mut();
    ok!(pi, piEnqueueEventsWait(fixture.queue, 1, &gate.0, &mut event));
    let (sender, receiver) = channel::<Vec<u32>>();
    let data = Box::into_raw(Box::new(sender)).cast();
    ok!(pi, piEventSetCallback(event, PI_EVENT_COMPLETE, Some(tell), data));
    gate.open();
    let let_in_there = receiver.recv_timeout(Duration::from_secs(60)).unwrap();
    assert_eq!(let_in_there, [], "signals that a thread of the plugin would handle");
    assert_eq!(let_in(), HANDLED, "the caller's thread gets its signals still");
    ok!(pi, piEventRelease(event));
}
