//! State that a forked child does not inherit.

use std::fmt;
use std::mem;
use std::ops::Deref;
use std::process;
use std::sync::Arc;

use arc_swap::ArcSwap;

/// A value for each process: a forked child gets a new one at its first use.
///
/// Only the thread that forks continues in the child. Locks that other threads held stay locked there, and their
/// pending work is never done. The child must therefore not use the value of its parent.
pub struct PerProcess<T> {
    current: ArcSwap<Owned<T>>,
}

struct Owned<T> {
    process: u32,
    value: T,
}

/// The value of this process.
pub struct Current<T>(Arc<Owned<T>>);

impl<T: Default> PerProcess<T> {
    /// Returns the value of this process. Takes no lock and never waits.
    pub fn get(&self) -> Current<T> {
        self.get_and_leave(|_| ())
    }

    /// Returns the value of this process. At a child's first use, `leave` is called with the value of the parent. A
    /// thread of the parent may have been in the middle of an operation, so `leave` may only try to take locks. The
    /// parent's value is never dropped.
    pub fn get_and_leave(&self, leave: impl FnOnce(&T)) -> Current<T> {
        let process = process::id();
        let known = self.current.load_full();
        if known.process == process {
            return Current(known);
        }
        let new = Arc::new(Owned { process, value: T::default() });
        let before = self.current.compare_and_swap(&known, new.clone());
        if !Arc::ptr_eq(&before, &known) {
            // Another thread of this process was faster.
            return Current(Arc::clone(&before));
        }
        leave(&known.value);
        mem::forget(known);
        Current(new)
    }
}

impl<T: Default> Default for PerProcess<T> {
    fn default() -> Self {
        Self { current: ArcSwap::from_pointee(Owned { process: process::id(), value: T::default() }) }
    }
}

impl<T> fmt::Debug for PerProcess<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PerProcess").finish_non_exhaustive()
    }
}

impl<T> Deref for Current<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0.value
    }
}

impl<T: fmt::Debug> fmt::Debug for Current<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.value.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    /// Returns a value as a forked child finds it, which belongs to another process.
    fn inherited(value: Mutex<u32>) -> PerProcess<Mutex<u32>> {
        PerProcess { current: ArcSwap::from_pointee(Owned { process: process::id() + 1, value }) }
    }

    #[test]
    fn a_process_has_one_value() {
        let state = PerProcess::<Mutex<u32>>::default();
        *state.get().lock().unwrap() = 7;
        assert_eq!(*state.get().lock().unwrap(), 7);
    }

    #[test]
    fn a_child_gets_a_new_value_and_sees_the_old_one_once() {
        let state = inherited(Mutex::new(7));
        let mut seen = Vec::new();
        for _ in 0..2 {
            let current = state.get_and_leave(|old| seen.push(old.try_lock().map(|old| *old).ok()));
            assert_eq!(*current.lock().unwrap(), 0);
        }
        assert_eq!(seen, [Some(7)]);
    }
}
