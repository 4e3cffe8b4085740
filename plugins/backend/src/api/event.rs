//! Events.

use core::ffi::c_void;

use sycl_pi_core::*;

use crate::{Info, New};

/// A caller's callback for an event's status, with its data.
#[derive(Clone, Copy)]
pub struct EventNotify {
    /// Called once with the event, the status and the data.
    pub function: unsafe extern "C" fn(pi_event, pi_int32, *mut c_void),
    /// Handed to the function.
    pub user_data: *mut c_void,
}

api! {
    /// Events.
    trait EventApi {
        /// An event that is complete already, as PI 11.15 and later ask for.
        fn piEventCreate(context: &Self::Context) -> New<Self::Event>;
        /// A user event, to be completed by `piEventSetStatus`, as PI 9.11 asks for.
        fn piEventCreate_until_9_11(context: &Self::Context) -> New<Self::Event>;
        /// Queue, context, command type, status, reference count.
        fn piEventGetInfo(event: &Self::Event, name: pi_event_info, info: Info<'_>);
        /// As above, with `PI_EVENT_QUEUED` where the command was not handed to the device yet: runtimes of PI 12.27 and
        /// earlier flush the queue then. Later ones do not, and have no word for it: there it is handed over now.
        fn piEventGetInfo_until_12_27(event: &Self::Event, name: pi_event_info, info: Info<'_>);
        /// A time in nanoseconds, `uint64_t`.
        fn piEventGetProfilingInfo(event: &Self::Event, name: pi_profiling_info, info: Info<'_>);
        /// Returns when all are complete. Never an empty list.
        fn piEventsWait(events: &[&Self::Event]);
        /// A function to call once when the event has that status.
        fn piEventSetCallback(event: &Self::Event, status: pi_int32, notify: EventNotify);
        /// Completes or fails a user event.
        fn piEventSetStatus(event: &Self::Event, status: pi_int32);
        /// One reference more.
        fn piEventRetain(event: &Self::Event);
        /// One reference less; a pending command still runs.
        fn piEventRelease(event: &Self::Event);
        /// The driver's own handle.
        fn piextEventGetNativeHandle(event: &Self::Event) -> pi_native_handle;
        /// The event of a driver's handle. `owned`: the plugin takes over the caller's reference.
        fn piextEventCreateWithNativeHandle(native: pi_native_handle, context: Option<&Self::Context>, owned: bool)
            -> New<Self::Event>;
    }
}

stubs! {
    piEventCreate(context: pi_context, ret_event: *mut pi_event) {
        let context = object(context, "context")?;
        create(ret_event, "ret_event", || B::piEventCreate(context))
    };

    piEventCreate_until_9_11(context: pi_context, ret_event: *mut pi_event) {
        let context = object(context, "context")?;
        create(ret_event, "ret_event", || B::piEventCreate_until_9_11(context))
    };

    piEventGetInfo(event: pi_event, param_name: pi_event_info, param_value_size: usize, param_value: *mut c_void,
        param_value_size_ret: *mut usize) {
        let event = object(event, "event")?;
        answer!(param_value_size, param_value, param_value_size_ret,
            |info| B::piEventGetInfo(event, param_name, info))
    };

    piEventGetInfo_until_12_27(event: pi_event, param_name: pi_event_info, param_value_size: usize,
        param_value: *mut c_void, param_value_size_ret: *mut usize) => jump, {
        let event = object(event, "event")?;
        answer!(param_value_size, param_value, param_value_size_ret,
            |info| B::piEventGetInfo_until_12_27(event, param_name, info))
    };

    piEventGetProfilingInfo(event: pi_event, param_name: pi_profiling_info, param_value_size: usize,
        param_value: *mut c_void, param_value_size_ret: *mut usize) => jump, {
        let event = object(event, "event")?;
        answer!(param_value_size, param_value, param_value_size_ret,
            |info| B::piEventGetProfilingInfo(event, param_name, info))
    };

    piEventsWait(num_events: pi_uint32, event_list: *const pi_event)
        => jump,
        B::piEventsWait(some_objects(num_events, event_list, "event_list")?);

    piEventSetCallback(event: pi_event, command_exec_callback_type: pi_int32, pfn_notify: pi_event_notify,
        user_data: *mut c_void) {
        let event = object(event, "event")?;
        let function = pfn_notify.ok_or_else(|| Error::invalid_value("pfn_notify is null"))?;
        B::piEventSetCallback(event, command_exec_callback_type, EventNotify { function, user_data })
    };

    piEventSetStatus(event: pi_event, execution_status: pi_int32)
        B::piEventSetStatus(object(event, "event")?, execution_status);

    piEventRetain(event: pi_event) => jump, B::piEventRetain(object(event, "event")?);

    piEventRelease(event: pi_event) => jump, B::piEventRelease(object(event, "event")?);

    piextEventGetNativeHandle(event: pi_event, native_handle: *mut pi_native_handle) {
        let event = object(event, "event")?;
        put(native_handle, "nativeHandle", || B::piextEventGetNativeHandle(event))
    };

    piextEventCreateWithNativeHandle(native_handle: pi_native_handle, context: pi_context,
        own_native_handle: pi_cxx_bool, event: *mut pi_event) {
        let context = object_or_null(context, "context")?;
        create(event, "event",
            || B::piextEventCreateWithNativeHandle(native_handle, context, own_native_handle != 0))
    };
}
