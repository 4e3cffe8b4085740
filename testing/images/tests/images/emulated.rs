//! Specialization constants: set natively, loaded from a buffer, and loaded from a buffer by code that was compiled ahead of
//! time. All compute the same.

use pi_image::property::PADDING;
use pi_image::{ImageParts, Properties};
use pi_runtime::{NdRange, SpecValues};

use crate::world::{World, compilers, entries, no_device, with_prop};
use crate::{Test, ahead, tools};

const IMAGES: [&str; 9] = [
    "spec_one",
    "spec_scalar",
    "spec_struct",
    "spec_padded",
    "spec_array",
    "spec_zero",
    "spec_multi",
    "spec_multi_a",
    "spec_multi_b",
];

pub(crate) fn all() -> Vec<Test> {
    let compiler = tools::lacking(&[], &["cc"]);
    IMAGES
        .into_iter()
        .flat_map(|name| {
            [
                Test::new(&format!("emulated::{name}"), move || by_buffer(name), no_device()),
                Test::new(
                    &format!("emulated::{name}_ahead_of_time"),
                    move || ahead_of_time(name),
                    no_device().or_else(|| compiler.clone()),
                ),
            ]
        })
        .collect()
}

fn emulated(name: &str, folder: &std::path::Path) -> ImageParts<'static> {
    let made = folder.join("emulated.spv");
    tools::image_tool(&[&"emulate", &tools::image(&format!("{name}.spv")), &"-o", &made]);
    with_prop(&made)
}

fn by_buffer(name: &str) {
    let folder = tempfile::tempdir().unwrap();
    same(name, emulated(name, folder.path()));
}

fn ahead_of_time(name: &str) {
    let folder = tempfile::tempdir().unwrap();
    let spirv = emulated(name, folder.path());
    let bytes = ahead::compile(&spirv.bytes, folder.path());
    same(name, ImageParts { target: "spir64_x86_64".into(), bytes: bytes.into(), ..spirv });
}

/// Every constant at another value: the lowest bit of each scalar's first byte, and for wider ones one more.
fn others(properties: &Properties) -> SpecValues {
    let mut values = SpecValues::new();
    for constant in properties.spec_constants.iter() {
        let mut bytes = properties.spec_default(constant).unwrap().to_vec();
        for leaf in constant.leaves.iter().filter(|leaf| leaf.id != PADDING) {
            bytes[leaf.offset as usize] ^= if leaf.size == 1 { 1 } else { 5 };
        }
        values.set_bytes(&constant.name, &bytes);
    }
    values
}

fn same(name: &str, emulated: ImageParts<'static>) {
    let native = compilers(name);
    let kernels = entries(&native.bytes);
    let values = others(&Properties::decode(&native).unwrap());
    let (native, emulated) = (World::with(vec![native]), World::with(vec![emulated]));
    for kernel in &kernels {
        let run = |world: &World, values: &SpecValues| {
            world.run(&kernel.name, &kernel.arguments, NdRange::single(), values)
        };
        let defaults = run(&native, &SpecValues::new());
        let changed = run(&native, &values);
        assert_ne!(defaults, changed, "{}: the constants tell", kernel.name);
        assert_eq!(run(&emulated, &SpecValues::new()), defaults, "{}: defaults", kernel.name);
        assert_eq!(run(&emulated, &values), changed, "{}: values set", kernel.name);
    }
}
