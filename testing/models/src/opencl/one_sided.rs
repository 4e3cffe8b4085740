//! loom's under the names that `turns.rs` uses.

use std::cell::Cell;
use std::sync::OnceLock;

use loom::sync::atomic;
pub(super) use loom::sync::atomic::Ordering;

macro_rules! atomics {
    ($($name:ident $value:ty;)*) => { $(
        /// loom's number, made when it is first used: `Turns::new` is a constant function, loom's is not.
        pub(super) struct $name {
            first: $value,
            number: OnceLock<atomic::$name>,
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.load(Ordering::Relaxed).fmt(f)
            }
        }

        impl $name {
            pub(super) const fn new(first: $value) -> Self {
                Self { first, number: OnceLock::new() }
            }

            fn number(&self) -> &atomic::$name {
                self.number.get_or_init(|| atomic::$name::new(self.first))
            }

            pub(super) fn load(&self, order: Ordering) -> $value {
                self.number().load(order)
            }

            pub(super) fn store(&self, value: $value, order: Ordering) {
                self.number().store(value, order);
            }

            pub(super) fn compare_exchange(
                &self,
                from: $value,
                to: $value,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$value, $value> {
                self.number().compare_exchange(from, to, success, failure)
            }
        }
    )* };
}

atomics! {
    AtomicU32 u32;
    AtomicUsize usize;
}

/// Both sides pay here: loom has no fence that one thread passes for another.
pub(super) fn own_fence() {
    atomic::fence(Ordering::SeqCst);
}

pub(super) fn all_fence() {
    atomic::fence(Ordering::SeqCst);
}

pub(super) fn thread() -> usize {
    loom::thread_local! {
        static NUMBER: Cell<usize> = Cell::new(0);
    }
    /// Larger than the numbers that stand for no thread.
    static LAST: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(100);
    NUMBER.with(|number| {
        if number.get() == 0 {
            number.set(LAST.fetch_add(1, std::sync::atomic::Ordering::Relaxed));
        }
        number.get()
    })
}
