//! Allocations that are ordered by a queue.
//!
//! The memory is allocated immediately, and an event signals when the queue reaches the allocation. A free waits until
//! the queue reaches it.

use core::ptr::NonNull;

use sycl_pi_backend::api::UsmRequest;

use super::prelude::*;
use super::usm::allocate;
use crate::enqueue::EventArgs;
use crate::handle::Handle;
use crate::pool::{self, BlockKind, Pool};

#[entry]
pub unsafe extern "C" fn urEnqueueUSMDeviceAllocExp<B: Backend>(
    hQueue: ur_queue_handle_t, pPool: ur_usm_pool_handle_t, size: usize,
    pProperties: *const ur_exp_async_usm_alloc_properties_t, numEventsInWaitList: u32,
    phEventWaitList: *const ur_event_handle_t, ppMem: *mut *mut c_void, phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` is null or a live handle.
    let queue = unsafe { object::<B::Queue>(hQueue, "hQueue")? };
    // SAFETY: `pProperties` is null or points to what its type says.
    let flags = unsafe { pProperties.as_ref() }.map_or(0, |properties| properties.flags);
    known_flags(flags, !UR_EXP_ASYNC_USM_ALLOC_FLAGS_MASK, "pProperties->flags")?;
    let events = (numEventsInWaitList, phEventWaitList, phEvent);
    // SAFETY: `ppMem` is null or writable; the other arguments are passed on under the same contract.
    unsafe {
        put(ppMem, "ppMem", || {
            allocate_in_order::<B>(queue, pPool, UsmType::DEVICE, size, events, |context, device, request| {
                B::usm_device_alloc(context, device, request)
            })
        })
    }
}

#[entry]
pub unsafe extern "C" fn urEnqueueUSMSharedAllocExp<B: Backend>(
    hQueue: ur_queue_handle_t, pPool: ur_usm_pool_handle_t, size: usize,
    pProperties: *const ur_exp_async_usm_alloc_properties_t, numEventsInWaitList: u32,
    phEventWaitList: *const ur_event_handle_t, ppMem: *mut *mut c_void, phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` is null or a live handle.
    let queue = unsafe { object::<B::Queue>(hQueue, "hQueue")? };
    // SAFETY: `pProperties` is null or points to what its type says.
    let flags = unsafe { pProperties.as_ref() }.map_or(0, |properties| properties.flags);
    known_flags(flags, !UR_EXP_ASYNC_USM_ALLOC_FLAGS_MASK, "pProperties->flags")?;
    let events = (numEventsInWaitList, phEventWaitList, phEvent);
    // SAFETY: `ppMem` is null or writable; the other arguments are passed on under the same contract.
    unsafe {
        put(ppMem, "ppMem", || {
            allocate_in_order::<B>(queue, pPool, UsmType::SHARED, size, events, |context, device, request| {
                B::usm_shared_alloc(context, Some(device), request)
            })
        })
    }
}

#[entry]
pub unsafe extern "C" fn urEnqueueUSMHostAllocExp<B: Backend>(
    hQueue: ur_queue_handle_t, pPool: ur_usm_pool_handle_t, size: usize,
    pProperties: *const ur_exp_async_usm_alloc_properties_t, numEventsInWaitList: u32,
    phEventWaitList: *const ur_event_handle_t, ppMem: *mut *mut c_void, phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` is null or a live handle.
    let queue = unsafe { object::<B::Queue>(hQueue, "hQueue")? };
    // SAFETY: `pProperties` is null or points to what its type says.
    let flags = unsafe { pProperties.as_ref() }.map_or(0, |properties| properties.flags);
    known_flags(flags, !UR_EXP_ASYNC_USM_ALLOC_FLAGS_MASK, "pProperties->flags")?;
    let events = (numEventsInWaitList, phEventWaitList, phEvent);
    // SAFETY: `ppMem` is null or writable; the other arguments are passed on under the same contract.
    unsafe {
        put(ppMem, "ppMem", || {
            allocate_in_order::<B>(queue, pPool, UsmType::HOST, size, events, |context, _, request| {
                B::usm_host_alloc(context, request)
            })
        })
    }
}

#[entry]
pub unsafe extern "C" fn urEnqueueUSMFreeExp<B: Backend>(
    hQueue: ur_queue_handle_t, pPool: ur_usm_pool_handle_t, pMem: *mut c_void, numEventsInWaitList: u32,
    phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` is null or a live handle.
    let queue = unsafe { object::<B::Queue>(hQueue, "hQueue")? };
    if !pPool.is_null() {
        // SAFETY: `pPool` is null or a live handle.
        unsafe { counted::<Pool<B>>(pPool, "pPool")? };
    }
    address(pMem, "pMem")?;
    check_runs::<B>(queue, "a free")?;
    let context = B::queue_context(queue)?;
    // The queue must reach this point first, because a freed block may be reused immediately.
    let mut event = core::ptr::null_mut();
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe {
        enqueue::<B, _>(queue, (numEventsInWaitList, phEventWaitList, &mut event), |dependencies| {
            B::enqueue_events_wait(queue, dependencies)
        })?
    };
    // SAFETY: `event` is null or a live handle.
    let waited = unsafe { object::<B::Event>(event, "the event of the wait")? };
    let freed = B::events_wait(&[&***waited]).and_then(|()| free::<B>(context, pMem));
    // SAFETY: `phEvent` is null or writable.
    match unsafe { out_or_null(phEvent) }.filter(|_| freed.is_ok()) {
        Some(place) => *place = event,
        // SAFETY: the arguments are passed on under the same contract.
        None => unsafe { waited.release_by_caller()? },
    }
    freed
}

/// Allocates memory, whose event signals when the queue reaches the allocation. Nothing stays allocated if the queue
/// refuses the wait list.
///
/// # Safety
///
/// `pool` must be null or a handle of a pool, and the events as for [`enqueue`].
unsafe fn allocate_in_order<B: Backend>(
    queue: &Handle<B::Queue>, pool: ur_usm_pool_handle_t, usm: UsmType, size: usize, events: EventArgs,
    make: impl FnOnce(&B::Context, &B::Device, UsmRequest<'_>) -> Result<NonNull<c_void>>,
) -> Result<*mut c_void> {
    check_runs::<B>(queue, "an allocation")?;
    let (context, device) = (B::queue_context(queue)?, B::queue_device(queue)?);
    let request = UsmRequest { properties: Properties::NONE, size, alignment: 0 };
    let kind = BlockKind { usm, device: core::ptr::from_ref(device).addr(), size, alignment: 0 };
    // SAFETY: guaranteed by the caller.
    let memory = unsafe { allocate::<B>(pool, kind, Some(device), || make(context, device, request))? };
    let reached =
        // SAFETY: guaranteed by the caller.
        unsafe { enqueue::<B, _>(queue, events, |dependencies| B::enqueue_events_wait(queue, dependencies)) };
    if let Err(error) = reached {
        free::<B>(context, memory)?;
        return Err(error);
    }
    Ok(memory)
}

/// Gives memory back to its pool, or frees it if it belongs to no pool.
fn free<B: Backend>(context: &B::Context, memory: *mut c_void) -> Result<()> {
    let address = NonNull::new(memory).ok_or_else(|| null_pointer("pMem"))?;
    if pool::free::<B>(memory)? { Ok(()) } else { B::usm_free(context, address) }
}
