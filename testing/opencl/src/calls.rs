//! Calls of entry points, as tests write them.
//!
//! Every call of a table is unsafe: the macros promise that the arguments are what the interface asks for, or what it
//! has to refuse without harm.

use crate::{CallError, pi_result};

/// Calls an entry point of a table: `call!(f.pi, piQueueFinish(queue))` gives a `Result`.
#[macro_export]
macro_rules! call {
    ($table:expr, $name:ident($($arg:expr),* $(,)?)) => {{
        #[allow(unused_unsafe, reason = "an argument may be a call of its own")]
        // SAFETY: the test hands over what the interface asks for, or what it has to refuse without harm.
        unsafe { $table.$name($($arg),*) }
    }};
}

/// Calls an entry point that has to succeed.
#[macro_export]
macro_rules! ok {
    ($table:expr, $name:ident($($arg:expr),* $(,)?)) => {
        if let Err(error) = $crate::call!($table, $name($($arg),*)) {
            panic!("{error}")
        }
    };
}

/// Calls an entry point that writes one value: `made!(f.pi, |out| piContextCreate(.., out))` gives the value.
#[macro_export]
macro_rules! made {
    ($table:expr, |$out:ident| $name:ident($($arg:expr),* $(,)?)) => {{
        // SAFETY: plain numbers and pointers, for which all bits zero is a value.
        let mut value = unsafe { std::mem::zeroed() };
        let $out = &raw mut value;
        $crate::ok!($table, $name($($arg),*));
        value
    }};
}

/// Calls an entry point that has to be refused with one of the codes, and with a message that says why.
#[macro_export]
macro_rules! refused {
    ($table:expr, $name:ident($($arg:expr),* $(,)?), $($code:ident)|+) => {
        $crate::calls::expect_refusal($crate::call!($table, $name($($arg),*)), &[$($crate::$code),+])
    };
}

/// Asks a fixed-size question in the two usual steps: `get!(f.pi, piQueueGetInfo(queue, NAME) as pi_context)`.
#[macro_export]
macro_rules! get {
    ($table:expr, $name:ident($($arg:expr),* $(,)?) as $ty:ty) => {
        $crate::info::fixed::<$ty>(stringify!($name), |size, value, size_ret| {
            $crate::call!($table, $name($($arg,)* size, value, size_ret))
        })
    };
}

/// Asks a question whose answer has any length: bytes.
#[macro_export]
macro_rules! bytes {
    ($table:expr, $name:ident($($arg:expr),* $(,)?)) => {
        $crate::info::bytes(stringify!($name), |size, value, size_ret| {
            $crate::call!($table, $name($($arg,)* size, value, size_ret))
        })
    };
}

/// Asks a question whose answer is a text with one NUL at its end.
#[macro_export]
macro_rules! text {
    ($table:expr, $name:ident($($arg:expr),* $(,)?)) => {
        $crate::info::text($crate::bytes!($table, $name($($arg),*)))
    };
}

/// Asks an info entry point badly in all the usual ways: size 0, one byte short, no output at all, an unknown number.
#[macro_export]
macro_rules! bad_questions {
    ($table:expr, $name:ident($($object:expr),*), $good:expr) => {{
        $crate::info::bad_questions(stringify!($name), $good as u32, |name, size, value, size_ret| {
            $crate::call!($table, $name($($object,)* name, size, value, size_ret))
        })
    }};
}

/// The message of a refusal with one of `codes`; anything else fails the test.
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
