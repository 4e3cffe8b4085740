//! Rewritten device code, and files from which images are extracted.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use sycl_pi_image::spirv::{DriverFacts, Index, Module, Needs, Reflection, legalize, mismatches, portable};
use sycl_pi_image::unwrap::{is_elf, unwrap as images_of};
use sycl_pi_image::wrap::wrap;
use sycl_pi_image::{ImageParts, Value, derive};

/// Any bytes as an ELF file. The images found in it have no more bytes than the file, can be wrapped, and are found
/// again.
pub(crate) fn unwrap(bytes: &[u8]) {
    let Ok(found) = images_of("a.o", bytes) else { return };
    assert!(is_elf(bytes) && !(found.images.is_empty() && found.damaged.is_empty()));
    let most = 16 * bytes.len() + (64 << 10);
    assert!(256 * (found.images.len() + found.damaged.len()) <= most + 256);
    assert!(found.images.iter().map(taken_from_the_file).sum::<usize>() <= most);
    let images: Vec<ImageParts<'_>> = found.images.into_iter().enumerate().map(numbered).collect();
    let Ok(object) = wrap(&images) else { return };
    match images_of("a.o", &object) {
        Ok(again) => assert_eq!((again.images, again.damaged), (images, Vec::new())),
        Err(error) => assert!(images.is_empty(), "{error}"),
    }
}

/// Returns how many bytes of the file belong to an image alone.
fn taken_from_the_file(image: &ImageParts<'_>) -> usize {
    let of = |bytes: &Cow<'_, [u8]>| if matches!(bytes, Cow::Borrowed(_)) { bytes.len() } else { 0 };
    let value = |value: &Value<'_>| match value {
        Value::Uint32(_) => 0,
        Value::ByteArray(bytes) | Value::Other(_, bytes) => of(bytes),
    };
    let properties = image.property_sets.iter().flat_map(|set| &set.properties);
    let properties = properties.map(|property| 32 + property.name.len() + value(&property.value));
    let entries = image.entries.iter().map(|entry| 32 + entry.len());
    of(&image.bytes) + image.target.len() + properties.sum::<usize>() + entries.sum::<usize>()
}

/// Returns an image with the name that it has if no other image is damaged.
fn numbered((number, mut image): (usize, ImageParts<'_>)) -> ImageParts<'_> {
    image.name = format!("a.o image {number}").into();
    image
}

/// Any bytes as SPIR-V with specialization constants. None may be left, and the result must be readable.
pub(crate) fn emulated(bytes: &[u8]) {
    let Ok(image) = derive::image("a.spv", bytes) else { return };
    let Ok(made) = sycl_pi_image::emulate::emulate(&image) else { return };
    let module = Module::parse(&made.image.bytes).expect("what was written can be read");
    let index = Index::new(&module).expect("what was written has its ids");
    let names: Vec<String> =
        Reflection::of(&index).expect("kernels").entry_points.into_iter().map(|entry| entry.name).collect();
    assert!(made.kernels.iter().all(|kernel| names.contains(kernel)));
    let again: ImageParts<'_> = made.image.clone();
    let again = sycl_pi_image::emulate::emulate(&again).expect("nothing is left to emulate");
    assert!(again.kernels.is_empty() && again.image.bytes == made.image.bytes);
}

/// Any bytes as SPIR-V prepared for other compilers. The kernels stay, and a second preparation changes nothing.
pub(crate) fn ported(bytes: &[u8]) {
    let Ok(module) = Module::parse(bytes) else { return };
    let Ok(Some(made)) = portable(&module) else { return };
    let made =
        Module::parse(&made.to_bytes().expect("there is memory")).expect("what was written can be read");
    let kernels = |module: &Module| {
        let index = Index::new(module).ok()?;
        let entries = Reflection::of(&index).ok()?.entry_points;
        Some(entries.into_iter().map(|entry| entry.name).collect::<Vec<_>>())
    };
    if let Some(before) = kernels(&module) {
        assert_eq!(kernels(&made).expect("what was written has its ids"), before);
    }
    assert!(portable(&made).expect("what was written can be read again").is_none());
}

/// Any bytes as SPIR-V that is rewritten for each OpenCL driver that needs it, and for all of them together. Each kernel
/// stays or is refused, and the result can be rewritten again.
pub(crate) fn legalized(bytes: &[u8]) {
    let kernels = |bytes: &[u8]| -> Option<BTreeSet<String>> {
        let module = Module::parse(bytes).ok()?;
        let reflection = Reflection::of(&Index::new(&module).ok()?).ok()?;
        Some(reflection.entry_points.into_iter().map(|entry| entry.name).collect())
    };
    let before = kernels(bytes);
    let drivers: Vec<DriverFacts> = DriverFacts::names().filter_map(DriverFacts::named).collect();
    let each = drivers.iter().map(Needs::of);
    for needs in each.chain([Needs::of_all(&drivers)]) {
        let Ok(made) = legalize(bytes, &needs) else { continue };
        let Some(before) = &before else { continue };
        let refused = made.refused.iter().filter(|refusal| refusal.is_kernel);
        let mut after = kernels(&made.module).expect("what was written can be read");
        after.extend(refused.map(|refusal| refusal.name.clone()));
        assert_eq!(after, *before);
        let _ = legalize(&made.module, &needs);
    }
}

/// Any bytes as SPIR-V whose kernels expect no aspects. Each mismatch is reported once, and no expected aspect is.
pub(crate) fn mismatched(bytes: &[u8]) {
    let Ok(module) = Module::parse(bytes) else { return };
    let Ok(index) = Index::new(&module) else { return };
    let Ok(reflection) = Reflection::of(&index) else { return };
    let names = || reflection.entry_points.iter().map(|entry| entry.name.clone());
    let nothing: BTreeMap<String, BTreeSet<u32>> = names().map(|name| (name, BTreeSet::new())).collect();
    let found = mismatches(&index, &reflection, &nothing);
    let mut reported = BTreeSet::new();
    for mismatch in &found {
        assert!(!mismatch.to_string().is_empty() && !mismatch.chain.is_empty());
        assert!(reported.insert((&mismatch.function, mismatch.aspect)), "{mismatch}");
    }
    let all: BTreeSet<u32> = found.iter().map(|mismatch| mismatch.aspect).collect();
    let everything = names().map(|name| (name, all.clone())).collect();
    assert_eq!(mismatches(&index, &reflection, &everything), []);
}
