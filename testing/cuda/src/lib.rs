//! What the tests of the CUDA plugin stand on: a plugin with a device, context and queue, and macros that call it.
//!
//! `PI_TEST_PLUGIN` names the plugin under test, `PI_TEST_IMAGES` the folder of kernel images: `kernels.ptx` and
//! `local.ptx` for a GPU, `kernels.so` for the software driver.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::undocumented_unsafe_blocks,
    clippy::not_unsafe_ptr_arg_deref,
    clippy::macro_metavars_in_unsafe,
    missing_docs,
    reason = "a test fails by panicking; what its calls promise stands at the macros that make them"
)]

pub mod cases;
pub mod fixture;
pub mod software;

pub use fixture::{Fixture, Program, Usm, table};
pub use pi_core::*;

/// Calls an entry point and gives its code.
#[macro_export]
macro_rules! code {
    ($name:ident($($arg:expr),* $(,)?)) => {
        // SAFETY: handles are the plugin's, pointers the test's own, alive during the call.
        unsafe { ($crate::table().$name.expect(stringify!($name)))($($arg),*) }
    };
}

/// Calls an entry point, which must succeed.
#[macro_export]
macro_rules! ok {
    ($name:ident($($arg:expr),* $(,)?)) => {{
        let code = $crate::code!($name($($arg),*));
        assert_eq!(code, 0, "{}: {}", stringify!($name), $crate::fixture::last_error());
    }};
}

/// Calls an entry point, which must answer one of the codes.
#[macro_export]
macro_rules! fails {
    ($name:ident($($arg:expr),* $(,)?), $($code:expr),+) => {{
        let code = $crate::code!($name($($arg),*));
        assert!([$($code),+].contains(&code), "{} answered {code}: {}", stringify!($name), $crate::fixture::last_error());
    }};
}
