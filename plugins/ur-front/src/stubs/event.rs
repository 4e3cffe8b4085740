//! Events.

use sycl_pi_backend::Counted;
use sycl_pi_backend::api::EventNotify;
use sycl_pi_backend::raw::RawEvent;

use super::prelude::*;
use crate::capture::event::{GraphEvent, refused, running_event};

#[entry]
pub unsafe extern "C" fn urEventGetInfo<B: Backend>(
    hEvent: ur_event_handle_t, propName: ur_event_info_t, propSize: usize, pPropValue: *mut c_void,
    pPropSizeRet: *mut usize,
) -> Result<()> {
    // SAFETY: `hEvent` is null or a live handle.
    let event = match unsafe { object::<B::Event>(hEvent, "hEvent") } {
        Ok(event) => event,
        Err(error) => {
            // SAFETY: the arguments are passed on under the same contract.
            return unsafe {
                graph_event_info::<B>(
                    hEvent,
                    propName,
                    Answer::new(propSize, pPropValue, pPropSizeRet)?,
                    error,
                )
            };
        }
    };
    // SAFETY: the answer's buffer has the size that the caller states.
    query::event::<B>(event, propName, unsafe { Answer::new(propSize, pPropValue, pPropSizeRet)? })
}

#[entry]
pub unsafe extern "C" fn urEventGetProfilingInfo<B: Backend>(
    hEvent: ur_event_handle_t, propName: ur_profiling_info_t, propSize: usize, pPropValue: *mut c_void,
    pPropSizeRet: *mut usize,
) -> Result<()> {
    // SAFETY: the arguments are passed on under the same contract.
    let event = unsafe { running_event::<B>(hEvent, "hEvent")? };
    if !pPropValue.is_null() && propSize == 0 {
        return Err(Error::invalid_value("propSize is 0, the value has 8 bytes"));
    }
    let name = match propName {
        UR_PROFILING_INFO_COMMAND_QUEUED => ProfilingInfo::COMMAND_QUEUED,
        UR_PROFILING_INFO_COMMAND_SUBMIT => ProfilingInfo::COMMAND_SUBMIT,
        UR_PROFILING_INFO_COMMAND_START => ProfilingInfo::COMMAND_START,
        // No command enqueues child commands, so a command is complete when it ends.
        UR_PROFILING_INFO_COMMAND_END | UR_PROFILING_INFO_COMMAND_COMPLETE => ProfilingInfo::COMMAND_END,
        _ => return Err(unknown_query(propName, false)),
    };
    // SAFETY: the answer's buffer has the size that the caller states.
    unsafe { Answer::new(propSize, pPropValue, pPropSizeRet)? }.answered_by(
        Encode::Same,
        origin(event),
        |info| B::event_profiling_info(event, name, info),
    )
}

#[entry]
pub unsafe extern "C" fn urEventWait<B: Backend>(
    numEvents: u32, phEventWaitList: *const ur_event_handle_t,
) -> Result<()> {
    address(phEventWaitList, "phEventWaitList")?;
    if numEvents == 0 {
        return Err(Error::invalid_value("phEventWaitList is empty (numEvents is 0)"));
    }
    // SAFETY: `phEventWaitList` is null or has `numEvents` handles.
    let events = unsafe { objects::<B::Event>(numEvents, phEventWaitList, "phEventWaitList") };
    // SAFETY: the arguments are passed on under the same contract.
    let refused = |error| unsafe {
        refused_list::<B>(slice(numEvents as usize, phEventWaitList, "").unwrap_or_default(), error)
    };
    B::events_wait(&events.map_err(refused)?)
}

#[entry]
pub unsafe extern "C" fn urEventRetain<B: Backend>(hEvent: ur_event_handle_t) -> Result<()> {
    // SAFETY: `hEvent` is null or a live handle.
    match unsafe { object::<B::Event>(hEvent, "hEvent") } {
        Ok(event) => event.retain_by_caller(),
        // SAFETY: the arguments are passed on under the same contract.
        Err(error) => unsafe { GraphEvent::<B>::find(hEvent) }.map(Counted::retain).ok_or(error),
    }
}

#[entry]
pub unsafe extern "C" fn urEventRelease<B: Backend>(hEvent: ur_event_handle_t) -> Result<()> {
    // SAFETY: `hEvent` is null or a live handle.
    match unsafe { object::<B::Event>(hEvent, "hEvent") } {
        // SAFETY: the arguments are passed on under the same contract.
        Ok(event) => unsafe { event.release_by_caller() },
        Err(error) => {
            // SAFETY: the arguments are passed on under the same contract.
            let event = unsafe { GraphEvent::<B>::find(hEvent) };
            // SAFETY: the caller gives up a reference of its own.
            event.map(|event| unsafe { event.release() }).ok_or(error)
        }
    }
}

#[entry]
pub unsafe extern "C" fn urEventGetNativeHandle<B: Backend>(
    hEvent: ur_event_handle_t, phNativeEvent: *mut ur_native_handle_t,
) -> Result<()> {
    // SAFETY: the arguments are passed on under the same contract.
    let event = unsafe { running_event::<B>(hEvent, "hEvent")? };
    // SAFETY: `phNativeEvent` is null or writable.
    unsafe { put(phNativeEvent, "phNativeEvent", || B::event_native_handle(event)) }
}

#[entry]
pub unsafe extern "C" fn urEventCreateWithNativeHandle<B: Backend>(
    hNativeEvent: ur_native_handle_t, hContext: ur_context_handle_t,
    pProperties: *const ur_event_native_properties_t, phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    let context = unsafe { object::<B::Context>(hContext, "hContext")? };
    // SAFETY: `pProperties` is null or points to what its type says.
    let owned = unsafe { pProperties.as_ref() }.is_some_and(|properties| properties.isNativeHandleOwned != 0);
    // SAFETY: `phEvent` is null or writable.
    unsafe {
        create(phEvent, "phEvent", context, || {
            B::event_create_with_native_handle(hNativeEvent, Some(context), owned)
        })
    }
}

#[entry]
pub unsafe extern "C" fn urEventSetCallback<B: Backend>(
    hEvent: ur_event_handle_t, execStatus: ur_execution_info_t, pfnNotify: ur_event_callback_t,
    pUserData: *mut c_void,
) -> Result<()> {
    // SAFETY: the arguments are passed on under the same contract.
    let event = unsafe { running_event::<B>(hEvent, "hEvent")? };
    let function = pfnNotify.ok_or_else(|| null_pointer("pfnNotify"))?;
    let status = match execStatus {
        UR_EXECUTION_INFO_COMPLETE => EventStatus::COMPLETE,
        UR_EXECUTION_INFO_RUNNING => EventStatus::RUNNING,
        UR_EXECUTION_INFO_SUBMITTED => EventStatus::SUBMITTED,
        UR_EXECUTION_INFO_QUEUED => {
            let text = "execStatus: every event is already queued when its handle is returned";
            return Err(error(UR_RESULT_ERROR_UNSUPPORTED_ENUMERATION, text));
        }
        _ => {
            return Err(error(
                UR_RESULT_ERROR_INVALID_ENUMERATION,
                format!("execStatus {execStatus} is unknown"),
            ));
        }
    };
    let callback = Box::new(Callback { function, event: hEvent, status: execStatus, user_data: pUserData });
    let user_data = Box::into_raw(callback);
    let notify = EventNotify { function: call_back, user_data: user_data.cast() };
    // SAFETY: the arguments are passed on under the same contract.
    B::event_set_callback(event, status, notify).inspect_err(|_| drop(unsafe { Box::from_raw(user_data) }))
}

/// Answers queries of a captured command's event, which has only a reference count.
///
/// # Safety
///
/// A non-null `event` must be a handle from an adapter.
unsafe fn graph_event_info<B: Backend>(
    event: ur_event_handle_t, name: ur_event_info_t, answer: Answer, error: Error,
) -> Result<()> {
    // SAFETY: guaranteed by the caller.
    let Some(event) = (unsafe { GraphEvent::<B>::find(event) }) else { return Err(error) };
    match name {
        UR_EVENT_INFO_REFERENCE_COUNT => answer.value(event.reference_count()),
        _ => Err(event.refuse()),
    }
}

/// Returns the error of waiting for a list.
///
/// # Safety
///
/// Non-null events must be handles from an adapter.
unsafe fn refused_list<B: Backend>(events: &[ur_event_handle_t], error: Error) -> Error {
    // SAFETY: guaranteed by the caller.
    events.iter().fold(error, |error, event| unsafe { refused::<B>(*event, error) })
}

/// A caller's callback, with the handle that it is called with, because backends know only the object behind it.
struct Callback {
    function: unsafe extern "C" fn(ur_event_handle_t, ur_execution_info_t, *mut c_void),
    event: ur_event_handle_t,
    status: ur_execution_info_t,
    user_data: *mut c_void,
}

/// Calls the caller's function once.
///
/// # Safety
///
/// `user_data` must be a [`Callback`] from a box, passed to one registration.
unsafe extern "C" fn call_back(_: *mut RawEvent, _: EventStatus, user_data: *mut c_void) {
    // SAFETY: guaranteed by the caller; a backend calls it only once.
    let callback = unsafe { Box::from_raw(user_data.cast::<Callback>()) };
    // SAFETY: this is the caller's function with the caller's data.
    unsafe { (callback.function)(callback.event, callback.status, callback.user_data) };
}
