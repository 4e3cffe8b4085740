//! Wrapped images are unwrapped from objects, libraries and programs; damaged files are errors.

use std::process::Command;

use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use sycl_pi_image::unwrap::{DamagedImage, unwrap};
use sycl_pi_image::wrap::{ImageVersion, wrap, wrap_as};
use sycl_pi_image::{ImageParts, Value};

use crate::budgets::Data;
use crate::common;

/// Clears the image's name, which depends on the file.
fn unnamed(mut image: ImageParts<'_>) -> ImageParts<'_> {
    image.name = "".into();
    image
}

fn all() -> Vec<ImageParts<'static>> {
    common::images().iter().map(|image| unnamed(image.parts().into_owned().unwrap())).collect()
}

#[test]
fn all_images_come_out_of_an_object() {
    let object = wrap(&all()).unwrap();
    let found = unwrap("images.o", &object).unwrap();
    assert_eq!(found.images[80].name, "images.o image 80");
    assert!(found.images.into_iter().map(unnamed).eq(all()) && found.damaged.is_empty());
}

/// DPC++ 2026 dropped the manifest.
#[test]
fn all_images_come_out_of_an_object_without_manifests() {
    let object = wrap_as(&all(), ImageVersion::WithoutManifest).unwrap();
    assert!(unwrap("images.o", &object).unwrap().images.into_iter().map(unnamed).eq(all()));
}

/// DPC++ 2026 renumbers the aspects: atomic64 is 27 there, ext_intel_esimd 49.
#[test]
fn aspects_of_2026_are_translated() {
    let mut set = sycl_pi_image::PropertySet::new("SYCL/device requirements");
    let aspects: Vec<u8> = [6_u32, 28, 53, 1050].iter().flat_map(|number| number.to_le_bytes()).collect();
    set.properties.push(sycl_pi_image::Property::new("aspects", sycl_pi_image::Value::byte_array(&aspects)));
    let mut image = all().swap_remove(0);
    image.property_sets = vec![set];
    let object = wrap_as(std::slice::from_ref(&image), ImageVersion::WithoutManifest).unwrap();
    let there: Vec<u8> = [6_u32, 27, 49, 50].iter().flat_map(|number| number.to_le_bytes()).collect();
    assert!(object.windows(there.len()).any(|bytes| bytes == there));
    assert_eq!(unwrap("a.o", &object).unwrap().images.pop().map(unnamed), Some(image));
}

#[test]
fn compressed_code_comes_out_as_it_was() {
    let compress = |mut image: ImageParts<'static>| {
        image.bytes = compress_to_vec(&*image.bytes, CompressionLevel::Fastest).into();
        image
    };
    let images: Vec<ImageParts<'static>> = all().into_iter().map(compress).collect();
    for version in [ImageVersion::WithManifest, ImageVersion::WithoutManifest] {
        let object = wrap_as(&images, version).unwrap();
        let found = unwrap("images.o", &object).unwrap();
        assert!(found.images.into_iter().map(unnamed).eq(all()) && found.damaged.is_empty());
    }
    let mut images = images;
    let code = images[1].bytes.to_mut();
    let length = code.len();
    code.truncate(length / 2);
    let object = wrap(&images).unwrap();
    let found = unwrap("images.o", &object).unwrap();
    assert_eq!((found.images.len(), found.damaged.len()), (80, 1));
    let text = found.damaged[0].to_string();
    assert!(text.starts_with("images.o image 1: the compressed code is damaged: "), "{text}");
}

/// The other images are returned. The error names the file, the image, the set and the property.
#[test]
fn a_damaged_image_is_named() {
    let name = |number: usize| format!("a.o image {number}");
    let property = |value: sycl_pi_image::Value<'static>| {
        let mut image = all().swap_remove(0);
        let mut set = sycl_pi_image::PropertySet::new("SYCL/device globals");
        set.properties.push(sycl_pi_image::Property::new("counter", value));
        image.property_sets = vec![set];
        image
    };
    let mut images: Vec<ImageParts<'static>> = all().drain(..3).collect();
    // 40 bytes, a size that nothing else in the object has.
    images[1] = property(sycl_pi_image::Value::byte_array(&[0; 32]));
    let mut object = wrap(&images).unwrap();
    let size =
        object.windows(16).position(|bytes| *bytes == [2, 0, 0, 0, 0, 0, 0, 0, 40, 0, 0, 0, 0, 0, 0, 0]);
    object[size.unwrap() + 11] = 1;
    let found = unwrap("a.o", &object).unwrap();
    assert_eq!(found.images.iter().map(|image| &*image.name).collect::<Vec<_>>(), [name(0), name(2)]);
    let problem = "property set \"SYCL/device globals\", property \"counter\": its 16777256 bytes are outside the file's \
                   sections";
    assert_eq!(found.damaged, [DamagedImage { image: name(1), problem: problem.into() }]);
}

/// Returns the value of an image's only property, which is "p" of the set "s", or why the image is damaged.
fn one_property(words: [u64; 3]) -> Result<Value<'static>, String> {
    let mut data = Data::default();
    let (target, _) = data.bytes(b"spir64\0");
    let code = data.bytes(&[7, 0, 0, 0, 9]);
    let ((set, _), (name, _)) = (data.bytes(b"s\0"), data.bytes(b"p\0"));
    let property = data.here();
    data.words(&[name, if words[0] == 0 { 0 } else { code.0 }, words[1], words[2]]);
    let sets = data.here();
    data.words(&[set, property, sets]);
    let image = data.here();
    data.image(target, 2, code, (sets, image));
    data.head(1, image);
    let file = data.file();
    let mut found = unwrap("a.so", &file).unwrap();
    let image = found.images.pop().ok_or_else(|| found.damaged.remove(0).problem)?;
    let set = &image.into_owned().unwrap().property_sets[0];
    assert_eq!((&*set.name, &*set.properties[0].name), ("s", "p"));
    Ok(set.properties[0].value.clone())
}

/// A number is in its structure's size, or at an address.
#[test]
fn values_are_in_their_structure_or_at_an_address() {
    assert_eq!(one_property([0, 1, 5]), Ok(Value::Uint32(5)));
    assert_eq!(one_property([1, 1, 4]), Ok(Value::Uint32(7)));
    assert_eq!(one_property([1, 2, 5]), Ok(Value::ByteArray(vec![7, 0, 0, 0, 9].into())));
    assert_eq!(one_property([0, 2, 0]), Ok(Value::ByteArray(vec![].into())));
    let large = "property set \"s\", property \"p\": is a number of 32 bits, but says 4294967296";
    assert_eq!(one_property([0, 1, 1 << 32]), Err(large.into()));
}

/// Adds an image to a table whose first image has this code and target.
type AddImage<'a> = &'a dyn Fn(&mut Data, (u64, u64), u64);

/// The first image is whole, because the array is not looked for otherwise.
#[test]
fn an_image_whose_structure_is_wrong_is_damaged() {
    let problem = |change: AddImage<'_>| {
        let mut data = Data::default();
        let (target, _) = data.bytes(b"spir64\0");
        let code = data.bytes(&[3, 2, 0x23, 7]);
        let images = data.here();
        data.image(target, 2, code, (0, 0));
        change(&mut data, code, target);
        data.head(2, images);
        let file = data.file();
        let mut found = unwrap("a.so", &file).unwrap();
        assert_eq!((found.images.len(), found.damaged.len()), (1, 1));
        found.damaged.remove(0).problem
    };
    let no_code = problem(&|data, (begin, _), target| data.image(target, 2, (begin, begin), (0, 0)));
    assert_eq!(no_code, "it has no code");
    let turned = problem(&|data, (begin, end), target| data.image(target, 2, (end, begin), (0, 0)));
    assert_eq!(turned, "the code end before they begin");
    let elsewhere = problem(&|data, code, target| data.image(target, 2, code, (1 << 40, (1 << 40) + 24)));
    assert_eq!(elsewhere, "the property sets are outside the file's sections");
    let uneven = problem(&|data, code, target| data.image(target, 2, code, (code.0, code.0 + 23)));
    assert_eq!(uneven, "the property sets take 23 bytes, which is not a multiple of 24");
    let unknown = "its descriptor has no known version, kind, format or target";
    assert_eq!(problem(&|data, code, target| data.image(target, 5, code, (0, 0))), unknown);
    assert_eq!(problem(&|data, code, _| data.image(0, 2, code, (0, 0))), unknown);
}

/// After linking, the same pointers are written in three other ways: for a loader, by the linker, and with names
/// stripped.
#[test]
fn and_of_libraries_and_programs() {
    let folder = tempfile::tempdir().unwrap();
    let object = folder.path().join("images.o");
    std::fs::write(&object, wrap(&all()).unwrap()).unwrap();
    let stubs = folder.path().join("stubs.c");
    let source = "void __sycl_register_lib(void *p) {} void __sycl_unregister_lib(void *p) {} int main(void) { return 0; }";
    std::fs::write(&stubs, source).unwrap();
    for flags in [["-shared", "-fPIC"], ["-pie", "-fPIE"], ["-no-pie", "-fno-pie"], ["-pie", "-s"]] {
        let linked = folder.path().join("linked");
        let mut cc = Command::new("cc");
        let cc = cc.args(flags).arg(&stubs).arg(&object).arg("-o").arg(&linked);
        let output = cc.output().expect("the tests need a C compiler");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let bytes = std::fs::read(&linked).unwrap();
        let found = unwrap("linked", &bytes).unwrap();
        assert!(found.images.into_iter().map(unnamed).eq(all()), "{flags:?}");
    }
}

#[test]
fn files_without_images() {
    let error = |bytes: &[u8]| unwrap("a", bytes).unwrap_err().to_string();
    assert!(error(b"\x7fELF").starts_with("a: "), "{}", error(b"\x7fELF"));
    assert_eq!(error(&wrap(&[]).unwrap()), "a: this ELF file contains no device image");
}

/// A file that is truncated or changed anywhere yields an error or other images, never a panic.
#[test]
fn damaged_files() {
    let object = wrap(&all()[..6]).unwrap();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below.max(1) as u64) as usize
    };
    let mut errors = 0;
    for _ in 0..2000 {
        let mut bytes = object.clone();
        match random(4) {
            0 => bytes.truncate(random(object.len())),
            1 => {
                let at = random(bytes.len() - 8);
                bytes[at..at + 8].fill(0xff);
            }
            _ => {
                // The headers of the file and of its sections, which contain sizes and offsets.
                let at = if random(2) == 0 { random(64) } else { object.len() - 1 - random(1200) };
                bytes[at] = random(256) as u8;
            }
        }
        errors += u32::from(unwrap("a", &bytes).map_or(true, |found| !found.damaged.is_empty()));
    }
    assert!(errors > 100, "{errors}");
}
