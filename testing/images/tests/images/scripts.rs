//! The scripts that people run: the walk-through of the documentation, and the design's example with several targets.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::world::{no_device, of_table};
use crate::{Test, tools};

pub(crate) fn all() -> Vec<Test> {
    let compilers = ["clang-15", "llvm-spirv-15", "c++"];
    let skip = no_device().or_else(|| tools::lacking(&[tools::runtime()], &compilers));
    vec![
        Test::new("scripts::walk_through", walk_through, skip),
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
    // The page tells what happens.
    let page = std::fs::read_to_string(tools::root().join("docs/walk-through.md")).unwrap();
    for line in text.lines().filter(|line| line.starts_with("images_") || line.starts_with("sum of")) {
        assert!(page.contains(line), "docs/walk-through.md has no line {line}");
    }
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
