//! The basis of the Level Zero plugin's tests and cost counts: a plugin with a device, a context and a queue.
#![expect(unsafe_code, reason = "the tests call a plugin")]
#![allow(missing_debug_implementations, reason = "tests print none of these")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::exit,
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

pub use soft::Soft;
pub use sycl_pi_core::*;
pub use testing_support::{Fixture, Kernel, Program, Usm, code, fails, ok};
