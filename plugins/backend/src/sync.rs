//! What [`counted`](crate::counted) and [`exclusive`](crate::exclusive) synchronise with. `testing/models` puts loom's in its place, and goes through all orders.

use std::time::Duration;

pub(crate) use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering, fence};

/// Lets others run, after having asked `times` times in vain.
pub(crate) fn pause(times: u32) {
    /// As often as a lock is handed on quickly, or its holder has to be let run first.
    const OFTEN: u32 = 256;
    if times < OFTEN { std::thread::yield_now() } else { std::thread::sleep(Duration::from_micros(50)) }
}
