//! What the tests and costs of the Level Zero plugin stand on: a plugin with a device, a context and a queue.
//!
//! `PI_TEST_PLUGIN` names the plugin under test. Below it is the driver that the environment names: the software driver,
//! which [`Soft`] talks to, or Intel's without a GPU.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::exit,
    clippy::undocumented_unsafe_blocks,
    clippy::not_unsafe_ptr_arg_deref,
    clippy::macro_metavars_in_unsafe,
    missing_docs,
    reason = "a test fails by panicking; what its calls promise stands at the macros that make them"
)]

pub mod cases;
pub mod fixture;
pub mod long_run;
pub mod operations;
pub mod soft;

pub use fixture::{Fixture, Kernel, Program, Usm};
pub use pi_core::*;
pub use soft::Soft;

/// Calls an entry point and gives its code.
#[macro_export]
macro_rules! code {
    ($pi:expr, $name:ident($($arg:expr),* $(,)?)) => {
        // SAFETY: handles are the plugin's, pointers the test's own, alive during the call.
        unsafe { ($pi.$name.expect(stringify!($name)))($($arg),*) }
    };
}

/// Calls an entry point, which must succeed.
#[macro_export]
macro_rules! ok {
    ($pi:expr, $name:ident($($arg:expr),* $(,)?)) => {{
        let code = $crate::code!($pi, $name($($arg),*));
        assert_eq!(code, 0, "{}: {}", stringify!($name), $crate::fixture::last_error($pi));
    }};
}

/// Calls an entry point, which must answer one of the codes, and gives its text.
#[macro_export]
macro_rules! fails {
    ($pi:expr, $name:ident($($arg:expr),* $(,)?), $($code:expr),+) => {{
        let code = $crate::code!($pi, $name($($arg),*));
        let text = $crate::fixture::last_error($pi);
        assert!([$($code),+].contains(&code), "{} answered {code}: {text}", stringify!($name));
        text
    }};
}
