//! The image of a module that comes without its properties.

use sycl_pi_image::{ImageParts, Properties, SetKind};

use crate::error::ImageError;

/// Creates the image of a module of which only the code is known. It has no properties other than those listed here, so
/// the driver decides about the rest. It may accept code that a derived property would refuse.
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
