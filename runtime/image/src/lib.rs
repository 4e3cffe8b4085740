//! Device images as data.
//!
//! A *device image* is a piece of device code (mostly SPIR-V) with a target, build options, the names of its entry
//! points, and *property sets* that tell a runtime what the code needs and offers. [`ImageParts`] is an image as it comes,
//! undecoded; [`Properties`] is what its property sets say, decoded and checked once; [`spirv`] looks into the code itself;
//! [`derive`] makes property sets for code that comes without; [`text`] reads and writes the files that intel/llvm's tools
//! exchange.
//!
//! Nothing here calls a driver, opens a file or starts a thread, and no input makes it panic: a malformed image is an
//! [`Error`] that names the image, the set and the property, or the place in the file.
//!
//! The specifications are the design documents of DPC++: "Specialization constants", "Implementation design for
//! device_global", "Behavior for optional kernel features" and "Device code dynamic linking". Where the compiler writes
//! something else than they say, both are read, and the type's documentation says so.
#![forbid(unsafe_code)]

pub mod aspect;
pub mod derive;
pub mod emulate;
mod error;
pub mod filter;
mod parts;
pub mod property;
pub mod spirv;
pub mod text;
pub mod unwrap;
pub mod wrap;

pub use error::{Error, Problem, PropertyError, TextError};
pub use parts::{ImageParts, Property, PropertySet, Value};
pub use property::{Properties, SetKind};
