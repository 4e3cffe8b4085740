//! One clock per device, which measures event times in nanoseconds of the host's monotonic clock.
//!
//! CUDA reports only the time between two events, as a 32-bit float of milliseconds. Therefore, a base event is
//! recorded every few seconds with its time on the host's clock, and other events are measured from the newest base
//! before them. The float then spans only a few seconds and stays precise. To callers, the device's clock is thus the
//! host's.

use std::sync::Arc;

use parking_lot::Mutex;
use sycl_pi_backend::Result;

use crate::event::pooled_event::{DriverEvent, TIMED};
use crate::sys::{CUcontext, DriverHandle, cuda};

/// Age in nanoseconds from which on the last base is replaced by a new one.
const BASE_LIVES_NS: u64 = 2_000_000_000;

/// Returns the time of the host's monotonic clock in nanoseconds.
pub(crate) fn host_now() -> u64 {
    use std::sync::OnceLock;
    use std::time::{Duration, Instant};
    static START: OnceLock<(Instant, Duration)> = OnceLock::new();
    // The origin does not matter, because only differences are used.
    let (start, offset) = START.get_or_init(|| (Instant::now(), Duration::from_secs(1)));
    (*offset + start.elapsed()).as_nanos() as u64
}

/// A device's clock.
pub(crate) struct Clock {
    base: Mutex<Option<Arc<ClockBase>>>,
}

/// An event with a known time.
pub(crate) struct ClockBase {
    event: DriverEvent,
    context: DriverHandle<CUcontext>,
    host: u64,
}

impl ClockBase {
    /// Returns the time of a complete event of the same context.
    pub(crate) fn time_of(&self, event: &DriverEvent) -> Result<u64> {
        let mut milliseconds = 0_f32;
        cuda()?.cuEventElapsedTime(&mut milliseconds, self.event.get(), event.get())?;
        let nanoseconds = f64::from(milliseconds) * 1e6;
        Ok(self.host.saturating_add_signed(nanoseconds as i64))
    }
}

impl Clock {
    pub(crate) const fn new() -> Self {
        Self { base: Mutex::new(None) }
    }

    /// Returns the base from which a command that starts now is measured. `context` must be current.
    pub(crate) fn base(&self, context: DriverHandle<CUcontext>) -> Result<Arc<ClockBase>> {
        let mut slot = self.base.lock();
        if let Some(base) = slot.as_ref()
            && base.context == context
            && host_now().saturating_sub(base.host) < BASE_LIVES_NS
        {
            return Ok(base.clone());
        }
        let base = Arc::new(take_base(context)?);
        *slot = Some(base.clone());
        Ok(base)
    }

    /// Discards the base because its context is about to be destroyed. That context must be current.
    pub(crate) fn forget(&self, context: DriverHandle<CUcontext>) {
        let mut slot = self.base.lock();
        if slot.as_ref().is_some_and(|base| base.context == context) {
            *slot = None;
        }
    }
}

/// Records an event in a separate idle stream and stores the time when it happened.
fn take_base(context: DriverHandle<CUcontext>) -> Result<ClockBase> {
    let cuda = cuda()?;
    let event = DriverEvent::new(context, TIMED)?;
    let mut stream = std::ptr::null_mut();
    const NON_BLOCKING: u32 = 1;
    cuda.cuStreamCreateWithPriority(&mut stream, NON_BLOCKING, 0)?;
    let record = || -> Result<u64> {
        let before = host_now();
        cuda.cuEventRecord(event.get(), stream)?;
        cuda.cuEventSynchronize(event.get())?;
        let after = host_now();
        Ok(before + (after - before) / 2)
    };
    let host = record();
    cuda.cuStreamDestroy_v2(stream)?;
    Ok(ClockBase { event, context, host: host? })
}
