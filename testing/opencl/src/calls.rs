//! Macros that call entry points in tests.
//!
//! Every call of a table is unsafe. The macros promise that the arguments are what the interface requires, or what it
//! must refuse without harm.

use crate::{CallError, pi_result};

/// Calls an entry point of a table: `call!(f.pi, piQueueFinish(queue))` returns a `Result`.
#[macro_export]
macro_rules! call {
    ($table:expr, $name:ident($($arg:expr),* $(,)?)) => {{
        #[allow(unused_unsafe, reason = "an argument may be a call of its own")]
        // SAFETY: the test passes what the interface requires, or what it must refuse without harm.
        unsafe { $table.$name($($arg),*) }
    }};
}

/// Calls an entry point that writes one value: `made!(f.pi, |out| piContextCreate(.., out))` returns the value.
#[macro_export]
macro_rules! made {
    ($table:expr, |$out:ident| $name:ident($($arg:expr),* $(,)?)) => {{
        // SAFETY: plain numbers and pointers, for which all bits zero is valid.
        let mut value = unsafe { std::mem::zeroed() };
        let $out = &raw mut value;
        $crate::ok!($table, $name($($arg),*));
        value
    }};
}

/// Calls an entry point that must be refused with one of the codes, and with a message that tells the reason.
#[macro_export]
macro_rules! refused {
    ($table:expr, $name:ident($($arg:expr),* $(,)?), $($code:ident)|+) => {
        $crate::calls::expect_refusal($crate::call!($table, $name($($arg),*)), &[$($crate::$code),+])
    };
}

/// Returns the message of a refusal with one of `codes`. Any other result fails the test.
#[track_caller]
pub fn expect_refusal(result: Result<(), CallError>, codes: &[pi_result]) -> Box<str> {
    match result {
        Ok(()) => panic!("succeeded, where {codes:?} was expected"),
        Err(CallError::Failed { function, code, text }) => {
            assert!(codes.contains(&code), "{function} answered {code} ({text:?}), not one of {codes:?}");
            text.unwrap_or_else(|| panic!("{function} answered {code} without a message"))
        }
        Err(other) => panic!("{other}"),
    }
}
