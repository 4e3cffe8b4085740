//! Programs on disk: their keys, and programs created from binaries.
//!
//! The key contains the input of the compiler and the identity of the compiler: see `docs/guide/cache.md`. A program of
//! native images is not stored, since there is nothing to compile.

use std::sync::Arc;

use sycl_pi_cache::store::{self, KeyRefs};
use sycl_pi_cache::{Store, StoreKey};
use sycl_pi_image::SetKind;

use super::compile::{options, sets_natively};
use super::{BuildOptions, SpecValues};
use crate::call::{Context, Device, RawProgram};
use crate::error::{Error, Result};
use crate::host_memory;
use crate::registry::{Format, Image};

/// Returns the program of these images, loaded from disk or built by `build` and stored.
pub(crate) fn load_or_build(
    context: &Context,
    device: &Device,
    images: &[Arc<Image>],
    (values, options): (&SpecValues, &BuildOptions),
    store: &Store,
    build: impl FnOnce() -> Result<RawProgram>,
) -> Result<RawProgram> {
    if images.iter().any(|image| image.format() != Format::Spirv) {
        return build();
    }
    if store.root().is_none() {
        // The key is not needed.
        store.count_build();
        return build();
    }
    let build_and_keep = || {
        let value = build()?;
        // If the driver returns no binary, the next run builds again. This run continues.
        let binary = value.binary(device).unwrap_or_default();
        let kernels = images.iter().flat_map(|image| image.kernels()).map(|name| name.to_string()).collect();
        Ok(store::Built { value, binary, kernels })
    };
    let open = |binary: &[u8]| open(context, device, images, options, binary);
    store
        .load_or_build(&key(device, images, values, options)?, open, build_and_keep)
        .map(|(program, _)| program)
}

fn open(
    context: &Context,
    device: &Device,
    images: &[Arc<Image>],
    given: &BuildOptions,
    binary: &[u8],
) -> Result<RawProgram> {
    let name = images.first().map_or("", |image| image.name());
    let sets = images.iter().filter_map(|image| image.properties().encode_set(SetKind::Metadata));
    let metadata: Vec<_> = sets.flat_map(|set| set.properties).collect();
    let program = RawProgram::from_binary(context, device, name, binary, &metadata)?;
    program.build(device, &images.first().map(|image| options(image, device, given)).unwrap_or_default())?;
    Ok(program)
}

/// Joins the options of all images into a text that is different for any different options.
fn together(mut all: Vec<String>) -> String {
    if all.iter().all(String::is_empty) {
        return String::new();
    }
    match all.as_mut_slice() {
        [only] => std::mem::take(only),
        all => all.iter().map(|options| format!("{options:?} ")).collect(),
    }
}

fn key(
    device: &Device,
    images: &[Arc<Image>],
    values: &SpecValues,
    given: &BuildOptions,
) -> Result<StoreKey> {
    // Modules are loaded in any order, so nothing may depend on the images' positions.
    let mut sorted: Vec<&Arc<Image>> = images.iter().collect();
    sorted.sort_by(|one, other| one.parts().bytes.cmp(&other.parts().bytes));
    let compile = |image: &Arc<Image>| given.compile_options(&image.parts().compile_options).into_owned();
    let compile_options = together(sorted.iter().map(|image| compile(image)).collect());
    let link_options =
        given.link_options(images.first().map_or("", |image| image.parts().link_options.as_ref()));
    let key = StoreKey::from_parts(KeyRefs {
        device: device.identity(),
        images: sorted.iter().map(|image| image.parts().bytes.as_ref()).collect(),
        spec_constants: &constants(&sorted, device, values)?,
        compile_options: &compile_options,
        link_options: &link_options,
    });
    key.map_err(|_| Error::HostMemory("there is no memory for the key of a program".into()))
}

/// Returns the constants in the driver's input: for each image its index, and the id, size and bytes of each scalar
/// that is set. Values that kernels read from a buffer are not part of the program.
fn constants(images: &[&Arc<Image>], device: &Device, values: &SpecValues) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    for (position, image) in images.iter().enumerate() {
        if values.scalars(image).next().is_none() || !sets_natively(image, device)? {
            continue;
        }
        for (id, value) in values.scalars(image) {
            host_memory::reserve(&mut bytes, 12 + value.len())?;
            for number in [position as u32, id, value.len() as u32] {
                bytes.extend_from_slice(&number.to_le_bytes());
            }
            bytes.extend_from_slice(value);
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_several_images_are_told_apart_by_their_image() {
        let of = |all: &[&str]| together(all.iter().map(|&options| options.to_owned()).collect());
        assert_eq!((of(&["-a"]), of(&[""]), of(&["", ""])), ("-a".into(), String::new(), String::new()));
        let different = [
            of(&["-a", ""]),
            of(&["", "-a"]),
            of(&["-a", "-a"]),
            of(&["-a -b", ""]),
            of(&["-a", "-b"]),
            of(&["-a -b", "-c"]),
            of(&["-a", "-b -c"]),
        ];
        for (number, one) in different.iter().enumerate() {
            assert!(!one.is_empty() && !different[..number].contains(one), "{one}");
        }
    }
}
