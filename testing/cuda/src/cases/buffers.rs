//! Buffers: writes, reads, copies, fills.

use std::ptr::{null, null_mut};

use super::Case;
use crate::{Fixture, fails, ok};
use sycl_pi_core::*;

pub(crate) const CASES: &[Case] = &[
    ("memory_of_a_buffer_is_not_taken_from_it", taken_memory),
    ("a_buffer_that_the_driver_places_on_the_host_has_the_bytes_it_was_made_from", on_host),
    ("copies_inside_a_buffer_may_touch_and_not_overlap", adjacent),
    ("copies_to_a_part_of_a_buffer_overlap_where_the_part_begins", overlapping_part),
];

pub(super) fn buffer(
    fixture: &Fixture,
    flags: pi_mem_flags,
    size: usize,
    host: *mut std::ffi::c_void,
) -> pi_mem {
    let mut mem = null_mut();
    ok!(piMemBufferCreate(fixture.context, flags, size, host, &mut mem, null()));
    mem
}

pub(super) fn read(fixture: &Fixture, mem: pi_mem, size: usize) -> Vec<u8> {
    let mut bytes = vec![0; size];
    let room = bytes.as_mut_ptr().cast();
    ok!(piEnqueueMemBufferRead(fixture.queue, mem, 1, 0, size, room, 0, null(), null_mut()));
    bytes
}

/// Memory that was never imported cannot be released, because the buffer's commands, including recorded ones, use
/// it.
fn taken_memory() {
    let fixture = Fixture::new();
    let mut bytes: Vec<u8> = (0..=255).cycle().take(8192).collect();
    let host = bytes.as_mut_ptr().cast();
    let flags = PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_USE;
    let mem = buffer(&fixture, flags, 8192, host);
    let why = fails!(piextUSMRelease(host, fixture.context), PI_ERROR_INVALID_VALUE);
    assert!(why.contains("not imported"), "{why}");
    assert_eq!(read(&fixture, mem, 256), (0..=255).collect::<Vec<u8>>());
    ok!(piMemRelease(mem));
    // Without the buffer the memory can be imported and released.
    ok!(piextUSMImport(host, 8192, fixture.context));
    ok!(piextUSMRelease(host, fixture.context));
}

fn on_host() {
    let fixture = Fixture::new();
    let mut bytes: Vec<u8> = (0..=255).collect();
    let flags = PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_ALLOC | PI_MEM_FLAGS_HOST_PTR_COPY;
    let mem = buffer(&fixture, flags, bytes.len(), bytes.as_mut_ptr().cast());
    assert_eq!(read(&fixture, mem, bytes.len()), bytes);
    ok!(piMemRelease(mem));
}

fn adjacent() {
    let fixture = Fixture::new();
    let mut bytes: Vec<u8> = (0..64).collect();
    let mem = fixture.buffer(&mut bytes);
    for (from, to, expected) in [
        (0, 16, PI_SUCCESS),
        (16, 0, PI_SUCCESS),
        (0, 15, PI_ERROR_MEM_COPY_OVERLAP),
        (15, 0, PI_ERROR_MEM_COPY_OVERLAP),
        (8, 8, PI_ERROR_MEM_COPY_OVERLAP),
    ] {
        let queue = fixture.queue;
        let code = crate::code!(piEnqueueMemBufferCopy(queue, mem, mem, from, to, 16, 0, null(), null_mut()));
        assert_eq!(code, expected, "from {from} to {to}");
    }
    // The first copy, and then the second, which changed nothing.
    let mut back = [0_u8; 64];
    ok!(piEnqueueMemBufferRead(
        fixture.queue,
        mem,
        1,
        0,
        64,
        back.as_mut_ptr().cast(),
        0,
        null(),
        null_mut()
    ));
    assert_eq!(back[..], [&bytes[..16], &bytes[..16], &bytes[32..]].concat());
    ok!(piMemRelease(mem));
}

fn overlapping_part() {
    const ORIGIN: usize = 4096;
    let fixture = Fixture::new();
    let (mem, mut part) = (fixture.buffer(&mut [3_u8; 2 * ORIGIN]), null_mut());
    let mut region = pi_buffer_region_struct { origin: ORIGIN, size: ORIGIN };
    let (flags, kind) = (PI_MEM_FLAGS_ACCESS_RW, PI_BUFFER_CREATE_TYPE_REGION);
    ok!(piMemBufferPartition(mem, flags, kind, (&raw mut region).cast(), &mut part));
    let copy = |[src, dst]: [pi_mem; 2], from| {
        let queue = fixture.queue;
        crate::code!(piEnqueueMemBufferCopy(queue, src, dst, from, 0, 16, 0, null(), null_mut()))
    };
    for (from, expected) in
        [(0, PI_SUCCESS), (ORIGIN - 8, PI_ERROR_MEM_COPY_OVERLAP), (ORIGIN + 16, PI_SUCCESS)]
    {
        assert_eq!(copy([mem, part], from), expected, "from {from} of the whole");
    }
    assert_eq!(copy([part, mem], 0), PI_SUCCESS);
    fixture.finish();
    ok!(piMemRelease(part));
    ok!(piMemRelease(mem));
}
