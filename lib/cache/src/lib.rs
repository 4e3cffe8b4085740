//! Builds each device program once: in memory per context ([`memory`]), and on disk across processes ([`store`]).
//!
//! The crate works with bytes, keys, files, locks and clocks. It calls no plugin: callers pass closures that build a
//! program or create one from a binary. It prints nothing; its messages go to the `log` crate with the target
//! `pi_cache`. [`config`] reads the documented variables. `docs/guide/cache.md` is the page for users.
//!
//! No file on disk is trusted to be intact: a damaged file is a miss.
//!
//! ```
//! use sycl_pi_cache::store::{Built, KeyParts, ProgramSource};
//! use sycl_pi_cache::{Config, Store, StoreKey};
//! # let folder = tempfile::tempdir()?;
//! let store = Store::open(&Config::default().with_root(Some(folder.path().into())).with_background(false));
//! let key = StoreKey::new(&KeyParts { images: vec![b"SPIR-V".to_vec()], ..KeyParts::default() });
//! let build = || Ok(Built { value: "program", binary: Some(b"binary".to_vec()), kernels: vec![] });
//! let open = |binary: &[u8]| if binary == b"binary" { Ok("program") } else { Err("another binary") };
//! assert_eq!(store.load_or_build(&key, open, build)?, ("program", ProgramSource::Build));
//! assert_eq!(store.load_or_build(&key, open, build)?, ("program", ProgramSource::Disk));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

pub mod config;
mod digest;
pub mod memory;
pub mod store;

pub use config::Config;
pub use digest::Digest;
pub use store::{Store, StoreKey};
