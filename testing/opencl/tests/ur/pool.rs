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
