//! Events that represent a node of a graph.
//!
//! They are a separate kind of handle. A call that looks up an event of the backend does not find one behind them, and
//! only then checks whether it is one of these. Other events therefore have no overhead.
#![expect(unsafe_code, reason = "the caller's pointers and handles")]

use std::sync::Arc;

use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Backend, Blocks, Counted, CountedKind, Error, Result, view as neutral};
use sycl_ur_core::*;

use super::recorded::{Capture, capture_error, internal_event};
use crate::handle::{Handle, Origin};
use crate::view::object;

/// The event of a captured command.
pub(crate) struct GraphEvent<B: Backend> {
    pub capture: Arc<Capture<B>>,
    /// The number of the command's node in the capture.
    pub node: usize,
    pub origin: Origin,
}

// SAFETY: each library has one backend, and therefore one such kind.
unsafe impl<B: Backend> CountedKind for GraphEvent<B> {
    type Raw = ur_event_handle_t_;
    const INVALID: ErrorCode = ErrorCode::INVALID_EVENT;
    const NAME: &'static str = "event of a captured command";

    fn blocks() -> &'static Blocks {
        static BLOCKS: Blocks = Blocks::new();
        &BLOCKS
    }
}

impl<B: Backend> GraphEvent<B> {
    /// Returns the event behind a handle, if it is one of these.
    ///
    /// # Safety
    ///
    /// A non-null `handle` must be a handle from an adapter.
    pub(crate) unsafe fn find<'a>(handle: ur_event_handle_t) -> Option<&'a Counted<Self>> {
        // SAFETY: guaranteed by the caller.
        unsafe { neutral::object::<Counted<Self>>(handle, "hEvent").ok() }
    }

    /// Refuses what only an executing command has: completion, status and timestamps.
    pub(crate) fn refuse(&self) -> Error {
        if self.capture.is_open() {
            let text =
                "the event belongs to a command that is being captured; it cannot be waited for or queried";
            return capture_error(self.origin, UR_RESULT_ERROR_GRAPH_CAPTURE_UNSUPPORTED, text);
        }
        internal_event(self.origin)
    }
}

/// Returns the backend's event behind a handle. For the event of a captured command, the error says so.
///
/// # Safety
///
/// A non-null `handle` must be a handle from an adapter.
pub(crate) unsafe fn running_event<'a, B: Backend>(
    handle: ur_event_handle_t, name: &'static str,
) -> Result<&'a Handle<B::Event>> {
    // SAFETY: guaranteed by the caller.
    unsafe { object::<B::Event>(handle, name).map_err(|error| refused::<B>(handle, error)) }
}

/// # Safety
///
/// Same as for [`running_event`].
pub(crate) unsafe fn refused<B: Backend>(handle: ur_event_handle_t, error: Error) -> Error {
    // SAFETY: guaranteed by the caller.
    unsafe { GraphEvent::<B>::find(handle) }.map_or(error, |event| event.refuse())
}
