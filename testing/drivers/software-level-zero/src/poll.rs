//! How long threads of this driver poll before they sleep.
//!
//! A real device watches a word of memory, so that a command on an immediate list starts at once. Intel's driver keeps the engine
//! watching for 5 ms after the last command. Threads poll here in its place. They need a processor that others may want, kernels
//! among them. So they poll for a shorter time than a GPU does, yield first, and sleep when another thread kept the processor.

use std::hint::spin_loop;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::clock;

/// How long an object that is destroyed waits for what is all but done.
pub(crate) const GRACE: Duration = Duration::from_millis(100);
/// How long the thread of a queue looks for more.
pub(crate) const ENGINE: Duration = Duration::from_micros(100);
/// How long a thread that waits for commands looks: copies end in that time, and kernels want its processor.
pub(crate) const WAIT: Duration = Duration::from_micros(5);
/// Pauses between two looks. A look takes the memory from who is about to write it.
const PAUSES: u32 = 8;
/// A processor that was let go and comes back so late is wanted by programs that keep it.
const LATE: Duration = Duration::from_millis(1);
/// For how many nanoseconds nobody looks then.
const REST: u64 = 50_000_000;

/// When threads may look again, in nanoseconds of the host's clock.
static RESTED: AtomicU64 = AtomicU64::new(0);

/// Looks whether something is so until it is, until the deadline, or for `most`; whether it is.
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
