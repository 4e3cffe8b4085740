//! Buffers: written, read, copied, filled.

use std::ptr::{null, null_mut};

use super::Case;
use crate::{Fixture, fails, ok};
use sycl_pi_core::*;

pub(crate) const CASES: &[Case] = &[
    ("buffer_write_read_fill_copy", buffers),
    ("buffer_rectangles", rectangles),
    ("fills_of_odd_patterns", fills),
    ("memory_of_a_buffer_is_not_taken_from_it", taken_memory),
    ("copies_inside_a_buffer_may_touch_and_not_overlap", adjacent),
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

fn buffers() {
    let fixture = Fixture::new();
    let bytes: Vec<u8> = (0..=255).collect();
    let mem = buffer(&fixture, PI_MEM_FLAGS_ACCESS_RW, 256, null_mut());
    ok!(piEnqueueMemBufferWrite(fixture.queue, mem, 1, 0, 256, bytes.as_ptr().cast(), 0, null(), null_mut()));
    assert_eq!(read(&fixture, mem, 256), bytes);
    let mut copied = bytes.clone();
    let flags = PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_COPY;
    let other = buffer(&fixture, flags, 256, copied.as_mut_ptr().cast());
    copied.fill(0);
    assert_eq!(read(&fixture, other, 256), bytes);
    ok!(piEnqueueMemBufferCopy(fixture.queue, mem, other, 0, 128, 128, 0, null(), null_mut()));
    assert_eq!(read(&fixture, other, 256)[128..], bytes[..128]);
    fails!(
        piEnqueueMemBufferCopy(fixture.queue, mem, mem, 0, 64, 128, 0, null(), null_mut()),
        PI_ERROR_MEM_COPY_OVERLAP
    );
    fails!(
        piEnqueueMemBufferRead(
            fixture.queue,
            mem,
            1,
            200,
            100,
            copied.as_mut_ptr().cast(),
            0,
            null(),
            null_mut()
        ),
        PI_ERROR_INVALID_VALUE
    );
    let mut region = pi_buffer_region_struct { origin: 100, size: 50 };
    let mut part = null_mut();
    let info = (&raw mut region).cast();
    ok!(piMemBufferPartition(mem, PI_MEM_FLAGS_ACCESS_RW, PI_BUFFER_CREATE_TYPE_REGION, info, &mut part));
    ok!(piMemRelease(mem));
    assert_eq!(read(&fixture, part, 50), bytes[100..150]);
    ok!(piMemRelease(part));
    ok!(piMemRelease(other));
}

/// Who never imported memory cannot release it: the buffer's commands, recorded ones too, use it.
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

fn rectangles() {
    let fixture = Fixture::new();
    let mem = buffer(&fixture, PI_MEM_FLAGS_ACCESS_RW, 8 * 8 * 4, null_mut());
    let bytes: Vec<u8> = (0..=255).collect();
    ok!(piEnqueueMemBufferWrite(fixture.queue, mem, 1, 0, 256, bytes.as_ptr().cast(), 0, null(), null_mut()));
    let mut from = pi_buff_rect_offset_struct { x_bytes: 2, y_scalar: 1, z_scalar: 1 };
    let mut to = pi_buff_rect_offset_struct { x_bytes: 0, y_scalar: 0, z_scalar: 0 };
    let mut region = pi_buff_rect_region_struct { width_bytes: 3, height_scalar: 4, depth_scalar: 2 };
    let mut out = vec![0_u8; 24];
    ok!(piEnqueueMemBufferReadRect(
        fixture.queue,
        mem,
        1,
        &mut from,
        &mut to,
        &mut region,
        8,
        64,
        0,
        0,
        out.as_mut_ptr().cast(),
        0,
        null(),
        null_mut()
    ));
    let expected: Vec<u8> = (0..2)
        .flat_map(|z| {
            (0..4).flat_map(move |y| (0..3).map(move |x| (64 * (z + 1) + 8 * (y + 1) + x + 2) as u8))
        })
        .collect();
    assert_eq!(out, expected);
    fails!(
        piEnqueueMemBufferReadRect(
            fixture.queue,
            mem,
            1,
            &mut from,
            &mut to,
            &mut region,
            8,
            127,
            0,
            0,
            out.as_mut_ptr().cast(),
            0,
            null(),
            null_mut()
        ),
        PI_ERROR_INVALID_VALUE
    );
    ok!(piMemRelease(mem));
}

fn fills() {
    let fixture = Fixture::new();
    let mem = buffer(&fixture, PI_MEM_FLAGS_ACCESS_RW, 960, null_mut());
    for length in [1_usize, 2, 3, 4, 5, 8, 12, 16, 32, 96] {
        let pattern: Vec<u8> = (0..length as u8).map(|index| index.wrapping_mul(7).wrapping_add(1)).collect();
        let start = pattern.as_ptr().cast();
        ok!(piEnqueueMemBufferFill(fixture.queue, mem, start, length, 0, 960, 0, null(), null_mut()));
        let bytes = read(&fixture, mem, 960);
        assert!(bytes.chunks_exact(length).all(|part| part == pattern), "pattern of {length}");
    }
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
