//! Tests which of several images is chosen, with which options they are built, and what linked code may do.

use std::path::Path;

use libtest_mimic::Trial;
use sycl_pi_image::spirv::{self, Index, LinkOptions, Module};
use sycl_pi_image::{Property, PropertySet, Value};
use sycl_pi_runtime::*;

use crate::behaviours::{Fixture, fixture};
use crate::{Test, trials};
use testing_programs::{Launch as _, add, default_folder, load};

pub(crate) fn all(plugin: &Path) -> Vec<Trial> {
    let tests: &[(&str, Test)] = &[
        ("native_code_is_preferred_to_spirv", native_code_is_preferred_to_spirv),
        ("spirv_is_preferred_to_bitcode", spirv_is_preferred_to_bitcode),
        ("replaced_constants_are_for_requests_without_any", replaced_constants_are_for_requests_without_any),
        ("a_kernel_of_a_library", a_kernel_of_a_library),
        (
            "own_library_first_then_the_order_of_registration",
            own_library_first_then_the_order_of_registration,
        ),
        (
            "an_image_that_is_taken_already_is_asked_before_all_others",
            an_image_that_is_taken_already_is_asked_before_all_others,
        ),
        ("an_export_in_another_format_is_none", an_export_in_another_format_is_none),
        ("requirements_of_linked_images_count", requirements_of_linked_images_count),
        ("requirements_of_virtual_functions_count", requirements_of_virtual_functions_count),
        ("an_address_of_a_function_is_good_in_linked_code", an_address_of_a_function_is_good_in_linked_code),
        ("build_options_reach_the_driver_and_the_keys", build_options_reach_the_driver_and_the_keys),
    ];
    trials("choice", plugin, tests)
}

/// Returns `int fc(int x) { return x + 3; }` of dl_c, or a kernel with a 3, with another number in its place.
pub(crate) fn with_number(image: &str, number: u8) -> ImageParts<'static> {
    let mut parts = load(&default_folder(), image);
    let mut code = parts.bytes.to_vec();
    let words: Vec<u32> =
        code.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
    // An OpConstant of one word.
    let at = words.windows(4).position(|words| words[0] == 0x0004_002b && words[3] == 3).unwrap();
    code[(at + 3) * 4] = number;
    parts.bytes = code.into();
    parts.name = format!("{image} with {number}").into();
    parts
}

/// Registers a device's own code in place of an image's.
pub(crate) fn add_native(
    registry: &Registry,
    device: &Device,
    image: ImageParts<'static>,
    code: Vec<u8>,
) -> ModuleId {
    let target = match device.info().kind {
        sycl_pi_loader::DeviceType::Cpu => "spir64_x86_64",
        _ => "spir64_gen",
    };
    let mut native = image;
    (native.name, native.target, native.bytes) = ("native".into(), target.into(), code.into());
    // SAFETY: the driver made the code.
    let (module, errors) = unsafe { registry.add_module([(native, Some(Format::Native))]) };
    assert!(errors.is_empty(), "{errors:?}");
    module
}

fn native_code_is_preferred_to_spirv(plugin: &Path) {
    let fixture = fixture(plugin, &["dg_basic"]);
    let image = fixture.registry.images().remove(0);
    let code =
        fixture.runtime.native_code(&fixture.device, &image).unwrap().expect("the driver gives binaries");
    let module = add_native(&fixture.registry, &fixture.device, load(&default_folder(), "dg_basic"), code);
    let names = || fixture.kernel("_ZTS5DgGet").unwrap().image_names();
    assert_eq!(names(), ["native"]);
    fixture.runtime.copy_to_device_global(&fixture.queue, "_Z7Counter", 0, &[3_i32]).unwrap();
    assert_eq!(fixture.once("_ZTS5DgGet", 0).unwrap(), 3);
    let add = fixture.kernel("_ZTS5DgAdd").unwrap();
    let error = add.start(&fixture.queue, NdRange::single(), &[Arg::removed()]).unwrap_err();
    assert_eq!(error.to_string(), "argument 0 of kernel _ZTS5DgAdd is not given");
    fixture.registry.remove(module);
    assert_eq!(names(), ["dg_basic"]);
}

fn replaced_constants_are_for_requests_without_any(plugin: &Path) {
    for order in [["spec_one", "spec_one_default"], ["spec_one_default", "spec_one"]] {
        let fixture = fixture(plugin, &order);
        let names = |values: &SpecValues| {
            fixture.runtime.kernel(&fixture.device, "_ZTS7SpecOne", values).unwrap().image_names()
        };
        assert_eq!(names(&SpecValues::new()), ["spec_one_default"]);
        assert_eq!(names(&SpecValues::new().with("uid0123456789abcdef____ZL6Factor", 3_i32)), ["spec_one"]);
    }
}

/// Two libraries have a kernel of the same name.
fn a_kernel_of_a_library(plugin: &Path) {
    let fixture = fixture(plugin, &["dl_b", "dl_a"]);
    let (none, values) =
        (add(&fixture.registry, load(&default_folder(), "dl_c")).unwrap(), SpecValues::new());
    let library = |registry: &Registry, number| {
        let mut main = load(&default_folder(), "dl_a");
        main.name = format!("dl_a beside {number}").into();
        let all = [main, load(&default_folder(), "dl_b"), with_number("dl_c", number)];
        // SAFETY: a compiler made the images.
        let (module, errors) = unsafe { registry.add_module(all.map(|parts| (parts, None))) };
        assert!(errors.is_empty(), "{errors:?}");
        module
    };
    let (seven, nine) = (library(&fixture.registry, 7), library(&fixture.registry, 9));
    let result = |module| {
        let memory = fixture.memory(&[4_i32]);
        let kernel = fixture.runtime.kernel_of(module, &fixture.device, "_ZTS3DlA", &values).unwrap();
        kernel.start(&fixture.queue, NdRange::single(), &[Arg::usm(&memory)]).unwrap().wait().unwrap();
        memory.to_vec(&fixture.queue).unwrap()[0]
    };
    assert_eq!((result(seven), result(nine), result(seven)), (111, 131, 111));
    assert_eq!(fixture.runtime.program_count(), 2);
    let error = fixture.runtime.kernel_of(none, &fixture.device, "_ZTS3DlA", &values).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert!(error.to_string().contains("no image of this module has a kernel _ZTS3DlA"), "{error}");
}

fn own_library_first_then_the_order_of_registration(plugin: &Path) {
    let fixture = fixture(plugin, &[]);
    let first = add(&fixture.registry, with_number("dl_c", 7)).unwrap();
    add(&fixture.registry, with_number("dl_c", 9)).unwrap();
    add(&fixture.registry, load(&default_folder(), "dl_a")).unwrap();
    let importer = add(&fixture.registry, load(&default_folder(), "dl_b")).unwrap();
    let result = |fixture: &Fixture| fixture.once("_ZTS3DlA", 4).unwrap();
    assert_eq!(result(&fixture), 111);
    fixture.registry.remove(first);
    assert_eq!(result(&fixture), 131);
    fixture.registry.remove(importer);
    let own = [load(&default_folder(), "dl_b"), with_number("dl_c", 5)];
    // SAFETY: a compiler made the images.
    let (_, errors) = unsafe { fixture.registry.add_module(own.map(|parts| (parts, None))) };
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!(result(&fixture), 91);
}

/// If another symbol already brought in an image with a symbol, no second image with it is used, wherever it is
/// registered.
fn an_image_that_is_taken_already_is_asked_before_all_others(plugin: &Path) {
    let fixture = fixture(plugin, &[]);
    let parts = [load(&default_folder(), "dl_b"), load(&default_folder(), "dl_c")];
    let modules: Vec<Module> = parts.iter().map(|image| Module::parse(&image.bytes).unwrap()).collect();
    let indices: Vec<Index<'_>> = modules.iter().map(|module| Index::new(module).unwrap()).collect();
    let named: Vec<(&str, &Index<'_>)> = ["b", "c"].into_iter().zip(&indices).collect();
    let both = spirv::link(&named, LinkOptions::default()).unwrap().to_bytes().unwrap();
    let both = sycl_pi_image::derive::image("both", &both).unwrap().into_owned().unwrap();
    let mut main = load(&default_folder(), "dl_a");
    let imports = main.property_sets.iter_mut().find(|set| set.name == "SYCL/imported symbols").unwrap();
    imports.properties.push(Property::new("_Z2fci", Value::Uint32(1)));
    // It is registered first, and in the importer's own library. SAFETY: a compiler made the images.
    let (_, errors) = unsafe { fixture.registry.add_module([(with_number("dl_c", 9), None), (main, None)]) };
    assert!(errors.is_empty(), "{errors:?}");
    add(&fixture.registry, both).unwrap();
    assert_eq!(fixture.kernel("_ZTS3DlA").unwrap().image_names(), ["dl_a", "both"]);
    assert_eq!(fixture.once("_ZTS3DlA", 4).unwrap(), 71);
}

fn an_export_in_another_format_is_none(plugin: &Path) {
    let fixture = fixture(plugin, &["dl_a", "dl_c"]);
    let (_, errors) =
        // SAFETY: it is never built.
        unsafe { fixture.registry.add_module([(load(&default_folder(), "dl_b"), Some(Format::Native))]) };
    assert!(errors.is_empty(), "{errors:?}");
    let error = fixture.kernel("_ZTS3DlA").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Build);
    assert!(
        error.to_string().starts_with(
            "No device image found for external symbol _Z2fbi, which image dl_a needs; there is dl_b (Native, spir64), but \
             Spirv is needed"
        ),
        "{error}"
    );
    add(&fixture.registry, load(&default_folder(), "dl_b")).unwrap();
    assert_eq!(fixture.once("_ZTS3DlA", 4).unwrap(), 71);
}

/// The image with a requirement that no device here fulfils.
fn for_custom_devices(name: &str) -> ImageParts<'static> {
    let mut image = load(&default_folder(), name);
    image.property_sets.retain(|set| set.name != "SYCL/device requirements");
    let mut needs = PropertySet::new("SYCL/device requirements");
    needs.properties.push(Property::new("aspects", Value::byte_array(&4_u32.to_le_bytes())));
    image.property_sets.push(needs);
    image
}

fn check_refused(kernel: Result<Kernel>, image: &str) {
    let error = kernel.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::KernelNotSupported);
    let text = error.to_string();
    assert!(text.contains("aspect::custom") && text.contains(&format!("(image {image})")), "{text}");
}

/// The kernel's image names a set of virtual functions, which the other has.
fn requirements_of_virtual_functions_count(plugin: &Path) {
    let fixture = fixture(plugin, &["misc_virtual.1"]);
    let module = add(&fixture.registry, for_custom_devices("misc_virtual.0")).unwrap();
    check_refused(fixture.kernel("_ZTS11MiscVirtual"), "misc_virtual.0");
    // A removed image counts no more, and one for another kind of device never does.
    fixture.registry.remove(module);
    let mut elsewhere = load(&default_folder(), "misc_virtual.0");
    let is_cpu = fixture.device.info().kind == sycl_pi_loader::DeviceType::Cpu;
    elsewhere.target = if is_cpu { "spir64_gen" } else { "spir64_x86_64" }.into();
    add(&fixture.registry, elsewhere).unwrap();
    add(&fixture.registry, load(&default_folder(), "misc_virtual.0")).unwrap();
    let kernel = fixture.kernel("_ZTS11MiscVirtual").unwrap();
    assert_eq!(kernel.image_names(), ["misc_virtual.1", "misc_virtual.0"]);
}

/// Drivers that take bitcode are rare.
fn spirv_is_preferred_to_bitcode(plugin: &Path) {
    let fixture = fixture(plugin, &[]);
    let mut bitcode = load(&default_folder(), "dg_basic");
    bitcode.name = "bitcode".into();
    // SAFETY: it is never built.
    let (_, errors) = unsafe { fixture.registry.add_module([(bitcode, Some(Format::Bitcode))]) };
    assert!(errors.is_empty(), "{errors:?}");
    add(&fixture.registry, load(&default_folder(), "dg_basic")).unwrap();
    assert_eq!(fixture.kernel("_ZTS5DgGet").unwrap().image_names(), ["dg_basic"]);
}

fn requirements_of_linked_images_count(plugin: &Path) {
    let fixture = fixture(plugin, &["dl_a", "dl_b"]);
    let module = add(&fixture.registry, for_custom_devices("dl_c")).unwrap();
    check_refused(fixture.kernel("_ZTS3DlA"), "dl_c");
    fixture.registry.remove(module);
    add(&fixture.registry, load(&default_folder(), "dl_c")).unwrap();
    assert_eq!(fixture.once("_ZTS3DlA", 4).unwrap(), 71);
}

/// The kernel's image has the tables of virtual functions, and the other image has the functions: `x` and `x * 7`.
fn an_address_of_a_function_is_good_in_linked_code(plugin: &Path) {
    let fixture = fixture(plugin, &["misc_virtual.0", "misc_virtual.1"]);
    let kernel = fixture.kernel("_ZTS11MiscVirtual").unwrap();
    assert_eq!(kernel.image_names(), ["misc_virtual.1", "misc_virtual.0"]);
    let object = fixture.memory(&[0_u64; 8]);
    for (derived, result) in [(0, 6), (1, 42)] {
        let memory = fixture.memory(&[derived, -1, 6]);
        let args = [Arg::usm(&object), Arg::usm(&memory)];
        kernel.start(&fixture.queue, NdRange::single(), &args).unwrap().wait().unwrap();
        assert_eq!(memory.to_vec(&fixture.queue).unwrap(), [derived, result, 6]);
    }
}

fn build_options_reach_the_driver_and_the_keys(plugin: &Path) {
    let fixture = fixture(plugin, &["dg_basic", "dl_a", "dl_b", "dl_c"]);
    let with = |options: BuildOptions, kernel: &str| {
        let runtime = fixture.runtime.with_build_options(options);
        runtime.kernel(&fixture.device, kernel, &SpecValues::new()).map(drop)
    };
    let new = BuildOptions::new;
    // A single image is built; several images are compiled and linked.
    for kernel in ["_ZTS5DgGet", "_ZTS3DlA"] {
        let before = fixture.runtime.program_count();
        let other = new().append_compile("-cl-mad-enable");
        with(new(), kernel).unwrap();
        with(other.clone(), kernel).unwrap();
        with(other, kernel).unwrap();
        assert_eq!(fixture.runtime.program_count(), before + 2);
        // The software driver of Level Zero accepts any option.
        if !fixture.device.info().version.starts_with("OpenCL") {
            continue;
        }
        for wrong in [new().append_compile("-no-such-option"), new().replace_compile("-no-such-option")] {
            let error = with(wrong, kernel).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Build, "{error}");
        }
    }
}
