//! Shared code of the OpenCL plugin's tests.
//!
//! [`Fixture`] is a plugin with a platform, device, context and queue. The macros call entry points through its table
//! and check the answers. [`expectations`] declares for each driver which tests are skipped and which are known to
//! fail.
//!
//! `PI_TEST_PLUGIN` names the plugin under test.
#![expect(unsafe_code, reason = "the tests call a plugin")]
#![allow(missing_debug_implementations, reason = "tests print none of these")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::exit,
    reason = "a test fails by panicking and reports by printing, in its helpers too"
)]
#![allow(
    clippy::not_unsafe_ptr_arg_deref,
    clippy::macro_metavars_in_unsafe,
    reason = "handles are pointers that the plugin made; the call macros state what calls promise"
)]

pub mod calls;
pub mod expectations;
pub mod fake;
mod fixture;
pub mod info;
pub mod kernels;
pub mod plugin;

pub use fixture::{Driver, Fixture, Owned, user_event};
pub use sycl_pi_core as pi_core;
pub use sycl_pi_core::*;
pub use sycl_pi_loader::{CallError, Table};
pub use testing_support::{Registry, cases, child, ok, open, plugin_file, under_test};
