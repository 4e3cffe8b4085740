//! What the tests of the OpenCL plugin stand on.
//!
//! [`Fixture`] is a plugin with a platform, device, context and queue; the macros call entry points through its table
//! and judge the answers; [`registry`] names tests; [`expectations`] declares per driver what is skipped and what is
//! known to fail; [`run`] is the whole run, with its last line.
//!
//! `PI_TEST_PLUGIN` names the plugin under test (default: the release build of this workspace).
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
pub mod child;
pub mod expectations;
mod fixture;
pub mod info;
pub mod kernels;
pub mod plugin;
mod registry;
mod run;

pub use fixture::{Driver, Fixture, Owned};
pub use registry::{Case, Registry};
pub use run::run;
pub use sycl_pi_core as pi_core;
pub use sycl_pi_core::*;
pub use sycl_pi_loader::{CallError, Table};
