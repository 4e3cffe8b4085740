//! Freed USM, which the plugin keeps for the next allocation of its size, and rows of USM.

use std::ptr::null_mut;

use super::Case;
use crate::{Fixture, fails, ok, software};
use sycl_pi_core::*;

pub(crate) const CASES: &[Case] = &[
    ("freed_memory_is_used_for_the_next_allocation_of_its_size", used_again),
    ("freed_memory_of_the_host_leaves_the_devices_where_it_is", kinds),
    ("freed_memory_is_unknown_and_not_freed_twice", unknown),
    ("freed_memory_makes_room_before_memory_runs_out", makes_room),
    ("rows_are_filled_by_kernels_of_libsycl", rows),
];

fn used_again() {
    let fixture = Fixture::new();
    let first = fixture.device_memory(1000).start;
    let other = fixture.device_memory(1001).start;
    let again = fixture.device_memory(1000).start;
    assert_eq!(first, again);
    assert_ne!(first, other);
    let host = fixture.host_memory(1000).start;
    assert_eq!(host, fixture.host_memory(1000).start);
    assert_ne!(host, first);
}

/// More blocks than are kept of one kind.
fn kinds() {
    let fixture = Fixture::new();
    let first = fixture.device_memory(1234).start;
    let blocks: Vec<_> = (0..70).map(|size| fixture.host_memory(5000 + size)).collect();
    drop(blocks);
    assert_eq!(first, fixture.device_memory(1234).start);
}

fn unknown() {
    let fixture = Fixture::new();
    let start = fixture.device_memory(1000).start;
    let inside = start.wrapping_byte_add(999);
    let (mut kind, room) = (PI_MEM_TYPE_DEVICE, size_of::<pi_usm_type>());
    let out = (&raw mut kind).cast();
    ok!(piextUSMGetMemAllocInfo(fixture.context, inside, PI_MEM_ALLOC_TYPE, room, out, null_mut()));
    assert_eq!(kind, PI_MEM_TYPE_UNKNOWN);
    let why = fails!(piextUSMFree(fixture.context, start), PI_ERROR_INVALID_VALUE);
    assert!(why.contains("freed already"), "{why}");
}

fn makes_room() {
    const OUT_OF_MEMORY_ONCE: &str = "cuMemAlloc_v2:1:2";
    let fixture = Fixture::new();
    drop(fixture.device_memory(1000));
    software::inject(OUT_OF_MEMORY_ONCE);
    drop(fixture.device_memory(2000));
    // The last allocation was freed, and is of another size: it makes room once more, and then there is none.
    software::inject("cuMemAlloc_v2:1:2;cuMemAlloc_v2:2:2");
    let mut start = null_mut();
    fails!(
        piextUSMDeviceAlloc(&mut start, fixture.context, fixture.device, null_mut(), 3000, 0),
        PI_ERROR_OUT_OF_RESOURCES
    );
}

/// libsycl asks before it fills, sets or copies rows, and gives fills alone the pitch and the width in elements, not in bytes.
fn rows() {
    let fixture = Fixture::new();
    let has = |query: pi_context_info| {
        let mut answer: pi_bool = 7;
        ok!(piContextGetInfo(fixture.context, query, 4, (&raw mut answer).cast(), null_mut()));
        answer
    };
    assert_eq!(has(PI_EXT_ONEAPI_CONTEXT_INFO_USM_FILL2D_SUPPORT), PI_FALSE);
    assert_eq!(has(PI_EXT_ONEAPI_CONTEXT_INFO_USM_MEMSET2D_SUPPORT), PI_TRUE);
    assert_eq!(has(PI_EXT_ONEAPI_CONTEXT_INFO_USM_MEMCPY2D_SUPPORT), PI_TRUE);
}
