//! Events.

use super::prelude::*;
use sycl_pi_backend::api::EventNotify;
use sycl_pi_backend::raw::RawEvent;

#[entry]
pub unsafe extern "C" fn piEventCreate<B: Backend>(
    context: pi_context, ret_event: *mut pi_event,
) -> Result<()> {
    // SAFETY: `context` is null or a live handle.
    let context = unsafe { object(context, "context")? };
    // SAFETY: `ret_event` is null or writable.
    unsafe { create(ret_event, "ret_event", || B::event_create_complete(context)) }
}

#[entry]
pub unsafe extern "C" fn piEventCreate_until_9_11<B: Backend>(
    context: pi_context, ret_event: *mut pi_event,
) -> Result<()> {
    // SAFETY: `context` is null or a live handle.
    let context = unsafe { object(context, "context")? };
    // SAFETY: `ret_event` is null or writable.
    unsafe { create(ret_event, "ret_event", || B::event_create_host(context)) }
}

#[entry]
pub unsafe extern "C" fn piEventGetInfo<B: Backend>(
    event: pi_event, param_name: pi_event_info, param_value_size: usize, param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> Result<()> {
    // SAFETY: `event` is null or a live handle.
    let event = unsafe { object(event, "event")? };
    // SAFETY: the answer's buffer has the size that the caller states.
    unsafe {
        answer(param_value_size, param_value, param_value_size_ret, |info| {
            B::event_info(event, EventInfo(param_name), info)
        })
    }
}

#[entry]
pub unsafe extern "C" fn piEventGetInfo_until_12_27<B: Backend>(
    event: pi_event, param_name: pi_event_info, param_value_size: usize, param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> Result<()> {
    // SAFETY: `event` is null or a live handle.
    let event = unsafe { object(event, "event")? };
    // SAFETY: the answer's buffer has the size that the caller states.
    unsafe {
        answer(param_value_size, param_value, param_value_size_ret, |info| {
            B::event_info_without_flush(event, EventInfo(param_name), info)
        })
    }
}

#[entry]
pub unsafe extern "C" fn piEventGetProfilingInfo<B: Backend>(
    event: pi_event, param_name: pi_profiling_info, param_value_size: usize, param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> Result<()> {
    // SAFETY: `event` is null or a live handle.
    let event = unsafe { object(event, "event")? };
    // SAFETY: the answer's buffer has the size that the caller states.
    unsafe {
        answer(param_value_size, param_value, param_value_size_ret, |info| {
            B::event_profiling_info(event, ProfilingInfo(param_name), info)
        })
    }
}

#[entry]
pub unsafe extern "C" fn piEventsWait<B: Backend>(
    num_events: pi_uint32, event_list: *const pi_event,
) -> Result<()> {
    // SAFETY: `event_list` is null or has `num_events` handles.
    B::events_wait(unsafe { some_objects(num_events, event_list, "event_list")? })
}

#[entry]
pub unsafe extern "C" fn piEventSetCallback<B: Backend>(
    event: pi_event, command_exec_callback_type: pi_int32, pfn_notify: pi_event_notify,
    user_data: *mut c_void,
) -> Result<()> {
    // SAFETY: `event` is null or a live handle.
    let event = unsafe { object(event, "event")? };
    let function = pfn_notify.ok_or_else(|| Error::invalid_value("pfn_notify is null"))?;
    // SAFETY: both types take an event's handle, which is the same address in both, a number and a pointer.
    let function = unsafe {
        core::mem::transmute::<
            unsafe extern "C" fn(pi_event, pi_int32, *mut c_void),
            unsafe extern "C" fn(*mut RawEvent, EventStatus, *mut c_void),
        >(function)
    };
    B::event_set_callback(event, EventStatus(command_exec_callback_type), EventNotify { function, user_data })
}

#[entry]
pub unsafe extern "C" fn piEventSetStatus<B: Backend>(
    event: pi_event, execution_status: pi_int32,
) -> Result<()> {
    // SAFETY: `event` is null or a live handle.
    B::event_set_status(unsafe { object(event, "event")? }, EventStatus(execution_status))
}

#[entry]
pub unsafe extern "C" fn piEventRetain<B: Backend>(event: pi_event) -> Result<()> {
    // SAFETY: `event` is null or a live handle.
    unsafe { object::<B::Event>(event, "event")? }.retain()
}

#[entry]
pub unsafe extern "C" fn piEventRelease<B: Backend>(event: pi_event) -> Result<()> {
    // SAFETY: `event` is null or a live handle.
    unsafe { object::<B::Event>(event, "event")?.release() }
}

#[entry]
pub unsafe extern "C" fn piextEventGetNativeHandle<B: Backend>(
    event: pi_event, native_handle: *mut pi_native_handle,
) -> Result<()> {
    // SAFETY: `event` is null or a live handle.
    let event = unsafe { object(event, "event")? };
    // SAFETY: `native_handle` is null or writable.
    unsafe { put(native_handle, "nativeHandle", || B::event_native_handle(event)) }
}

#[entry]
pub unsafe extern "C" fn piextEventCreateWithNativeHandle<B: Backend>(
    native_handle: pi_native_handle, context: pi_context, own_native_handle: pi_cxx_bool,
    event: *mut pi_event,
) -> Result<()> {
    // SAFETY: `context` is null or a live handle.
    let context = unsafe { object_or_null(context, "context")? };
    // SAFETY: `event` is null or writable.
    unsafe {
        create(event, "event", || {
            B::event_create_with_native_handle(native_handle, context, own_native_handle != 0)
        })
    }
}
