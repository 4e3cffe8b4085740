//! The device's clock: ticks of [`TICK_NS`], with as many bits as a GPU's.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The nanoseconds of a tick.
pub(crate) const TICK_NS: u64 = 80;
/// The bits of a global timestamp.
pub(crate) const BITS: u32 = 36;
/// The bits of a kernel's timestamps.
pub(crate) const KERNEL_BITS: u32 = 32;

/// Returns the nanoseconds of the host's monotonic clock.
pub(crate) fn host_ns() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is valid for writing.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time) };
    (time.tv_sec.unsigned_abs()).wrapping_mul(1_000_000_000).wrapping_add(time.tv_nsec.unsigned_abs())
}

/// Returns the ticks since the first use, which are never 0.
pub(crate) fn ticks() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    let since = START.get_or_init(Instant::now).elapsed();
    (since.as_nanos() as u64 / TICK_NS + 1) & ((1 << BITS) - 1)
}

/// Returns when a wait of `timeout` nanoseconds ends, or `None` for never.
pub(crate) fn deadline(timeout: u64) -> Option<Instant> {
    if timeout == u64::MAX { None } else { Instant::now().checked_add(Duration::from_nanos(timeout)) }
}
