//! Mapped buffers, and what may happen between a map and its unmapping.

use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::time::{Duration, Instant};

use super::Case;
use super::buffers::{buffer, read};
use crate::fixture::{status, wait};
use crate::{Fixture, code, fails, ok, software};
use sycl_pi_core::*;
use testing_support::Gate;

pub(crate) const CASES: &[Case] = &[
    ("unmapping_waits_for_the_copy_of_an_unfinished_map", unfinished),
    ("an_unmap_that_is_refused_leaves_the_buffer_mapped", refused),
    ("a_map_that_may_still_be_written_has_a_block_of_its_own", still_written),
    ("an_unmap_leaves_another_map_and_its_own_bytes_alone", two_maps),
    ("a_map_of_few_bytes_has_no_large_block", small),
    ("blocks_beyond_what_is_kept_are_freed_after_a_failure_too", surplus),
];

/// How long to wait for something that must not happen. Waits for what must happen have no limit.
const LOOK: Duration = Duration::from_millis(100);

/// Maps a whole buffer of 64 bytes.
fn map(queue: pi_queue, mem: pi_mem, blocking: pi_bool, waits: &[pi_event]) -> *mut c_void {
    let (mut address, count, list) = (null_mut(), waits.len() as u32, waits.as_ptr());
    let (flags, list) = (PI_MAP_READ | PI_MAP_WRITE, if waits.is_empty() { null() } else { list });
    ok!(piEnqueueMemBufferMap(queue, mem, blocking, flags, 0, 64, count, list, null_mut(), &mut address));
    address
}

/// The returned block belongs to the copy until that is done. No other stream may release it.
fn unfinished() {
    for (same, flags) in [(false, 0), (true, PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE)] {
        let fixture = Fixture::with(flags);
        let other = if same { fixture.queue } else { fixture.queue(0) };
        let mem = buffer(&fixture, PI_MEM_FLAGS_ACCESS_RW, 64, null_mut());
        let gate = Gate::new(&fixture);
        let address = map(fixture.queue, mem, 0, &[gate.0]);
        let mut unmapped = null_mut();
        ok!(piEnqueueMemUnmap(other, mem, address, 0, null(), &mut unmapped));
        let until = Instant::now() + LOOK;
        while Instant::now() < until {
            assert_ne!(status(unmapped), PI_EVENT_COMPLETE, "unmapped, and the map's copy is still to come");
            std::thread::yield_now();
        }
        gate.open();
        wait(&[unmapped]);
        ok!(piMemRelease(mem));
        if !same {
            ok!(piQueueRelease(other));
        }
    }
}

/// Driver functions that an unmap may call, with or without an unfinished map before it.
const FUNCTIONS: [&str; 8] = [
    "cuCtxGetCurrent",
    "cuStreamQuery",
    "cuEventCreate",
    "cuStreamCreateWithPriority",
    "cuStreamWaitEvent",
    "cuMemcpyHtoDAsync_v2",
    "cuLaunchHostFunc",
    "cuEventRecord",
];

/// After a reported failure of the unmap, the memory is still mapped and can be unmapped again.
fn refused() {
    let mut reported = Vec::new();
    for (function, call) in FUNCTIONS.iter().flat_map(|function| (1..=3).map(move |call| (*function, call))) {
        let out_of_order = PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE;
        for (flags, blocking) in [(0, 1), (out_of_order | PI_QUEUE_FLAG_PROFILING_ENABLE, 0)] {
            let fixture = Fixture::with(flags);
            let mem = buffer(&fixture, PI_MEM_FLAGS_ACCESS_RW, 64, null_mut());
            let gate = Gate::new(&fixture);
            let waits = if blocking == 0 { &[gate.0][..] } else { &[] };
            let address = map(fixture.queue, mem, blocking, waits);
            let mut event = null_mut();
            software::inject(&format!("{function}:{call}:2"));
            let code = code!(piEnqueueMemUnmap(fixture.queue, mem, address, 0, null(), &mut event));
            software::inject("");
            gate.open();
            fixture.finish();
            if code == PI_SUCCESS {
                wait(&[event]);
            } else {
                reported.push(function);
                // SAFETY: 64 bytes are still mapped there, because the unmap was refused.
                unsafe { address.cast::<u8>().write_bytes(7, 64) };
                ok!(piEnqueueMemUnmap(fixture.queue, mem, address, 0, null(), null_mut()));
                fixture.finish();
                assert_eq!(read(&fixture, mem, 64), [7; 64], "after call {call} of {function}");
            }
            fails!(
                piEnqueueMemUnmap(fixture.queue, mem, address, 0, null(), null_mut()),
                PI_ERROR_INVALID_VALUE
            );
            ok!(piMemRelease(mem));
        }
    }
    println!("{} refusals", reported.len());
    assert!(
        reported.contains(&"cuMemcpyHtoDAsync_v2") && reported.contains(&"cuStreamWaitEvent"),
        "{reported:?}"
    );
}

/// Maps bytes of a buffer without a copy, and returns the address with the code.
fn map_to_write(fixture: &Fixture, mem: pi_mem, size: usize) -> (pi_result, *mut c_void) {
    let (mut address, flags) = (null_mut(), PI_MAP_WRITE_INVALIDATE_REGION);
    let (queue, none) = (fixture.queue, null_mut());
    let code = code!(piEnqueueMemBufferMap(queue, mem, 1, flags, 0, size, 0, null(), none, &mut address));
    (code, address)
}

fn unmap(fixture: &Fixture, mem: pi_mem, address: *mut c_void) {
    ok!(piEnqueueMemUnmap(fixture.queue, mem, address, 0, null(), null_mut()));
    fixture.finish();
}

fn small() {
    let fixture = Fixture::new();
    let mem = buffer(&fixture, PI_MEM_FLAGS_ACCESS_RW, 1 << 20, null_mut());
    for (size, expected) in [(1 << 20, 1), (1 << 19, 0), (64, 1), (4096, 0), (1 << 20, 0)] {
        software::inject("");
        let (code, address) = map_to_write(&fixture, mem, size);
        assert_eq!((code, software::calls("cuMemHostAlloc")), (PI_SUCCESS, expected), "{size}");
        unmap(&fixture, mem, address);
    }
    ok!(piMemRelease(mem));
}

/// 64 MiB are kept. Of four blocks, two are too many, and the first one fails to be freed.
fn surplus() {
    const SIZE: usize = 24 << 20;
    let fixture = Fixture::new();
    let mem = buffer(&fixture, PI_MEM_FLAGS_ACCESS_RW, SIZE, null_mut());
    let addresses = [(); 4].map(|()| map_to_write(&fixture, mem, SIZE).1);
    addresses.into_iter().for_each(|address| unmap(&fixture, mem, address));
    software::inject("cuMemFreeHost:1:2");
    assert_eq!(map_to_write(&fixture, mem, 64).0, PI_ERROR_OUT_OF_RESOURCES);
    software::inject("");
    let (code, address) = map_to_write(&fixture, mem, 64);
    assert_eq!((code, software::calls("cuMemFreeHost")), (PI_SUCCESS, 1));
    unmap(&fixture, mem, address);
    ok!(piMemRelease(mem));
}

/// The copy of a map whose wait fails may still write its block.
fn still_written() {
    let fixture = Fixture::new();
    let mem = buffer(&fixture, PI_MEM_FLAGS_ACCESS_RW, 64, null_mut());
    let again = |faults: &str| {
        software::inject(faults);
        let (mut address, flags) = (null_mut(), PI_MAP_READ);
        let (queue, none) = (fixture.queue, null_mut());
        let code = code!(piEnqueueMemBufferMap(queue, mem, 1, flags, 0, 64, 0, null(), none, &mut address));
        let made = software::calls("cuMemHostAlloc");
        software::inject("");
        if code == PI_SUCCESS {
            ok!(piEnqueueMemUnmap(queue, mem, address, 0, null(), none));
            fixture.finish();
        }
        (code, made)
    };
    again("");
    assert_eq!(again(""), (PI_SUCCESS, 0), "the block is used again");
    assert_eq!(again("cuStreamSynchronize:1:2"), (PI_ERROR_OUT_OF_RESOURCES, 0));
    assert_eq!(again(""), (PI_SUCCESS, 1));
    ok!(piMemRelease(mem));
}

/// The block of an unmapped region is not used again before its bytes are copied.
fn two_maps() {
    let fixture = Fixture::new();
    let other = fixture.queue(0);
    let mem = buffer(&fixture, PI_MEM_FLAGS_ACCESS_RW, 64, null_mut());
    let (address, gate) = (map(fixture.queue, mem, 1, &[]), Gate::new(&fixture));
    // SAFETY: 64 bytes are mapped there.
    unsafe { address.cast::<u8>().write_bytes(5, 64) };
    let mut unmapped = null_mut();
    ok!(piEnqueueMemUnmap(fixture.queue, mem, address, 1, &gate.0, &mut unmapped));
    let (mut second, flags) = (null_mut(), PI_MAP_WRITE_INVALIDATE_REGION);
    ok!(piEnqueueMemBufferMap(other, mem, 1, flags, 0, 64, 0, null(), null_mut(), &mut second));
    // SAFETY: 64 bytes are mapped there.
    unsafe { second.cast::<u8>().write_bytes(6, 64) };
    assert_ne!(address, second);
    gate.open();
    wait(&[unmapped]);
    assert_eq!(read(&fixture, mem, 64), [5; 64]);
    ok!(piEnqueueMemUnmap(other, mem, second, 0, null(), null_mut()));
    ok!(piQueueFinish(other));
    assert_eq!(read(&fixture, mem, 64), [6; 64]);
    ok!(piMemRelease(mem));
    ok!(piQueueRelease(other));
}
