//! Tests on a device that linked and split images compute the same as their originals.

use std::path::{Path, PathBuf};

use sycl_pi_image::{ImageParts, Properties};
use sycl_pi_runtime::{Arg, NdRange, SpecValues, Usm, UsmKind};
use testing_programs::Launch as _;

use crate::emulated::{emulated, others};
use crate::fixture::{Fixture, compilers, entries, no_device, of_table, with_prop};
use crate::{Test, tools};

pub(crate) fn all() -> Vec<Test> {
    let compiler = no_device().or_else(|| tools::lacking(&[], &["clang-15", "llvm-spirv-15"]));
    vec![
        Test::new("linked::constants_keep_their_values", || constants(false), no_device()),
        Test::new("linked::emulated_constants_keep_their_values", || constants(true), no_device()),
        Test::new("linked::work_items_know_their_ids", work_items, compiler.clone()),
        Test::new("linked::types_with_pointers_to_themselves", recursive_types, compiler.clone()),
        Test::new("linked::kernels_share_a_variable_after_a_split", shared_variable, compiler.clone()),
        Test::new("linked::rounding_modes_stay", rounding_modes, compiler),
    ]
}

/// Links images whose constants have the same ids. Every kernel must compute the same as alone, with defaults and with
/// values set by name.
fn constants(emulate: bool) {
    const IMAGES: [&str; 4] = ["spec_one", "spec_struct", "spec_padded", "spec_scalar"];
    let folder = tempfile::tempdir().unwrap();
    let made = folder.path().join("linked.spv");
    let code: Vec<PathBuf> = IMAGES
        .iter()
        .map(|name| match emulate {
            true => {
                let part = folder.path().join(name);
                std::fs::create_dir(&part).unwrap();
                emulated(name, &part);
                part.join("emulated.spv")
            }
            false => tools::image(&format!("{name}.spv")),
        })
        .collect();
    tools::image_tool(&[&"link", &code[0], &code[1], &code[2], &code[3], &"-o", &made]);
    let linked = Fixture::with(vec![with_prop(&made)]);
    for name in IMAGES {
        let image = compilers(name);
        let kernels = entries(&image.bytes);
        let values = others(&Properties::decode(&image).unwrap());
        let alone = Fixture::with(vec![image]);
        for kernel in &kernels {
            let run = |fixture: &Fixture, values: &SpecValues| {
                fixture.run(&kernel.name, &kernel.arguments, NdRange::single(), values)
            };
            let (defaults, changed) = (run(&alone, &SpecValues::new()), run(&alone, &values));
            assert_ne!(defaults, changed, "{}: the constants tell", kernel.name);
            assert_eq!(run(&linked, &SpecValues::new()), defaults, "{}: defaults", kernel.name);
            assert_eq!(run(&linked, &values), changed, "{}: values set", kernel.name);
        }
    }
}

/// Compiles OpenCL C.
fn compiled(folder: &Path, name: &str, source: &str) -> PathBuf {
    let file = folder.join(name).with_extension("cl");
    std::fs::write(&file, source).unwrap();
    tools::compile_opencl(&file, folder, &["-O1"])
}

fn linked(folder: &Path, modules: &[PathBuf]) -> ImageParts<'static> {
    let made = folder.join("linked.spv");
    let mut words: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![&"link", &"-o", &made];
    words.extend(modules.iter().map(|module| module as &dyn AsRef<std::ffi::OsStr>));
    tools::image_tool(&words);
    with_prop(&made)
}

/// Returns what a kernel writes to each of its blocks of memory.
fn launched(fixture: &Fixture, kernel: &str, items: usize, memory: &[&[i32]]) -> Vec<Vec<i32>> {
    let kernel = fixture.runtime.kernel(&fixture.device, kernel, &SpecValues::new()).unwrap();
    let block = |values: &&[i32]| {
        let block =
            Usm::<i32>::new(fixture.queue.context(), &fixture.device, UsmKind::Shared, values.len()).unwrap();
        block.write(&fixture.queue, 0, values).unwrap();
        block
    };
    let memory: Vec<Usm<i32>> = memory.iter().map(block).collect();
    let given: Vec<Arg<'_>> = memory.iter().map(Arg::usm).collect();
    kernel.start(&fixture.queue, NdRange::new(&[items]).unwrap(), &given).unwrap().wait().unwrap();
    memory.iter().map(|block| block.to_vec(&fixture.queue).unwrap()).collect()
}

/// The variables that the device provides are imports of each module.
fn work_items() {
    let folder = tempfile::tempdir().unwrap();
    let of = |name: &str, factor: &str| {
        let body = format!("o[get_global_id(0)] = get_global_id(0) * {factor} + get_global_size(0);");
        compiled(folder.path(), name, &format!("kernel void {name}(global int *o) {{ {body} }}"))
    };
    let fixture = Fixture::with(vec![linked(folder.path(), &[of("one", "3"), of("two", "5")])]);
    assert_eq!(launched(&fixture, "one", 4, &[&[0; 4]]), [[4, 7, 10, 13]]);
    assert_eq!(launched(&fixture, "two", 4, &[&[0; 4]]), [[4, 9, 14, 19]]);
}

/// One module builds a list, and another one sums it up.
fn recursive_types() {
    let folder = tempfile::tempdir().unwrap();
    let node = "struct node { int value; global struct node *next; }; int sum(global struct node *n);";
    let library = compiled(
        folder.path(),
        "library",
        &format!(
            "{node} int sum(global struct node *n) {{ int s = 0; while (n) {{ s += n->value; n = n->next; }} return s; }}"
        ),
    );
    let kernel = compiled(
        folder.path(),
        "kernel",
        &format!(
            "{node} kernel void list(global struct node *n, global int *o) {{ n[0].next = n + 1; n[1].next = 0; \
             n[0].value = 4; n[1].value = 5; o[0] = sum(n); }}"
        ),
    );
    let fixture = Fixture::with(vec![linked(folder.path(), &[kernel, library])]);
    assert_eq!(launched(&fixture, "list", 1, &[&[0; 8], &[0]])[1], [9]);
}

/// One kernel writes a variable of the module and another one reads it, also after a split.
fn shared_variable() {
    let folder = tempfile::tempdir().unwrap();
    let source = "global int counter = 0;
        kernel void bump(global int *o) { counter += o[0]; }
        kernel void read(global int *o) { o[0] = counter; }
        kernel void other(global int *o) { o[0] = 7; }";
    let code = compiled(folder.path(), "counter", source);
    for more in [&[][..], &["--dependencies"]] {
        let table = folder.path().join("split.table");
        let mut words: Vec<&dyn AsRef<std::ffi::OsStr>> =
            vec![&"split", &code, &"-o", &table, &"--mode", &"per_kernel"];
        words.extend(more.iter().map(|word| word as &dyn AsRef<std::ffi::OsStr>));
        tools::image_tool(&words);
        let images = of_table(&table);
        assert_eq!(images.len(), 2);
        let fixture = Fixture::with(images);
        for _ in 0..3 {
            launched(&fixture, "bump", 1, &[&[2]]);
            assert_eq!(launched(&fixture, "other", 1, &[&[0]]), [[7]]);
        }
        assert_eq!(launched(&fixture, "read", 1, &[&[0]]), [[6]], "{more:?}");
    }
}

/// 1.0006 as a half, rounded to the nearest, towards zero, up and down, by "Conversion to half" of OpenCL C.
fn rounding_modes() {
    const INPUT: i32 = 0x3f80_13a9;
    const EXPECTED: [(&str, i32); 4] = [("rte", 15361), ("rtz", 15360), ("rtp", 15361), ("rtn", 15360)];
    let folder = tempfile::tempdir().unwrap();
    let kernel = |(mode, _): &(&str, i32)| {
        format!("kernel void {mode}(global half *h, global float *o) {{ vstore_half_{mode}(o[0], 0, h); }}\n")
    };
    let code = compiled(folder.path(), "modes", &EXPECTED.iter().map(kernel).collect::<String>());
    let table = folder.path().join("split.table");
    tools::image_tool(&[&"split", &code, &"-o", &table, &"--mode", &"per_kernel"]);
    let images = of_table(&table);
    assert_eq!(images.len(), 4);
    let pieces: Vec<PathBuf> =
        (0..4).map(|number| folder.path().join(format!("split_{number}.spv"))).collect();
    for fixture in [Fixture::with(images), Fixture::with(vec![linked(folder.path(), &pieces)])] {
        for (mode, expected) in EXPECTED {
            assert_eq!(launched(&fixture, mode, 1, &[&[0], &[INPUT]])[0], [expected], "{mode}");
        }
    }
}
