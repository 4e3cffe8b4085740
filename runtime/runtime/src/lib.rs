//! A thin runtime over any PI plugin. It finds device images by the names in them, builds kernels once, and checks
//! launches.
//!
//! [`Plugin`] is a loaded plugin. [`Platform`], [`Device`], [`Context`], [`Queue`], [`Event`], [`Usm`] and [`Buffer`]
//! own its objects; they may be dropped in any order, on any thread. [`Registry`] holds device images. A [`Runtime`]
//! finds and builds their kernels for a context, with specialization constants ([`SpecValues`]), device globals and
//! dynamic linking. A [`Kernel`] is launched over an [`NdRange`] with [`Arg`]s. The [guide] is the page for
//! users.
//!
//! [guide]: https://github.com/sycl-pi/sycl-pi/blob/main/docs/guide/runtime.md
//!
//! Three operations are `unsafe`, each with its contract: opening a plugin runs the code of a library, registering an
//! image passes its code to drivers unchecked, and a launch runs that code.
//!
//! ```no_run
//! use sycl_pi_runtime::*;
//! # fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
//! let registry = Registry::new();
//! // SAFETY: a compiler made the file.
//! unsafe { registry.add_spirv("scale", &std::fs::read("scale.spv")?, None) }?;
//! let device = Discovery::from_env()?.device(0)?;
//! let context = Context::new(std::slice::from_ref(&device))?;
//! let queue = Queue::new(&context, &device, QueueOptions::new())?;
//! let runtime = Runtime::new(&context, &registry);
//! let kernel = runtime.kernel(&device, "scale", &SpecValues::new())?;
//! let values = Usm::<f32>::new(&context, &device, UsmKind::Device, 16)?;
//! values.write(&queue, 0, &[2.0; 16])?;
//! // SAFETY: each of the 16 work-items multiplies one value.
//! unsafe { kernel.launch(&queue, NdRange::linear(16), &[Arg::usm(&values), Arg::value(&3.0_f32)]) }?.wait()?;
//! assert_eq!(values.to_vec(&queue)?, [6.0; 16]);
//! # Ok(())
//! # }
//! ```

pub mod binaries;
mod build;
mod caches;
mod call;
mod device_global;
mod error;
mod globals;
mod host_memory;
mod kernel;
mod launch;
mod registry;
mod runtime;
mod state;

pub use build::{BuildOptions, SpecValues};
pub use caches::Caches;
pub use call::{
    Buffer, Context, Device, Discovery, Element, Event, Platform, Plugin, Profile, Queue, QueueOptions, Usm,
    UsmKind,
};
pub use error::{BinaryProblem, Error, ErrorKind, ImageError, Result};
pub use kernel::Kernel;
pub use launch::{Arg, NdRange};
pub use registry::{Format, Image, ModuleId, Registry};
pub use runtime::Runtime;
pub use sycl_pi_cache::Config as CacheConfig;
pub use sycl_pi_image::ImageParts;

/// Compiles the example in README.md.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
