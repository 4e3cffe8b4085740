//! The adapter's calls, which remember each thread's last failure.

use std::cell::Cell;
use std::ffi::{c_char, c_int, c_void};

use sycl_ur_core::*;

use crate::Calls;

/// A call of an adapter that did not succeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AdapterFailure {
    /// Its C name.
    pub function: &'static str,
    /// The adapter's code.
    pub result: ur_result_t,
}

thread_local! {
    /// This thread's last failed call.
    static FAILED: Cell<Option<AdapterFailure>> = const { Cell::new(None) };
}

/// Returns this thread's last failed call, and forgets it.
pub(super) fn take_failed() -> Option<AdapterFailure> {
    FAILED.take()
}

/// The functions of one adapter in one layout. A failed call is recorded.
pub(super) struct RecordedCalls(pub(super) &'static Calls);

impl RecordedCalls {
    /// Returns the layout whose signatures the functions have.
    pub(super) fn layout(&self) -> Layout {
        self.0.layout()
    }
}

macro_rules! recorded {
    (() $([$family:ident] $name:ident $table:ident $slots:tt ($($arg:ident: $ty:ty),*)
        $(until $until:ident => $old:ident ($($old_arg:ident: $old_ty:ty),*))*;)*) => {
        #[allow(non_snake_case, clippy::too_many_arguments, dead_code, reason = "UR's functions, all of them")]
        impl RecordedCalls {
            $(
                recorded!(@call $name $name ($($arg: $ty),*));
                $( recorded!(@call $name $old ($($old_arg: $old_ty),*)); )*
            )*
        }
    };
    (@call $name:ident $field:ident ($($arg:ident: $ty:ty),*)) => {
        /// # Safety
        /// The arguments are valid for the interface.
        pub(super) unsafe fn $field(&self, $($arg: $ty),*) -> ur_result_t {
            // SAFETY: the caller vouches for the arguments.
            let result = unsafe { self.0.$field($($arg),*) };
            if result != UR_RESULT_SUCCESS {
                FAILED.set(Some(AdapterFailure { function: stringify!($name), result }));
            }
            result
        }
    };
}

sycl_ur_core::for_each_function!(recorded);
