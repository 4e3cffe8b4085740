//! Raw Level Zero bindings: the types of the specification, and the calls of `libze_loader.so.1`.
//!
//! The loader is opened at first use, and each function is looked up separately. If one is missing, only its call
//! returns an error. Names are those of the specification. The crate implements no policy: calls take the same
//! arguments as the C functions.
//!
//! Types and functions are generated from the headers of loader 1.8.12 (Debian 12) and from `newer.h`, which declares
//! later additions that are used if they are available. The crate has what
//! `tools/xtask/src/headers/level_zero.txt` lists.

#![allow(non_camel_case_types, non_snake_case)]

#[macro_use]
mod macros;
mod error;
mod function_list;
mod functions;
mod library;
pub mod types;

pub use error::{AnsweredBy, ZeError};
pub use functions::Ze;
pub use library::{why_missing, ze};
pub use types::*;
