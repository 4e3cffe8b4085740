//! Faults, leaks, callbacks, and a lost context, which is the last of all tests.

use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicI32, Ordering};

use super::Case;
use crate::fixture::{is_software, last_error, status, table, wait};
use crate::software;
use crate::{Fixture, fails, ok};
use sycl_pi_core::*;

pub(crate) const CASES: &[Case] = &[
    ("event_callback_runs_once", callback),
    ("a_thread_that_calls_back_gets_no_signal_of_the_program", signals),
    ("memory_stays_bounded_over_many_allocations", many),
    ("context_of_the_caller_is_put_back", callers_context),
    ("the_drivers_context_outlives_the_programs", kept_context),
    ("nothing_leaks", leaks),
    ("injected_faults_are_reported", faults),
    ("a_lost_context_is_reported_and_let_go", lost),
];

fn callback() {
    static CALLED: AtomicI32 = AtomicI32::new(0);
    extern "C" fn count(_: pi_event, status: pi_int32, by: *mut c_void) {
        assert_eq!(status, PI_EVENT_COMPLETE);
        CALLED.fetch_add(by.addr() as i32, Ordering::Release);
    }
    let fixture = Fixture::new();
    let memory = fixture.device_memory(8 << 20);
    let by = std::ptr::without_provenance_mut(5);
    for round in 1..=3 {
        let mut event = null_mut();
        ok!(piextUSMEnqueueMemset(fixture.queue, memory.start, 1, 8 << 20, 0, null(), &mut event));
        ok!(piEventSetCallback(event, PI_EVENT_COMPLETE, Some(count), by));
        ok!(piEventRelease(event));
        let start = std::time::Instant::now();
        while CALLED.load(Ordering::Acquire) < 5 * round && start.elapsed().as_secs() < 10 {
            std::thread::yield_now();
        }
        assert_eq!(CALLED.load(Ordering::Acquire), 5 * round);
    }
}

fn signals() {
    testing_support::signals::are_blocked_where_callbacks_run(table());
}

fn many() {
    let fixture = Fixture::new();
    let rounds = if is_software() { 1000 } else { 10_000 };
    for _ in 0..rounds {
        drop(fixture.device_memory(1 << 16));
    }
    for _ in 0..rounds {
        let mut event = null_mut();
        ok!(piEnqueueEventsWaitWithBarrier(fixture.queue, 0, null(), &mut event));
        ok!(piEventRelease(event));
    }
    fixture.finish();
}

/// Another device's context is current in the thread before and after a call.
fn callers_context() {
    let retain: unsafe extern "C" fn(*mut *mut c_void, i32) -> u32 =
        software::function("cuDevicePrimaryCtxRetain");
    let release: unsafe extern "C" fn(i32) -> u32 = software::function("cuDevicePrimaryCtxRelease_v2");
    let set: unsafe extern "C" fn(*mut c_void) -> u32 = software::function("cuCtxSetCurrent");
    let get: unsafe extern "C" fn(*mut *mut c_void) -> u32 = software::function("cuCtxGetCurrent");
    let (mut own, mut now) = (null_mut(), null_mut());
    // SAFETY: room for a context, and the driver has that device.
    assert_eq!(unsafe { retain(&mut own, 1) }, 0);
    let fixture = Fixture::new();
    // SAFETY: a context that is held until the end.
    assert_eq!(unsafe { set(own) }, 0);
    let memory = fixture.device_memory(64);
    fixture.write(&memory, &[1_u8; 64]);
    let mut event = null_mut();
    ok!(piextUSMEnqueueMemset(fixture.queue, memory.start, 1, 64, 0, null(), &mut event));
    wait(&[event]);
    // SAFETY: room for a context.
    assert_eq!(unsafe { get(&mut now) }, 0);
    assert_eq!(now, own);
    drop(memory);
    drop(fixture);
    // SAFETY: null removes the context from the thread.
    assert_eq!(unsafe { set(null_mut()) }, 0);
    // SAFETY: releases what was retained above, which is no longer current.
    assert_eq!(unsafe { release(1) }, 0);
}

/// Creating the driver's context again would take 160 ms each time.
fn kept_context() {
    drop(Fixture::new());
    let released = || software::calls("cuDevicePrimaryCtxRelease_v2");
    let (before, held) = (released(), software::live());
    drop(Fixture::new());
    assert_eq!(software::live(), held);
    assert_eq!(released() - before, 1, "the second context's own reference");
    let first = Fixture::new();
    let start = std::time::Instant::now();
    drop(first);
    drop(Fixture::new());
    assert!(start.elapsed().as_millis() < 100, "{:?}", start.elapsed());
}

fn leaks() {
    // The driver's context remains.
    drop(Fixture::new());
    let before = software::live();
    for flags in [0, PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE | PI_QUEUE_FLAG_PROFILING_ENABLE] {
        let fixture = Fixture::with(flags);
        let program = fixture.program("kernels");
        let kernel = program.kernel("noop");
        let memory = fixture.device_memory(100);
        let mut events = Vec::new();
        for _ in 0..20 {
            let mut event = null_mut();
            ok!(piEnqueueKernelLaunch(
                fixture.queue,
                kernel.raw,
                1,
                null(),
                &8,
                null(),
                0,
                null(),
                &mut event
            ));
            events.push(event);
            ok!(piEnqueueEventsWaitWithBarrier(fixture.queue, 0, null(), null_mut()));
            ok!(piEnqueueEventsWait(fixture.queue, 0, null(), null_mut()));
        }
        wait(&events);
        drop(memory);
    }
    assert_eq!(software::live(), before, "objects of the driver's are left");
}

fn faults() {
    let fixture = Fixture::new();
    let program = fixture.program("kernels");
    let kernel = program.kernel("noop");
    let mut start = null_mut();
    software::inject("cuMemAlloc_v2:2:2;cuLaunchKernel:1:701;cuModuleLoadDataEx:1:218");
    let _first = fixture.device_memory(8);
    fails!(
        piextUSMDeviceAlloc(&mut start, fixture.context, fixture.device, null_mut(), 8, 0),
        PI_ERROR_OUT_OF_RESOURCES
    );
    assert!(last_error().contains("cuMemAlloc_v2"), "{}", last_error());
    let mut event = null_mut();
    fails!(
        piEnqueueKernelLaunch(fixture.queue, kernel.raw, 1, null(), &8, null(), 0, null(), &mut event),
        PI_ERROR_OUT_OF_RESOURCES
    );
    assert!(event.is_null());
    let unbuilt = fixture.binary(&crate::fixture::image("kernels"), &[]);
    fails!(
        piProgramBuild(unbuilt.raw, 1, &fixture.device, c"".as_ptr(), None, null_mut()),
        PI_ERROR_BUILD_PROGRAM_FAILURE
    );
    let mut answer = 0;
    let room = (&raw mut answer).cast();
    ok!(piProgramGetBuildInfo(
        unbuilt.raw,
        fixture.device,
        PI_PROGRAM_BUILD_INFO_STATUS,
        4,
        room,
        null_mut()
    ));
    assert_eq!(answer, PI_PROGRAM_BUILD_STATUS_ERROR);
    software::inject("");
    fixture.launch(kernel.raw, &[8], None);
    fixture.finish();
}

/// After a kernel has failed, every later call reports it, the process does not crash, and everything can be
/// released.
fn lost() {
    let fixture = Fixture::new();
    let program = fixture.program("kernels");
    let kernel = program.kernel("wild");
    kernel.pointer(0, null());
    let mut event = null_mut();
    ok!(piEnqueueKernelLaunch(fixture.queue, kernel.raw, 1, null(), &1, null(), 0, null(), &mut event));
    fails!(piEventsWait(1, &event), PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    println!("{}", last_error());
    assert!(last_error().contains("ILLEGAL_ADDRESS"), "{}", last_error());
    assert!(status(event) < 0);
    let mut start = null_mut();
    fails!(
        piextUSMDeviceAlloc(&mut start, fixture.context, fixture.device, null_mut(), 8, 0),
        PI_ERROR_COMMAND_EXECUTION_FAILURE
    );
    fails!(piQueueFinish(fixture.queue), PI_ERROR_COMMAND_EXECUTION_FAILURE);
    ok!(piEventRelease(event));
    drop((kernel, program));
    drop(fixture);
    if is_software() {
        software::inject("");
    }
}
