//! Compiles and links images with the driver.

use std::borrow::Cow;
use std::sync::Arc;

use sycl_pi_image::spirv::{self, Module, SpirvError};
use sycl_pi_image::{Property, SetKind};

use super::options::for_device;
use super::{BuildOptions, SpecValues};
use crate::call::{Context, Device, RawProgram};
use crate::error::Result;
use crate::registry::{Format, Image};

/// Returns whether the driver sets the image's specialization constants. Otherwise kernels read them from a buffer.
pub(super) fn sets_natively(image: &Image, device: &Device) -> Result<bool> {
    let table = &device.plugin().loaded().table();
    let can = image.format() == Format::Spirv && table.piextProgramSetSpecializationConstant.is_some();
    Ok(can && image.has_native_constants()?)
}

/// Returns the options with which an image is built if it is the only one.
pub(super) fn options(image: &Image, device: &Device, given: &BuildOptions) -> String {
    let parts = image.parts();
    let (compile, link) =
        (given.compile_options(&parts.compile_options), given.link_options(&parts.link_options));
    let all = format!("{compile} {link}");
    for_device(&all, device.info()).trim().to_owned()
}

/// Builds one image, or compiles and links several.
pub(super) fn compile(
    context: &Context,
    device: &Device,
    images: &[Arc<Image>],
    values: &SpecValues,
    given: &BuildOptions,
) -> Result<RawProgram> {
    let mut programs = Vec::with_capacity(images.len());
    for image in images {
        let program = create(context, device, image)?;
        if sets_natively(image, device)? {
            values.scalars(image).try_for_each(|(id, value)| program.set_spec_constant(id, value))?;
        }
        programs.push(program);
    }
    if let ([image], 1) = (images, programs.len()) {
        let program = programs.remove(0);
        program.build(device, &options(image, device, given))?;
        return Ok(program);
    }
    for (image, program) in images.iter().zip(&programs) {
        let options = given.compile_options(&image.parts().compile_options);
        program.compile(device, &for_device(&options, device.info()))?;
    }
    let main = images.first();
    let name = main.map_or("", |image| image.name());
    let link_options = given.link_options(main.map_or("", |image| image.parts().link_options.as_ref()));
    RawProgram::link(context, device, name, &programs, &for_device(&link_options, device.info()))
}

/// Returns the code in the form that more drivers accept. Code that cannot be parsed is left to the driver.
fn portable(bytes: &[u8]) -> Result<Cow<'_, [u8]>, SpirvError> {
    let make = || spirv::portable(&Module::parse(bytes)?)?.map(|module| module.to_bytes()).transpose();
    match make() {
        Ok(Some(made)) => Ok(Cow::Owned(made)),
        Err(error) if error.is_out_of_memory => Err(error),
        _ => Ok(Cow::Borrowed(bytes)),
    }
}

fn create(context: &Context, device: &Device, image: &Image) -> Result<RawProgram> {
    let bytes = &image.parts().bytes;
    if image.format() == Format::Spirv {
        return RawProgram::from_il(context, image.name(), &portable(bytes)?);
    }
    let metadata: Vec<Property<'static>> =
        image.properties().encode_set(SetKind::Metadata).map(|set| set.properties).unwrap_or_default();
    RawProgram::from_binary(context, device, image.name(), bytes, &metadata)
}
