//! The examples of the design documents, in their own words.

use std::path::Path;

use libtest_mimic::Trial;
use sycl_pi_image::{Property, PropertySet, Value};
use sycl_pi_runtime::*;

use crate::behaviours::{Fixture, fixture};
use crate::choice::add_native;
use crate::{EXPORTS, IMPORTS, Test, trials};
use testing_programs::{Launch as _, add, default_folder, load};

pub(crate) fn all(plugin: &Path) -> Vec<Trial> {
    let tests: &[(&str, Test)] = &[
        ("device_global::copy_to_dev_var_then_a_kernel_reads_it", copy_to_dev_var_then_a_kernel_reads_it),
        (
            "device_global::an_instance_is_shared_by_all_device_images",
            an_instance_is_shared_by_all_device_images,
        ),
        (
            "device_global::with_device_image_scope_val_is_in_the_image",
            with_device_image_scope_val_is_in_the_image,
        ),
        ("specialization_constants::buffer_layout_is_0_4_16", buffer_layout_is_0_4_16),
        ("specialization_constants::leaves_0_and_1_2_3_are_set_natively", leaves_are_set_natively),
        ("specialization_constants::emulated_in_a_spirv_image", emulated_in_a_spirv_image),
        ("specialization_constants::emulated_in_a_native_image", emulated_in_a_native_image),
        ("specialization_constants::emulated_without_an_argument_table", emulated_without_an_argument_table),
        ("specialization_constants::emulated_in_two_linked_images", emulated_in_two_linked_images),
        ("specialization_constants::by_the_names_of_code_alone", by_the_names_of_code_alone),
        ("specialization_constants::in_composites_of_any_shape", in_composites_of_any_shape),
        ("optional_features::k1_runs_where_k2_is_refused", k1_runs_where_k2_is_refused),
        ("optional_features::bundled_k1_is_refused_with_k2", bundled_k1_is_refused_with_k2),
    ];
    trials("design", plugin, tests)
}

/// "device_global<int> dev_var; int val = 42; q.copy(&val, dev_var).wait(); q.submit(... single_task([=] { int i = dev_var; }))".
fn copy_to_dev_var_then_a_kernel_reads_it(plugin: &Path) {
    let fixture = fixture(plugin, &["dg_basic"]);
    let dev_var = 0;
    let host = &raw const dev_var as usize;
    fixture.registry.add_device_global(host, "_Z7Counter");
    let unique_id = fixture.registry.device_global_at(host).unwrap();
    let val = 42;
    fixture.runtime.copy_to_device_global(&fixture.queue, &unique_id, 0, &[val]).unwrap();
    let i = fixture.once("_ZTS5DgGet", 0).unwrap();
    assert_eq!(i, 42);
}

/// "When this property is not present, an instance of a device global variable is shared across all device images that are
/// loaded onto a particular device."
fn an_instance_is_shared_by_all_device_images(plugin: &Path) {
    let fixture = fixture(plugin, &["dg_shared.0", "dg_shared.1"]);
    let image = fixture.registry.images().remove(0);
    let unique_id = image.properties().device_globals.globals[0].unique_id.clone();
    assert_eq!(fixture.registry.images_with_global(&unique_id).len(), 2);
    // It was never written, so it is zero.
    let mut bytes = [1_u8; 4];
    fixture.runtime.copy_from_device_global(&fixture.queue, &unique_id, 0, &mut bytes).unwrap();
    assert_eq!(bytes, [0; 4]);
    // One image's kernel writes it, and the other's reads it: *out = 0.5 * Shared.
    let write = fixture.kernel("_ZTS7ShWrite").unwrap();
    write.start(&fixture.queue, NdRange::single(), &[Arg::value(&42_i32)]).unwrap().wait().unwrap();
    let out = fixture.memory(&[0.0_f64]);
    let read = fixture.kernel("_ZTS7ShReadD").unwrap();
    read.start(&fixture.queue, NdRange::single(), &[Arg::usm(&out)]).unwrap().wait().unwrap();
    assert_eq!(out.to_vec(&fixture.queue).unwrap(), [21.0]);
    fixture.runtime.copy_from_device_global(&fixture.queue, &unique_id, 0, &mut bytes).unwrap();
    assert_eq!(i32::from_ne_bytes(bytes), 42);
    assert_eq!(fixture.runtime.program_count(), 2);
}

/// "when the property is present, it has a member variable which is the type itself" ... "each device image has its own
/// instance"; "the API requires the user to ensure that each such variable exists in exactly one device image".
fn with_device_image_scope_val_is_in_the_image(plugin: &Path) {
    let fixture = fixture(plugin, &["dg_scope"]);
    let global = fixture.registry.images()[0].properties().device_globals.globals[0].clone();
    assert!(global.image_scope);
    let mut bytes = [1_u8; 4];
    // "val will be zero initialized"
    fixture.runtime.copy_from_device_global(&fixture.queue, &global.unique_id, 0, &mut bytes).unwrap();
    assert_eq!(bytes, [0; 4]);
    assert_eq!(fixture.runtime.program_count(), 1, "the image is built on demand");
    assert!(
        fixture.runtime.device_global_address(&fixture.queue, &global.unique_id).is_err(),
        "it has no usmptr"
    );
    add(&fixture.registry, load(&default_folder(), "dg_scope")).unwrap();
    let error = fixture
        .runtime
        .copy_from_device_global(&fixture.queue, &global.unique_id, 0, &mut bytes)
        .unwrap_err();
    assert!(error.to_string().starts_with("More than one image exists with the device_global."), "{error}");
}

/// struct Nested { float a, b; }; struct A { int x; Nested n; };
/// specialization_id<int> id_int; specialization_id<A> id_A; specialization_id<Nested> id_Nested;
fn constants(name: &str) -> ImageParts<'static> {
    let code = include_bytes!("../images/design_constants.spv");
    let leaves = |constant: &str, leaves: &[[u32; 3]]| {
        let bytes: Vec<u8> = leaves.iter().flatten().flat_map(|word| word.to_le_bytes()).collect();
        Property::new(constant.to_owned(), Value::byte_array(&bytes))
    };
    let mut ids = PropertySet::new("SYCL/specialization constants");
    ids.properties.push(leaves("id_int", &[[0, 0, 4]]));
    ids.properties.push(leaves("id_A", &[[1, 0, 4], [2, 4, 4], [3, 8, 4]]));
    ids.properties.push(leaves("id_Nested", &[[4, 0, 4], [5, 4, 4]]));
    let mut defaults = PropertySet::new("SYCL/specialization constants default values");
    let words = [10, 20, 1.5_f32.to_bits(), 2.5_f32.to_bits(), 3.5_f32.to_bits(), 4.5_f32.to_bits()];
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    defaults.properties.push(Property::new("all", Value::byte_array(&bytes)));
    let mut image = ImageParts::new(name.to_owned(), "spir64", code.as_slice());
    image.entries.push(VALUES.into());
    image.property_sets = vec![ids, defaults];
    image
}

const VALUES: &str = "_ZTS6Values";

/// Returns id_int, id_A.x, id_A.n.a, id_A.n.b, id_Nested.a and id_Nested.b as a kernel sees them.
fn values(fixture: &Fixture, values: &SpecValues) -> (u32, u32, [f32; 4]) {
    let memory = fixture.memory(&[0_u32; 6]);
    let kernel = fixture.runtime.kernel(&fixture.device, VALUES, values).unwrap();
    kernel.start(&fixture.queue, NdRange::single(), &[Arg::usm(&memory)]).unwrap().wait().unwrap();
    let found = memory.to_vec(&fixture.queue).unwrap();
    let float = |at: usize| f32::from_bits(found[at]);
    (found[0], found[1], [float(2), float(3), float(4), float(5)])
}

fn check_values(fixture: &Fixture) {
    assert_eq!(values(fixture, &SpecValues::new()), (10, 20, [1.5, 2.5, 3.5, 4.5]));
    let a: Vec<u8> =
        [7, (-1.0_f32).to_bits(), 0.25_f32.to_bits()].iter().flat_map(|x: &u32| x.to_le_bytes()).collect();
    let mut set = SpecValues::new();
    set.set("id_int", 5_u32).set_bytes("id_A", &a).unwrap();
    assert_eq!(values(fixture, &set), (5, 7, [-1.0, 0.25, 3.5, 4.5]));
    // Resetting it to its default really sets it.
    set.set("id_int", 10_u32);
    assert_eq!(values(fixture, &set), (10, 7, [-1.0, 0.25, 3.5, 4.5]));
}

/// "Will result in the following buffer layout": id_int at 0, id_A at 4, id_Nested at 16.
fn buffer_layout_is_0_4_16(plugin: &Path) {
    let fixture = fixture(plugin, &[]);
    add(&fixture.registry, constants("constants")).unwrap();
    let image = fixture.registry.images().remove(0);
    let at: Vec<(&str, u64)> = image
        .properties()
        .spec_constants
        .iter()
        .map(|constant| (constant.name.as_str(), constant.blob_offset))
        .collect();
    assert_eq!(at, [("id_int", 0), ("id_A", 4), ("id_Nested", 16)]);
}

/// "unique_symbolic_id_for_id_int -> { 0 }, unique_symbolic_id_for_id_A -> { 1, 2, 3 }".
fn leaves_are_set_natively(plugin: &Path) {
    let fixture = fixture(plugin, &[]);
    add(&fixture.registry, constants("constants")).unwrap();
    check_values(&fixture);
}

fn emulated_in_a_spirv_image(plugin: &Path) {
    let fixture = fixture(plugin, &[]);
    let parts = constants("constants");
    add(&fixture.registry, sycl_pi_image::emulate::emulate(&parts).unwrap().image).unwrap();
    check_values(&fixture);
}

/// Code compiled with -O0 and free functions have no entry in "SYCL/kernel param opt", but the buffer still reaches
/// them, in SPIR-V and in a device's own code.
fn emulated_without_an_argument_table(plugin: &Path) {
    let fixture = fixture(plugin, &[]);
    let parts = constants("constants");
    let mut emulated = sycl_pi_image::emulate::emulate(&parts).unwrap().image;
    emulated.property_sets.retain(|set| set.name != "SYCL/kernel param opt");
    let module = add(&fixture.registry, emulated.clone()).unwrap();
    check_values(&fixture);
    let image = fixture.registry.images().remove(0);
    let code =
        fixture.runtime.native_code(&fixture.device, &image).unwrap().expect("the driver gives binaries");
    fixture.registry.remove(module);
    add_native(&fixture.registry, &fixture.device, emulated, code);
    check_values(&fixture);
}

/// A linked program has a buffer for each of its images, and a kernel receives that of its own image.
fn emulated_in_two_linked_images(plugin: &Path) {
    let fixture = fixture(plugin, &[]);
    let with_symbol = |image: &ImageParts<'_>, set: &'static str| {
        crate::with_symbol(sycl_pi_image::emulate::emulate(image).unwrap().image, set, "_Z8the_linkv")
    };
    add(&fixture.registry, with_symbol(&constants("constants"), IMPORTS)).unwrap();
    let library = load(&default_folder(), "spec_one");
    add(&fixture.registry, with_symbol(&library, EXPORTS)).unwrap();
    check_values(&fixture);
    let memory = fixture.memory(&[0_i32]);
    let kernel = fixture.kernel("_ZTS7SpecOne").unwrap();
    assert_eq!(kernel.image_names(), ["constants", "spec_one"], "the program of both");
    kernel.start(&fixture.queue, NdRange::single(), &[Arg::usm(&memory)]).unwrap().wait().unwrap();
    assert_eq!(memory.to_vec(&fixture.queue).unwrap(), [300]);
}

/// Code without properties has no symbolic ids, so constants have the names that `pi image show` prints.
fn by_the_names_of_code_alone(plugin: &Path) {
    let fixture = fixture(plugin, &[]);
    let code = load(&default_folder(), "spec_one").bytes.into_owned();
    // SAFETY: a compiler made the code.
    unsafe { fixture.registry.add_spirv("code alone", &code, None) }.unwrap();
    let result = |values: &SpecValues| {
        let memory = fixture.memory(&[0_i32]);
        let kernel = fixture.runtime.kernel(&fixture.device, "_ZTS7SpecOne", values)?;
        kernel.start(&fixture.queue, NdRange::single(), &[Arg::usm(&memory)])?.wait()?;
        sycl_pi_runtime::Result::<i32>::Ok(memory.to_vec(&fixture.queue)?[0])
    };
    assert_eq!(result(&SpecValues::new()).unwrap(), 300);
    assert_eq!(result(&SpecValues::new().with("spec_constant_0", 7_i32)).unwrap(), 700);
    let error = result(&SpecValues::new().with("spec_constant_1", 7_i32)).unwrap_err();
    assert!(error.to_string().contains("is it spec_constant_0?"), "{error}");
}

/// "At SPIR-V level composite specialization constants do not have separate ID": a scalar that occurs twice, or next to
/// a fixed number, is set individually. Tested natively, from a buffer, and together with another image's constants
/// with the same ids.
fn in_composites_of_any_shape(plugin: &Path) {
    const COMPOSITES: &[u8] = include_bytes!("../images/constants_in_composites.spv");
    let native = sycl_pi_image::derive::image("composites", COMPOSITES).unwrap().into_owned().unwrap();
    let emulated = sycl_pi_image::emulate::emulate(&native).unwrap().image;
    let importing = |image: &ImageParts<'static>| crate::with_symbol(image.clone(), IMPORTS, "_Z8the_linkv");
    let exporting = crate::with_symbol(load(&default_folder(), "spec_one"), EXPORTS, "_Z8the_linkv");
    let exporting_emulated = sycl_pi_image::emulate::emulate(&exporting).unwrap().image;
    for (what, images) in [
        ("code alone", vec![]),
        ("native", vec![native.clone()]),
        ("emulated", vec![emulated.clone()]),
        ("linked", vec![importing(&native), exporting]),
        ("linked and emulated", vec![importing(&emulated), exporting_emulated]),
    ] {
        let fixture = fixture(plugin, &[]);
        if images.is_empty() {
            // SAFETY: the code is valid.
            unsafe { fixture.registry.add_spirv("composites", COMPOSITES, None) }.unwrap();
        }
        let count = images.len().max(1);
        for image in images {
            add(&fixture.registry, image).unwrap();
        }
        let result = |values: &SpecValues| {
            let memory = fixture.memory(&[0_u32; 9]);
            let kernel = fixture.runtime.kernel(&fixture.device, "composites", values)?;
            assert_eq!(kernel.image_names().len(), count, "{what}");
            kernel.start(&fixture.queue, NdRange::single(), &[Arg::usm(&memory)])?.wait()?;
            memory.to_vec(&fixture.queue)
        };
        let set = |name: &str, value: u32| SpecValues::new().with(name, value);
        let cases = [
            (SpecValues::new(), [10, 10, 20, 1, 30, 30, 40, 50, 60]),
            (set("spec_constant_0", 5), [5, 5, 20, 1, 30, 30, 40, 50, 60]),
            (set("spec_constant_1", 7), [10, 10, 7, 1, 30, 30, 40, 50, 60]),
            (set("spec_constant_2", 8), [10, 10, 20, 1, 8, 8, 40, 50, 60]),
            (set("spec_constant_3", 9), [10, 10, 20, 1, 30, 30, 9, 50, 60]),
            (SpecValues::new().with("spec_constant_4", [11_u32, 12]), [10, 10, 20, 1, 30, 30, 40, 11, 12]),
        ];
        for (values, wanted) in cases {
            assert_eq!(result(&values).unwrap(), wanted, "{what}, {values:?}");
        }
        let error = result(&set("spec_constant_4", 1)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "specialization constant spec_constant_4 has 8 bytes, but its value has 4"
        );
    }
}

/// A device's own code cannot be specialized: "AOT compilation [...] we need to somehow emulate support".
fn emulated_in_a_native_image(plugin: &Path) {
    let fixture = fixture(plugin, &[]);
    let parts = constants("constants");
    let emulated = sycl_pi_image::emulate::emulate(&parts).unwrap().image;
    let module = add(&fixture.registry, emulated.clone()).unwrap();
    let image = fixture.registry.images().remove(0);
    let code =
        fixture.runtime.native_code(&fixture.device, &image).unwrap().expect("the driver gives binaries");
    fixture.registry.remove(module);
    add_native(&fixture.registry, &fixture.device, emulated, code);
    check_values(&fixture);
}

/// Makes a SPIR-V image that requires these aspects.
fn with_aspects(name: &str, kernel: &str, code: &[u8], aspects: &[u32]) -> ImageParts<'static> {
    let mut needs = PropertySet::new("SYCL/device requirements");
    let bytes: Vec<u8> = aspects.iter().flat_map(|aspect| aspect.to_le_bytes()).collect();
    needs.properties.push(Property::new("aspects", Value::byte_array(&bytes)));
    let mut parts = constants(name);
    parts.bytes = code.to_vec().into();
    parts.entries = vec![kernel.to_owned().into()];
    parts.property_sets.push(needs);
    parts
}

/// `custom`, an aspect that no device here has.
const ASPECT_A: u32 = 4;

/// "consider kernel K1 that uses no optional features and kernel K2 that uses a feature corresponding to aspect A" ... "an
/// application that submits K1 to a device that does not have aspect A. The application should expect this to work".
fn k1_runs_where_k2_is_refused(plugin: &Path) {
    let fixture = fixture(plugin, &[]);
    let code = constants("").bytes.into_owned();
    add(&fixture.registry, with_aspects("image of K1", VALUES, &code, &[])).unwrap();
    // Reading its bytes would cause a different error.
    let image = with_aspects("image of K2", "_ZTS2K2", &[3, 2, 0x23, 7, 1, 1, 1, 1], &[ASPECT_A]);
    add(&fixture.registry, image).unwrap();
    assert_eq!(values(&fixture, &SpecValues::new()).0, 10);
    let error = fixture.kernel("_ZTS2K2").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::KernelNotSupported);
    assert_eq!(
        error.to_string(),
        "Kernel uses optional feature corresponding to 'aspect::custom' but device does not support this aspect. \
         (image image of K2)"
    );
    assert_eq!(fixture.runtime.program_count(), 1);
}

/// "this can lead to problems" if the compiler was told not to split, because the requirements apply to the whole
/// image.
fn bundled_k1_is_refused_with_k2(plugin: &Path) {
    let fixture = fixture(plugin, &[]);
    let code = constants("").bytes.into_owned();
    let mut both = with_aspects("image of both", VALUES, &code, &[ASPECT_A]);
    both.entries.push("_ZTS2K2".into());
    add(&fixture.registry, both).unwrap();
    let error = fixture.kernel(VALUES).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::KernelNotSupported);
    assert_eq!(fixture.runtime.program_count(), 0);
}
