//! Building a program of one image, or of several that are linked.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;
use sycl_pi_image::spirv::{self, Module};
use sycl_pi_image::{Property, SetKind};

use super::{SpecValues, stored};
use crate::call::{Buffer, Context, Device, Queue, RawProgram};
use crate::error::Result;
use crate::registry::{Format, Image};

/// A program that is built for a device, with what it was built of.
pub(crate) struct BuiltProgram {
    pub(crate) raw: RawProgram,
    pub(crate) images: Vec<Arc<Image>>,
    pub(crate) device: Device,
    /// The buffers for emulated specialization constants, one for each image that needs one.
    buffers: Vec<(u64, Buffer<u8>)>,
    globals_ready: AtomicBool,
    globals: Mutex<()>,
}

/// Whether the driver itself sets the image's specialization constants; otherwise they are in a buffer.
pub(crate) fn sets_natively(image: &Image, device: &Device) -> bool {
    let table = &device.backend().plugin().table;
    let can = image.format() == Format::Spirv && table.piextProgramSetSpecializationConstant.is_some();
    can && image.has_native_constants()
}

impl BuiltProgram {
    /// Builds a program, unless the store has it; the first image is the one that needs the others.
    pub(crate) fn build(
        context: &Context,
        device: &Device,
        images: &[Arc<Image>],
        values: &SpecValues,
        store: &sycl_pi_cache::Store,
    ) -> Result<Self> {
        let compile = || compile(context, device, images, values);
        let raw = stored::load_or_build(context, device, images, values, store, compile)?;
        let mut buffers = Vec::new();
        for image in images.iter().filter(|image| !image.properties().spec_constants.is_empty()) {
            if !sets_natively(image, device) {
                buffers.push((image.id(), Buffer::new(context, &values.blob(image))?));
            }
        }
        let (images, device) = (images.to_vec(), device.clone());
        let (globals_ready, globals) = (AtomicBool::new(false), Mutex::new(()));
        Ok(Self { raw, images, device, buffers, globals_ready, globals })
    }

    /// The buffer for an image's emulated specialization constants.
    pub(crate) fn spec_buffer(&self, image: u64) -> Option<&Buffer<u8>> {
        self.buffers.iter().find(|(id, _)| *id == image).map(|(_, buffer)| buffer)
    }

    /// Sets the program's device globals up, once; `write` is given each that is in USM.
    pub(crate) fn prepare_globals(
        &self,
        queue: &Queue,
        address: impl Fn(&sycl_pi_image::property::DeviceGlobal) -> Result<usize>,
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
            for global in globals.iter().filter(|global| !global.image_scope) {
                if done.insert(&global.unique_id) {
                    let bytes = address(global)?.to_ne_bytes();
                    self.raw.write_variable(queue, &global.unique_id, 0, &bytes)?;
                }
            }
        }
        self.globals_ready.store(true, Ordering::Release);
        Ok(())
    }

    /// Roughly what it takes, in bytes.
    pub(crate) fn size(&self) -> u64 {
        self.images.iter().map(|image| image.parts().bytes.len() as u64).sum()
    }
}

/// The options that an image is built with where it is the only one.
pub(super) fn options(image: &Image) -> String {
    let parts = image.parts();
    format!("{} {}", parts.compile_options, parts.link_options).trim().to_owned()
}

fn compile(
    context: &Context,
    device: &Device,
    images: &[Arc<Image>],
    values: &SpecValues,
) -> Result<RawProgram> {
    let mut programs = Vec::with_capacity(images.len());
    for image in images {
        let program = create(context, device, image)?;
        if sets_natively(image, device) {
            values.scalars(image).try_for_each(|(id, value)| program.set_spec_constant(id, value))?;
        }
        programs.push(program);
    }
    if let ([image], 1) = (images, programs.len()) {
        let program = programs.remove(0);
        program.build(device, &options(image))?;
        return Ok(program);
    }
    for (image, program) in images.iter().zip(&programs) {
        program.compile(device, &image.parts().compile_options)?;
    }
    let main = images.first();
    let name = main.map_or("", |image| image.name());
    let link_options = main.map_or("", |image| image.parts().link_options.as_ref());
    RawProgram::link(context, device, name, &programs, link_options)
}

/// The code in the form that more drivers take; as it is where that cannot be told, since the driver is the judge of it.
fn portable(bytes: &[u8]) -> Cow<'_, [u8]> {
    let made = Module::parse(bytes).and_then(|module| spirv::portable(&module));
    made.ok().flatten().map_or(Cow::Borrowed(bytes), |module| Cow::Owned(module.to_bytes()))
}

fn create(context: &Context, device: &Device, image: &Image) -> Result<RawProgram> {
    let bytes = &image.parts().bytes;
    if image.format() == Format::Spirv {
        return RawProgram::from_il(context, image.name(), &portable(bytes));
    }
    let metadata: Vec<Property<'static>> =
        image.properties().encode_set(SetKind::Metadata).map(|set| set.properties).unwrap_or_default();
    RawProgram::from_binary(context, device, image.name(), bytes, &metadata)
}
