//! Events.

use core::ffi::c_void;

use crate::raw::RawEvent;
use crate::types::*;
use crate::{Info, New};

/// A caller's callback for an event's status, with its data.
#[derive(Clone, Copy, Debug)]
pub struct EventNotify {
    /// Called once with the event, the status and the data.
    pub function: unsafe extern "C" fn(*mut RawEvent, EventStatus, *mut c_void),
    /// Handed to the function.
    pub user_data: *mut c_void,
}

api! {
    /// Events.
    trait EventApi {
        /// An event that is complete.
        #[doc(alias = "piEventCreate")]
        fn event_create_complete(context: &Self::Context) -> New<Self::Event>;
        /// An event that the host completes with [`event_set_status`](Self::event_set_status).
        #[doc(alias = "piEventCreate_until_9_11")]
        fn event_create_host(context: &Self::Context) -> New<Self::Event>;
        /// An event that is complete until [`enqueue_event_signal`](Self::enqueue_event_signal) names it. A shared one can be opened by
        /// other processes.
        #[doc(alias = "urEventCreateExp")]
        fn event_create_reusable(context: &Self::Context, device: &Self::Device, is_shared: bool) -> New<Self::Event>;
        /// A barrier that signals such an event in place of a new one.
        fn enqueue_event_signal(queue: &Self::Queue, event: &Self::Event, waits: &[&Self::Event]);
        /// Queue, context, command type, status, reference count. A command that the driver still holds back is flushed first.
        #[doc(alias = "piEventGetInfo")]
        #[doc(alias = "urEventGetInfo")]
        fn event_info(event: &Self::Event, name: EventInfo, info: Info<'_>);
        /// As above, but a command that the driver still holds back stays there and answers `QUEUED`.
        #[doc(alias = "piEventGetInfo_until_12_27")]
        fn event_info_without_flush(event: &Self::Event, name: EventInfo, info: Info<'_>);
        /// A time in nanoseconds, `uint64_t`.
        #[doc(alias = "piEventGetProfilingInfo")]
        #[doc(alias = "urEventGetProfilingInfo")]
        fn event_profiling_info(event: &Self::Event, name: ProfilingInfo, info: Info<'_>);
        /// Returns when all are complete. Never an empty list.
        #[doc(alias = "piEventsWait")]
        #[doc(alias = "urEventWait")]
        fn events_wait(events: &[&Self::Event]);
        /// A function to call once when the event has that status.
        #[doc(alias = "piEventSetCallback")]
        #[doc(alias = "urEventSetCallback")]
        fn event_set_callback(event: &Self::Event, status: EventStatus, notify: EventNotify);
        /// Completes or fails a user event.
        #[doc(alias = "piEventSetStatus")]
        fn event_set_status(event: &Self::Event, status: EventStatus);
        /// The driver's own handle.
        #[doc(alias = "piextEventGetNativeHandle")]
        #[doc(alias = "urEventGetNativeHandle")]
        fn event_native_handle(event: &Self::Event) -> NativeHandle;
        /// The event of a driver's handle. `owned`: the plugin takes over the caller's reference.
        #[doc(alias = "piextEventCreateWithNativeHandle")]
        #[doc(alias = "urEventCreateWithNativeHandle")]
        fn event_create_with_native_handle(native: NativeHandle, context: Option<&Self::Context>, owned: bool)
            -> New<Self::Event>;
    }
}
