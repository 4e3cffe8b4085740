//! What the tests of the CUDA plugin stand on: a plugin with a device, context and queue, and macros that call it.
//!
//! `PI_TEST_PLUGIN` names the plugin under test, `PI_TEST_IMAGES` the folder of kernel images: `kernels.ptx` and
//! `local.ptx` for a GPU, `kernels.so` for the software driver.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::not_unsafe_ptr_arg_deref,
    clippy::macro_metavars_in_unsafe,
    missing_docs,
    reason = "a test fails by panicking; what its calls promise stands at the macros that make them"
)]

pub mod cases;
pub mod fixture;
pub mod software;

pub use fixture::{Fixture, table};
pub use pi_test_support;
pub use pi_test_support::{Program, Usm};
pub use sycl_pi_core::*;

/// Calls an entry point of the plugin under test and gives its code.
#[macro_export]
macro_rules! code {
    ($($call:tt)*) => { $crate::pi_test_support::code!($crate::table(), $($call)*) };
}

/// Calls an entry point of the plugin under test, which must succeed.
#[macro_export]
macro_rules! ok {
    ($($call:tt)*) => { $crate::pi_test_support::ok!($crate::table(), $($call)*) };
}

/// Calls an entry point of the plugin under test, which must answer one of the codes.
#[macro_export]
macro_rules! fails {
    ($($call:tt)*) => { $crate::pi_test_support::fails!($crate::table(), $($call)*) };
}
