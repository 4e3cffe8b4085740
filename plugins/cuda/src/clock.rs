//! One clock per device: times of events in nanoseconds of the host's monotonic clock.
//!
//! CUDA tells only the time between two events, as a 32-bit float of milliseconds. So a base event is recorded every few
//! seconds, with its time on the host's clock, and other events are measured from the newest base before them. The float
//! then spans few seconds and stays precise. For callers, the device's clock is thereby the host's.

use std::sync::Arc;

use parking_lot::Mutex;
use sycl_pi_backend::Result;

use crate::pooled_event::{DriverEvent, TIMED};
use crate::sys::{CUcontext, DriverHandle, cuda};

/// A new base is taken when the last one is older.
const BASE_LIVES_NS: u64 = 2_000_000_000;

/// Nanoseconds of the host's monotonic clock.
pub(crate) fn host_now() -> u64 {
    use std::sync::OnceLock;
    use std::time::{Duration, Instant};
    static START: OnceLock<(Instant, Duration)> = OnceLock::new();
    // From the clock's own start where the system tells it; only differences matter.
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
    /// The time of an event of the same context that is complete.
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

    /// The base to measure from for a command that starts now. `context` is current.
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

    /// Forgets the base: its context goes. That context is current.
    pub(crate) fn forget(&self, context: DriverHandle<CUcontext>) {
        let mut slot = self.base.lock();
        if slot.as_ref().is_some_and(|base| base.context == context) {
            *slot = None;
        }
    }
}

/// Records an event in an idle stream of its own and notes when it happened.
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
