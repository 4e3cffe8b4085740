//! Tests the registry alone, without a driver.
#![expect(unsafe_code, reason = "the tests make the promises that programs make")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use sycl_pi_runtime::*;

const CODE: [u8; 8] = [3, 2, 0x23, 7, 0, 0, 1, 0];

fn image(name: &str, kernels: &[&str], exports: &[&str]) -> ImageParts<'static> {
    let mut sets = Vec::new();
    if !exports.is_empty() {
        let mut set = sycl_pi_image::PropertySet::new("SYCL/exported symbols");
        let property =
            |name: &&str| sycl_pi_image::Property::new((*name).to_owned(), sycl_pi_image::Value::Uint32(1));
        set.properties.extend(exports.iter().map(property));
        sets.push(set);
    }
    let entries = kernels.iter().chain(exports);
    let mut parts = ImageParts::new(name.to_owned(), "spir64", CODE.to_vec());
    parts.entries = entries.map(|name| (*name).to_owned().into()).collect();
    parts.property_sets = sets;
    parts
}

fn add(registry: &Registry, image: ImageParts<'_>) -> Result<ModuleId> {
    // SAFETY: the image is never built.
    unsafe { registry.add(image) }
}

/// The compiler's own JSON, and the property file that `pi image split` writes next to its pieces.
#[test]
fn properties_are_taken_in_both_forms() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lib/image/tests/images");
    let code = std::fs::read(folder.join("dg_basic.spv")).unwrap();
    let json = std::fs::read_to_string(folder.join("dg_basic.props.json")).unwrap();
    let parts = sycl_pi_image::text::read_json("a", &json, &code).unwrap();
    let prop = sycl_pi_image::text::write_prop("a.prop", &parts.property_sets).unwrap();
    for properties in [&json, &prop, &format!("\n  {json}")] {
        let registry = Registry::new();
        // SAFETY: the image is never built.
        unsafe { registry.add_spirv("a", &code, Some(properties)) }.unwrap();
        let images = registry.images();
        assert_eq!(images[0].parts().property_sets, parts.property_sets);
        assert_eq!(images[0].parts().entries, parts.entries);
        assert_eq!(images[0].parts().target, "spir64");
    }
    let registry = Registry::new();
    let problem = |properties: &str| {
        // SAFETY: the image is never built.
        unsafe { registry.add_spirv("a", &code, Some(properties)) }.unwrap_err().to_string()
    };
    assert_eq!(
        problem("[set]\nname=3|x\n"),
        "a:2: \"3\" is not a type, which is 1 (number) or 2 (byte array)"
    );
    assert!(problem("{").starts_with("a:1: EOF"), "{}", problem("{"));
}

/// An object, a loaded library, and files that are neither.
#[test]
fn images_of_files() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kernels.o");
    let parts = [image("a", &["K"], &[]), image("b", &["L"], &["f"])];
    let object = sycl_pi_image::wrap::wrap_as(&parts, sycl_pi_image::wrap::ImageVersion::WithoutManifest);
    std::fs::write(&file, object.unwrap()).unwrap();
    let registry = Registry::new();
    // SAFETY: the images are never built.
    let (module, errors) = unsafe { registry.add_file(&file) }.unwrap();
    assert!(errors.is_empty() && registry.has_kernel("K") && registry.has_kernel("L"));
    assert_eq!(registry.images_with_export("f")[0].name(), format!("{} image 1", file.display()));
    registry.remove(module);
    assert!(registry.images().is_empty());

    // The compressed code of the second image ends early. The first one is registered.
    let [whole, mut cut] = parts;
    cut.bytes = vec![0x28, 0xb5, 0x2f, 0xfd, 0x20, 8, 0x41, 0, 0].into();
    let object =
        sycl_pi_image::wrap::wrap_as(&[whole, cut], sycl_pi_image::wrap::ImageVersion::WithoutManifest);
    std::fs::write(&file, object.unwrap()).unwrap();
    // SAFETY: the images are never built.
    let (_, errors) = unsafe { registry.add_file(&file) }.unwrap();
    assert!(registry.has_kernel("K") && !registry.has_kernel("L"));
    let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
    let damaged = format!("{} image 1: the compressed code is damaged: ", file.display());
    assert!(errors.len() == 1 && errors[0].starts_with(&damaged), "{errors:?}");

    let text = |result: Result<_>| result.map(drop).unwrap_err().to_string();
    // SAFETY: the images are never built.
    let (none, library, unknown) = unsafe {
        (
            registry.add_file(&folder.path().join("none")),
            registry.add_loaded("libc.so.6"),
            registry.add_loaded("libno.so"),
        )
    };
    assert!(text(none).contains("none: No such file"));
    let library = text(library);
    assert!(library.ends_with("libc.so.6: this ELF file contains no device image"), "{library}");
    assert_eq!(text(unknown), "no library libno.so is loaded in this process");
    // The path of a loaded library is a name of it, and the end of its file name is none.
    let path = library.split(": ").next().unwrap();
    // SAFETY: the images are never built.
    let (by_path, by_end) = unsafe { (registry.add_loaded(path), registry.add_loaded("c.so.6")) };
    assert!(path.starts_with('/') && text(by_path) == library);
    assert_eq!(text(by_end), "no library c.so.6 is loaded in this process");
}

#[test]
fn exports_are_no_kernels() {
    let registry = Registry::new();
    add(&registry, image("a", &["K"], &["f"])).unwrap();
    assert!(registry.has_kernel("K"));
    assert!(!registry.has_kernel("f"));
    assert_eq!(registry.images_with_export("f").len(), 1);
}

/// The SYCL runtime's own kernels are in images of programs with `assert`.
#[test]
fn service_kernels_are_none_of_the_programs() {
    let registry = Registry::new();
    let service = "_ZTSN2cl4sycl6detail23__sycl_service_kernel__16AssertInfoCopierE";
    add(&registry, image("a", &["K", service], &[])).unwrap();
    assert_eq!(registry.kernel_names().iter().map(|name| name.to_string()).collect::<Vec<_>>(), ["K"]);
}

#[test]
fn images_tell_their_format() {
    let registry = Registry::new();
    let binary = |name: &str| {
        let mut parts = image(name, &["K"], &[]);
        parts.bytes = b"\x7fELF".to_vec().into();
        parts
    };
    let images = [
        (image("by its first bytes", &["K"], &[]), None),
        (binary("by none that are known"), None),
        (image("as it says", &["K"], &[]), Some(Format::Native)),
        (binary("as it says too"), Some(Format::Spirv)),
    ];
    // SAFETY: the images are never built.
    let (_, errors) = unsafe { registry.add_module(images) };
    assert!(errors.is_empty());
    let found: Vec<_> = registry.images().iter().map(|image| (image.format(), image.is_native())).collect();
    let (spirv, native) = ((Format::Spirv, false), (Format::Native, true));
    assert_eq!(found, [spirv, native, native, spirv]);
    let names: Vec<String> = registry.images().iter().map(|image| image.name().to_owned()).collect();
    let given = ["by its first bytes", "by none that are known", "as it says", "as it says too"];
    assert_eq!(names, given, "in the order of their registration");
    // Modules of either byte order, bitcode, and bitcode in its wrapper.
    let starts: [[u8; 4]; 5] =
        [[3, 2, 0x23, 7], [7, 0x23, 2, 3], *b"BC\xc0\xde", [0xde, 0xc0, 0x17, 0x0b], *b"BC\xc0\xdf"];
    let formats = [Format::Spirv, Format::Spirv, Format::Bitcode, Format::Bitcode, Format::Native];
    assert_eq!(starts.map(|start| Format::of_bytes(&start)), formats);
    // `pi_device_binary_type`
    let numbers = [Format::Native, Format::Spirv, Format::Bitcode].map(Format::number);
    assert_eq!(numbers, [1, 2, 3]);
}

#[test]
fn removing_really_removes() {
    let registry = Registry::new();
    let first = add(&registry, image("a", &["K", "L"], &["f"])).unwrap();
    let second = add(&registry, image("b", &["K"], &[])).unwrap();
    registry.remove(first);
    assert!(registry.has_kernel("K"), "it is in an image that stays");
    assert!(!registry.has_kernel("L"));
    assert!(registry.images_with_export("f").is_empty());
    registry.remove(second);
    assert!(registry.images().is_empty() && registry.kernel_names().is_empty());
    registry.remove(second);
}

#[test]
fn a_malformed_image_is_an_error_that_names_the_place() {
    let mut bad = image("bad.spv", &["K"], &[]);
    let mut set = sycl_pi_image::PropertySet::new("SYCL/device globals");
    set.properties.push(sycl_pi_image::Property::new("_Z1G", sycl_pi_image::Value::byte_array(&[1, 2, 3])));
    bad.property_sets.push(set);
    let registry = Registry::new();
    let error = add(&registry, bad).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Image);
    let text = error.to_string();
    for part in ["image bad.spv", "\"SYCL/device globals\"", "\"_Z1G\"", "3 bytes"] {
        assert!(text.contains(part), "{text}");
    }
    assert!(!registry.has_kernel("K"));
    let mut empty = image("empty", &["K"], &[]);
    empty.bytes = Vec::new().into();
    assert!(add(&registry, empty).unwrap_err().to_string().contains("size is zero"));
}

#[test]
fn one_device_global_has_one_size() {
    let with_scope = |name: &str, size: u8, scope: u8| {
        let mut image = image(name, &[], &[]);
        let mut set = sycl_pi_image::PropertySet::new("SYCL/device globals");
        let data = [size, 0, 0, 0, scope, 0, 0, 0];
        set.properties.push(sycl_pi_image::Property::new("_Z1G", sycl_pi_image::Value::byte_array(&data)));
        image.property_sets.push(set);
        image
    };
    let with = |name: &str, size: u8| with_scope(name, size, 0);
    let registry = Registry::new();
    let modules = ["a", "b"].map(|name| add(&registry, with(name, 4)).unwrap());
    assert!(add(&registry, with("c", 8)).unwrap_err().to_string().contains("in image a it has size 4"));
    let error = add(&registry, with_scope("d", 4, 1)).unwrap_err().to_string();
    assert!(
        error.contains("image scope true, but in image a it has size 4 and image scope false"),
        "{error}"
    );
    assert_eq!(registry.images_with_global("_Z1G").len(), 2);
    // With its last image the variable is gone.
    modules.into_iter().for_each(|module| registry.remove(module));
    assert!(registry.images_with_global("_Z1G").is_empty());
    add(&registry, with("c", 8)).unwrap();
}

#[test]
fn ten_thousand_images_with_a_hundred_thousand_symbols() {
    let names: Vec<Vec<String>> = (0..10_000)
        .map(|image| (0..10).map(|kernel| format!("_ZTSN7library6moduleI{image}E6kernel{kernel}E")).collect())
        .collect();
    let images: Vec<ImageParts<'static>> = names
        .iter()
        .enumerate()
        .map(|(number, kernels)| {
            let kernels: Vec<&str> = kernels.iter().map(String::as_str).collect();
            image(&format!("image {number}"), &kernels[..5], &kernels[5..])
        })
        .collect();
    let registry = Registry::new();
    // SAFETY: the images are never built.
    let (module, errors) = unsafe { registry.add_module(images.into_iter().map(|image| (image, None))) };
    assert!(errors.is_empty());
    assert_eq!(registry.kernel_names().len(), 50_000);
    for kernels in &names {
        assert_eq!(registry.images_with_kernel(&kernels[2]).len(), 1);
        assert_eq!(registry.images_with_export(&kernels[7]).len(), 1);
        assert!(!registry.has_kernel(&kernels[7]));
    }
    registry.remove(module);
    assert!(registry.kernel_names().is_empty());
}

/// Ten times as many images take about ten times as long, not a hundred times.
#[test]
fn the_time_for_images_is_linear() {
    /// Returns this thread's CPU time in nanoseconds, which is independent of the machine's other work.
    fn time() -> u64 {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
        text.split(' ').next().unwrap().parse().unwrap()
    }
    let time_of = |count: usize| {
        let images = (0..count).map(|image| {
            let names: Vec<String> = (0..10).map(|kernel| format!("image {image} kernel {kernel}")).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            (self::image(&format!("image {image}"), &names[..5], &names[5..]), None)
        });
        let images: Vec<_> = images.collect();
        let registry = Registry::new();
        let started = time();
        // SAFETY: the images are never built.
        let (module, errors) = unsafe { registry.add_module(images) };
        registry.remove(module);
        assert!(errors.is_empty());
        time() - started
    };
    // The minimum of three runs excludes page faults and cache misses.
    let best = |count| (0..3).map(|_| time_of(count)).min().unwrap();
    let (few, many) = (best(500), best(5_000));
    assert!(many < few * 40, "{few} ns for 500 images, {many} ns for 5,000");
}

/// A device such as /dev/zero never ends.
#[test]
fn devices_are_not_read() {
    let registry = Registry::new();
    for file in ["/dev/zero", "/dev/null"] {
        // SAFETY: there is no image in them.
        let error = unsafe { registry.add_file(std::path::Path::new(file)) }.map(drop).unwrap_err();
        assert!(error.to_string().contains("not a file or pipe"), "{error}");
    }
}

/// `pi image split` writes `.prop` files, and test images have `.props.json`.
#[test]
fn properties_come_in_both_forms() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../lib/image/tests/images");
    let code = std::fs::read(format!("{folder}/spec_one.spv")).unwrap();
    let json = std::fs::read_to_string(format!("{folder}/spec_one.props.json")).unwrap();
    let parts = sycl_pi_image::text::read_json("spec_one", &json, &code).unwrap();
    let prop = sycl_pi_image::text::write_prop("spec_one", &parts.property_sets).unwrap();
    let of = |text: Option<&str>| {
        let registry = Registry::new();
        // SAFETY: the image is never built.
        unsafe { registry.add_spirv("spec_one", &code, text) }.unwrap();
        let image = registry.images().remove(0);
        let constants = image.properties().spec_constants.iter().map(|constant| constant.name.clone());
        (registry.kernel_names(), constants.collect::<Vec<_>>(), image.parts().property_sets.len())
    };
    let by_json = of(Some(&json));
    assert_eq!(
        (by_json.0[0].as_ref(), by_json.1[0].as_str()),
        ("_ZTS7SpecOne", "uid0123456789abcdef____ZL6Factor")
    );
    assert_eq!(of(Some(&prop)), by_json);
    // The name that `pi image show` prints.
    assert_eq!(of(None).1, ["spec_constant_0"]);
    // SAFETY: the image is never built.
    let error = unsafe { Registry::new().add_spirv("spec_one", &code, Some("[set\nx")) }.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Image);
}
