//! Tests every order of two threads on counted handles.
#![expect(unsafe_code, reason = "models of code that is unsafe")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::Object;
use crate::counted::{Blocks, Counted, CountedKind};
use crate::types::ErrorCode;
use loom::cell::UnsafeCell;

/// The blocks of the current order.
static BLOCKS: AtomicPtr<Blocks> = AtomicPtr::new(null_mut());
/// The number of values dropped in that order.
static DROPPED: AtomicUsize = AtomicUsize::new(0);

/// The target of a handle.
enum RawQueue {}

/// Reading it while it is dropped is a race that loom reports.
struct Queue(UnsafeCell<u32>);

// SAFETY: loom checks the accesses.
unsafe impl Send for Queue {}
// SAFETY: loom checks the accesses.
unsafe impl Sync for Queue {}

impl Queue {
    fn new(value: u32) -> Self {
        Self(UnsafeCell::new(value))
    }

    fn value(&self) -> u32 {
        // SAFETY: the value is only written when it is dropped.
        self.0.with(|value| unsafe { *value })
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        // SAFETY: no other thread has it anymore. Otherwise loom reports it.
        self.0.with_mut(|value| unsafe { *value = u32::MAX });
        DROPPED.fetch_add(1, Ordering::Relaxed);
    }
}

// SAFETY: there is no other kind.
unsafe impl CountedKind for Queue {
    type Raw = RawQueue;
    const INVALID: ErrorCode = ErrorCode::INVALID_QUEUE;
    const NAME: &'static str = "queue";
    fn blocks() -> &'static Blocks {
        // SAFETY: set at the start of each order, and never freed.
        unsafe { BLOCKS.load(Ordering::Relaxed).as_ref() }.unwrap()
    }
}

/// Runs `body` in every order, each with separate blocks.
fn every_order(body: impl Fn() + Sync + Send + 'static) {
    /// Ensures that only one test at a time uses the statics above.
    static ONE_TEST: Mutex<()> = Mutex::new(());
    let _one_test = ONE_TEST.lock().unwrap_or_else(PoisonError::into_inner);
    loom::model(move || {
        BLOCKS.store(Box::leak(Box::new(Blocks::new())), Ordering::Relaxed);
        DROPPED.store(0, Ordering::Relaxed);
        body();
    });
}

fn is_live(raw: *mut RawQueue) -> bool {
    // SAFETY: a handle, whose block is never freed.
    unsafe { <Counted<Queue> as Object>::is_live(NonNull::new(raw).unwrap()) }
}

#[test]
fn the_value_goes_once_and_after_the_last_look_at_it() {
    every_order(|| {
        let one = Counted::share_new(Queue::new(7));
        let two = one.clone();
        let thread = loom::thread::spawn(move || {
            assert_eq!(two.value(), 7);
            drop(two);
        });
        assert_eq!(one.value(), 7);
        drop(one);
        thread.join().unwrap();
        assert_eq!(DROPPED.load(Ordering::Relaxed), 1);
    });
}

#[test]
fn a_released_handle_is_dead_for_every_thread_that_knows_of_the_release() {
    every_order(|| {
        let raw = Counted::create(Queue::new(1)).into_raw();
        let address = raw.expose_provenance();
        loom::thread::spawn(move || {
            let raw: *mut Counted<Queue> = std::ptr::with_exposed_provenance_mut(address);
            // SAFETY: the only reference, released here.
            unsafe { (*raw).release() };
        })
        .join()
        .unwrap();
        assert!(!is_live(raw));
        assert_eq!(DROPPED.load(Ordering::Relaxed), 1);
    });
}
