//! A lock for what callers rarely contend for.

use std::cell::UnsafeCell;
use std::ops::{Deref, DerefMut};

use crate::sync::{AtomicBool, Ordering, pause};

/// A value that one thread at a time works with.
///
/// Taken by one exchange and given back by a plain store, where a mutex has two exchanges, some 5 ns each: for what every
/// command passes, and what two threads rarely want at once, such as a kernel's arguments, which PI leaves to one thread.
/// Who waits asks again and again, ever more seldom; so it is not for what threads share by design.
pub struct Exclusive<T> {
    busy: AtomicBool,
    value: UnsafeCell<T>,
}

// SAFETY: only the thread that set `busy` gets at the value.
unsafe impl<T: Send> Sync for Exclusive<T> {}

impl<T> Exclusive<T> {
    /// Nobody has it yet.
    pub const fn new(value: T) -> Self {
        Self { busy: AtomicBool::new(false), value: UnsafeCell::new(value) }
    }

    /// The value, for as long as the guard lives.
    #[inline(always)]
    pub fn lock(&self) -> Guard<'_, T> {
        if self.busy.swap(true, Ordering::Acquire) {
            self.wait();
        }
        Guard { of: self }
    }

    #[cold]
    #[inline(never)]
    fn wait(&self) {
        let mut times = 0;
        while self.busy.swap(true, Ordering::Acquire) {
            // Whoever has it may not be running.
            pause(times);
            times += 1;
        }
    }
}

/// Access to an [`Exclusive`] value.
pub struct Guard<'a, T> {
    of: &'a Exclusive<T>,
}

// SAFETY: a guard gives access to the value, and letting go of it is a store to an atomic, which any thread may do.
unsafe impl<T: Sync> Sync for Guard<'_, T> {}

impl<T> Deref for Guard<'_, T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: the guard is the only way to the value while `busy` is set.
        unsafe { &*self.of.value.get() }
    }
}

impl<T> DerefMut for Guard<'_, T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as above, and the guard is borrowed alone.
        unsafe { &mut *self.of.value.get() }
    }
}

impl<T> Drop for Guard<'_, T> {
    #[inline(always)]
    fn drop(&mut self) {
        self.of.busy.store(false, Ordering::Release);
    }
}
