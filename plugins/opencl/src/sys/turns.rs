//! Turns: one thread at a time in something that must not be done twice at once.
//!
//! Most processes have one thread that ever wants a turn. The first one owns the turns: it pays loads and stores, and no
//! atomic exchange, until a second thread wants one. From then on they are exchanged. `testing/models` goes through the
//! orders of two threads with up to four interruptions, and of three threads with up to two.

use std::time::{Duration, Instant};

use super::one_sided::{AtomicU32, AtomicUsize, Ordering, all_fence, own_fence, thread};

/// [`Turns::owner`] before the first turn.
const NOBODY: usize = 0;
/// [`Turns::owner`] while the second thread takes the turns from the first.
const CHANGING: usize = 1;
/// [`Turns::owner`] from then on.
const SHARED: usize = 2;

/// Who has the turn.
#[derive(Debug)]
pub(super) struct Turns {
    /// The only thread that had one so far, or one of the constants above.
    owner: AtomicUsize,
    /// The thread that was the owner once.
    first: AtomicUsize,
    /// How many turns the owner has, one within the other.
    inside: AtomicU32,
    /// The thread that has a turn since they are shared; 0 for none.
    holder: AtomicUsize,
}

/// A turn, until it is dropped.
pub(crate) struct Turn<'a> {
    turns: &'a Turns,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    /// The owner's.
    Owner,
    /// The holder's.
    Holder,
    /// Within a turn of the same thread, since they are shared.
    Nested,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        match self.kind {
            Kind::Owner => self.turns.leave_as_owner(),
            Kind::Holder => self.turns.holder.store(0, Ordering::Release),
            Kind::Nested => {}
        }
    }
}

impl Turns {
    /// Where the 32-bit word that [`Self::leave_as_owner`] takes one from lies, in bytes, for code that does it in another language.
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    pub(super) const INSIDE: usize = std::mem::offset_of!(Turns, inside);

    pub(super) const fn new() -> Self {
        Self {
            owner: AtomicUsize::new(NOBODY),
            first: AtomicUsize::new(0),
            inside: AtomicU32::new(0),
            holder: AtomicUsize::new(0),
        }
    }

    /// Runs `work` in a turn, if this thread is the only one that ever wanted one; see [`Self::take`] otherwise. `work` does
    /// not panic.
    #[inline(always)]
    pub(super) fn as_owner<T>(&self, work: impl FnOnce() -> T) -> Option<T> {
        if !self.enter_as_owner() {
            return None;
        }
        let value = work();
        self.leave_as_owner();
        Some(value)
    }

    /// As [`Self::as_owner`], for what [`Self::leave_as_owner`] ends.
    #[inline(always)]
    pub(super) fn enter_as_owner(&self) -> bool {
        let me = thread();
        if self.owner.load(Ordering::Relaxed) != me {
            return false;
        }
        // No other thread writes that word: there is one owner, at most.
        self.inside.store(self.inside.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
        own_fence();
        let is_mine = self.owner.load(Ordering::Relaxed) == me;
        if !is_mine {
            self.leave_as_owner();
        }
        is_mine
    }

    /// After [`Self::enter_as_owner`] gave a turn.
    #[inline(always)]
    pub(super) fn leave_as_owner(&self) {
        self.inside.store(self.inside.load(Ordering::Relaxed).wrapping_sub(1), Ordering::Release);
    }

    /// A turn, if no other thread has it. Does not wait.
    #[cold]
    pub(super) fn take(&self) -> Option<Turn<'_>> {
        let me = thread();
        let claim = |from, to| self.owner.compare_exchange(from, to, Ordering::AcqRel, Ordering::Acquire);
        match self.owner.load(Ordering::Acquire) {
            owner if owner == me => {
                return self.enter_as_owner().then(|| Turn { turns: self, kind: Kind::Owner });
            }
            NOBODY => {
                // Said first: who takes the turns from the owner asks who it was.
                claim(NOBODY, CHANGING).ok()?;
                self.first.store(me, Ordering::Relaxed);
                self.owner.store(me, Ordering::Release);
                return self.take();
            }
            SHARED => {}
            CHANGING => return None,
            owner => {
                claim(owner, CHANGING).ok()?;
                all_fence();
                self.owner.store(SHARED, Ordering::Release);
            }
        }
        if self.inside.load(Ordering::Acquire) > 0 {
            // A turn from the time of one owner; what it runs may ask for another one.
            let nested = self.first.load(Ordering::Acquire) == me;
            return nested.then_some(Turn { turns: self, kind: Kind::Nested });
        }
        match self.holder.compare_exchange(0, me, Ordering::Acquire, Ordering::Relaxed) {
            Ok(_) => Some(Turn { turns: self, kind: Kind::Holder }),
            Err(holder) if holder == me => Some(Turn { turns: self, kind: Kind::Nested }),
            Err(_) => None,
        }
    }

    /// A turn as soon as no other thread has it; none where that takes longer than `patience`.
    pub(super) fn take_within(&self, patience: Duration) -> Option<Turn<'_>> {
        let (start, mut pause) = (Instant::now(), Pause::default());
        loop {
            match self.take() {
                None if start.elapsed() <= patience => pause.next(),
                turn => return turn,
            }
        }
    }
}

/// Pauses between two looks: none to speak of at first, then longer ones, as a command that is not short may be long.
#[derive(Default)]
pub(super) struct Pause {
    count: u32,
}

impl Pause {
    /// Whether there was none yet.
    pub(super) fn is_first(&self) -> bool {
        self.count == 0
    }

    pub(super) fn next(&mut self) {
        const YIELDS: u32 = 100;
        const SHORTEST: Duration = Duration::from_micros(20);
        match self.count.checked_sub(YIELDS) {
            None => std::thread::yield_now(),
            // 20 microseconds at first, 640 from the fiftieth on.
            Some(sleeps) => std::thread::sleep(SHORTEST * (1 << (sleeps / 10).min(5))),
        }
        self.count = self.count.saturating_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;
    use std::sync::atomic::AtomicU32;

    #[test]
    fn the_first_thread_takes_turns_as_their_owner() {
        let turns = Turns::new();
        assert!(turns.as_owner(|| ()).is_none(), "nobody asked yet");
        assert!(matches!(turns.take().map(|turn| turn.kind), Some(Kind::Owner)));
        assert!(turns.as_owner(|| ()).is_some());
    }

    #[test]
    fn a_turn_within_a_turn_of_the_owner_ends_without_ending_the_outer_one() {
        let turns = Turns::new();
        let outer = turns.take();
        assert!(turns.as_owner(|| ()).is_some());
        assert!(matches!(turns.take().map(|turn| turn.kind), Some(Kind::Owner)));
        std::thread::scope(|scope| {
            scope.spawn(|| assert!(turns.take().is_none(), "the outer turn lasts"));
        });
        assert!(matches!(turns.take().map(|turn| turn.kind), Some(Kind::Nested)), "shared meanwhile");
        drop(outer);
        std::thread::scope(|scope| {
            scope.spawn(|| assert!(turns.take().is_some(), "nobody has it"));
        });
        assert!(turns.as_owner(|| ()).is_none(), "the turns were taken away");
    }

    #[test]
    fn a_turn_within_a_turn_of_a_holder_is_given() {
        let turns = Turns::new();
        drop(turns.take());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let outer = turns.take();
                assert!(outer.is_some());
                assert!(turns.take().is_some());
                std::thread::scope(|scope| {
                    scope.spawn(|| assert!(turns.take().is_none(), "the outer turn lasts"));
                });
            });
        });
    }

    #[test]
    fn no_two_threads_have_a_turn_at_once_however_soon_the_second_comes() {
        for _ in 0..200 {
            let (turns, inside, start) = (Turns::new(), AtomicU32::new(0), Barrier::new(3));
            let work = || {
                start.wait();
                let mut taken = 0;
                for _ in 0..2_000 {
                    let alone = || {
                        assert_eq!(inside.fetch_add(1, Ordering::Relaxed), 0);
                        std::hint::black_box(&inside);
                        inside.fetch_sub(1, Ordering::Relaxed);
                    };
                    if turns.as_owner(alone).is_some() {
                        taken += 1;
                    } else if let Some(_turn) = turns.take() {
                        alone();
                        taken += 1;
                    } else {
                        std::thread::yield_now();
                    }
                }
                taken
            };
            std::thread::scope(|scope| {
                let threads: Vec<_> = (0..3).map(|_| scope.spawn(work)).collect();
                let taken: u32 = threads.into_iter().filter_map(|thread| thread.join().ok()).sum();
                assert!(taken > 0);
            });
        }
    }
}
