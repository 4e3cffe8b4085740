//! Pools, and allocations that a queue orders, as they reach the backend.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_backend::types::ErrorCode;
use sycl_ur_core::*;
use sycl_ur_front::stubs::*;

use crate::fake::{Fake, Handles, events, fail, fail_after, handles, noted, place};

const NEWEST: Layout = Layout::V2026_2;

/// Creates a pool that keeps `kept` bytes and has at most `most`.
fn pool(of: Handles, flags: ur_usm_pool_flags_t, most: usize, kept: usize) -> ur_usm_pool_handle_t {
    let limits = ur_usm_pool_limits_desc_t {
        stype: UR_STRUCTURE_TYPE_USM_POOL_LIMITS_DESC,
        pNext: null(),
        maxPoolableSize: most,
        minDriverAllocSize: kept,
    };
    let mut desc = ur_usm_pool_desc_t {
        stype: UR_STRUCTURE_TYPE_USM_POOL_DESC,
        pNext: (&raw const limits).cast(),
        flags: flags | UR_USM_POOL_FLAG_USE_NATIVE_MEMORY_POOL_EXP,
    };
    let mut pool = null_mut();
    // SAFETY: a live handle, a chain of structures, and room for the pool.
    assert_eq!(unsafe { urUSMPoolCreate::<Fake>(of.context, &mut desc, &mut pool) }, UR_RESULT_SUCCESS);
    noted();
    pool
}

/// Returns the bytes in use and their peak, and the bytes in use or kept and their peak.
fn counts(pool: ur_usm_pool_handle_t) -> [usize; 4] {
    [
        UR_USM_POOL_INFO_USED_CURRENT_EXP,
        UR_USM_POOL_INFO_USED_HIGH_EXP,
        UR_USM_POOL_INFO_RESERVED_CURRENT_EXP,
        UR_USM_POOL_INFO_RESERVED_HIGH_EXP,
    ]
    .map(|name| {
        let mut number = 0_usize;
        // SAFETY: a live handle and room for the answer.
        let result = unsafe { urUSMPoolGetInfoExp::<Fake>(pool, name, (&raw mut number).cast(), null_mut()) };
        assert_eq!(result, UR_RESULT_SUCCESS);
        number
    })
}

#[derive(Clone, Copy)]
enum Of {
    Host,
    Device,
    Shared,
}

/// Allocates memory of a pool. Returns the result, the address, and what reached the backend.
fn allocate(
    of: Handles, pool: ur_usm_pool_handle_t, kind: Of, size: usize, align: u32,
) -> (ur_result_t, *mut c_void, Vec<String>) {
    let desc = ur_usm_desc_t { stype: UR_STRUCTURE_TYPE_USM_DESC, pNext: null(), hints: 0, align };
    let (context, device, mut memory) = (of.context, of.device, null_mut());
    noted();
    // SAFETY: live handles, a structure of its type, and room for the address.
    let result = unsafe {
        match kind {
            Of::Host => urUSMHostAlloc::<Fake>(context, &desc, pool, size, &mut memory),
            Of::Device => urUSMDeviceAlloc::<Fake>(context, device, &desc, pool, size, &mut memory),
            Of::Shared => urUSMSharedAlloc::<Fake>(context, device, &desc, pool, size, &mut memory),
        }
    };
    (result, memory, noted())
}

fn free(of: Handles, memory: *mut c_void) -> Vec<String> {
    noted();
    // SAFETY: a live handle, and memory that is freed once.
    assert_eq!(unsafe { urUSMFree::<Fake>(of.context, memory) }, UR_RESULT_SUCCESS);
    noted()
}

/// Kind, size and alignment belong to a block.
#[test]
fn a_kept_block_is_for_requests_like_its_own() {
    let of = handles(NEWEST);
    let requests = [
        (Of::Host, 128, 0, "allocate 128 of the host at 0"),
        (Of::Device, 128, 0, "allocate 128 at 0 []"),
        (Of::Device, 128, 64, "allocate 128 at 64 []"),
        (Of::Device, 64, 64, "allocate 64 at 64 []"),
        (Of::Shared, 128, 0, "allocate 128 shared true at 0"),
    ];
    let pool = pool(of, 0, 0, 1 << 20);
    for is_kept in [false, true] {
        for (kind, size, align, wanted) in requests {
            let (result, memory, asked) = allocate(of, pool, kind, size, align);
            let wanted = if is_kept { vec![] } else { vec![wanted.to_owned()] };
            assert_eq!((result, asked), (UR_RESULT_SUCCESS, wanted), "{size} at {align}");
            assert!(free(of, memory).is_empty(), "it is kept");
        }
    }
    assert_eq!(counts(pool), [0, 128, 576, 576]);
    // A lower threshold lets the surplus go at once, the oldest first.
    noted();
    // SAFETY: live handles.
    let lowered = unsafe { urUSMPoolSetThresholdExp::<Fake>(of.context, of.device, pool, 200) };
    assert_eq!((lowered, noted().len(), counts(pool)), (0, 3, [0, 128, 192, 576]));
}

/// Before a pool refuses a request, it frees the blocks that it keeps.
#[test]
fn a_pool_is_full_at_its_limit_and_keeps_its_peaks() {
    let of = handles(NEWEST);
    let pool = pool(of, 0, 256, 256);
    let (_, device, _) = allocate(of, pool, Of::Device, 128, 0);
    let (result, host, _) = allocate(of, pool, Of::Host, 128, 0);
    assert_eq!((result, counts(pool)), (UR_RESULT_SUCCESS, [256; 4]), "exactly as much as fits");
    let (result, _, asked) = allocate(of, pool, Of::Shared, 1, 0);
    assert_eq!((result, asked.len()), (UR_RESULT_ERROR_OUT_OF_RESOURCES, 0));
    free(of, device);
    assert_eq!(counts(pool), [128, 256, 256, 256]);
    let (result, shared, asked) = allocate(of, pool, Of::Shared, 128, 0);
    assert_eq!((result, asked), (0, ["free", "allocate 128 shared true at 0"].map(String::from).to_vec()));
    assert_eq!(counts(pool), [256; 4]);
    free(of, host);
    free(of, shared);
    assert_eq!(counts(pool), [0, 256, 256, 256]);
    // The last reference is the caller's. SAFETY: a live handle, which is released once.
    unsafe { assert_eq!(urUSMPoolRelease::<Fake>(pool), UR_RESULT_SUCCESS) };
    assert_eq!(noted(), ["free"; 2]);
}

/// A block that cannot be filled goes back to its pool.
#[test]
fn a_pool_of_zeros_fills_new_and_kept_blocks() {
    let of = handles(NEWEST);
    let pool = pool(of, UR_USM_POOL_FLAG_ZERO_INITIALIZE_BLOCK, 0, 1 << 20);
    let zeroed = ["create QueueFlags(0x0) None", "set 128 to 0", "finish"].map(String::from);
    let fresh = [&["allocate 128 at 0 []".to_owned()][..], &zeroed].concat();
    for wanted in [&fresh[..], &zeroed] {
        let (result, memory, asked) = allocate(of, pool, Of::Device, 128, 0);
        assert_eq!((result, &asked[..]), (UR_RESULT_SUCCESS, wanted));
        free(of, memory);
    }
    fail_after(1, ErrorCode::OUT_OF_HOST_MEMORY);
    let (result, memory, _) = allocate(of, pool, Of::Device, 128, 0);
    assert_eq!((result, memory), (UR_RESULT_ERROR_OUT_OF_HOST_MEMORY, null_mut()));
    assert_eq!(counts(pool), [0, 128, 128, 128]);
}

#[test]
fn every_address_of_a_block_is_of_its_pool() {
    let of = handles(NEWEST);
    let pool = pool(of, 0, 0, 0);
    let (_, memory, _) = allocate(of, pool, Of::Host, 128, 0);
    let ask = |address: *mut c_void| {
        let mut found: ur_usm_pool_handle_t = null_mut();
        let (name, room) = (UR_USM_ALLOC_INFO_POOL, (&raw mut found).cast());
        // SAFETY: a live handle, an address that nothing reads, and room for the answer.
        let result = unsafe { urUSMGetMemAllocInfo::<Fake>(of.context, address, name, 8, room, null_mut()) };
        (result, found)
    };
    let none = (UR_RESULT_ERROR_INVALID_VALUE, null_mut());
    let at = |offset: isize| ask(memory.wrapping_byte_offset(offset));
    assert_eq!([0, 1, 127].map(at), [(UR_RESULT_SUCCESS, pool); 3]);
    assert_eq!([-1, 128].map(at), [none; 2]);
    free(of, memory);
    assert_eq!(at(0), none);
}

/// Memory that the queue refuses is not left behind, and neither is the event of a free.
#[test]
fn allocations_and_frees_are_ordered_by_a_queue() {
    let of = handles(NEWEST);
    let enqueue = |kind: Of, event: *mut ur_event_handle_t| {
        let mut memory = null_mut();
        let (queue, list) = (of.queue, &raw const of.event);
        noted();
        // SAFETY: live handles, a list of one event, and room for the address.
        let result = unsafe {
            match kind {
                Of::Host => {
                    let allocate = urEnqueueUSMHostAllocExp::<Fake>;
                    allocate(queue, null_mut(), 96, null(), 1, list, &mut memory, event)
                }
                Of::Device => {
                    let allocate = urEnqueueUSMDeviceAllocExp::<Fake>;
                    allocate(queue, null_mut(), 96, null(), 1, list, &mut memory, event)
                }
                Of::Shared => {
                    let allocate = urEnqueueUSMSharedAllocExp::<Fake>;
                    allocate(queue, null_mut(), 96, null(), 1, list, &mut memory, event)
                }
            }
        };
        (result, memory.addr(), noted().join("; "))
    };
    for (kind, at, wanted) in [
        (Of::Host, 0x5000, "allocate 96 of the host at 0"),
        (Of::Device, 0x1000, "allocate 96 at 0 []"),
        (Of::Shared, 0x6000, "allocate 96 shared true at 0"),
    ] {
        let before = events();
        assert_eq!(enqueue(kind, null_mut()), (0, place(at).addr(), format!("{wanted}; wait for 1")));
        assert_eq!(events(), before);
        fail_after(1, ErrorCode::OUT_OF_RESOURCES);
        let refused = (UR_RESULT_ERROR_OUT_OF_RESOURCES, 0, format!("{wanted}; wait for 1; free"));
        assert_eq!(enqueue(kind, null_mut()), refused);
    }
    let free = |event: *mut ur_event_handle_t| {
        noted();
        let result =
            // SAFETY: live handles, a list of one event, and memory that nothing reads.
            unsafe { urEnqueueUSMFreeExp::<Fake>(of.queue, null_mut(), place(0x1000), 1, &of.event, event) };
        (result, noted().join("; "))
    };
    let (before, mut event) = (events(), null_mut());
    let wanted = || "wait for 1; host waits for 1; free".to_owned();
    assert_eq!((free(null_mut()), events()), ((0, wanted()), before));
    assert_eq!((free(&mut event), events()), ((0, wanted()), before + 1));
    // SAFETY: a live handle, which is released once.
    unsafe { assert_eq!(urEventRelease::<Fake>(event), UR_RESULT_SUCCESS) };
    event = null_mut();
    fail(ErrorCode::OUT_OF_RESOURCES);
    assert_eq!(free(&mut event), (UR_RESULT_ERROR_OUT_OF_RESOURCES, "wait for 1".into()));
    fail_after(2, ErrorCode::INVALID_VALUE);
    assert_eq!(free(&mut event), (UR_RESULT_ERROR_INVALID_VALUE, wanted()));
    assert_eq!((event, events()), (null_mut(), before));
}
