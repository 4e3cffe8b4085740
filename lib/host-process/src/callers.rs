//! The threads that have called the library, and whether each is in a call.

use std::cell::Cell;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering};

/// The part of a thread's state that other threads see, once it has called the library. It is never freed, because a
/// later thread takes it over.
///
/// It has its own cache line, because its thread writes to it in each call.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct Caller {
    depth: AtomicU32,
    is_taken: AtomicBool,
    next: Option<&'static Caller>,
}

/// The start of the list of all callers.
static FIRST: AtomicPtr<Caller> = AtomicPtr::new(ptr::null_mut());

/// The key whose destructor gives callers back, or [`NO_KEY`]. Rust's own destructors of thread-locals would be simpler,
/// but the C library registers those under a lock of its loader, which a fork may leave locked.
static KEY: AtomicU32 = AtomicU32::new(NO_KEY);
const NO_KEY: libc::pthread_key_t = libc::pthread_key_t::MAX;

thread_local! {
    /// The caller of this thread. It has no destructor, so that calls in exit handlers can use it too.
    static CURRENT: Cell<Option<&'static Caller>> = const { Cell::new(None) };
}

impl Caller {
    /// Returns the caller of this thread if it has one.
    #[inline(always)]
    pub(crate) fn current() -> Option<&'static Self> {
        CURRENT.get()
    }

    /// Gives this thread a caller.
    pub(crate) fn take() -> &'static Self {
        let is_free = |caller: &&Self| {
            !caller.is_taken.load(Ordering::Relaxed) && !caller.is_taken.swap(true, Ordering::Acquire)
        };
        let caller = Self::all().find(is_free).unwrap_or_else(Self::add);
        caller.set_depth(0);
        CURRENT.set(Some(caller));
        caller.give_back_at_thread_end();
        caller
    }

    /// Prepares that threads give their callers back when they end. Callers of threads that take one before that stay
    /// taken.
    #[expect(unsafe_code, reason = "a key of the thread library")]
    pub(crate) fn prepare() {
        if KEY.load(Ordering::Acquire) != NO_KEY {
            return;
        }
        let mut key = NO_KEY;
        // SAFETY: the key is writable, and the function stays loaded. Without a key, callers stay taken.
        let is_made = unsafe { libc::pthread_key_create(&mut key, Some(give_back)) } == 0;
        if is_made && KEY.compare_exchange(NO_KEY, key, Ordering::AcqRel, Ordering::Relaxed).is_err() {
            // SAFETY: another thread made a key at the same time, and nothing knows this one.
            unsafe { libc::pthread_key_delete(key) };
        }
    }

    #[expect(unsafe_code, reason = "a key of the thread library")]
    fn give_back_at_thread_end(&'static self) {
        let key = KEY.load(Ordering::Acquire);
        if key != NO_KEY {
            // SAFETY: the key exists. Its destructor gets the value, which is never freed.
            unsafe { libc::pthread_setspecific(key, ptr::from_ref(self).cast()) };
        }
    }

    #[expect(unsafe_code, reason = "a list without a lock, which a fork could leave locked")]
    fn add() -> &'static Self {
        let new = Box::leak(Box::new(Self {
            depth: AtomicU32::new(0),
            is_taken: AtomicBool::new(true),
            next: None,
        }));
        loop {
            let first = FIRST.load(Ordering::Acquire);
            // SAFETY: callers in the list are never freed.
            new.next = unsafe { first.as_ref() };
            if FIRST.compare_exchange(first, new, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
                return new;
            }
        }
    }

    /// Returns the callers of all threads, and free ones.
    #[expect(unsafe_code, reason = "a list without a lock")]
    pub(crate) fn all() -> impl Iterator<Item = &'static Self> {
        // SAFETY: callers in the list are never freed, and do not change their place.
        let first: Option<&'static Self> = unsafe { FIRST.load(Ordering::Acquire).as_ref() };
        std::iter::successors(first, |caller| caller.next)
    }

    /// Returns the depth of nested calls.
    #[inline(always)]
    pub(crate) fn depth(&self) -> u32 {
        self.depth.load(Ordering::Relaxed)
    }

    /// Only the caller's own thread may do this.
    #[inline(always)]
    pub(crate) fn set_depth(&self, depth: u32) {
        self.depth.store(depth, Ordering::Release);
    }

    pub(crate) fn is_inside(&self) -> bool {
        self.depth.load(Ordering::Acquire) > 0
    }

    /// Makes this thread, the only one of a forked child, the only caller.
    pub(crate) fn forget_others() {
        let own = Self::current();
        for caller in Self::all().filter(|caller| own.is_none_or(|own| !ptr::eq(own, *caller))) {
            caller.set_depth(0);
            caller.is_taken.store(false, Ordering::SeqCst);
        }
    }
}

/// Called when a thread ends, with its caller. If the thread still calls the library after that, it takes another one.
#[expect(unsafe_code, reason = "called by the thread library")]
extern "C" fn give_back(caller: *mut libc::c_void) {
    // SAFETY: the value of the key is a caller, and those are never freed.
    let caller = unsafe { &*caller.cast::<Caller>() };
    if !caller.is_inside() {
        CURRENT.set(None);
        caller.is_taken.store(false, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_takes_over_the_caller_of_one_that_has_ended() {
        let call = || {
            std::thread::spawn(|| crate::inside(|| (), || ())).join().unwrap();
        };
        call();
        let before = Caller::all().count();
        (0..200).for_each(|_| call());
        // Other tests have threads too.
        assert!(Caller::all().count() < before + 100);
    }
}
