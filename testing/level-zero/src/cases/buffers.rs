//! Tests of buffers and parts of them on the software driver.

use std::ptr::{null, null_mut};

use super::Case;
use crate::{Fixture, Soft, fixture, ok};
use sycl_pi_core::*;

pub(crate) const CASES: &[Case] = &[
    ("a_part_of_a_buffer_keeps_the_whole", whole),
    ("a_map_of_a_part_of_the_programs_memory_is_that_part", lent),
];

/// Creates a part of a buffer.
fn part(fixture: &Fixture, buffer: pi_mem, origin: usize, size: usize) -> pi_mem {
    let (mut region, mut part) = (pi_buffer_region_struct { origin, size }, null_mut());
    let (flags, kind, info) = (PI_MEM_FLAGS_ACCESS_RW, PI_BUFFER_CREATE_TYPE_REGION, (&raw mut region).cast());
    ok!(fixture.pi, piMemBufferPartition(buffer, flags, kind, info, &mut part));
    part
}

fn whole() {
    // Too large to be kept for the next buffer.
    const SIZE: usize = 64 << 20;
    let (soft, fixture) = (Soft::find().unwrap(), Fixture::new(fixture::plugin()));
    let whole = fixture.buffer(&mut vec![7_u8; SIZE]);
    let part = part(&fixture, whole, 4096, 64);
    soft.reset();
    let frees = || soft.report().calls.get("zeMemFree").copied().unwrap_or(0);
    ok!(fixture.pi, piMemRelease(whole));
    assert_eq!(frees(), 0, "the part is still there");
    ok!(fixture.pi, piMemRelease(part));
    assert_eq!(frees(), 1);
}

fn lent() {
    const ORIGIN: usize = 4096;
    let fixture = Fixture::new(fixture::plugin());
    let (pi, queue) = (fixture.pi, fixture.queue);
    let mut memory: Vec<u8> = (0..2 * ORIGIN).map(|at| (at / 16) as u8).collect();
    let (mut buffer, start) = (null_mut(), memory.as_mut_ptr());
    let flags = PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_USE;
    ok!(pi, piMemBufferCreate(fixture.context, flags, memory.len(), start.cast(), &mut buffer, null()));
    let (part, mut mapped) = (part(&fixture, buffer, ORIGIN, ORIGIN), null_mut());
    ok!(
        pi,
        piEnqueueMemBufferMap(queue, part, 1, PI_MAP_READ, 32, 64, 0, null(), null_mut(), &mut mapped)
    );
    assert_eq!(mapped, start.wrapping_add(ORIGIN + 32).cast());
    ok!(pi, piEnqueueMemUnmap(queue, part, mapped, 0, null(), null_mut()));
    fixture.finish();
    ok!(pi, piMemRelease(part));
    ok!(pi, piMemRelease(buffer));
}
