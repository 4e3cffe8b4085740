//! Slow streams, and graphs in any order: behaviour of a GPU that a list of work on a thread does not have by
//! itself.

use std::cell::Cell;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// `PI_SOFTWARE_CUDA_LATE`: each piece of work waits at most this number of microseconds before it begins (0).
static LATE: LazyLock<u64> = LazyLock::new(|| number("PI_SOFTWARE_CUDA_LATE"));
/// `PI_SOFTWARE_CUDA_REORDER`: 1 runs the nodes of a graph in any order that their dependencies permit (0).
static REORDER: LazyLock<bool> = LazyLock::new(|| number("PI_SOFTWARE_CUDA_REORDER") != 0);

thread_local! {
    static RANDOM: Cell<u64> = const { Cell::new(0) };
}

fn number(name: &str) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(0)
}

/// Returns a random number below `limit`, with another sequence for each thread.
fn below(limit: u64) -> u64 {
    static THREADS: AtomicU64 = AtomicU64::new(0);
    let mut word = RANDOM.get();
    if word == 0 {
        word = (THREADS.fetch_add(1, Ordering::Relaxed) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    word ^= word << 13;
    word ^= word >> 7;
    word ^= word << 17;
    RANDOM.set(word);
    (word >> 16) % limit.max(1)
}

/// Waits before a piece of work, if requested. Every second one is not delayed, so that it overtakes others.
pub(crate) fn before_work() {
    if *LATE > 0 && below(2) == 0 {
        std::thread::sleep(Duration::from_micros(below(*LATE)));
    }
}

/// Returns an order for nodes in which each follows its dependencies.
pub(crate) fn order(after: &[Vec<usize>]) -> Vec<usize> {
    if !*REORDER {
        return (0..after.len()).collect();
    }
    let mut order: Vec<usize> = Vec::with_capacity(after.len());
    while order.len() < after.len() {
        let is_ready = |node: &usize| {
            !order.contains(node) && after[*node].iter().all(|earlier| order.contains(earlier))
        };
        let ready: Vec<usize> = (0..after.len()).filter(is_ready).collect();
        order.push(ready[below(ready.len() as u64) as usize]);
    }
    order
}
