//! The image of a module that comes without its properties.

use sycl_pi_image::{ImageParts, Properties, SetKind};

use crate::error::ImageError;

/// The image of a module of which nothing but its code is known. Other properties than these stay what the driver knows of the code:
/// what a derived one would refuse, the driver may take.
pub(super) fn without_properties<'a>(name: &str, code: &'a [u8]) -> Result<ImageParts<'a>, ImageError> {
    let derived = sycl_pi_image::derive::derive(code)
        .map_err(|error| ImageError::Code { image: name.to_owned(), error })?;
    let mut parts = ImageParts::new(name.to_owned(), "spir64", code);
    let kernels = derived.properties.kernel_names.iter();
    parts.entries = kernels.map(|kernel| kernel.to_owned().into()).collect();
    let sets = [
        SetKind::SpecConstants,
        SetKind::SpecDefaults,
        SetKind::DeviceGlobals,
        SetKind::Imports,
        SetKind::Exports,
    ];
    let known = Properties { sets: sets.into(), ..derived.properties };
    parts.property_sets = known.encode().into_iter().filter(|set| !set.properties.is_empty()).collect();
    Ok(parts)
}
