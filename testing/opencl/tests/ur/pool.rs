//! Tests of USM pools, and of allocations in the order of a queue.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_ur_core::*;
use testing_ur_host::Calls;

use crate::host::{Host, newest, ok};

const SIZE: usize = 4096;

/// Creates a native pool of at most `limit` bytes, which keeps up to `threshold` unused ones.
fn create(host: Host, limit: usize, threshold: usize) -> ur_usm_pool_handle_t {
    let flags = UR_USM_POOL_FLAG_USE_NATIVE_MEMORY_POOL_EXP | UR_USM_POOL_FLAG_ZERO_INITIALIZE_BLOCK;
    create_with(host, flags, limit, threshold)
}

fn create_with(
    host: Host,
    flags: ur_usm_pool_flags_t,
    limit: usize,
    threshold: usize,
) -> ur_usm_pool_handle_t {
    let mut limits = ur_usm_pool_limits_desc_t {
        stype: UR_STRUCTURE_TYPE_USM_POOL_LIMITS_DESC,
        pNext: null(),
        maxPoolableSize: limit,
        minDriverAllocSize: threshold,
    };
    let mut desc =
        ur_usm_pool_desc_t { stype: UR_STRUCTURE_TYPE_USM_POOL_DESC, pNext: (&raw mut limits).cast(), flags };
    let mut pool = null_mut();
    // SAFETY: live handles, and room for the pool.
    ok(unsafe { host.calls.urUSMPoolCreateExp(host.context, host.device, &mut desc, &mut pool) });
    pool
}

fn allocate(host: Host, pool: ur_usm_pool_handle_t, size: usize) -> Result<*mut c_void, ur_result_t> {
    let mut memory = null_mut();
    // SAFETY: live handles, and room for the address.
    let code = unsafe { host.calls.urUSMHostAlloc(host.context, null(), pool, size, &mut memory) };
    if code == UR_RESULT_SUCCESS { Ok(memory) } else { Err(code) }
}

/// Returns the numbers of used and reserved bytes.
fn sizes(host: Host, pool: ur_usm_pool_handle_t) -> [usize; 2] {
    [UR_USM_POOL_INFO_USED_CURRENT_EXP, UR_USM_POOL_INFO_RESERVED_CURRENT_EXP].map(|query| {
        let mut size = usize::MAX;
        // SAFETY: a live handle, and room for a size.
        ok(unsafe { host.calls.urUSMPoolGetInfoExp(pool, query, (&raw mut size).cast(), null_mut()) });
        size
    })
}

#[test]
fn a_pool_keeps_a_freed_block_for_the_next_request() {
    let host = newest();
    let pool = create(host, 0, SIZE);
    let memory = allocate(host, pool, SIZE).unwrap();
    assert_eq!(sizes(host, pool), [SIZE, SIZE]);
    let mut of = null_mut::<ur_usm_pool_handle_t_>();
    // SAFETY: live handles, room for the answer, and memory that nothing uses.
    unsafe {
        let room = (&raw mut of).cast();
        ok(host.calls.urUSMGetMemAllocInfo(
            host.context,
            memory,
            UR_USM_ALLOC_INFO_POOL,
            size_of_val(&of),
            room,
            null_mut(),
        ));
        assert_eq!(of, pool);
        assert_eq!(memory.cast::<u8>().read(), 0, "the block is zeroed");
        memory.cast::<u8>().write(7);
        ok(host.calls.urUSMFree(host.context, memory));
    }
    assert_eq!(sizes(host, pool), [0, SIZE]);
    assert_eq!(allocate(host, pool, SIZE), Ok(memory));
    // SAFETY: the block has that size.
    assert_eq!(unsafe { memory.cast::<u8>().read() }, 0, "the block is zeroed anew");
}

/// So much that it takes a while.
#[test]
fn a_block_is_zero_to_its_end_when_it_is_there() {
    const LARGE: usize = 64 << 20;
    let host = newest();
    let pool = create(host, 0, LARGE);
    let memory = allocate(host, pool, LARGE).unwrap();
    // SAFETY: memory of this size that nothing else uses.
    unsafe {
        memory.cast::<u8>().write_bytes(7, LARGE);
        ok(host.calls.urUSMFree(host.context, memory));
    }
    assert_eq!(allocate(host, pool, LARGE), Ok(memory));
    // SAFETY: the same.
    assert_eq!(unsafe { memory.cast::<u8>().add(LARGE - 1).read() }, 0);
}

/// Returns the answer to a query of a pool.
fn number(host: Host, pool: ur_usm_pool_handle_t, query: ur_usm_pool_info_t) -> usize {
    let mut number = 0;
    // SAFETY: a live handle, and room for a size.
    ok(unsafe { host.calls.urUSMPoolGetInfoExp(pool, query, (&raw mut number).cast(), null_mut()) });
    number
}

#[test]
fn a_pool_tells_its_highest_numbers_until_they_are_set_back() {
    let host = newest();
    let pool = create(host, 8 * SIZE, 4 * SIZE);
    let highest = || {
        [UR_USM_POOL_INFO_USED_HIGH_EXP, UR_USM_POOL_INFO_RESERVED_HIGH_EXP]
            .map(|query| number(host, pool, query))
    };
    let of_pool = [UR_USM_POOL_INFO_RELEASE_THRESHOLD_EXP, UR_USM_POOL_INFO_MAXIMUM_SIZE_EXP];
    assert_eq!(of_pool.map(|query| number(host, pool, query)), [4 * SIZE, 8 * SIZE]);
    let all = [1, 2, 3].map(|count| allocate(host, pool, count * SIZE).unwrap());
    assert_eq!(highest(), [6 * SIZE; 2]);
    for memory in all {
        // SAFETY: memory that nothing uses.
        unsafe { ok(host.calls.urUSMFree(host.context, memory)) };
    }
    // The first two blocks exceed the threshold together with the third.
    assert_eq!((sizes(host, pool), highest()), ([0, 3 * SIZE], [6 * SIZE; 2]));
    // Less than before changes nothing.
    let memory = allocate(host, pool, SIZE).unwrap();
    assert_eq!((sizes(host, pool), highest()), ([SIZE, 4 * SIZE], [6 * SIZE; 2]));
    // SAFETY: memory that nothing uses.
    unsafe { ok(host.calls.urUSMFree(host.context, memory)) };
    let set_back = |query| {
        let mut zero = 0_usize;
        // SAFETY: a live handle, and a size.
        ok(unsafe {
            host.calls.urUSMPoolSetInfoExp(pool, query, (&raw mut zero).cast(), size_of_val(&zero))
        });
    };
    set_back(UR_USM_POOL_INFO_USED_HIGH_EXP);
    assert_eq!(highest(), [0, 6 * SIZE]);
    set_back(UR_USM_POOL_INFO_RESERVED_HIGH_EXP);
    assert_eq!(highest(), [0, 4 * SIZE]);
    // A block that was kept is no new one.
    allocate(host, pool, 3 * SIZE).unwrap();
    assert_eq!(highest(), [3 * SIZE, 4 * SIZE]);
}

/// Other pools have the limits of the driver's own, of which there are none here.
#[test]
fn limits_are_those_of_a_native_pool() {
    let host = newest();
    let pool = create_with(host, UR_USM_POOL_FLAG_ZERO_INITIALIZE_BLOCK, SIZE, 4 * SIZE);
    let memory = allocate(host, pool, 2 * SIZE).unwrap();
    // SAFETY: memory that nothing uses.
    unsafe { ok(host.calls.urUSMFree(host.context, memory)) };
    assert_eq!(sizes(host, pool), [0, 0]);
    assert_eq!(number(host, pool, UR_USM_POOL_INFO_MAXIMUM_SIZE_EXP), usize::MAX);
}

#[test]
fn every_byte_of_a_block_is_of_its_pool() {
    let host = newest();
    let pool = create(host, 0, 0);
    let memory = allocate(host, pool, SIZE).unwrap();
    let pool_at = |place: usize| {
        let (mut of, query) = (null_mut::<ur_usm_pool_handle_t_>(), UR_USM_ALLOC_INFO_POOL);
        let (address, room) = (memory.wrapping_byte_add(place), (&raw mut of).cast());
        // SAFETY: live handles, and room for the answer.
        let code = unsafe {
            host.calls.urUSMGetMemAllocInfo(host.context, address, query, size_of_val(&of), room, null_mut())
        };
        (code, of)
    };
    for place in [0, 1, SIZE - 1] {
        assert_eq!(pool_at(place), (UR_RESULT_SUCCESS, pool), "{place}");
    }
    assert_eq!(pool_at(SIZE), (UR_RESULT_ERROR_INVALID_VALUE, null_mut()));
}

#[test]
fn a_pool_without_a_threshold_keeps_nothing_and_trims_to_what_is_asked() {
    let host = newest();
    let pool = create(host, 0, 0);
    let memory = allocate(host, pool, SIZE).unwrap();
    // SAFETY: live handles, and memory that nothing uses.
    unsafe { ok(host.calls.urUSMFree(host.context, memory)) };
    assert_eq!(sizes(host, pool), [0, 0]);
    // With one that comes later, blocks are kept up to the threshold of now, and to what a trim leaves.
    let (calls, context, device) = (host.calls, host.context, host.device);
    let fill = || {
        for memory in [1, 2, 3].map(|_| allocate(host, pool, SIZE).unwrap()) {
            // SAFETY: memory that nothing uses.
            unsafe { ok(calls.urUSMFree(context, memory)) };
        }
    };
    let keep = |threshold: usize| {
        let (query, value) =
            (UR_USM_POOL_INFO_RELEASE_THRESHOLD_EXP, (&raw const threshold).cast_mut().cast());
        // SAFETY: a live handle, and a number of 8 bytes.
        ok(unsafe { calls.urUSMPoolSetInfoExp(pool, query, value, 8) });
    };
    keep(3 * SIZE);
    fill();
    assert_eq!(sizes(host, pool), [0, 3 * SIZE]);
    // SAFETY: live handles.
    ok(unsafe { calls.urUSMPoolTrimToExp(context, device, pool, 2 * SIZE) });
    assert_eq!(sizes(host, pool), [0, 2 * SIZE]);
    fill();
    keep(2 * SIZE - 1);
    assert_eq!(sizes(host, pool), [0, SIZE]);
}

/// Returns whether the driver knows of an allocation at an address.
fn is_allocated(host: Host, address: *const c_void) -> bool {
    let mut kind = UR_USM_TYPE_UNKNOWN;
    let (query, room) = (UR_USM_ALLOC_INFO_TYPE, (&raw mut kind).cast());
    // SAFETY: live handles, and room for the answer. The address is looked up.
    let code = unsafe { host.calls.urUSMGetMemAllocInfo(host.context, address, query, 4, room, null_mut()) };
    code == UR_RESULT_SUCCESS && kind != UR_USM_TYPE_UNKNOWN
}

#[test]
fn a_pool_lives_as_long_as_its_blocks_and_frees_what_it_kept() {
    let host = newest();
    let (calls, pool) = (host.calls, create(host, 0, 2 * SIZE));
    let [used, kept] = [(); 2].map(|()| allocate(host, pool, SIZE).unwrap());
    let count = || {
        let (mut count, query) = (0_u32, UR_USM_POOL_INFO_REFERENCE_COUNT);
        let room = (&raw mut count).cast();
        // SAFETY: live handles, and room for the count.
        ok(unsafe { calls.urUSMPoolGetInfo(pool, query, 4, room, null_mut()) });
        count
    };
    // SAFETY: live handles, and memory that nothing uses.
    unsafe {
        ok(calls.urUSMFree(host.context, kept));
        assert_eq!(count(), 2, "the caller's, and one of the block in use");
        ok(calls.urUSMPoolRelease(pool));
        assert_eq!((sizes(host, pool), count()), ([SIZE, 2 * SIZE], 1));
        assert!(is_allocated(host, used) && is_allocated(host, kept));
        ok(calls.urUSMFree(host.context, used));
    }
    assert!(!is_allocated(host, used) && !is_allocated(host, kept));
}

#[test]
fn a_pool_refuses_more_than_its_limit() {
    let host = newest();
    let pool = create(host, 2 * SIZE, 2 * SIZE);
    assert!(allocate(host, pool, SIZE).is_ok());
    assert_eq!(allocate(host, pool, 2 * SIZE), Err(UR_RESULT_ERROR_OUT_OF_RESOURCES));
    assert!(allocate(host, pool, SIZE).is_ok());
}

#[test]
fn a_pool_at_its_limit_frees_unused_blocks_for_a_request_that_they_do_not_fit() {
    let host = newest();
    let pool = create(host, 2 * SIZE, 2 * SIZE);
    let memory = allocate(host, pool, SIZE).unwrap();
    // SAFETY: memory that nothing uses.
    unsafe { ok(host.calls.urUSMFree(host.context, memory)) };
    assert_eq!(sizes(host, pool), [0, SIZE]);
    assert!(allocate(host, pool, 2 * SIZE).is_ok());
    assert_eq!(sizes(host, pool), [2 * SIZE; 2]);
}

#[test]
fn memory_is_allocated_used_and_freed_in_the_order_of_a_queue() {
    let host = newest();
    let (calls, queue) = (host.calls, host.queue_with(UR_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE));
    let (mut memory, mut there, mut copied, mut gone) = (null_mut(), null_mut(), null_mut(), null_mut());
    let (numbers, mut read) = (vec![5_u8; SIZE], vec![0_u8; SIZE]);
    // SAFETY: live handles, and memory of these sizes.
    unsafe {
        ok(calls.urEnqueueUSMHostAllocExp(
            queue,
            null_mut(),
            SIZE,
            null(),
            0,
            null(),
            &mut memory,
            &mut there,
        ));
        let source = numbers.as_ptr().cast();
        ok(calls.urEnqueueUSMMemcpy(queue, 0, memory, source, SIZE, 1, &there, &mut copied));
        let room = read.as_mut_ptr().cast();
        let mut out = null_mut();
        ok(calls.urEnqueueUSMMemcpy(queue, 0, room, memory, SIZE, 1, &copied, &mut out));
        ok(calls.urEnqueueUSMFreeExp(queue, null_mut(), memory, 1, &out, &mut gone));
        ok(calls.urEventWait(1, &gone));
    }
    assert_eq!(read, numbers);
}

#[test]
fn memory_of_a_queue_is_free_again_if_the_queue_refuses_the_wait_list() {
    let host = newest();
    let (calls, queue, pool) = (host.calls, host.queue, create(host, 0, 0));
    let (nothing, mut memory, mut event): (ur_event_handle_t, _, _) = (null_mut(), null_mut(), null_mut());
    let wrong = UR_RESULT_ERROR_INVALID_EVENT_WAIT_LIST;
    // SAFETY: live handles, room for the results, and a list of one event, which is null.
    unsafe {
        for allocate in [
            Calls::urEnqueueUSMHostAllocExp,
            Calls::urEnqueueUSMSharedAllocExp,
            Calls::urEnqueueUSMDeviceAllocExp,
        ] {
            let code = allocate(calls, queue, pool, SIZE, null(), 1, &nothing, &mut memory, &mut event);
            assert_eq!((code, memory, event), (wrong, null_mut(), null_mut()));
            assert_eq!(sizes(host, pool), [0, 0]);
        }
        // A refused free leaves the memory allocated.
        ok(calls.urEnqueueUSMHostAllocExp(queue, pool, SIZE, null(), 0, null(), &mut memory, null_mut()));
        assert_eq!(calls.urEnqueueUSMFreeExp(queue, pool, memory, 1, &nothing, &mut event), wrong);
        assert_eq!((sizes(host, pool), event), ([SIZE; 2], null_mut()));
        ok(calls.urEnqueueUSMFreeExp(queue, pool, memory, 0, null(), null_mut()));
    }
    assert_eq!(sizes(host, pool), [0, 0]);
}

#[test]
fn the_event_of_an_allocation_is_behind_its_wait_list() {
    const LARGE: usize = 64 << 20;
    let host = newest();
    let (calls, other, memory) = (host.calls, host.queue_with(0), host.memory(0, LARGE / 4));
    for allocate in [
        Calls::urEnqueueUSMHostAllocExp,
        Calls::urEnqueueUSMSharedAllocExp,
        Calls::urEnqueueUSMDeviceAllocExp,
    ] {
        let (pattern, mut filled, mut block, mut there) = ([7_u8], null_mut(), null_mut(), null_mut());
        // SAFETY: live handles, memory of this size, and room for the results.
        unsafe {
            let pattern = pattern.as_ptr().cast();
            ok(calls.urEnqueueUSMFill(other, memory, 1, pattern, LARGE, 0, null(), null_mut()));
            ok(calls.urEnqueueUSMFill(other, memory, 1, pattern, LARGE, 0, null(), &mut filled));
            ok(allocate(calls, host.queue, null_mut(), SIZE, null(), 1, &filled, &mut block, &mut there));
            ok(calls.urEventWait(1, &there));
            let (mut status, query) = (u32::MAX, UR_EVENT_INFO_COMMAND_EXECUTION_STATUS);
            let room = (&raw mut status).cast();
            ok(calls.urEventGetInfo(filled, query, size_of_val(&status), room, null_mut()));
            assert_eq!(status, UR_EVENT_STATUS_COMPLETE, "the last fill, when the block is there");
            ok(calls.urUSMFree(host.context, block));
        }
    }
    // SAFETY: memory that nothing uses.
    ok(unsafe { calls.urUSMFree(host.context, memory) });
}

/// The count of reserved bytes tells a block that was kept from a new one, wherever the driver places them.
#[test]
fn a_kept_block_serves_requests_of_its_alignment_only() {
    // PoCL 3.1 refuses more.
    const ALIGNED: u32 = 128;
    let host = newest();
    let pool = create(host, 0, 16 * SIZE);
    let of_alignment = |align| {
        let desc = ur_usm_desc_t { stype: UR_STRUCTURE_TYPE_USM_DESC, pNext: null(), hints: 0, align };
        let mut memory = null_mut();
        // SAFETY: live handles, and room for the address.
        ok(unsafe { host.calls.urUSMHostAlloc(host.context, &desc, pool, 256, &mut memory) });
        memory
    };
    let small = of_alignment(64);
    // SAFETY: memory that nothing uses.
    unsafe { ok(host.calls.urUSMFree(host.context, small)) };
    let large = of_alignment(ALIGNED);
    assert_eq!(large.addr() % ALIGNED as usize, 0);
    assert_eq!(sizes(host, pool), [256, 512], "the block of the smaller alignment is still kept");
    assert_eq!(of_alignment(64), small);
    assert_eq!(sizes(host, pool), [512, 512]);
}

/// In a pool, which does not free the block. A driver may wait by itself when it frees one.
#[test]
fn memory_is_free_when_what_the_free_waits_for_is_complete() {
    const LARGE: usize = 64 << 20;
    let host = newest();
    let (calls, queue) = (host.calls, host.queue_with(UR_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE));
    let pool = create(host, 0, LARGE);
    let memory = allocate(host, pool, LARGE).unwrap();
    let mut before: ur_event_handle_t = null_mut();
    // SAFETY: live handles, and memory of this size.
    unsafe {
        // Each takes a while, and waits for the one before it.
        for value in 0..8_u8 {
            let (list, mut event) = (before, null_mut());
            let waits = u32::from(!list.is_null());
            let start = if waits == 0 { null() } else { &raw const list };
            let pattern = (&raw const value).cast();
            ok(calls.urEnqueueUSMFill(queue, memory, 1, pattern, LARGE, waits, start, &mut event));
            before = event;
        }
        ok(calls.urEnqueueUSMFreeExp(queue, pool, memory, 1, &before, null_mut()));
        let (mut status, query) = (u32::MAX, UR_EVENT_INFO_COMMAND_EXECUTION_STATUS);
        let room = (&raw mut status).cast();
        ok(calls.urEventGetInfo(before, query, size_of_val(&status), room, null_mut()));
        assert_eq!(status, UR_EVENT_STATUS_COMPLETE, "the last fill, when its memory is free");
    }
}
