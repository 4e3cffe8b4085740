//! Splitting what the compiler did not split gives the images that it makes split.

use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use sycl_pi_image::derive::derive;
use sycl_pi_image::spirv::{Index, LinkOptions, Module, SplitMode, SplitOptions, link, split};
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
                SetKind::ALL.into_iter().map(|kind| format!("{:?}", properties.encode_set(kind))).collect()
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

/// The module with each of these functions, by name, in a source file.
fn with_lines(module: &Module, files: &[(&str, &str)]) -> Module {
    let index = Index::new(module).unwrap();
    let function_of = |name: &str| {
        let entry = module.instructions().find(|inst| inst.opcode == 15 && inst.text(2).unwrap().0 == name);
        let named =
            || index.functions.iter().map(|one| one.id).find(|&id| index.name(id).as_deref() == Some(name));
        entry.map(|inst| inst.operand(1)).or_else(named).unwrap()
    };
    let bound = module.bound();
    let mut words = module.words()[..5].to_vec();
    words[3] = bound + files.len() as u32;
    let of: Vec<u32> = files.iter().map(|(name, _)| function_of(name)).collect();
    let mut strings = false;
    for inst in module.instructions() {
        // OpString comes before the first name or decoration.
        if !strings && matches!(inst.opcode, 5 | 6 | 71..) {
            strings = true;
            for (number, (_, file)) in files.iter().enumerate() {
                let mut bytes = file.as_bytes().to_vec();
                bytes.resize(file.len() / 4 * 4 + 4, 0);
                let text = bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap()));
                words.extend([((bytes.len() as u32 / 4 + 2) << 16) | 7, bound + number as u32]);
                words.extend(text);
            }
        }
        let length = inst.operands.len() as u32 + 1;
        words.push((length << 16) | u32::from(inst.opcode));
        words.extend(inst.operands);
        // OpLine stands behind the first label of a function.
        if inst.opcode == 248
            && let Some(function) = index.functions.iter().find(|one| {
                let mut insts = module.range(one.first, one.end);
                insts.find(|inst| inst.opcode == 248).is_some_and(|label| label.number == inst.number)
            })
            && let Some(number) = of.iter().position(|&id| id == function.id)
        {
            words.extend([(4 << 16) | 8, bound + number as u32, 3, 1]);
        }
    }
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    Module::parse(&bytes).unwrap()
}

/// The entries of each image.
fn entries(module: &Module, options: &SplitOptions) -> Vec<Vec<String>> {
    let index = Index::new(module).unwrap();
    let images = split(&index, options).unwrap();
    for image in &images {
        validate(&module.to_bytes(), &image.module.to_bytes());
    }
    images.into_iter().map(|image| image.entries).collect()
}

/// An image for each source file, by the lines in the code; a function of one file is copied or imported where another needs it.
#[test]
fn by_source_file() {
    let module = Module::parse(&common::image("dl_off").bytes).unwrap();
    let (one, two, helper) = ("_ZTS8DlSplit1", "_ZTS8DlSplit2", "_Z6helperi");
    let options = |mode, dependencies| SplitOptions {
        mode,
        dependencies,
        exports: vec![helper.to_owned()],
        ..SplitOptions::default()
    };
    // Without lines everything is one source.
    assert_eq!(entries(&module, &options(SplitMode::PerSource, true)).len(), 1);
    let lines = with_lines(&module, &[(one, "a.cpp"), (two, "b.cpp"), (helper, "a.cpp")]);
    let expected = [vec![one.to_owned(), helper.to_owned()], vec![two.to_owned()]];
    for mode in [SplitMode::PerSource, SplitMode::Auto] {
        for dependencies in [true, false] {
            let mut found = entries(&lines, &options(mode, dependencies));
            found.iter_mut().for_each(|entries| entries.sort_by_key(|entry| *entry == helper));
            found.sort();
            assert_eq!(found, expected, "{mode:?} {dependencies}");
        }
    }
    // The exported function is in its own source's image only.
    let index = Index::new(&lines).unwrap();
    for image in split(&index, &options(SplitMode::PerSource, true)).unwrap() {
        let derived = derive(&image.module.to_bytes()).unwrap();
        let exports: Vec<&str> = derived.properties.exports.iter().collect();
        let is_home = image.entries.iter().any(|entry| entry == helper);
        assert_eq!(exports, if is_home { vec![helper] } else { Vec::new() });
    }
}

/// "External function calling one of another module: not copied, a dependency; kernels still self-contained".
#[test]
fn kernels_may_stay_self_contained() {
    let exports = vec!["_Z6helperi".to_owned()];
    let options = SplitOptions {
        mode: SplitMode::PerKernel,
        exports,
        dependencies: true,
        self_contained_kernels: true,
        ..SplitOptions::default()
    };
    let images = split_image("dl_off", &options);
    assert_eq!(images.len(), 3);
    for (entries, bytes) in images {
        let derived = derive(&bytes).unwrap();
        assert!(derived.properties.imports.is_empty(), "{entries:?}");
    }
}

/// A variable that two images need is in one of them; the other imports it, and both can be linked again.
#[test]
fn a_shared_variable_has_one_home() {
    // Two kernels, one device global without image scope.
    let (name, variable) = ("dg_basic", "Counter");
    let module = Module::parse(&common::image(name).bytes).unwrap();
    let index = Index::new(&module).unwrap();
    let options = SplitOptions { mode: SplitMode::PerKernel, dependencies: true, ..SplitOptions::default() };
    let images = split(&index, &options).unwrap();
    let mut homes = std::collections::BTreeMap::<String, usize>::new();
    for image in &images {
        validate(&module.to_bytes(), &image.module.to_bytes());
        let globals = derive(&image.module.to_bytes()).unwrap().properties.device_globals.globals;
        globals.into_iter().for_each(|global| *homes.entry(global.unique_id).or_default() += 1);
    }
    assert!(homes.values().all(|&count| count == 1), "{name}: {homes:?}");
    let exports = images.iter().filter(|one| one.variable_exports == [variable]).count();
    let imports = images.iter().filter(|one| one.variable_imports == [variable]).count();
    assert_eq!((exports, imports), (1, 1));
    let indices: Vec<Index<'_>> = images.iter().map(|image| Index::new(&image.module).unwrap()).collect();
    let named: Vec<(&str, &Index<'_>)> = indices.iter().map(|index| (name, index)).collect();
    let linked = link(&named, LinkOptions::default()).unwrap();
    validate(&module.to_bytes(), &linked.to_bytes());
    // Without dependencies each image has its own.
    let options = SplitOptions { mode: SplitMode::PerKernel, ..SplitOptions::default() };
    for image in split(&index, &options).unwrap() {
        assert!(image.variable_imports.is_empty() && image.variable_exports.is_empty());
    }
}
