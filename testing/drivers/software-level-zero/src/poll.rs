//! Polling times of this driver's threads before they sleep.
//!
//! A real device watches a memory location, so that a command on an immediate list starts immediately. Intel's driver
//! keeps the engine watching for 5 ms after the last command. Here threads poll instead. They occupy a processor that
//! others may need, including kernels. Therefore they poll for a shorter time than a GPU, yield first, and sleep if
//! another thread kept the processor.

use std::hint::spin_loop;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::clock;

/// How long the destruction of an object waits for work that is nearly done.
pub(crate) const GRACE: Duration = Duration::from_millis(100);
/// How long the thread of a queue polls for more work.
pub(crate) const ENGINE: Duration = Duration::from_micros(100);
/// How long a thread that waits for commands polls. Copies finish in that time, and kernels need its processor.
pub(crate) const WAIT: Duration = Duration::from_micros(5);
/// The pauses between two checks. A check takes the cache line away from the thread that is about to write it.
const PAUSES: u32 = 8;
/// If a yield takes this long, other programs need the processor.
const LATE: Duration = Duration::from_millis(1);
/// For how many nanoseconds threads do not poll in this case.
const REST: u64 = 50_000_000;

/// When threads may poll again, in nanoseconds of the host's clock.
static RESTED: AtomicU64 = AtomicU64::new(0);

/// Polls until the condition is true, until the deadline, or for `most`. Returns whether it is true.
pub(crate) fn poll(most: Duration, deadline: Option<Instant>, is_so: impl Fn() -> bool) -> bool {
    if is_so() {
        return true;
    }
    if clock::host_ns() < RESTED.load(Ordering::Relaxed) {
        return false;
    }
    let mut now = Instant::now();
    let until = deadline.map_or(now + most, |deadline| deadline.min(now + most));
    while now < until {
        (0..PAUSES).for_each(|_| spin_loop());
        if is_so() {
            return true;
        }
        std::thread::yield_now();
        let before = std::mem::replace(&mut now, Instant::now());
        if now - before > LATE {
            RESTED.store(clock::host_ns() + REST, Ordering::Relaxed);
            break;
        }
    }
    is_so()
}
