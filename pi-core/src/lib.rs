//! The SYCL Plugin Interface's ABI as data.
//!
//! This crate defines types, constants and structures under their C names, [the single list](for_each_entry_point) of
//! entry points with their slots in each PI version, and the layouts of `pi_plugin`. It runs no code: it does no I/O,
//! reads no environment variables and knows no vendor.
#![no_std]
#![allow(non_camel_case_types, non_snake_case, non_upper_case_globals)]

pub mod advice;
mod callbacks;
pub mod consts;
pub mod plugin;
mod structs;
pub mod table;
mod types;
mod version;

pub use callbacks::*;
pub use consts::*;
pub use plugin::{
    pi_plugin_9_11, pi_plugin_11_15, pi_plugin_12_21, pi_plugin_12_27, pi_plugin_14_37, pi_plugin_15_47,
};
pub use structs::*;
pub use table::{ENTRY_POINTS, EntryPoint, Family};
pub use types::*;
pub use version::{PluginOffsets, Version};
