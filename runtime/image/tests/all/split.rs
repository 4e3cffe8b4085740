//! Splitting what the compiler did not split gives the images that it makes split.

use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use sycl_pi_image::derive::derive;
use sycl_pi_image::spirv::{Index, Module, SplitMode, SplitOptions, split};
use sycl_pi_image::{Properties, SetKind};

use crate::common;

fn split_image(name: &str, options: &SplitOptions) -> Vec<(Vec<String>, Vec<u8>)> {
    let module = Module::parse(&common::image(name).bytes).unwrap();
    let index = Index::new(&module).unwrap();
    let images = split(&index, options).unwrap();
    images.into_iter().map(|image| (image.entries, image.module.to_bytes())).collect()
}

/// Kernels, requirements, exports and imports: sorted, so that order does not matter.
fn facts(properties: &Properties) -> String {
    let kinds =
        [SetKind::Requirements, SetKind::KernelNames, SetKind::Exports, SetKind::Imports, SetKind::Metadata];
    let mut facts = String::new();
    for kind in kinds {
        let set = properties.encode_set(kind).unwrap();
        let mut lines: Vec<String> =
            set.properties.iter().map(|property| format!("{property:?}\n")).collect();
        lines.sort();
        facts += &format!("{}:\n{}", set.name, lines.concat());
    }
    facts
}

fn check(whole: &str, parts: &str, options: &SplitOptions) {
    let mut ours: Vec<String> = Vec::new();
    for (_, bytes) in split_image(whole, options) {
        validate(&common::image(whole).bytes, &bytes);
        ours.push(facts(&derive(&bytes).unwrap().properties));
    }
    let theirs = common::images().into_iter().filter(|image| image.name.starts_with(&format!("{parts}.")));
    let mut theirs: Vec<String> =
        theirs.map(|image| facts(&Properties::decode(&image.parts()).unwrap())).collect();
    ours.sort();
    theirs.sort();
    assert_eq!(ours.len(), theirs.len());
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_eq!(ours, theirs);
    }
}

/// `spirv-val` must have nothing to say about what was made, where it is there and has nothing to say about the original.
fn validate(original: &[u8], made: &[u8]) {
    if valid(original) == Ok(true) {
        assert_eq!(valid(made), Ok(true));
    }
}

fn valid(bytes: &[u8]) -> Result<bool, String> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let file = std::env::temp_dir().join(format!("pi-image-{}-{number}.spv", std::process::id()));
    std::fs::write(&file, bytes).unwrap();
    let output = Command::new("spirv-val").args(["--target-env", "spv1.4"]).arg(&file).output();
    std::fs::remove_file(&file).unwrap();
    match output {
        Ok(output) if output.status.success() => Ok(true),
        Ok(output) => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        Err(_) => Ok(false),
    }
}

#[test]
fn per_kernel() {
    check("multi_off", "multi_perkernel", &SplitOptions::new(SplitMode::PerKernel));
}

#[test]
fn automatically() {
    for mode in [SplitMode::Auto, SplitMode::Off, SplitMode::PerSource] {
        check("multi_off", "multi_auto", &SplitOptions::new(mode));
        check("feat_wg_off", "feat_wg", &SplitOptions::new(mode));
    }
}

#[test]
fn with_dependencies() {
    let exports = vec!["_Z6helperi".to_owned()];
    let mut options = SplitOptions::new(SplitMode::PerKernel);
    (options.exports, options.dependencies) = (exports, true);
    check("dl_off", "dl_split", &options);
}

/// Without dependencies, an exported function is copied to where it is called, and internal there.
#[test]
fn self_contained() {
    let exports = vec!["_Z6helperi".to_owned()];
    let mut options = SplitOptions::new(SplitMode::PerKernel);
    options.exports = exports;
    let images = split_image("dl_off", &options);
    assert_eq!(images.len(), 3);
    for (entries, bytes) in images {
        let derived = derive(&bytes).unwrap();
        assert_eq!(derived.entries, entries);
        assert!(derived.properties.imports.is_empty());
        assert_eq!(derived.properties.exports.len(), usize::from(entries == ["_Z6helperi"]));
    }
}

/// Each image that has one group already comes out of a split with all that it had.
#[test]
fn nothing_is_lost() {
    for image in common::images() {
        let before = derive(&image.bytes).unwrap();
        let images = split_image(&image.name, &SplitOptions::new(SplitMode::Off));
        for (_, bytes) in &images {
            validate(&image.bytes, bytes);
        }
        if let [(_, bytes)] = images.as_slice() {
            let after = derive(bytes).unwrap();
            let sets = |properties: &Properties| -> Vec<String> {
                let skip = |kind: &SetKind| !matches!(kind, SetKind::DeviceGlobals | SetKind::Metadata);
                SetKind::ALL
                    .into_iter()
                    .filter(skip)
                    .map(|kind| format!("{:?}", properties.encode_set(kind)))
                    .collect()
            };
            assert_eq!(sets(&before.properties), sets(&after.properties), "{}", image.name);
        }
    }
}

/// The design's error for a variable with image scope in two images, in its words.
#[test]
fn image_scope_in_two_images() {
    let module = Module::parse(&common::image("dg_scope").bytes).unwrap();
    let index = Index::new(&module).unwrap();
    let options = SplitOptions::new(SplitMode::PerKernel);
    let error = split(&index, &options).unwrap_err().to_string();
    let words = "device_global variable Scoped with property \"device_image_scope\" is used in more than one device image.";
    assert_eq!(error, words);
}
