//! The reference counts of handles, `src/counted.rs`, with loom's atomics instead of the standard library's. The tests
//! try every order of the threads.
#![allow(
    missing_docs,
    unreachable_pub,
    dead_code,
    unused_macros,
    reason = "sources of the crate itself, and what they need of it"
)]

#[path = "../../src/counted.rs"]
pub mod counted;
#[path = "../../src/object.rs"]
mod object;
mod orders;
mod sync;

pub use object::{New, Object};
pub use sycl_pi_backend::{Result, types};
