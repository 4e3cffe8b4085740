//! Tests of USM pools, and of allocations in the order of a queue.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_ur_core::*;

use crate::host::{Host, newest, ok};

const SIZE: usize = 4096;

/// Creates a native pool of at most `limit` bytes, which keeps up to `threshold` unused ones.
fn create(host: Host, limit: usize, threshold: usize) -> ur_usm_pool_handle_t {
    let mut limits = ur_usm_pool_limits_desc_t {
        stype: UR_STRUCTURE_TYPE_USM_POOL_LIMITS_DESC,
        pNext: null(),
        maxPoolableSize: limit,
        minDriverAllocSize: threshold,
    };
    let mut desc = ur_usm_pool_desc_t {
        stype: UR_STRUCTURE_TYPE_USM_POOL_DESC,
        pNext: (&raw mut limits).cast(),
        flags: UR_USM_POOL_FLAG_USE_NATIVE_MEMORY_POOL_EXP | UR_USM_POOL_FLAG_ZERO_INITIALIZE_BLOCK,
    };
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
    // SAFETY: live handles, room for the answer, and memory that nobody uses.
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
    // SAFETY: the block is of that size.
    assert_eq!(unsafe { memory.cast::<u8>().read() }, 0, "the block is zeroed anew");
}

#[test]
fn a_pool_without_a_threshold_keeps_nothing_and_trims_to_what_is_asked() {
    let host = newest();
    let pool = create(host, 0, 0);
    let memory = allocate(host, pool, SIZE).unwrap();
    // SAFETY: live handles, and memory that nobody uses.
    unsafe { ok(host.calls.urUSMFree(host.context, memory)) };
    assert_eq!(sizes(host, pool), [0, 0]);
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
    // SAFETY: memory that nobody uses.
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
    // SAFETY: memory that nobody uses.
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
