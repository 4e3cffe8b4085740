//! Linking and specializing modules.

use std::collections::HashMap;
use std::process::Command;

use sycl_pi_image::derive::derive;
use sycl_pi_image::spirv::{Index, LinkOptions, LinkageKind, Module, Reflection, link, specialize};

use crate::common;

fn linked(names: &[&str], options: LinkOptions) -> Result<Vec<u8>, String> {
    let modules: Vec<Module> =
        names.iter().map(|name| Module::parse(&common::image(name).bytes).unwrap()).collect();
    let indices: Vec<Index<'_>> = modules.iter().map(|module| Index::new(module).unwrap()).collect();
    let named: Vec<(&str, &Index<'_>)> = names.iter().copied().zip(&indices).collect();
    link(&named, options).map(|module| module.to_bytes()).map_err(|error| error.to_string())
}

/// What `spirv-val` has to say; nothing where it is not there.
fn complaint(name: &str, bytes: &[u8]) -> Option<String> {
    let file = std::env::temp_dir().join(format!("pi-image-link-{}-{name}.spv", std::process::id()));
    std::fs::write(&file, bytes).unwrap();
    let output = Command::new("spirv-val").args(["--target-env", "spv1.4"]).arg(&file).output();
    std::fs::remove_file(&file).unwrap();
    let output = output.ok().filter(|output| !output.status.success())?;
    Some(String::from_utf8_lossy(&output.stderr).into_owned())
}

/// A module is valid, as far as the validator knows its capabilities.
fn validate(name: &str, bytes: &[u8]) {
    if let Some(text) = complaint(name, bytes) {
        assert!(text.contains("Invalid capability"), "{name}: {text}");
    }
}

/// Chains, diamonds and split images come together: nothing is left to import, all kernels are there.
#[test]
fn chains_and_diamonds() {
    let sets: [&[&str]; 5] = [
        &["dl_a", "dl_b", "dl_c"],
        &["dm_d", "dm_c", "dm_b", "dm_a"],
        &["dl_split.0", "dl_split.1", "dl_split.2"],
        &["dl_dg_a", "dl_dg_b"],
        &["mix", "dl_c"],
    ];
    for names in sets {
        let bytes = linked(names, LinkOptions::default()).unwrap();
        validate(names[0], &bytes);
        let derived = derive(&bytes).unwrap();
        assert!(derived.properties.imports.is_empty(), "{names:?}");
        let module = Module::parse(&bytes).unwrap();
        let reflection = Reflection::of(&Index::new(&module).unwrap()).unwrap();
        assert!(reflection.symbols(LinkageKind::Import).all(|symbol| symbol.is_built_in), "{names:?}");
        let kernels: usize = names
            .iter()
            .map(|name| derive(&common::image(name).bytes).unwrap().properties.kernel_names.len())
            .sum();
        assert_eq!(derived.properties.kernel_names.len(), kernels);
    }
}

#[test]
fn missing_and_doubled_symbols() {
    let error = linked(&["dl_a", "dl_c"], LinkOptions::default()).unwrap_err();
    assert_eq!(error, "symbol _Z2fbi, which dl_a needs, is defined nowhere");
    let error = linked(&["dg_shared.0", "dg_shared.1"], LinkOptions::default()).unwrap_err();
    assert_eq!(error, "symbol Shared is defined in dg_shared.0 and in dg_shared.1");
    let bytes = linked(&["dl_a", "dl_c"], LinkOptions::allowing_missing()).unwrap();
    let derived = derive(&bytes).unwrap();
    assert!(derived.properties.imports.contains("_Z2fbi") && derived.properties.exports.contains("_Z2fci"));
}

/// Every image linked alone is valid, and says what it said.
#[test]
fn alone() {
    for image in common::images() {
        let bytes = linked(&[&image.name], LinkOptions::allowing_missing());
        let Ok(bytes) = bytes else { panic!("{}: {bytes:?}", image.name) };
        if complaint(&format!("{}-before", image.name), &image.bytes).is_none() {
            validate(&image.name, &bytes);
        }
        let (before, after) = (derive(&image.bytes).unwrap(), derive(&bytes).unwrap());
        assert_eq!(before.entries, after.entries, "{}", image.name);
        assert_eq!(before.properties.requirements, after.properties.requirements, "{}", image.name);
        assert_eq!(before.properties.spec_constants, after.properties.spec_constants, "{}", image.name);
    }
}

#[test]
fn constants_for_good() {
    let image = common::image("spec_struct");
    let module = Module::parse(&image.bytes).unwrap();
    let index = Index::new(&module).unwrap();
    let values = HashMap::from([(1, 2.5_f64.to_le_bytes().to_vec()), (2, vec![7])]);
    let made = specialize(&index, &values, false).unwrap();
    validate("spec_some", &made.to_bytes());
    let left = Reflection::of(&Index::new(&made).unwrap()).unwrap();
    assert_eq!(left.spec_scalars.iter().map(|scalar| scalar.spec_id).collect::<Vec<_>>(), [0, 3, 4, 5]);
    // The composite still has the value where the constant was.
    assert_eq!(left.spec_constants[0].default[8..16], 2.5_f64.to_le_bytes());
    assert_eq!(left.spec_constants[0].default[16], 7);

    let made = specialize(&index, &values, true).unwrap();
    validate("spec_all", &made.to_bytes());
    let left = Reflection::of(&Index::new(&made).unwrap()).unwrap();
    assert!(left.spec_scalars.is_empty() && left.spec_constants.is_empty());

    let error = |values: &[(u32, Vec<u8>)]| {
        specialize(&index, &values.iter().cloned().collect(), false).unwrap_err().to_string()
    };
    assert_eq!(error(&[(9, vec![0])]), "there is no specialization constant 9; there are 0, 1, 2, 3, 4, 5");
    assert_eq!(error(&[(1, vec![0])]), "constant 1 (double) has 8 bytes, not 1");
}
