//! Describes, builds, launches and checks the kernels of libraries that vendors ship.

mod build;
mod describe;
mod families;
mod launch;
mod names;
mod values;

pub use build::build;
pub use describe::{describe, write_code};
pub use launch::launch;

use sycl_pi_runtime::{CacheConfig, Caches, Context, Device, Queue, QueueOptions, Result};

/// A device with the objects needed to run kernels.
struct Stack {
    device: Device,
    context: Context,
    queue: Queue,
    caches: Caches,
}

impl Stack {
    /// Opens the first device of a plugin. Caches nothing on disk.
    fn open(plugin: &std::path::Path) -> Result<Self> {
        let device = super::open(plugin)?.first_device()?;
        let context = Context::new(std::slice::from_ref(&device))?;
        let queue = Queue::new(&context, &device, QueueOptions::new())?;
        // Thousands of programs are built once each.
        let caches = Caches::new(&CacheConfig::default().with_persistent(false).with_in_memory(false));
        Ok(Self { device, context, queue, caches })
    }
}

/// Formats a line of output, without line breaks and tabs in its fields.
fn line(fields: &[&str]) -> String {
    let field = |field: &&str| field.split_whitespace().collect::<Vec<_>>().join(" ");
    fields.iter().map(field).collect::<Vec<_>>().join("\t")
}
