//! Raw Level Zero: the types of the specification, and the calls of `libze_loader.so.1`.
//!
//! The loader is opened at first use, and each function is found on its own: where it is missing, that call answers an
//! error, and nothing else is lost. Names are the specification's. No policy is here: calls take what the C functions take.
//!
//! Types and functions are those of loader 1.8.12 (Debian 12); [`types::newer`] has what came later and is of use where it
//! is there. Of structure types, image formats and memory types only those stand here that someone uses.

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
