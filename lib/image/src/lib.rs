//! Device images as data.
//!
//! A *device image* is a piece of device code (mostly SPIR-V) with a target, build options and the names of its entry
//! points. Its *property sets* tell a runtime what the code needs and offers. [`ImageParts`] is an undecoded image.
//! [`Properties`] holds its property sets, decoded and checked once. [`spirv`] reads and changes the code.
//! [`mod@derive`] makes property sets for code that comes without them. [`text`] reads and writes the files that
//! intel/llvm's tools exchange.
//!
//! ```
//! use sycl_pi_image::{ImageParts, Properties, Property, PropertySet, Value};
//! let mut set = PropertySet::new("SYCL/device globals");
//! // Four bytes of value, no image scope.
//! set.properties.push(Property::new("_Z7Counter", Value::byte_array(&[4, 0, 0, 0, 0, 0, 0, 0])));
//! let mut image = ImageParts::new("counter.spv", "spir64", Vec::new());
//! image.property_sets.push(set);
//! let properties = Properties::decode(&image)?;
//! assert_eq!(properties.device_globals.get("_Z7Counter").map(|global| global.size), Some(4));
//! # Ok::<(), sycl_pi_image::PropertyError>(())
//! ```
//!
//! This crate calls no driver, opens no file and starts no thread, and no input makes it panic: a malformed image is an
//! [`Error`] that names the image, the set and the property, or the place in the file.
//!
//! The specifications are the design documents of DPC++: "Specialization constants", "Implementation design for
//! device_global", "Behavior for optional kernel features" and "Device code dynamic linking". Where the compiler
//! deviates from them, this crate reads both forms, and the type's documentation says so.
#![forbid(unsafe_code)]

pub mod architecture;
pub mod aspect;
pub mod compressed;
pub mod derive;
pub mod emulate;
mod error;
pub mod filter;
mod parts;
pub mod property;
mod room;
pub mod spirv;
pub mod text;
pub mod unwrap;
pub mod wrap;

pub use error::{Error, Problem, PropertyError, TextError};
pub use parts::{ImageParts, Property, PropertySet, Value};
pub use property::{Properties, SetKind};
pub use room::OutOfMemory;
