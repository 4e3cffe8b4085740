//! A built program, with its device globals and the buffers of its specialization constants.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;

use super::compile::{compile, sets_natively};
use super::{BuildOptions, SpecValues, stored};
use crate::call::{Buffer, Context, Device, Queue, RawProgram};
use crate::error::Result;
use crate::registry::Image;

/// A program built for a device, and the images from which it was built.
pub(crate) struct BuiltProgram {
    pub(crate) raw: RawProgram,
    pub(crate) images: Vec<Arc<Image>>,
    pub(crate) device: Device,
    /// The buffers for emulated specialization constants, one for each image that needs one.
    buffers: Vec<(u64, Buffer<u8>)>,
    globals_ready: AtomicBool,
    globals: Mutex<()>,
}

impl BuiltProgram {
    /// Builds a program unless the store has it. The first image is the one that needs the others.
    pub(crate) fn build(
        context: &Context,
        device: &Device,
        images: &[Arc<Image>],
        (values, options): (&SpecValues, &BuildOptions),
        store: &sycl_pi_cache::Store,
    ) -> Result<Self> {
        let compile = || compile(context, device, images, values, options);
        let raw = stored::load_or_build(context, device, images, (values, options), store, compile)?;
        let mut buffers = Vec::new();
        for image in images.iter().filter(|image| !image.properties().spec_constants.is_empty()) {
            if !sets_natively(image, device)? {
                buffers.push((image.id(), Buffer::new(context, &values.blob(image)?)?));
            }
        }
        let (images, device) = (images.to_vec(), device.clone());
        let (globals_ready, globals) = (AtomicBool::new(false), Mutex::new(()));
        Ok(Self { raw, images, device, buffers, globals_ready, globals })
    }

    /// Returns the buffer for an image's emulated specialization constants.
    pub(crate) fn spec_buffer(&self, image: u64) -> Option<&Buffer<u8>> {
        self.buffers.iter().find(|(id, _)| *id == image).map(|(_, buffer)| buffer)
    }

    /// Returns whether the images' variables contain values themselves. If so, there must not be a second program.
    pub(crate) fn has_image_scope(images: &[Arc<Image>]) -> bool {
        let globals = images.iter().flat_map(|image| &image.properties().device_globals.globals);
        globals.into_iter().any(|global| global.image_scope)
    }

    /// Initializes the program's device globals, once: `value` returns the bytes to write into each, if any.
    pub(crate) fn prepare_globals(
        &self,
        queue: &Queue,
        value: impl Fn(&sycl_pi_image::property::DeviceGlobal) -> Result<Option<Vec<u8>>>,
    ) -> Result<()> {
        if self.globals_ready.load(Ordering::Acquire) {
            return Ok(());
        }
        let _one_at_a_time = self.globals.lock();
        if self.globals_ready.load(Ordering::Acquire) {
            return Ok(());
        }
        let mut done = std::collections::HashSet::new();
        for image in &self.images {
            let globals = &image.properties().device_globals.globals;
            for global in globals.iter().filter(|global| done.insert(&global.unique_id)) {
                if let Some(bytes) = value(global)? {
                    self.raw.write_variable(queue, &global.unique_id, 0, &bytes)?;
                }
            }
        }
        self.globals_ready.store(true, Ordering::Release);
        Ok(())
    }

    /// Returns the program's approximate size in bytes.
    pub(crate) fn size(&self) -> u64 {
        self.images.iter().map(|image| image.parts().bytes.len() as u64).sum()
    }
}
