//! The reference counts of handles, `plugins/backend/src/counted.rs`, with loom's atomics instead of the standard
//! library's. The tests try every order of the threads.
#![allow(
    missing_docs,
    unreachable_pub,
    dead_code,
    unused_macros,
    reason = "sources of another crate, and what they need of that crate"
)]

#[path = "../../../plugins/backend/src/counted.rs"]
pub mod counted;
#[path = "../../../plugins/backend/src/object.rs"]
mod object;
mod sync;

pub use object::{New, Object};
pub use sycl_pi_backend::{Result, types};
