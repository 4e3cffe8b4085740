//! Device images for targets without native specialization constants.

use crate::error::Error;
use crate::parts::ImageParts;
use crate::property::{ParamMask, Properties, SetKind};
use crate::spirv::{self, EntryPoint, Index, Module, Reflection};

/// An image whose kernels load their specialization constants from a buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmulatedImage {
    /// The image. Its property sets are those of the original, except that the buffer is no longer among the removed
    /// arguments.
    pub image: ImageParts<'static>,
    /// The kernels that take the buffer as their last argument.
    pub kernels: Vec<String>,
}

/// Replaces an image's specialization constants; see [`spirv::emulate`].
pub fn emulate(image: &ImageParts<'_>) -> Result<EmulatedImage, Error> {
    let in_file = |error: spirv::SpirvError| error.in_file(image.name.clone());
    let mut properties = Properties::decode(image)?;
    let module = Module::parse(&image.bytes).map_err(in_file)?;
    let index = Index::new(&module).map_err(in_file)?;
    let made = spirv::emulate(&index, &properties.spec_constants).map_err(in_file)?;
    for entry in Reflection::of(&index).map_err(in_file)?.entry_points {
        if made.kernels.contains(&entry.name) {
            add_buffer(&mut properties, &entry);
        }
    }
    if !properties.param_opt.kernels.is_empty() && !properties.sets.contains(&SetKind::ParamOpt) {
        properties.sets.push(SetKind::ParamOpt);
    }
    let code = made.module.to_bytes().map_err(in_file)?;
    let image = image.with_code(code, properties.encode())?;
    Ok(EmulatedImage { image, kernels: made.kernels })
}

/// Adds the buffer to a kernel's arguments. The front end gives each such kernel the argument and removes it if
/// constants are native, so here it is either restored or new.
fn add_buffer(properties: &mut Properties, entry: &EntryPoint) {
    let in_code = entry.arguments.len() as u64;
    let masks = &mut properties.param_opt.kernels;
    match masks.iter_mut().find(|mask| mask.kernel == entry.name) {
        Some(mask) if mask.is_removed(mask.arguments.saturating_sub(1)) => mask.keep_last(),
        Some(mask) => mask.add_last(),
        None => masks.push(ParamMask::all_kept(entry.name.clone(), in_code + 1)),
    }
}
