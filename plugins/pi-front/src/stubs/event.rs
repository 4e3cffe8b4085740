//! Events.

use sycl_pi_backend::api::EventNotify;
use sycl_pi_backend::raw::RawEvent;

stubs! {
    piEventCreate(context: pi_context, ret_event: *mut pi_event) {
        let context = object(context, "context")?;
        create(ret_event, "ret_event", || B::event_create_complete(context))
    };

    piEventCreate_until_9_11(context: pi_context, ret_event: *mut pi_event) {
        let context = object(context, "context")?;
        create(ret_event, "ret_event", || B::event_create_host(context))
    };

    piEventGetInfo(event: pi_event, param_name: pi_event_info, param_value_size: usize, param_value: *mut c_void,
        param_value_size_ret: *mut usize) {
        let event = object(event, "event")?;
        answer(param_value_size, param_value, param_value_size_ret,
            |info| B::event_info(event, EventInfo(param_name), info))
    };

    piEventGetInfo_until_12_27(event: pi_event, param_name: pi_event_info, param_value_size: usize,
        param_value: *mut c_void, param_value_size_ret: *mut usize)  {
        let event = object(event, "event")?;
        answer(param_value_size, param_value, param_value_size_ret,
            |info| B::event_info_without_flush(event, EventInfo(param_name), info))
    };

    piEventGetProfilingInfo(event: pi_event, param_name: pi_profiling_info, param_value_size: usize,
        param_value: *mut c_void, param_value_size_ret: *mut usize)  {
        let event = object(event, "event")?;
        answer(param_value_size, param_value, param_value_size_ret,
            |info| B::event_profiling_info(event, ProfilingInfo(param_name), info))
    };

    piEventsWait(num_events: pi_uint32, event_list: *const pi_event)
        B::events_wait(some_objects(num_events, event_list, "event_list")?);

    piEventSetCallback(event: pi_event, command_exec_callback_type: pi_int32, pfn_notify: pi_event_notify,
        user_data: *mut c_void) {
        let event = object(event, "event")?;
        let function = pfn_notify.ok_or_else(|| Error::invalid_value("pfn_notify is null"))?;
        // SAFETY: both functions take a pointer, a number and a pointer, and the handle of an event is the same address
        // in both.
        let function = core::mem::transmute::<
            unsafe extern "C" fn(pi_event, pi_int32, *mut c_void),
            unsafe extern "C" fn(*mut RawEvent, EventStatus, *mut c_void),
        >(function);
        B::event_set_callback(event, EventStatus(command_exec_callback_type), EventNotify { function, user_data })
    };

    piEventSetStatus(event: pi_event, execution_status: pi_int32)
        B::event_set_status(object(event, "event")?, EventStatus(execution_status));

    piEventRetain(event: pi_event) object::<B::Event>(event, "event")?.retain();

    piEventRelease(event: pi_event) object::<B::Event>(event, "event")?.release();

    piextEventGetNativeHandle(event: pi_event, native_handle: *mut pi_native_handle) {
        let event = object(event, "event")?;
        put(native_handle, "nativeHandle", || B::event_native_handle(event))
    };

    piextEventCreateWithNativeHandle(native_handle: pi_native_handle, context: pi_context,
        own_native_handle: pi_cxx_bool, event: *mut pi_event) {
        let context = object_or_null(context, "context")?;
        create(event, "event",
            || B::event_create_with_native_handle(native_handle, context, own_native_handle != 0))
    };
}
