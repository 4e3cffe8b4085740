//! Commands of the host: native commands, host tasks, timestamps.

use super::prelude::*;

#[entry]
pub unsafe extern "C" fn urEnqueueNativeCommandExp<B: Backend>(
    hQueue: ur_queue_handle_t, pfnNativeEnqueue: ur_exp_enqueue_native_command_function_t, data: *mut c_void,
    numMemsInMemList: u32, phMemList: *const ur_mem_handle_t,
    pProperties: *const ur_exp_enqueue_native_command_properties_t, numEventsInWaitList: u32,
    phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` is null or a live handle.
    let queue = unsafe { object(hQueue, "hQueue")? };
    let function = pfnNativeEnqueue.ok_or_else(|| null_pointer("pfnNativeEnqueue"))?;
    // The caller queries the native handles of its memory objects itself.
    // SAFETY: `phMemList` is null or has `numMemsInMemList` handles.
    unsafe { objects::<B::Mem>(numMemsInMemList, phMemList, "phMemList")? };
    // SAFETY: `pProperties` is null or points to what its type says.
    let flags = unsafe { pProperties.as_ref() }.map_or(0, |properties| properties.flags);
    known_flags(flags, !UR_EXP_ENQUEUE_NATIVE_COMMAND_FLAGS_MASK, "pProperties->flags")?;
    // SAFETY: this is the caller's function with the caller's data.
    let mut run = || unsafe { function(hQueue, data) };
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe {
        enqueue::<B, _>(queue, (numEventsInWaitList, phEventWaitList, phEvent), |dependencies| {
            B::enqueue_native_command(queue, &mut run, dependencies)
        })
    }
}

#[entry]
pub unsafe extern "C" fn urEnqueueTimestampRecordingExp<B: Backend>(
    hQueue: ur_queue_handle_t, blocking: u8, numEventsInWaitList: u32,
    phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` is null or a live handle.
    let queue = unsafe { object(hQueue, "hQueue")? };
    address(phEvent, "phEvent")?;
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe {
        enqueue::<B, _>(queue, (numEventsInWaitList, phEventWaitList, phEvent), |dependencies| {
            B::enqueue_timestamp(queue, blocking != 0, dependencies)
        })
    }
}

#[entry]
pub unsafe extern "C" fn urEnqueueHostTaskExp<B: Backend>(
    hQueue: ur_queue_handle_t, pfnHostTask: ur_exp_host_task_function_t, data: *mut c_void,
    pProperties: *const ur_exp_host_task_properties_t, numEventsInWaitList: u32,
    phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` is null or a live handle.
    let queue = unsafe { object(hQueue, "hQueue")? };
    let function = pfnHostTask.ok_or_else(|| null_pointer("pfnHostTask"))?;
    // SAFETY: `pProperties` is null or points to what its type says.
    let flags = unsafe { pProperties.as_ref() }.map_or(0, |properties| properties.flags);
    known_flags(flags, !UR_EXP_HOST_TASK_FLAGS_MASK, "pProperties->flags")?;
    let mut task = [function as usize, data.expose_provenance()].map(usize::to_ne_bytes);
    let task = task.as_flattened_mut();
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe {
        enqueue::<B, _>(queue, (numEventsInWaitList, phEventWaitList, phEvent), |dependencies| {
            B::enqueue_native_kernel(queue, run_host_task, task, &[], &[], dependencies).map_err(of_host_task)
        })
    }
}

/// Returns an error with the code that UR has for a device without host tasks. For native kernels, OpenCL has another one.
fn of_host_task(error: Error) -> Error {
    if error.code() == ErrorCode::INVALID_OPERATION {
        error.with_code(ErrorCode::UNSUPPORTED_FEATURE)
    } else {
        error
    }
}

/// Calls a host task's function with its data. `task` is a copy of both addresses.
///
/// # Safety
///
/// `task` must point to the address of the function and that of the data.
unsafe extern "C" fn run_host_task(task: *mut c_void) {
    // SAFETY: guaranteed by the caller; a driver's copy may have any alignment.
    let [function, data] = unsafe { task.cast::<[usize; 2]>().read_unaligned() };
    let function = core::ptr::with_exposed_provenance::<c_void>(function);
    // SAFETY: this is the address of such a function, which `urEnqueueHostTaskExp` stored there.
    let function: unsafe extern "C" fn(*mut c_void) = unsafe { core::mem::transmute(function) };
    // SAFETY: this is the caller's function with the caller's data.
    unsafe { function(core::ptr::with_exposed_provenance_mut(data)) };
}
