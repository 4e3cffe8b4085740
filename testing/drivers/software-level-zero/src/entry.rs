//! The entry into the driver: every call is counted, may be made to fail, and does not unwind into the caller.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use level_zero_sys::*;
use parking_lot::Mutex;

use crate::{complaints, faults};

/// The result of a call.
pub(crate) type Answer<T = ()> = Result<T, ze_result_t>;

/// A function of the driver, and the number of its calls.
pub(crate) struct Call {
    pub(crate) name: &'static str,
    count: AtomicU64,
    known: AtomicBool,
}

static CALLS: Mutex<Vec<&'static Call>> = Mutex::new(Vec::new());

impl Call {
    pub(crate) const fn new(name: &'static str) -> Self {
        Self { name, count: AtomicU64::new(0), known: AtomicBool::new(false) }
    }

    /// Counts the call, and runs `body`, unless an injected failure is to be returned (`inject`).
    pub(crate) fn run(&'static self, inject: bool, body: impl FnOnce() -> Answer) -> ze_result_t {
        if !self.known.load(Ordering::Relaxed) && !self.known.swap(true, Ordering::Relaxed) {
            CALLS.lock().push(self);
        }
        self.count.fetch_add(1, Ordering::Relaxed);
        let answer =
            complaints::within(self.name, || match inject.then(|| faults::next(self.name)).flatten() {
                Some(result) => Err(result),
                None => catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|_| {
                    complaints::complain(self.name, "the software driver itself panicked".to_owned());
                    Err(ZE_RESULT_ERROR_UNKNOWN)
                }),
            });
        match answer {
            Ok(()) => ZE_RESULT_SUCCESS,
            Err(result) => result,
        }
    }
}

/// Returns every function called so far, with its count.
pub(crate) fn counts() -> Vec<(&'static str, u64)> {
    CALLS.lock().iter().map(|call| (call.name, call.count.load(Ordering::Relaxed))).collect()
}

/// Resets every count.
pub(crate) fn reset_counts() {
    for call in CALLS.lock().iter() {
        call.count.store(0, Ordering::Relaxed);
    }
}

/// Declares functions of the driver, which are exported under their own names (see `loader`). Bodies return
/// `Answer`.
macro_rules! driver_calls {
    ($($(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),* $(,)?) $body:block)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub(crate) extern "C" fn $name($($arg: $type),*) -> level_zero_sys::ze_result_t {
            static CALL: crate::entry::Call = crate::entry::Call::new(stringify!($name));
            CALL.run(true, || $body)
        }
    )*};
}
pub(crate) use driver_calls;
