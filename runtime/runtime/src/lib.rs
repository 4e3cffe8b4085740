//! A thin runtime over any PI plugin: device images by the names in them, kernels built once, launches that are checked.
//!
//! [`Backend`] is a loaded plugin; [`Platform`], [`Device`], [`Context`], [`Queue`], [`Event`], [`Usm`] and [`Buffer`] are its
//! objects, owned, to be dropped in any order. [`Registry`] holds device images; a [`Runtime`] finds and builds their kernels for
//! a context, with specialization constants ([`SpecValues`]), device globals and dynamic linking; a [`Kernel`] is launched
//! over an [`NdRange`] with [`Arg`]s. `docs/guide/runtime.md` is the page for users.
//!
//! ```no_run
//! use sycl_pi_runtime::*;
//! # fn main() -> Result<()> {
//! let registry = Registry::new();
//! registry.add(sycl_pi_image::ImageParts {
//!     name: "scale.spv".into(),
//!     target: "spir64".into(),
//!     bytes: std::fs::read("scale.spv").map_err(|error| Error::Image(error.to_string()))?.into(),
//!     entries: vec!["scale".into()],
//!     ..Default::default()
//! })?;
//! let device = Backend::open("libpi_opencl.so".as_ref())?.first_device()?;
//! let context = Context::new(std::slice::from_ref(&device))?;
//! let queue = Queue::new(&context, &device, QueueOptions::default())?;
//! let runtime = Runtime::new(&context, &registry);
//! let kernel = runtime.kernel(&device, "scale", &SpecValues::new())?;
//! let values = Usm::<f32>::new(&context, &device, UsmKind::Device, 16)?;
//! values.write(&queue, 0, &[2.0; 16])?;
//! kernel.launch(&queue, NdRange::linear(16), &[Arg::usm(&values), Arg::value(&3.0_f32)])?.wait()?;
//! assert_eq!(values.to_vec(&queue)?, [6.0; 16]);
//! # Ok(())
//! # }
//! ```

mod build;
mod caches;
pub mod call;
pub mod capi;
mod error;
mod globals;
mod launch;
mod registry;
mod runtime;

pub use build::SpecValues;
pub use caches::Caches;
pub use call::{
    Backend, Buffer, Context, Device, Discovery, Element, Event, Platform, Profile, Queue, QueueOptions, Usm,
    UsmKind,
};
pub use error::{Error, ErrorKind, Result};
pub use launch::{Arg, Kernel, NdRange};
pub use registry::{Format, Image, Images, ModuleId, Registry};
pub use runtime::Runtime;
pub use sycl_pi_cache::Config as CacheConfig;
pub use sycl_pi_image::ImageParts;
