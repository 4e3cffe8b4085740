//! Builds each device program once: in memory per context ([`memory`]), and on disk across processes ([`store`]).
//!
//! The crate knows bytes, keys, files, locks and clocks. It calls no plugin: building a program, and making one from a
//! binary, come in as closures. Nothing here prints; what the user should hear goes to the `log` crate, target
//! `pi_cache`. [`config`] reads the documented variables. `docs/guide/cache.md` is the page for users.
//!
//! Every file on disk is treated as if anybody had written it: whatever is wrong with one, the answer is a miss.
#![forbid(unsafe_code)]

pub mod config;
mod digest;
pub mod memory;
pub mod store;

pub use config::Config;
pub use digest::Digest;
pub use store::{Store, StoreKey};
