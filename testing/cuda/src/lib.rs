//! The basis of the CUDA plugin's tests: a plugin with a device, context and queue, and macros that call it.
//!
//! `PI_TEST_PLUGIN` names the plugin under test, `PI_TEST_IMAGES` the folder of kernel images: `kernels.ptx` and
//! `local.ptx` for a GPU, `kernels.so` for the software driver.
#![expect(unsafe_code, reason = "the tests call a plugin")]
#![allow(missing_debug_implementations, reason = "tests print none of these")]
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
pub mod one_by_one;
pub mod parted;
pub mod software;
pub mod translated;
pub mod variants;
pub mod vendor_faults;

pub use fixture::{Fixture, table};
pub use sycl_pi_core::*;
pub use testing_support;
pub use testing_support::{Program, Usm};

/// Calls an entry point of the plugin under test and returns its code.
#[macro_export]
macro_rules! code {
    ($($call:tt)*) => { $crate::testing_support::code!($crate::table(), $($call)*) };
}

/// Calls an entry point of the plugin under test, which must succeed.
#[macro_export]
macro_rules! ok {
    ($($call:tt)*) => { $crate::testing_support::ok!($crate::table(), $($call)*) };
}

/// Calls an entry point of the plugin under test, which must return one of the codes.
#[macro_export]
macro_rules! fails {
    ($($call:tt)*) => { $crate::testing_support::fails!($crate::table(), $($call)*) };
}
