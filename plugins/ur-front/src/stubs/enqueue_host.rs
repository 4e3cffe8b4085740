//! Commands of the host: native commands, host tasks, timestamps.

use super::prelude::*;

stubs! {
    urEnqueueNativeCommandExp(hQueue: ur_queue_handle_t, pfnNativeEnqueue: ur_exp_enqueue_native_command_function_t,
        data: *mut c_void, numMemsInMemList: u32, phMemList: *const ur_mem_handle_t, pProperties: *const
        ur_exp_enqueue_native_command_properties_t, numEventsInWaitList: u32, phEventWaitList: *const
        ur_event_handle_t, phEvent: *mut ur_event_handle_t) {
        let queue = object(hQueue, "hQueue")?;
        let function = pfnNativeEnqueue.ok_or_else(|| null_pointer("pfnNativeEnqueue"))?;
        // The caller queries the native handles of its memory objects itself.
        objects::<B::Mem>(numMemsInMemList, phMemList, "phMemList")?;
        let flags = pProperties.as_ref().map_or(0, |properties| properties.flags);
        known_flags(flags, !UR_EXP_ENQUEUE_NATIVE_COMMAND_FLAGS_MASK, "pProperties->flags")?;
        // SAFETY: this is the caller's function with the caller's data.
        let mut run = || unsafe { function(hQueue, data) };
        enqueue::<B, _>(queue, numEventsInWaitList, phEventWaitList, phEvent,
            |dependencies| B::enqueue_native_command(queue, &mut run, dependencies))
    };

    urEnqueueTimestampRecordingExp(hQueue: ur_queue_handle_t, blocking: u8, numEventsInWaitList: u32, phEventWaitList:
        *const ur_event_handle_t, phEvent: *mut ur_event_handle_t) {
        let queue = object(hQueue, "hQueue")?;
        address(phEvent, "phEvent")?;
        enqueue::<B, _>(queue, numEventsInWaitList, phEventWaitList, phEvent,
            |dependencies| B::enqueue_timestamp(queue, blocking != 0, dependencies))
    };

    urEnqueueHostTaskExp(hQueue: ur_queue_handle_t, pfnHostTask: ur_exp_host_task_function_t, data: *mut c_void,
        pProperties: *const ur_exp_host_task_properties_t, numEventsInWaitList: u32, phEventWaitList: *const
        ur_event_handle_t, phEvent: *mut ur_event_handle_t) {
        let queue = object(hQueue, "hQueue")?;
        let function = pfnHostTask.ok_or_else(|| null_pointer("pfnHostTask"))?;
        let flags = pProperties.as_ref().map_or(0, |properties| properties.flags);
        known_flags(flags, !UR_EXP_HOST_TASK_FLAGS_MASK, "pProperties->flags")?;
        let mut task = [function as usize, data.expose_provenance()].map(usize::to_ne_bytes);
        let task = task.as_flattened_mut();
        enqueue::<B, _>(queue, numEventsInWaitList, phEventWaitList, phEvent,
            |dependencies| B::enqueue_native_kernel(queue, run_host_task, task, &[], &[], dependencies))
    };
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
