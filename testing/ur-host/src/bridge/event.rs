//! Events.

use std::ffi::c_void;
use std::ptr::null_mut;

use sycl_pi_core::*;
use sycl_ur_core::*;

use super::answer::{Convert, NEITHER, answer, number, paired};
use super::stubs::stubs;

const COMMANDS: &[(u32, u32)] = &[
    (UR_COMMAND_KERNEL_LAUNCH, PI_COMMAND_TYPE_NDRANGE_KERNEL),
    (UR_COMMAND_EVENTS_WAIT, PI_COMMAND_TYPE_MARKER),
    (UR_COMMAND_EVENTS_WAIT_WITH_BARRIER, PI_COMMAND_TYPE_BARRIER),
    (UR_COMMAND_MEM_BUFFER_READ, PI_COMMAND_TYPE_MEM_BUFFER_READ),
    (UR_COMMAND_MEM_BUFFER_WRITE, PI_COMMAND_TYPE_MEM_BUFFER_WRITE),
    (UR_COMMAND_MEM_BUFFER_READ_RECT, PI_COMMAND_TYPE_MEM_BUFFER_READ_RECT),
    (UR_COMMAND_MEM_BUFFER_WRITE_RECT, PI_COMMAND_TYPE_MEM_BUFFER_WRITE_RECT),
    (UR_COMMAND_MEM_BUFFER_COPY, PI_COMMAND_TYPE_MEM_BUFFER_COPY),
    (UR_COMMAND_MEM_BUFFER_COPY_RECT, PI_COMMAND_TYPE_MEM_BUFFER_COPY_RECT),
    (UR_COMMAND_MEM_BUFFER_FILL, PI_COMMAND_TYPE_MEM_BUFFER_FILL),
    (UR_COMMAND_MEM_IMAGE_READ, PI_COMMAND_TYPE_IMAGE_READ),
    (UR_COMMAND_MEM_IMAGE_WRITE, PI_COMMAND_TYPE_IMAGE_WRITE),
    (UR_COMMAND_MEM_IMAGE_COPY, PI_COMMAND_TYPE_IMAGE_COPY),
    (UR_COMMAND_MEM_BUFFER_MAP, PI_COMMAND_TYPE_MEM_BUFFER_MAP),
    (UR_COMMAND_MEM_UNMAP, PI_COMMAND_TYPE_MEM_BUFFER_UNMAP),
    (UR_COMMAND_USM_FILL, PI_COMMAND_TYPE_SVM_MEMFILL),
    (UR_COMMAND_USM_MEMCPY, PI_COMMAND_TYPE_SVM_MEMCPY),
    (UR_COMMAND_DEVICE_GLOBAL_VARIABLE_WRITE, PI_COMMAND_TYPE_DEVICE_GLOBAL_VARIABLE_WRITE),
    (UR_COMMAND_DEVICE_GLOBAL_VARIABLE_READ, PI_COMMAND_TYPE_DEVICE_GLOBAL_VARIABLE_READ),
    (UR_COMMAND_ENQUEUE_COMMAND_BUFFER_EXP, PI_COMMAND_TYPE_EXT_COMMAND_BUFFER),
];

fn command(bytes: &[u8]) -> Vec<u8> {
    paired(COMMANDS, number(bytes)).to_ne_bytes().to_vec()
}

/// Converts the status, which has the same numbers except for a failure, which is any negative number in PI.
fn status(bytes: &[u8]) -> Vec<u8> {
    match number(bytes) {
        UR_EVENT_STATUS_ERROR => (-1_i32).to_ne_bytes().to_vec(),
        _ => bytes.to_vec(),
    }
}

fn info(name: pi_event_info) -> (u32, Option<Convert>) {
    match name {
        PI_EVENT_INFO_COMMAND_QUEUE => (UR_EVENT_INFO_COMMAND_QUEUE, None),
        PI_EVENT_INFO_CONTEXT => (UR_EVENT_INFO_CONTEXT, None),
        PI_EVENT_INFO_COMMAND_TYPE => (UR_EVENT_INFO_COMMAND_TYPE, Some(command)),
        PI_EVENT_INFO_COMMAND_EXECUTION_STATUS => (UR_EVENT_INFO_COMMAND_EXECUTION_STATUS, Some(status)),
        PI_EVENT_INFO_REFERENCE_COUNT => (UR_EVENT_INFO_REFERENCE_COUNT, None),
        _ => (NEITHER, None),
    }
}

fn profiling(name: pi_profiling_info) -> u32 {
    match name {
        PI_PROFILING_INFO_COMMAND_QUEUED => UR_PROFILING_INFO_COMMAND_QUEUED,
        PI_PROFILING_INFO_COMMAND_SUBMIT => UR_PROFILING_INFO_COMMAND_SUBMIT,
        PI_PROFILING_INFO_COMMAND_START => UR_PROFILING_INFO_COMMAND_START,
        PI_PROFILING_INFO_COMMAND_END => UR_PROFILING_INFO_COMMAND_END,
        _ => NEITHER,
    }
}

/// Converts PI's callback to UR's, which takes an event, a 32-bit number and the caller's data.
fn callback(pi: pi_event_notify) -> ur_event_callback_t {
    // SAFETY: both are functions of a pointer, a 32-bit number and a pointer, and return nothing.
    unsafe { std::mem::transmute::<pi_event_notify, ur_event_callback_t>(pi) }
}

stubs! { ur;
    fn piEventGetInfo(event: pi_event, param_name: pi_event_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize)
        [event PI_ERROR_INVALID_EVENT]
    {
        let (name, convert) = info(param_name);
        answer(param_value_size, param_value, param_value_size_ret, convert, |size, value, reported| {
            ur.calls.urEventGetInfo(event.cast(), name, size, value, reported)
        })
    }
    fn piEventGetProfilingInfo(event: pi_event, param_name: pi_profiling_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize)
        [event PI_ERROR_INVALID_EVENT]
    {
        ur.calls.urEventGetProfilingInfo(event.cast(), profiling(param_name), param_value_size, param_value, param_value_size_ret)
    }
    fn piEventsWait(num_events: pi_uint32, event_list: *const pi_event) [] {
        ur.calls.urEventWait(num_events, event_list.cast())
    }
    fn piEventSetCallback(event: pi_event, command_exec_callback_type: pi_int32, pfn_notify: pi_event_notify, user_data: *mut c_void)
        [event PI_ERROR_INVALID_EVENT]
    {
        // The states have the same numbers.
        ur.calls.urEventSetCallback(event.cast(), command_exec_callback_type as u32, callback(pfn_notify), user_data)
    }
    fn piEventRetain(event: pi_event) [event PI_ERROR_INVALID_EVENT] {
        ur.calls.urEventRetain(event.cast())
    }
    fn piEventRelease(event: pi_event) [event PI_ERROR_INVALID_EVENT] {
        ur.calls.urEventRelease(event.cast())
    }
    fn piextEventGetNativeHandle(event: pi_event, nativeHandle: *mut pi_native_handle)
        [event PI_ERROR_INVALID_EVENT]
    {
        ur.calls.urEventGetNativeHandle(event.cast(), nativeHandle)
    }
    fn piextEventCreateWithNativeHandle(nativeHandle: pi_native_handle, context: pi_context, ownNativeHandle: pi_cxx_bool, event: *mut pi_event)
        [context PI_ERROR_INVALID_CONTEXT]
    {
        let owned = ur_event_native_properties_t {
            stype: UR_STRUCTURE_TYPE_EVENT_NATIVE_PROPERTIES,
            pNext: null_mut(),
            isNativeHandleOwned: ownNativeHandle,
        };
        ur.calls.urEventCreateWithNativeHandle(nativeHandle, context.cast(), &owned, event.cast())
    }
}
