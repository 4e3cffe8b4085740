//! Tests of specialization constants: set natively, loaded from a buffer, and loaded from a buffer by code compiled
//! ahead of time. All must compute the same. A device without SPIR-V that accepts LLVM's bitcode (PoCL) has no native
//! constants. There, loaded values are compared with the same values fixed in the code.

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

use sycl_pi_image::property::PADDING;
use sycl_pi_image::spirv::{Index, Module, specialize};
use sycl_pi_image::{ImageParts, Properties};
use sycl_pi_runtime::{Arg, Buffer, NdRange, Plugin, SpecValues};
use testing_programs::Launch;

use crate::fixture::{Fixture, compilers, entries, no_device, start, with_prop};
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
    let bitcode = no_bitcode_device();
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
                Test::new(&format!("emulated::{name}_as_bitcode"), move || as_bitcode(name), bitcode.clone()),
            ]
        })
        .collect()
}

/// Returns an image without native constants, written to `emulated.spv` in a folder.
pub(crate) fn emulated(name: &str, folder: &std::path::Path) -> ImageParts<'static> {
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
    let mut image = emulated(name, folder.path());
    image.bytes = ahead::compile(&image.bytes, folder.path()).into();
    image.target = "spir64_x86_64".into();
    same(name, image);
}

/// Returns a different value for each constant: flips the lowest bit of each scalar's first byte, and another bit for
/// wider ones.
pub(crate) fn others(properties: &Properties) -> SpecValues {
    let mut values = SpecValues::new();
    for constant in properties.spec_constants.iter() {
        let mut bytes = properties.spec_default(constant).unwrap().to_vec();
        for leaf in constant.leaves.iter().filter(|leaf| leaf.id != PADDING) {
            bytes[leaf.offset as usize] ^= if leaf.size == 1 { 1 } else { 5 };
        }
        values.set_bytes(&constant.name, &bytes).unwrap();
    }
    values
}

fn same(name: &str, emulated: ImageParts<'static>) {
    let native = compilers(name);
    let kernels = entries(&native.bytes);
    let values = others(&Properties::decode(&native).unwrap());
    let (native, emulated) = (Fixture::with(vec![native]), Fixture::with(vec![emulated]));
    for kernel in &kernels {
        let run = |fixture: &Fixture, values: &SpecValues| {
            fixture.run(&kernel.name, &kernel.arguments, NdRange::single(), values)
        };
        let defaults = run(&native, &SpecValues::new());
        let changed = run(&native, &values);
        assert_ne!(defaults, changed, "{}: the constants tell", kernel.name);
        assert_eq!(run(&emulated, &SpecValues::new()), defaults, "{}: defaults", kernel.name);
        assert_eq!(run(&emulated, &values), changed, "{}: values set", kernel.name);
    }
}

/// Returns why bitcode cannot be run.
fn no_bitcode_device() -> Option<String> {
    if let Some(reason) = tools::lacking(&[tools::plugin(), tools::pi()], &["llvm-spirv-15"]) {
        return Some(reason);
    }
    match testing_programs::open(&tools::plugin()).and_then(Plugin::first_device) {
        Ok(device) if device.info().extensions.iter().any(|name| name == "cl_khr_spir") => None,
        Ok(device) => Some(format!("{} takes no bitcode", device.info().name)),
        Err(error) => Some(error.to_string()),
    }
}

/// Converts SPIR-V to LLVM's bitcode.
fn bitcode(spirv: &Path) -> Vec<u8> {
    let made = spirv.with_extension("bc");
    tools::output(Command::new("llvm-spirv-15").arg("-r").arg(spirv).arg("-o").arg(&made));
    std::fs::read(made).unwrap()
}

fn as_bitcode(name: &str) {
    let folder = tempfile::tempdir().unwrap();
    let spirv = emulated(name, folder.path());
    let kernels = entries(&compilers(name).bytes);
    let values = others(&Properties::decode(&spirv).unwrap());
    let options = "-x spir -spir-std=1.2";
    let bytes = bitcode(&folder.path().join("emulated.spv"));
    let mut emulated = spirv.clone();
    (emulated.bytes, emulated.compile_options) = (bytes.into(), options.into());
    let emulated = Fixture::with(vec![emulated]);
    for (what, values) in [("defaults", SpecValues::new()), ("values set", values)] {
        let fixed = folder.path().join("fixed.spv");
        fix(name, &Properties::decode(&spirv).unwrap(), &values, &fixed);
        let mut fixed = ImageParts::new("fixed", "spir64", bitcode(&fixed));
        (fixed.compile_options, fixed.entries) = (options.into(), spirv.entries.clone());
        let fixed = Fixture::with(vec![fixed]);
        for kernel in &kernels {
            let run = |fixture: &Fixture, values: &SpecValues| run_on_buffer(fixture, &kernel.name, values);
            let wanted = run(&fixed, &SpecValues::new());
            assert_ne!(wanted, start(), "{} does something", kernel.name);
            assert_eq!(run(&emulated, &values), wanted, "{}: {what}", kernel.name);
        }
    }
}

/// Fixes all constants at these values.
fn fix(name: &str, properties: &Properties, values: &SpecValues, out: &Path) {
    let module = Module::parse(&compilers(name).bytes).unwrap();
    let mut all = HashMap::new();
    for constant in properties.spec_constants.iter() {
        let value = values.get(&constant.name).or(properties.spec_default(constant)).unwrap();
        all.extend(constant.scalars(value).map(|(id, value)| (id, value.to_vec())));
    }
    let made = specialize(&Index::new(&module).unwrap(), &all, true).unwrap();
    std::fs::write(out, made.to_bytes().unwrap()).unwrap();
}

/// Returns what a kernel with one pointer writes to a buffer, because not every device has USM.
fn run_on_buffer(fixture: &Fixture, kernel: &str, values: &SpecValues) -> Vec<u8> {
    let mut bytes = start();
    let buffer = Buffer::new(fixture.queue.context(), &bytes).unwrap();
    let kernel = fixture.runtime.kernel(&fixture.device, kernel, values).unwrap();
    kernel.start(&fixture.queue, NdRange::single(), &[Arg::buffer(&buffer)]).unwrap().wait().unwrap();
    buffer.read(&fixture.queue, 0, &mut bytes).unwrap();
    bytes
}
