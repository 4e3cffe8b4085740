//! How often each command calls the driver: what was taken away stays away.

use std::ptr::{null, null_mut};

use super::Case;
use crate::{Fixture, ok, software};
use sycl_pi_core::*;

pub(crate) const CASES: &[Case] = &[("commands_call_the_driver_as_often_as_they_must", counts)];

/// Calls of the driver's by `work`, all and of each function named.
fn counted(work: &mut dyn FnMut(), names: &[&str]) -> (u64, Vec<u64>) {
    // Marks, streams and functions are made at first use.
    for _ in 0..3 {
        work();
    }
    software::inject("");
    work();
    (software::calls("*"), names.iter().map(|name| software::calls(name)).collect())
}

fn check(what: &str, work: &mut dyn FnMut(), expected: &[&str]) {
    let (all, each) = counted(work, expected);
    assert!(each.iter().all(|count| *count >= 1), "{what}: of {expected:?} were called {each:?}");
    assert_eq!(all, expected.len() as u64, "{what}: more than {expected:?} were called");
}

fn counts() {
    let fixture = Fixture::new();
    let program = fixture.program("kernels");
    let kernel = program.kernel("noop");
    let memory = fixture.device_memory(64);
    let queue = fixture.queue;
    let (global, local) = (32_usize, 32_usize);
    let launch = |event: *mut pi_event| {
        ok!(piEnqueueKernelLaunch(queue, kernel.raw, 1, null(), &global, &local, 0, null(), event));
    };
    check("a launch", &mut || launch(null_mut()), &["cuCtxGetCurrent", "cuLaunchKernel"]);
    let mut release = || {
        let mut event = null_mut();
        launch(&mut event);
        ok!(piEventRelease(event));
    };
    check("a launch with an event that nobody asks", &mut release, &["cuCtxGetCurrent", "cuLaunchKernel"]);
    let mut held: pi_event = null_mut();
    let mut hold = || {
        let mut event = null_mut();
        launch(&mut event);
        if !held.is_null() {
            ok!(piEventRelease(held));
        }
        held = event;
    };
    let all = ["cuCtxGetCurrent", "cuEventRecord", "cuLaunchKernel"];
    check("a launch while the last one's event is held", &mut hold, &all);
    ok!(piEventRelease(held));
    fixture.finish();
    let mut wait = || {
        let mut event = null_mut();
        launch(&mut event);
        ok!(piEventsWait(1, &event));
        ok!(piEventRelease(event));
    };
    // The context is asked for once by each of the two calls.
    let (all, each) = counted(&mut wait, &["cuCtxGetCurrent", "cuLaunchKernel", "cuStreamSynchronize"]);
    assert_eq!((all, &each[..]), (4, &[2, 1, 1][..]), "a launch and a wait for its event");
    let value = [1_u8; 4];
    let from = value.as_ptr().cast();
    let name = c"counter".as_ptr();
    let mut write = || {
        ok!(piextEnqueueDeviceGlobalVariableWrite(
            queue,
            program.raw,
            name,
            1,
            4,
            0,
            from,
            0,
            null(),
            null_mut()
        ));
    };
    check("a write to a variable", &mut write, &["cuCtxGetCurrent", "cuMemcpyAsync", "cuStreamSynchronize"]);
    let mut copy = || {
        ok!(piextUSMEnqueueMemcpy(queue, 1, memory.start, from, 4, 0, null(), null_mut()));
    };
    check("a blocking copy", &mut copy, &["cuCtxGetCurrent", "cuMemcpyAsync", "cuStreamSynchronize"]);
}
