//! Tests of scripts that people run: the walk-through of the documentation, and the design's example with several
//! targets.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::fixture::{no_device, of_table};
use crate::{Test, tools};

pub(crate) fn all() -> Vec<Test> {
    let compilers = ["clang-15", "llvm-spirv-15", "c++"];
    let skip = no_device().or_else(|| tools::lacking(&[tools::runtime()], &compilers));
    vec![
        Test::new("scripts::walk_through", walk_through, skip),
        Test::new(
            "scripts::mismatch_with_lines",
            mismatch_with_lines,
            tools::lacking(&[tools::pi()], &compilers),
        ),
        Test::new("scripts::entry_of_a_device", entry_of_a_device, no_device()),
        Test::new("scripts::several_targets", several_targets, tools::lacking(&[tools::pi()], &["sh"])),
    ]
}

fn script(name: &str, folder: &Path) -> String {
    let mut command = Command::new(tools::own(name));
    command.arg(folder).env("PI", tools::pi());
    command.env("PLUGIN", tools::plugin()).env("RUNTIME", tools::runtime());
    tools::output(&mut command)
}

fn walk_through() {
    let folder = tempfile::tempdir().unwrap();
    let text = script("walk-through/run.sh", folder.path());
    for line in [
        "images_0.spv: sum_of_squares square",
        "images.table: 3 images",
        "dropped images_2.spv|images_2.prop|images_2.sym: needs fp16",
        "kept 2 of 3 images",
        "sum of squares up to 10: 385",
        "half of 21: 10.5",
        "widen: no image has it",
    ] {
        assert!(text.lines().any(|other| other == line), "{line} is not in\n{text}");
    }
    // The page describes what happens.
    let page = std::fs::read_to_string(tools::root().join("docs/guide/walk-through.md")).unwrap();
    for line in text.lines().filter(|line| line.starts_with("images_") || line.starts_with("sum of")) {
        assert!(page.contains(line), "docs/guide/walk-through.md has no line {line}");
    }
}

/// "Behavior for optional kernel features": the warning, its call chain, and source locations if the code has lines.
fn mismatch_with_lines() {
    let folder = tempfile::tempdir().unwrap();
    let compile = |name: &str, more: &[&str]| {
        let options = [&["-O0"], more].concat();
        tools::compile_opencl(
            &tools::own("mismatch").join(name).with_extension("cl"),
            folder.path(),
            &options,
        )
    };
    let warnings = |more: &[&str]| {
        let (kernel, library) = (compile("kernel", more), compile("library", more));
        let mut link = Command::new(tools::pi());
        link.args(["image", "--json", "link"])
            .arg(kernel)
            .arg(library)
            .arg("-o")
            .arg(folder.path().join("out.spv"));
        let report: serde_json::Value = serde_json::from_str(&tools::output(&mut link)).unwrap();
        let text = |warning: &serde_json::Value| warning.as_str().unwrap().to_owned();
        report["warnings"].as_array().unwrap().iter().map(text).collect::<Vec<String>>()
    };
    let plain = "warning: function 'boo' uses aspect 'fp64' not expected by its calling kernel. Missing \
                 [[sycl::device_has()]] on SYCL_EXTERNAL function?\nuse is from this call chain:\n  foo()\n  bar()\n  \
                 boo()\ncompile with '-g' to get source location";
    assert_eq!(warnings(&[]), [plain]);
    let with_lines = warnings(&["-g"]);
    let [text] = with_lines.as_slice() else { panic!("{with_lines:?}") };
    for line in ["library.cl:4:", "\n  foo()\n", "\n  bar() ", "kernel.cl:5:", "\n  boo() ", "kernel.cl:3:"] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    assert!(!text.contains("compile with '-g'"), "{text}");
}

/// The entry describes the device as the runtime sees it, and the filter accepts it.
fn entry_of_a_device() {
    let folder = tempfile::tempdir().unwrap();
    let [config, table, kept] =
        ["devices.yaml", "m.table", "kept.table"].map(|name| folder.path().join(name));
    let text =
        tools::image_tool(&[&"config", &"--from-device", &"--name", &"here", &"--plugin", &tools::plugin()]);
    std::fs::write(&config, &text).unwrap();
    let read = sycl_pi_image::filter::DeviceConfig::read("devices.yaml", &text).unwrap();
    let device = testing_programs::open(&tools::plugin()).unwrap().first_device().unwrap();
    let entry = &read.devices["here"];
    for (aspect, name) in sycl_pi_image::aspect::ASPECTS {
        assert_eq!(entry.aspects.contains(aspect), device.has(*aspect), "{name}");
    }
    // Also compares with the tests' own table, which queries the device differently.
    for name in ["cpu", "gpu", "fp16", "fp64", "atomic64"] {
        let aspect = sycl_pi_image::aspect::number(name).unwrap();
        let has = testing_programs::device_table::has(device.info(), aspect);
        assert_eq!(entry.aspects.contains(&aspect), has, "{name}");
    }
    let sizes: Vec<u64> = entry.sub_group_sizes.iter().map(|&size| size.into()).collect();
    let mut wanted = device.info().sub_group_sizes.clone();
    wanted.sort_unstable();
    assert_eq!(sizes, wanted);

    tools::image_tool(&[&"split", &tools::image("multi_off.spv"), &"-o", &table]);
    let config = format!("-device-config-file={}", config.display());
    let said = tools::image_tool(&[&"filter", &"-target=here", &config, &table, &"-o", &kept]);
    let all = device.has(sycl_pi_image::aspect::FP64);
    assert!(said.contains(if all { "kept 2 of 2 images" } else { "kept 1 of 2 images" }), "{said}");
}

/// "Behavior for optional kernel features", Aspect filter tool.
fn several_targets() {
    let folder = tempfile::tempdir().unwrap();
    script("targets/run.sh", folder.path());
    let kernels = |target: &str| -> BTreeSet<String> {
        let table = std::fs::read_to_string(folder.path().join(format!("{target}.table"))).unwrap();
        assert!(table.starts_with("[Code|Properties|Symbols]\n"), "{table}");
        let moved = table.replace("post-link_", &format!("{}/post-link_", folder.path().display()));
        let here = folder.path().join("here.table");
        std::fs::write(&here, moved).unwrap();
        let images = of_table(&here);
        images
            .iter()
            .flat_map(|image| &image.entries)
            .map(|name| name.trim_start_matches("_ZTS").into())
            .collect()
    };
    let all = kernels("post-link");
    let without = |names: &[&str]| -> BTreeSet<String> {
        let dropped: BTreeSet<String> =
            all.iter().filter(|kernel| names.iter().any(|name| kernel.ends_with(name))).cloned().collect();
        assert_eq!(dropped.len(), names.len(), "{all:?}");
        all.difference(&dropped).cloned().collect()
    };
    assert_eq!(kernels("spir64"), all, "code for any device is never refused");
    assert_eq!(kernels("x86_64"), all, "a processor has them all");
    assert_eq!(kernels("ptx64"), without(&["Sg8", "Sg16"]), "32 is the only sub-group size");
    assert_eq!(kernels("intel_gpu_12_0_0"), without(&["FeatFp64"]), "no double");
    assert!(std::fs::read(folder.path().join("spir64.o")).unwrap().starts_with(b"\x7fELF"));
}
