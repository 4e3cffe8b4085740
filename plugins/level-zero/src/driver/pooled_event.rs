//! The driver's events with cached state. Queues and wait lists hold an event as long as commands use it, and a
//! caller's event holds one. The last holder returns the driver's event to its pool.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Counted, Result, Shared};

use super::event_pool::{EventKind, EventPools};
use crate::sys::{self, log_failure, ze, *};

/// A driver event, from a pool or from a native handle.
pub(crate) struct PooledEvent {
    pub(crate) ze: ze_event_handle_t,
    origin: EventOrigin,
    complete: AtomicBool,
    host_dependent: bool,
}

// It is a counted object because those are cheap to create and drop. Its handle never leaves the backend.
sycl_pi_backend::counted_kinds!(PooledEvent: RawEvent, INVALID_EVENT, "event";);

/// A reference to a driver event.
pub(crate) type EventRef = Shared<PooledEvent>;

enum EventOrigin {
    Pool(Arc<EventPools>, EventKind),
    /// From a native handle, destroyed here.
    Owned(Arc<EventPools>),
    /// From a native handle, never destroyed here.
    Borrowed,
}

impl PooledEvent {
    /// Takes an event for a new command, or for the host to signal. `host_dependent` means that it is signaled by the
    /// host or by a command that waits for such an event, so it may require commands that are not enqueued yet.
    pub(crate) fn take(pools: &Arc<EventPools>, kind: EventKind, host_dependent: bool) -> Result<EventRef> {
        let ze = pools.take(kind)?;
        let origin = EventOrigin::Pool(pools.clone(), kind);
        Ok(Counted::share_new(Self { ze, origin, complete: AtomicBool::new(false), host_dependent }))
    }

    /// Wraps a driver event from a native handle. An owned one holds the pools, because they hold the context.
    pub(crate) fn adopt(ze: ze_event_handle_t, pools: &Arc<EventPools>, owned: bool) -> EventRef {
        let origin = if owned { EventOrigin::Owned(pools.clone()) } else { EventOrigin::Borrowed };
        Counted::share_new(Self { ze, origin, complete: AtomicBool::new(false), host_dependent: true })
    }

    /// Returns whether it is known to be signaled, without querying the driver.
    pub(crate) fn is_known_complete(&self) -> bool {
        self.complete.load(Ordering::Acquire)
    }

    /// Returns whether it is open and may stay so until the host acts.
    pub(crate) fn is_host_dependent(&self) -> bool {
        self.host_dependent && !self.is_known_complete()
    }

    /// Records that it is signaled.
    pub(crate) fn set_complete(&self) {
        self.complete.store(true, Ordering::Release);
    }

    /// Returns whether the host may read data that the command wrote once it is signaled.
    pub(crate) fn is_host_visible(&self) -> bool {
        !matches!(self.origin, EventOrigin::Pool(_, EventKind::DeviceOnly))
    }

    /// Returns whether it has the command's timestamps.
    pub(crate) fn has_times(&self) -> bool {
        matches!(self.origin, EventOrigin::Pool(_, EventKind::Timestamped))
    }

    /// Returns whether it is signaled, querying the driver.
    pub(crate) fn is_complete(&self) -> Result<bool> {
        if self.is_known_complete() {
            return Ok(true);
        }
        match ze()?.zeEventQueryStatus(self.ze) {
            Ok(()) => {
                self.set_complete();
                Ok(true)
            }
            Err(error) if error.result == ZE_RESULT_NOT_READY => Ok(false),
            Err(error) => Err(sys::error_of(error)),
        }
    }

    /// Waits until it is signaled.
    pub(crate) fn wait(&self) -> Result<()> {
        while !self.wait_for(u64::MAX)? {}
        Ok(())
    }

    /// Waits until it is signaled, or returns false after the given number of nanoseconds.
    pub(crate) fn wait_for(&self, nanoseconds: u64) -> Result<bool> {
        if self.is_known_complete() {
            return Ok(true);
        }
        match ze()?.zeEventHostSynchronize(self.ze, nanoseconds) {
            Ok(()) => {
                self.set_complete();
                Ok(true)
            }
            Err(error) if error.result == ZE_RESULT_NOT_READY => Ok(false),
            Err(error) => Err(sys::error_of(error)),
        }
    }

    /// Signals it from the host.
    pub(crate) fn signal(&self) -> Result<()> {
        ze()?.zeEventHostSignal(self.ze)?;
        self.set_complete();
        Ok(())
    }

    /// Returns the command's start and end, in ticks of the device's clock for kernels.
    pub(crate) fn times(&self) -> Result<(u64, u64)> {
        let mut times = ze_kernel_timestamp_result_t::default();
        ze()?.zeEventQueryKernelTimestamp(self.ze, &mut times).map_err(|error| {
            let code = error.result;
            let error = sys::error_of(error);
            if code == ZE_RESULT_NOT_READY {
                error.with_code(ErrorCode::PROFILING_INFO_NOT_AVAILABLE)
            } else {
                error
            }
        })?;
        Ok((times.global.kernelStart, times.global.kernelEnd))
    }
}

impl Drop for PooledEvent {
    fn drop(&mut self) {
        match &self.origin {
            EventOrigin::Pool(pools, kind) => pools.give_back(*kind, self.ze),
            EventOrigin::Owned(_pools) => log_failure(ze().and_then(|ze| ze.zeEventDestroy(self.ze))),
            EventOrigin::Borrowed => {}
        }
    }
}

/// Returns whether two references refer to the same event.
pub(crate) fn is_same(one: &EventRef, other: &EventRef) -> bool {
    std::ptr::eq(&**one, &**other)
}
