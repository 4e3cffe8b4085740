//! Finds, opens and describes PI plugins: this project's and the vendors'.
//!
//! [`search`] says where a plugin may be, [`Plugin::open`] loads one and agrees on a PI version, [`Table`] calls it.
//! [`Plugin::inventory`] reads platforms and devices as plain facts; [`filter`] tells which of them the
//! environment's selector variables leave. Nothing here prints unless `SYCL_PI_TRACE` asks for it, and no handle is counted or wrapped.

mod backend;
mod codes;
mod device;
mod discover;
mod environment;
mod error;
pub mod filter;
mod handshake;
mod inventory;
mod plugin;
pub mod search;
mod smoke;
mod table;
mod trace;

pub use backend::Backend;
pub use codes::result_name;
pub use device::{DeviceFacts, DeviceType, PlatformFacts, PlatformInventory};
pub use discover::{Attempt, attempt, discover};
pub use environment::Environment;
pub use error::{Answer, CallError, LoadError, Question};
pub use inventory::{Device, Platform};
pub use plugin::Plugin;
pub use smoke::SmokeError;
pub use sycl_pi_core::{Layout, Version};
pub use table::Table;
pub use trace::TRACE_VARIABLE;
