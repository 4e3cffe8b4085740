//! Of several images with one kernel or symbol, the first that the device can run.

use std::path::Path;

use libtest_mimic::Trial;
use sycl_pi_image::{Property, PropertySet, Value};
use sycl_pi_runtime::*;

use crate::behaviours::{Fixture, fixture};
use crate::choice::with_number;
use crate::{Test, trials};
use testing_programs::{add, default_folder, load};

pub(crate) fn all(plugin: &Path) -> Vec<Trial> {
    let tests: &[(&str, Test)] = &[
        ("an_image_for_other_devices_gives_no_symbol", an_image_for_other_devices_gives_no_symbol),
        ("an_image_for_other_devices_gives_no_kernel", an_image_for_other_devices_gives_no_kernel),
        (
            "an_image_of_the_own_library_that_cannot_run_is_none",
            an_image_of_the_own_library_that_cannot_run_is_none,
        ),
    ];
    trials("candidates", plugin, tests)
}

/// The image five times, each for devices of another kind than this one; and what is said of each.
fn unable(fixture: &Fixture, parts: &ImageParts<'static>) -> Vec<(ImageParts<'static>, &'static str)> {
    // `custom`, which no device here is.
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

/// "(image NAME)" stands behind what is said of each image.
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

/// `fc` of dl_c adds 7 in the images for other devices, and 9 in the one that is registered last.
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
