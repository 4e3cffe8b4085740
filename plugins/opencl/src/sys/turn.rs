//! A lock around driver calls that guards no data of this project.
//!
//! It is held while a thread waits in the driver, and a fork does not wait for that. It therefore stores the generation
//! of its owner, so that a forked child can take it over from a thread of its parent.

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::thread::{sleep, yield_now};
use std::time::{Duration, Instant};

use sycl_pi_host_process::generation;

pub(super) struct Turn {
    /// The owner's generation and thread number; 0 for none.
    owner: AtomicU64,
    /// The number of times that the owner holds it. Only the owner changes it.
    depth: AtomicU32,
    is_reentrant: bool,
}

impl Turn {
    pub(super) const fn new(is_reentrant: bool) -> Self {
        Self { owner: AtomicU64::new(0), depth: AtomicU32::new(0), is_reentrant }
    }

    /// Takes the lock if that is possible within the limit.
    pub(super) fn take_for(&self, limit: Duration) -> bool {
        /// Usually, the lock is held for less time than a context switch takes.
        const YIELDS: u32 = 16;
        const PAUSE: Duration = Duration::from_micros(50);
        if self.take() {
            return true;
        }
        let start = Instant::now();
        for look in 0.. {
            let Some(left) = limit.checked_sub(start.elapsed()).filter(|left| !left.is_zero()) else { break };
            if look < YIELDS {
                yield_now()
            } else {
                sleep(PAUSE.min(left))
            }
            if self.take() {
                return true;
            }
        }
        false
    }

    fn take(&self) -> bool {
        let (owner, number, generation) = (self.owner.load(Ordering::Acquire), thread_number(), generation());
        if owner as u32 == number {
            if self.is_reentrant {
                self.depth.store(self.depth.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
            }
            return self.is_reentrant;
        }
        let is_free = owner == 0 || (owner >> 32) as u32 != generation;
        let own = u64::from(generation) << 32 | u64::from(number);
        if !is_free || self.owner.compare_exchange(owner, own, Ordering::Acquire, Ordering::Relaxed).is_err()
        {
            return false;
        }
        self.depth.store(1, Ordering::Relaxed);
        true
    }

    /// Releases the lock once. It must be released as often as the calling thread has taken it.
    pub(super) fn give_back(&self) {
        let left = self.depth.load(Ordering::Relaxed).saturating_sub(1);
        self.depth.store(left, Ordering::Relaxed);
        if left == 0 {
            self.owner.store(0, Ordering::Release);
        }
    }
}

/// Returns the number of the calling thread, which is unique, even in forked children. It is never 0.
fn thread_number() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    thread_local! {
        static NUMBER: Cell<u32> = const { Cell::new(0) };
    }
    NUMBER.with(|number| {
        if number.get() == 0 {
            number.set(NEXT.fetch_add(1, Ordering::Relaxed));
        }
        number.get()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_of_another_generation_is_taken_over() {
        let turn = Turn::new(true);
        let other = u64::from(generation() + 1) << 32 | u64::from(thread_number() + 1);
        turn.owner.store(other, Ordering::Relaxed);
        turn.depth.store(3, Ordering::Relaxed);
        assert!(turn.take_for(Duration::ZERO));
        turn.give_back();
        assert_eq!(turn.owner.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn a_turn_of_the_thread_that_forked_stays_its_own() {
        let turn = Turn::new(true);
        turn.owner.store(u64::from(generation() + 1) << 32 | u64::from(thread_number()), Ordering::Relaxed);
        turn.depth.store(1, Ordering::Relaxed);
        assert!(turn.take_for(Duration::ZERO));
        turn.give_back();
        assert_ne!(turn.owner.load(Ordering::Relaxed), 0, "the outer one is not given back yet");
        turn.give_back();
        assert_eq!(turn.owner.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn another_thread_waits_for_as_long_as_it_says() {
        static TURN: Turn = Turn::new(false);
        assert!(TURN.take_for(Duration::ZERO));
        let limit = Duration::from_millis(20);
        let waited = std::thread::spawn(move || {
            let start = Instant::now();
            (TURN.take_for(limit), start.elapsed())
        });
        assert!(waited.join().is_ok_and(|(taken, time)| !taken && time >= limit));
        TURN.give_back();
        assert!(std::thread::spawn(|| TURN.take_for(Duration::ZERO)).join().is_ok_and(|taken| taken));
    }
}
