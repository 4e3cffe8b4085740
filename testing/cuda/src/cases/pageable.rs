//! Large copies between the device and ordinary host memory.

use std::ptr::{null, null_mut};

use super::Case;
use super::buffers::{buffer, read};
use crate::fixture::wait;
use crate::{Fixture, code, fails, ok, software};
use sycl_pi_core::*;

pub(crate) const CASES: &[Case] = &[
    ("large_copies_of_ordinary_memory_are_whole", whole),
    ("a_large_copy_waits_for_what_comes_before_it", behind_a_kernel),
    ("a_large_copy_that_fails_in_one_piece_is_an_error", one_piece_fails),
    ("pinned_memory_of_a_copy_that_failed_is_not_used_again", failed),
    ("large_copies_that_the_driver_does_as_fast_or_refuses_are_its_own", of_the_driver),
];

/// Not a multiple of any size into which a copy may be split.
const SIZE: usize = (37 << 20) + 13;

/// Returns bytes with a period of 251.
fn numbered(size: usize) -> Vec<u8> {
    (0..size).map(|at| (at % 251) as u8).collect()
}

fn copy(fixture: &Fixture, dst: *mut std::ffi::c_void, src: *const std::ffi::c_void, size: usize) {
    let mut event = null_mut();
    ok!(piextUSMEnqueueMemcpy(fixture.queue, 0, dst, src, size, 0, null(), &mut event));
    wait(&[event]);
}

fn whole() {
    let fixture = Fixture::new();
    let bytes = numbered(SIZE);
    let memory = fixture.device_memory(SIZE);
    let mut back = vec![0; SIZE];
    copy(&fixture, memory.start, bytes.as_ptr().cast(), SIZE);
    copy(&fixture, back.as_mut_ptr().cast(), memory.start, SIZE);
    assert!(back == bytes, "USM");
    // The copy ends where it should.
    let part = SIZE - 5;
    back.fill(0);
    copy(&fixture, back.as_mut_ptr().cast(), memory.start, part);
    assert!(back[..part] == bytes[..part] && back[part..] == [0; 5], "a part of it");
    let mem = buffer(&fixture, PI_MEM_FLAGS_ACCESS_RW, SIZE + 3, null_mut());
    ok!(piEnqueueMemBufferWrite(
        fixture.queue,
        mem,
        1,
        3,
        SIZE,
        bytes.as_ptr().cast(),
        0,
        null(),
        null_mut()
    ));
    assert!(read(&fixture, mem, SIZE + 3)[3..] == bytes, "a buffer");
    ok!(piMemRelease(mem));
}

fn behind_a_kernel() {
    let fixture = Fixture::new();
    let memory = fixture.device_memory(SIZE);
    let (mut filled, mut copied, mut back) = (null_mut(), null_mut(), vec![0_u8; SIZE]);
    ok!(piextUSMEnqueueMemset(fixture.queue, memory.start, 7, SIZE, 0, null(), &mut filled));
    let to = back.as_mut_ptr().cast();
    ok!(piextUSMEnqueueMemcpy(fixture.queue, 0, to, memory.start, SIZE, 1, &filled, &mut copied));
    wait(&[copied]);
    assert!(back.iter().all(|&value| value == 7));
    ok!(piEventRelease(filled));
}

fn one_piece_fails() {
    let fixture = Fixture::new();
    let bytes = numbered(SIZE);
    let memory = fixture.device_memory(SIZE);
    software::inject("cuMemcpyAsync:3:2");
    fails!(
        piextUSMEnqueueMemcpy(
            fixture.queue,
            1,
            memory.start,
            bytes.as_ptr().cast(),
            SIZE,
            0,
            null(),
            null_mut()
        ),
        PI_ERROR_OUT_OF_RESOURCES
    );
    let mut back = vec![0; SIZE];
    copy(&fixture, memory.start, bytes.as_ptr().cast(), SIZE);
    copy(&fixture, back.as_mut_ptr().cast(), memory.start, SIZE);
    assert!(back == bytes);
}

/// A copy that failed may still be in flight. Each thread has its own memory, and fails.
fn failed() {
    let fixture = Fixture::new();
    let (bytes, memory) = (vec![7_u8; SIZE], fixture.device_memory(SIZE));
    software::inject("cuMemcpyAsync:1:2!");
    let (queue, from) = (fixture.queue, bytes.as_ptr().cast());
    fails!(
        piextUSMEnqueueMemcpy(queue, 1, memory.start, from, SIZE, 0, null(), null_mut()),
        PI_ERROR_OUT_OF_RESOURCES
    );
    assert!(software::calls("cuMemHostAlloc") > 0);
    software::inject("");
    copy(&fixture, memory.start, from, SIZE);
    assert!(software::calls("cuMemHostAlloc") > 0);
}

fn of_the_driver() {
    let fixture = Fixture::new();
    let bytes = vec![7_u8; SIZE];
    let of_device = fixture.device_memory(SIZE / 2);
    let (pinned, managed) = (fixture.host_memory(SIZE), fixture.shared_memory(SIZE));
    let copy = |dst| {
        software::inject("");
        let (queue, src) = (fixture.queue, bytes.as_ptr().cast());
        let code = code!(piextUSMEnqueueMemcpy(queue, 1, dst, src, SIZE, 0, null(), null_mut()));
        (code, software::calls("cuMemcpyAsync"))
    };
    assert_eq!(copy(pinned.start), (PI_SUCCESS, 1));
    assert_eq!(copy(managed.start), (PI_SUCCESS, 1));
    let (code, calls) = copy(of_device.start);
    assert_ne!(code, PI_SUCCESS);
    assert!(calls < 2, "{calls}");
}
