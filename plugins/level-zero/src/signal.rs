//! Signals: the driver's events with what is known of them. Queues and wait lists hold signals as long as commands use
//! them; PI events hold one each. The last one to let go puts the driver's event back into its context's pools.

use std::sync::atomic::{AtomicBool, Ordering};

use sycl_pi_backend::{Counted, Error, Result, Shared};
use sycl_pi_backend::types::{ErrorCode, NativeHandle};

use crate::pool::{Flavour, log_failure};
use crate::sys::{self, ze, *};
use crate::{Context, context};

/// A driver's event.
pub(crate) struct Body {
    pub(crate) ze: ze_event_handle_t,
    home: Home,
    done: AtomicBool,
    /// The host signals it, or a command does that waits for the host: it may need commands that are not enqueued yet.
    hosted: bool,
    context: Shared<context::Body>,
}

// Signals are counted as events are; no handle of one ever leaves the plugin.
kind!(Body, RawEvent, ErrorCode::INVALID_EVENT);

pub(crate) type Signal = Shared<Body>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Home {
    Pool(Flavour),
    /// From outside, ours to destroy.
    Owned,
    /// From outside, to be left alone.
    Borrowed,
}

/// A signal for a new command, or for the host to set: `hosted`, as are those of commands that wait for one that is.
#[inline]
pub(crate) fn fresh(context: &Context, flavour: Flavour, hosted: bool) -> Result<Signal> {
    let ze = context.pools.take(context.ze, || context.device_handles(), flavour)?;
    Ok(Counted::share_new(Body {
        ze,
        home: Home::Pool(flavour),
        done: AtomicBool::new(false),
        hosted,
        context: context.share(),
    }))
}

/// The signal of a driver's event from outside.
pub(crate) fn adopt(context: &Context, native: NativeHandle, owned: bool) -> Result<Signal> {
    if native == 0 {
        return Err(Error::new(ErrorCode::INVALID_EVENT, "nativeHandle is null; an event is needed"));
    }
    Ok(Counted::share_new(Body {
        ze: ze_event_handle_t(sys::Address::from_number(native).get()),
        home: if owned { Home::Owned } else { Home::Borrowed },
        done: AtomicBool::new(false),
        hosted: true,
        context: context.share(),
    }))
}

impl Body {
    /// Whether it is known to be signalled, without asking the driver.
    #[inline(always)]
    pub(crate) fn is_known_done(&self) -> bool {
        self.done.load(Ordering::Acquire)
    }

    /// Whether it is open and may stay so until the host acts.
    #[inline(always)]
    pub(crate) fn is_hosted(&self) -> bool {
        self.hosted && !self.is_known_done()
    }

    /// Keeps in mind that it is signalled.
    #[inline(always)]
    pub(crate) fn set_done(&self) {
        self.done.store(true, Ordering::Release);
    }

    /// Whether the host may read what the command wrote once it is signalled.
    pub(crate) fn is_for_host(&self) -> bool {
        self.home != Home::Pool(Flavour::Quiet)
    }

    /// Whether it has the command's times.
    pub(crate) fn is_timed(&self) -> bool {
        self.home == Home::Pool(Flavour::Timed)
    }

    /// Whether it is signalled; asks the driver.
    pub(crate) fn is_done(&self) -> Result<bool> {
        if self.is_known_done() {
            return Ok(true);
        }
        match ze()?.zeEventQueryStatus(self.ze) {
            Ok(()) => {
                self.set_done();
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
        if self.is_known_done() {
            return Ok(true);
        }
        match ze()?.zeEventHostSynchronize(self.ze, nanoseconds) {
            Ok(()) => {
                self.set_done();
                Ok(true)
            }
            Err(error) if error.result == ZE_RESULT_NOT_READY => Ok(false),
            Err(error) => Err(sys::error_of(error)),
        }
    }

    /// Signals it from the host.
    pub(crate) fn signal(&self) -> Result<()> {
        ze()?.zeEventHostSignal(self.ze)?;
        self.set_done();
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

impl Drop for Body {
    fn drop(&mut self) {
        match self.home {
            Home::Pool(flavour) => self.context.pools.put(flavour, self.ze),
            Home::Owned => log_failure(ze().and_then(|ze| ze.zeEventDestroy(self.ze))),
            Home::Borrowed => {}
        }
    }
}
