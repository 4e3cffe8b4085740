//! Raw Level Zero bindings: the types of the specification, and the calls of `libze_loader.so.1`.
//!
//! The loader is opened at first use, and each function is looked up separately. If one is missing, only its call
//! returns an error. Names are those of the specification. The crate implements no policy: calls take the same
//! arguments as the C functions.
//!
//! Types and functions are those of loader 1.8.12 (Debian 12). [`types::newer`] contains later additions that are used
//! if they are available. Structure types, image formats and memory types are limited to those in use.

#![allow(non_camel_case_types, non_snake_case)]

#[macro_use]
mod macros;
mod error;
mod functions;
#[cfg(test)]
mod layout;
mod library;
pub mod types;

pub use error::{AnsweredBy, ZeError};
pub use functions::Ze;
pub use library::{why_missing, ze};
pub use types::*;
