//! The driver's events, each with what is known of it. Queues and wait lists hold an event as long as commands use it, and
//! a caller's event holds one. The last holder gives the driver's event back to its pool.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Counted, Result, Shared};

use super::event_pool::{EventKind, EventPools};
use crate::sys::{self, log_failure, ze, *};

/// An event of the driver, from a pool or from outside.
pub(crate) struct PooledEvent {
    pub(crate) ze: ze_event_handle_t,
    origin: EventOrigin,
    complete: AtomicBool,
    host_dependent: bool,
}

// A counted object, as those are cheap to make and to drop. No handle of one ever leaves the backend.
sycl_pi_backend::counted_kinds!(PooledEvent: RawEvent, INVALID_EVENT, "event";);

/// A reference to a driver's event.
pub(crate) type EventRef = Shared<PooledEvent>;

enum EventOrigin {
    Pool(Arc<EventPools>, EventKind),
    /// From outside, to be destroyed here.
    Owned(Arc<EventPools>),
    /// From outside, to be left alone.
    Borrowed,
}

impl PooledEvent {
    /// An event for a new command or for the host to signal. `host_dependent`: the host signals it, or a command that waits
    /// for such an event; it may need commands that are not enqueued yet.
    pub(crate) fn take(pools: &Arc<EventPools>, kind: EventKind, host_dependent: bool) -> Result<EventRef> {
        let ze = pools.take(kind)?;
        let origin = EventOrigin::Pool(pools.clone(), kind);
        Ok(Counted::share_new(Self { ze, origin, complete: AtomicBool::new(false), host_dependent }))
    }

    /// A driver's event from outside. An owned one holds the pools, as they hold the context.
    pub(crate) fn adopt(ze: ze_event_handle_t, pools: &Arc<EventPools>, owned: bool) -> EventRef {
        let origin = if owned { EventOrigin::Owned(pools.clone()) } else { EventOrigin::Borrowed };
        Counted::share_new(Self { ze, origin, complete: AtomicBool::new(false), host_dependent: true })
    }

    /// Whether it is known to be signalled, without asking the driver.
    pub(crate) fn is_known_complete(&self) -> bool {
        self.complete.load(Ordering::Acquire)
    }

    /// Whether it is open and may stay so until the host acts.
    pub(crate) fn is_host_dependent(&self) -> bool {
        self.host_dependent && !self.is_known_complete()
    }

    /// Keeps in mind that it is signalled.
    pub(crate) fn set_complete(&self) {
        self.complete.store(true, Ordering::Release);
    }

    /// Whether the host may read what the command wrote once it is signalled.
    pub(crate) fn is_host_visible(&self) -> bool {
        !matches!(self.origin, EventOrigin::Pool(_, EventKind::DeviceOnly))
    }

    /// Whether it has the command's times.
    pub(crate) fn has_times(&self) -> bool {
        matches!(self.origin, EventOrigin::Pool(_, EventKind::Timestamped))
    }

    /// Whether it is signalled; asks the driver.
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

    /// Returns when it is signalled.
    pub(crate) fn wait(&self) -> Result<()> {
        while !self.wait_for(u64::MAX)? {}
        Ok(())
    }

    /// Returns when it is signalled, or false after that many nanoseconds.
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

    /// The command's start and end, in ticks of the device's clock for kernels.
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

/// Whether two references are to the same event.
pub(crate) fn is_same(one: &EventRef, other: &EventRef) -> bool {
    std::ptr::eq(&**one, &**other)
}
