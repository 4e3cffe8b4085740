//! Events.

use core::ffi::c_void;

use crate::raw::RawEvent;
use crate::types::*;
use crate::{Info, New};

/// A caller's callback for an event's status, with its user data.
#[derive(Clone, Copy, Debug)]
pub struct EventNotify {
    /// Called once with the event, the status and the data.
    pub function: unsafe extern "C" fn(*mut RawEvent, EventStatus, *mut c_void),
    /// Passed to the function.
    pub user_data: *mut c_void,
}

api! {
    /// Events.
    trait EventApi {
        /// Creates a complete event.
        #[doc(alias = "piEventCreate")]
        fn event_create_complete(context: &Self::Context) -> New<Self::Event>;
        /// Creates an event that the host completes with [`event_set_status`](Self::event_set_status).
        #[doc(alias = "piEventCreate_until_9_11")]
        fn event_create_host(context: &Self::Context) -> New<Self::Event>;
        /// Creates an event that is complete until it is passed to
        /// [`enqueue_event_signal`](Self::enqueue_event_signal). Other processes can open a shared one.
        #[doc(alias = "urEventCreateExp")]
        fn event_create_reusable(context: &Self::Context, device: &Self::Device, is_shared: bool) -> New<Self::Event>;
        /// Enqueues a barrier that signals such an event instead of a new one.
        fn enqueue_event_signal(queue: &Self::Queue, event: &Self::Event, waits: &[&Self::Event]);
        /// Answers queries for queue, context, command type, status and reference count. A command that the driver
        /// still holds back is flushed first.
        #[doc(alias = "piEventGetInfo")]
        #[doc(alias = "urEventGetInfo")]
        fn event_info(event: &Self::Event, name: EventInfo, info: Info<'_>);
        /// Answers the queries of [`event_info`](Self::event_info), but does not flush a command that the driver still
        /// holds back, so its status is `QUEUED`.
        #[doc(alias = "piEventGetInfo_until_12_27")]
        fn event_info_without_flush(event: &Self::Event, name: EventInfo, info: Info<'_>);
        /// Answers with a time in nanoseconds, `uint64_t`.
        #[doc(alias = "piEventGetProfilingInfo")]
        #[doc(alias = "urEventGetProfilingInfo")]
        fn event_profiling_info(event: &Self::Event, name: ProfilingInfo, info: Info<'_>);
        /// Waits until all events are complete. The list is never empty.
        #[doc(alias = "piEventsWait")]
        #[doc(alias = "urEventWait")]
        fn events_wait(events: &[&Self::Event]);
        /// Registers a function that is called once when the event reaches the given status.
        #[doc(alias = "piEventSetCallback")]
        #[doc(alias = "urEventSetCallback")]
        fn event_set_callback(event: &Self::Event, status: EventStatus, notify: EventNotify);
        /// Completes a user event, or makes it fail.
        #[doc(alias = "piEventSetStatus")]
        fn event_set_status(event: &Self::Event, status: EventStatus);
        /// Returns the driver's native handle.
        #[doc(alias = "piextEventGetNativeHandle")]
        #[doc(alias = "urEventGetNativeHandle")]
        fn event_native_handle(event: &Self::Event) -> NativeHandle;
        /// Creates an event from a native handle. If `owned`, the plugin takes over the caller's reference.
        #[doc(alias = "piextEventCreateWithNativeHandle")]
        #[doc(alias = "urEventCreateWithNativeHandle")]
        fn event_create_with_native_handle(native: NativeHandle, context: Option<&Self::Context>, owned: bool)
            -> New<Self::Event>;
    }
}
