//! Of several images with a kernel or symbol, the first that the device can run is used. Also tests code without
//! properties next to other images.

use std::path::Path;

use libtest_mimic::Trial;
use sycl_pi_image::{Property, PropertySet, Value};
use sycl_pi_runtime::*;

use crate::behaviours::{Fixture, fixture};
use crate::choice::with_number;
use crate::{EXPORTS, IMPORTS, Test, trials, with_symbol};
use testing_programs::{add, default_folder, load};

pub(crate) fn all(plugin: &Path) -> Vec<Trial> {
    let tests: &[(&str, Test)] = &[
        ("an_image_for_other_devices_gives_no_symbol", an_image_for_other_devices_gives_no_symbol),
        ("an_image_for_other_devices_gives_no_kernel", an_image_for_other_devices_gives_no_kernel),
        (
            "an_image_of_the_own_library_that_cannot_run_is_none",
            an_image_of_the_own_library_that_cannot_run_is_none,
        ),
        (
            "code_without_properties_is_linked_by_its_symbols",
            code_without_properties_is_linked_by_its_symbols,
        ),
        (
            "code_without_properties_gives_symbols_to_other_images",
            code_without_properties_gives_symbols_to_other_images,
        ),
        ("what_no_image_exports_is_left_to_the_driver", what_no_image_exports_is_left_to_the_driver),
        ("images_that_need_each_other_are_linked", images_that_need_each_other_are_linked),
        (
            "names_with_two_underscores_are_left_to_the_driver",
            names_with_two_underscores_are_left_to_the_driver,
        ),
        ("a_pointer_to_a_function_works_in_linked_code", a_pointer_to_a_function_works_in_linked_code),
    ];
    trials("candidates", plugin, tests)
}

/// Returns five variants of the image, each for a different kind of other device, with the reason for its refusal.
fn unable(fixture: &Fixture, parts: &ImageParts<'static>) -> Vec<(ImageParts<'static>, &'static str)> {
    // `custom`, an aspect that no device here has.
    const CUSTOM: u32 = 4;
    let requiring = |name: &'static str, words: &[u32]| {
        let mut image = parts.clone();
        image.name = format!("{} for {name}", parts.name).into();
        image.property_sets.retain(|set| set.name != "SYCL/device requirements");
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut needs = PropertySet::new("SYCL/device requirements");
        needs.properties.push(Property::new(name, Value::byte_array(&bytes)));
        image.property_sets.push(needs);
        image
    };
    let (target, why) = match fixture.device.info().kind {
        sycl_pi_loader::DeviceType::Cpu => ("spir64_gen", "compiled for target 'spir64_gen' but"),
        _ => ("spir64_x86_64", "compiled for target 'spir64_x86_64' but"),
    };
    let mut elsewhere = parts.clone();
    (elsewhere.name, elsewhere.target) = (format!("{} for {target}", parts.name).into(), target.into());
    vec![
        (elsewhere, why),
        (requiring("fixed_target", &[CUSTOM]), "with '-fsycl-fixed-targets=custom' but"),
        (requiring("aspect", &[CUSTOM]), "corresponding to 'aspect::custom' but"),
        (requiring("reqd_sub_group_size", &[7777]), "a required sub-group size of '7777' but"),
        (requiring("reqd_work_group_size", &[1, 1 << 30]), "a required work-group size of '1073741824' but"),
    ]
}

/// Checks that "(image NAME)" follows the reason for each image.
fn check_reasons(error: &Error, refused: &[(ImageParts<'static>, &'static str)]) {
    assert_eq!(error.kind(), ErrorKind::KernelNotSupported, "{error}");
    let text = error.to_string();
    for (image, why) in refused {
        let told = text
            .split_inclusive(')')
            .any(|part| part.contains(why) && part.ends_with(&format!("(image {})", image.name)));
        assert!(told, "{why}, {}: {text}", image.name);
    }
}

/// `fc` of dl_c adds 7 in the images for other devices, and 9 in the image that is registered last.
fn an_image_for_other_devices_gives_no_symbol(plugin: &Path) {
    let fixture = fixture(plugin, &["dl_a", "dl_b"]);
    let refused = unable(&fixture, &with_number("dl_c", 7));
    for (image, _) in &refused {
        add(&fixture.registry, image.clone()).unwrap();
    }
    let error = fixture.kernel("_ZTS3DlA").unwrap_err();
    let start = "No device image found for external symbol _Z2fci, which image dl_b needs; ";
    assert!(error.to_string().starts_with(start), "{error}");
    check_reasons(&error, &refused);
    // The symbol itself is no near miss.
    assert!(!error.to_string().contains("near misses: _Z2fci"), "{error}");
    add(&fixture.registry, with_number("dl_c", 9)).unwrap();
    assert_eq!(fixture.once("_ZTS3DlA", 4).unwrap(), 131);
}

fn an_image_for_other_devices_gives_no_kernel(plugin: &Path) {
    let fixture = fixture(plugin, &[]);
    let refused = unable(&fixture, &load(&default_folder(), "dg_basic"));
    for (image, _) in &refused {
        add(&fixture.registry, image.clone()).unwrap();
    }
    let error = fixture.kernel("_ZTS5DgGet").unwrap_err();
    check_reasons(&error, &refused);
    assert!(error.to_string().starts_with("Kernel DgGet (_ZTS5DgGet) is in no image that "), "{error}");
    add(&fixture.registry, load(&default_folder(), "dg_basic")).unwrap();
    assert_eq!(fixture.kernel("_ZTS5DgGet").unwrap().image_names(), ["dg_basic"]);
}

fn an_image_of_the_own_library_that_cannot_run_is_none(plugin: &Path) {
    for at in 0..5 {
        let fixture = fixture(plugin, &["dl_a"]);
        let (own, _) = unable(&fixture, &with_number("dl_c", 7)).remove(at);
        let library = [load(&default_folder(), "dl_b"), own];
        // SAFETY: a compiler made the images.
        let (_, errors) = unsafe { fixture.registry.add_module(library.map(|parts| (parts, None))) };
        assert!(errors.is_empty(), "{errors:?}");
        add(&fixture.registry, with_number("dl_c", 9)).unwrap();
        assert_eq!(fixture.once("_ZTS3DlA", 4).unwrap(), 131, "{at}");
    }
}

/// Registers the code of an image, without its properties.
fn add_code(fixture: &Fixture, name: &str, code: &[u8]) {
    // SAFETY: the code is valid.
    unsafe { fixture.registry.add_spirv(name, code, None) }.unwrap();
}

fn code_of(image: &str) -> Vec<u8> {
    load(&default_folder(), image).bytes.into_owned()
}

fn code_without_properties_is_linked_by_its_symbols(plugin: &Path) {
    let fixture = fixture(plugin, &[]);
    for image in ["dl_a", "dl_b", "dl_c"] {
        add_code(&fixture, image, &code_of(image));
    }
    assert_eq!(fixture.once("_ZTS3DlA", 4).unwrap(), 71);
    assert_eq!(fixture.kernel("_ZTS3DlA").unwrap().image_names(), ["dl_a", "dl_b", "dl_c"]);
    add_code(&fixture, "variable_user", include_bytes!("../images/variable_user.spv"));
    add_code(&fixture, "variable_library", include_bytes!("../images/variable_library.spv"));
    assert_eq!(fixture.once("reads", 0).unwrap(), 77);
}

fn code_without_properties_gives_symbols_to_other_images(plugin: &Path) {
    let fixture = fixture(plugin, &["dl_a", "dl_c"]);
    add_code(&fixture, "dl_b", &code_of("dl_b"));
    assert_eq!(fixture.once("_ZTS3DlA", 4).unwrap(), 71);
}

/// Drivers provide functions that no image mentions. If a driver reports any other function, the message continues with
/// what is known about the images.
fn what_no_image_exports_is_left_to_the_driver(plugin: &Path) {
    let fixture = fixture(plugin, &["dl_c"]);
    add_code(&fixture, "code of dl_a", &code_of("dl_a"));
    let error = fixture.once("_ZTS3DlA", 4).unwrap_err();
    let known = "No device image exports symbol _Z2fbi, which image code of dl_a needs; near misses: _Z2fci";
    assert_eq!(error.kind(), ErrorKind::Build, "{error}");
    assert_eq!(error.to_string().lines().last(), Some(known), "{error}");
    add_code(&fixture, "code of dl_b", &code_of("dl_b"));
    assert_eq!(fixture.once("_ZTS3DlA", 4).unwrap(), 71);
}

fn images_that_need_each_other_are_linked(plugin: &Path) {
    let fixture = fixture(plugin, &[]);
    let symbols = ["_Z3onev", "_Z5otherv"];
    for (image, [exported, imported]) in [("dg_basic", symbols), ("vadd", [symbols[1], symbols[0]])] {
        let image = with_symbol(load(&default_folder(), image), EXPORTS, exported);
        add(&fixture.registry, with_symbol(image, IMPORTS, imported)).unwrap();
    }
    assert_eq!(fixture.kernel("_ZTS5DgGet").unwrap().image_names(), ["dg_basic", "vadd"]);
    assert_eq!(fixture.once("_ZTS5DgGet", 9).unwrap(), 0);
}

/// "Declarations with `__` prefix in demangled name are not recorded as imported": where an image lists one, the device has it.
fn names_with_two_underscores_are_left_to_the_driver(plugin: &Path) {
    let fixture = fixture(plugin, &[]);
    let image = with_symbol(load(&default_folder(), "dg_basic"), IMPORTS, "__devicelib_assert_read");
    add(&fixture.registry, image).unwrap();
    assert_eq!(fixture.once("_ZTS5DgGet", 9).unwrap(), 0);
}

/// "Function pointers taken in application should work inside the dynamically linked code": twice the number, plus 1.
fn a_pointer_to_a_function_works_in_linked_code(plugin: &Path) {
    let fixture = fixture(plugin, &[]);
    add_code(&fixture, "application", include_bytes!("../images/pointer_application.spv"));
    add_code(&fixture, "library", include_bytes!("../images/pointer_library.spv"));
    assert_eq!(fixture.kernel("calls_back").unwrap().image_names(), ["application", "library"]);
    assert_eq!(fixture.once("calls_back", 21).unwrap(), 43);
}
