//! Splitting an unsplit module yields the images that the compiler makes when it splits.

use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use sycl_pi_image::derive::derive;
use sycl_pi_image::spirv::{
    Capability, Decoration, ExecutionMode, Index, LinkOptions, LinkageKind, Module, Op, Reflection,
    SplitMode, SplitOptions, StorageClass, link, split,
};
use sycl_pi_image::{Properties, SetKind};

use crate::assembler::{Assembler, pieces};
use crate::common;

fn split_image(name: &str, options: &SplitOptions) -> Vec<(Vec<String>, Vec<u8>)> {
    let module = Module::parse(&common::image(name).bytes).unwrap();
    let index = Index::new(&module).unwrap();
    let images = split(&index, options).unwrap();
    images.into_iter().map(|image| (image.entries, image.module.to_bytes().unwrap())).collect()
}

/// Lists kernels, requirements, exports and imports in sorted order.
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

/// Checks that `spirv-val` accepts the result if it is installed and accepts the original.
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

/// Without dependencies, an exported function is copied to its callers' images, and is internal there.
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

/// An image that forms a single group keeps all of its contents in a split.
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

/// The design's error for a variable with image scope in two images, in the design's wording.
#[test]
fn image_scope_in_two_images() {
    let module = Module::parse(&common::image("dg_scope").bytes).unwrap();
    let index = Index::new(&module).unwrap();
    let options = SplitOptions::new(SplitMode::PerKernel);
    let error = split(&index, &options).unwrap_err().to_string();
    let words = "device_global variable Scoped with property \"device_image_scope\" is used in more than one device image.";
    assert_eq!(error, words);
}

/// Returns the module with line information that places each of these functions, by name, in a source file.
fn with_lines(module: &Module, files: &[(&str, &str)]) -> Module {
    let index = Index::new(module).unwrap();
    let function_of = |name: &str| {
        let entry = module
            .instructions()
            .find(|inst| inst.opcode == Op::EntryPoint && inst.text(2).unwrap().0 == name);
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
        if !strings && matches!(inst.raw_opcode, 5 | 6 | 71..) {
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
        words.push((length << 16) | u32::from(inst.raw_opcode));
        words.extend(inst.operands);
        // OpLine follows the first label of a function.
        if inst.opcode == Op::Label
            && let Some(function) = index.functions.iter().find(|one| {
                let mut insts = module.range(one.first, one.end);
                insts.find(|inst| inst.opcode == Op::Label).is_some_and(|label| label.number == inst.number)
            })
            && let Some(number) = of.iter().position(|&id| id == function.id)
        {
            words.extend([(4 << 16) | 8, bound + number as u32, 3, 1]);
        }
    }
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    Module::parse(&bytes).unwrap()
}

/// Returns the entries of each image.
fn entries(module: &Module, options: &SplitOptions) -> Vec<Vec<String>> {
    let index = Index::new(module).unwrap();
    let images = split(&index, options).unwrap();
    for image in &images {
        validate(&module.to_bytes().unwrap(), &image.module.to_bytes().unwrap());
    }
    images.into_iter().map(|image| image.entries).collect()
}

/// There is one image per source file, according to the lines in the code. A function of one file is copied or imported
/// if another file needs it.
#[test]
fn by_source_file() {
    let module = Module::parse(&common::image("dl_off").bytes).unwrap();
    let (one, two, helper) = ("_ZTS8DlSplit1", "_ZTS8DlSplit2", "_Z6helperi");
    let options = |mode, dependencies| {
        let mut options = SplitOptions::new(mode);
        options.dependencies = dependencies;
        options.exports = vec![helper.to_owned()];
        options
    };
    // Without lines everything counts as one source.
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
    // The exported function is only in its own source's image.
    let index = Index::new(&lines).unwrap();
    for image in split(&index, &options(SplitMode::PerSource, true)).unwrap() {
        let derived = derive(&image.module.to_bytes().unwrap()).unwrap();
        let exports: Vec<&str> = derived.properties.exports.iter().collect();
        let is_home = image.entries.iter().any(|entry| entry == helper);
        assert_eq!(exports, if is_home { vec![helper] } else { Vec::new() });
    }
}

/// "External function calling one of another module: not copied, a dependency; kernels still self-contained".
#[test]
fn kernels_may_stay_self_contained() {
    let mut options = SplitOptions::new(SplitMode::PerKernel);
    options.exports = vec!["_Z6helperi".to_owned()];
    options.dependencies = true;
    options.self_contained_kernels = true;
    let images = split_image("dl_off", &options);
    assert_eq!(images.len(), 3);
    for (entries, bytes) in images {
        let derived = derive(&bytes).unwrap();
        assert!(derived.properties.imports.is_empty(), "{entries:?}");
    }
}

/// A variable that two images need is defined in one of them and imported by the other, and both can be linked again.
#[test]
fn a_shared_variable_has_one_home() {
    // Two kernels, one device global without image scope.
    let (name, variable) = ("dg_basic", "Counter");
    let module = Module::parse(&common::image(name).bytes).unwrap();
    let index = Index::new(&module).unwrap();
    let mut options = SplitOptions::new(SplitMode::PerKernel);
    options.dependencies = true;
    let images = split(&index, &options).unwrap();
    let mut homes = std::collections::BTreeMap::<String, usize>::new();
    for image in &images {
        validate(&module.to_bytes().unwrap(), &image.module.to_bytes().unwrap());
        let globals = derive(&image.module.to_bytes().unwrap()).unwrap().properties.device_globals.globals;
        globals.into_iter().for_each(|global| *homes.entry(global.unique_id).or_default() += 1);
    }
    assert!(homes.values().all(|&count| count == 1), "{name}: {homes:?}");
    let exports = images.iter().filter(|one| one.variable_exports == [variable]).count();
    let imports = images.iter().filter(|one| one.variable_imports == [variable]).count();
    assert_eq!((exports, imports), (1, 1));
    let indices: Vec<Index<'_>> = images.iter().map(|image| Index::new(&image.module).unwrap()).collect();
    let named: Vec<(&str, &Index<'_>)> = indices.iter().map(|index| (name, index)).collect();
    let linked = link(&named, LinkOptions::default()).unwrap();
    validate(&module.to_bytes().unwrap(), &linked.to_bytes().unwrap());
    // Without dependencies each image has its own.
    let options = SplitOptions::new(SplitMode::PerKernel);
    for image in split(&index, &options).unwrap() {
        assert!(image.variable_imports.is_empty() && image.variable_exports.is_empty());
    }
}

const UINT: u32 = 1;
const VOID: u32 = 2;
const KIND: u32 = 3;
const POINTER: u32 = 4;
const VARIABLE: u32 = 5;
const ONE: u32 = 6;
const FORMAT: u32 = 7;

/// The kind of the module's variable.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Plain,
    Constant,
    DeviceGlobal,
}

/// Makes kernels `init` and `read`, which both reach a variable, one of them through a function, and `other`, which
/// does not.
fn with_variable(variable: Kind) -> Module {
    let mut module = Assembler::new();
    for (function, name) in [(10, "init"), (11, "read"), (12, "other")] {
        module.entry(function, name);
    }
    module.linkage(VARIABLE, "counter", 0);
    if variable == Kind::Constant {
        module.push(Op::Decorate, &[VARIABLE, Decoration::Constant as u32]);
    }
    if variable == Kind::DeviceGlobal {
        module.push_text(Op::Decorate, &[VARIABLE, Decoration::HostAccessINTEL as u32, 2], "uid", &[]);
    }
    module.push(Op::TypeInt, &[UINT, 32, 0]);
    module.push(Op::TypeVoid, &[VOID]);
    module.push(Op::TypeFunction, &[KIND, VOID]);
    // A device global consists of a pointer to its value, which the host provides, and the value.
    module.push(Op::TypePointer, &[8, StorageClass::CrossWorkgroup as u32, UINT]);
    module.push(Op::TypeStruct, &[FORMAT, 8, UINT]);
    let inner = if variable == Kind::DeviceGlobal { FORMAT } else { UINT };
    module.push(Op::TypePointer, &[POINTER, StorageClass::CrossWorkgroup as u32, inner]);
    module.push(Op::Constant, &[UINT, ONE, 1]);
    module.push(Op::Variable, &[POINTER, VARIABLE, StorageClass::CrossWorkgroup as u32]);
    let copy = |id| [POINTER, id, VARIABLE];
    module.function([VOID, KIND, 10], &[], 20, &[(Op::CopyObject, &copy(30))]);
    module.function([VOID, KIND, 11], &[], 21, &[(Op::FunctionCall, &[VOID, 31, 13])]);
    module.function([VOID, KIND, 12], &[], 22, &[]);
    module.function([VOID, KIND, 13], &[], 23, &[(Op::CopyObject, &copy(33))]);
    module.module()
}

/// One kernel writes a variable that another reads. In separate images each would have its own copy.
#[test]
fn kernels_that_share_a_variable_stay_together() {
    let of = |variable, mode, dependencies| {
        let mut options = SplitOptions::new(mode);
        options.dependencies = dependencies;
        entries(&with_variable(variable), &options)
    };
    let names = |images: &[&[&str]]| -> Vec<Vec<String>> {
        images.iter().map(|names| names.iter().map(|&name| name.to_owned()).collect()).collect()
    };
    for dependencies in [false, true] {
        let found = of(Kind::Plain, SplitMode::PerKernel, dependencies);
        assert_eq!(found, names(&[&["init", "read"], &["other"]]), "{dependencies}");
        for variable in [Kind::Constant, Kind::DeviceGlobal] {
            let found = of(variable, SplitMode::PerKernel, dependencies);
            assert_eq!(found, names(&[&["init"], &["read"], &["other"]]), "{variable:?}");
        }
    }
}

/// Images of a split can be linked with each other, because copies are internal to their images.
#[test]
fn copies_are_not_exported() {
    let exports = |module: &Module| -> Vec<String> {
        let reflection = Reflection::of(&Index::new(module).unwrap()).unwrap();
        reflection.symbols(LinkageKind::Export).map(|symbol| symbol.name.clone()).collect()
    };
    let found: Vec<_> = pieces(&with_variable(Kind::Constant), &SplitOptions::new(SplitMode::PerKernel))
        .iter()
        .map(|(_, module)| exports(module))
        .collect();
    assert_eq!(found, [vec!["counter".to_owned()], Vec::new(), Vec::new()]);

    // A function that the code itself exports and that a kernel calls.
    let mut module = Assembler::new();
    module.entry(10, "kernel");
    module.linkage(11, "helper", 0);
    module.push(Op::TypeVoid, &[VOID]);
    module.push(Op::TypeFunction, &[KIND, VOID]);
    module.function([VOID, KIND, 10], &[], 20, &[(Op::FunctionCall, &[VOID, 30, 11])]);
    module.function([VOID, KIND, 11], &[], 21, &[]);
    let images = pieces(&module.module(), &SplitOptions::new(SplitMode::PerKernel));
    let found: Vec<_> = images.iter().map(|(entries, module)| (entries.concat(), exports(module))).collect();
    assert_eq!(found, [("kernel".into(), vec![]), ("helper".into(), vec!["helper".to_owned()])]);
    assert!(
        images.iter().all(|(_, module)| Index::new(module).unwrap().functions.iter().all(|one| one.has_body))
    );
}

/// Makes kernels that require sub-group or work-group sizes.
fn with_sizes(kernels: &[(&str, u32, &[u32])]) -> Module {
    let mut module = Assembler::new();
    for (number, (name, ..)) in (10..).zip(kernels) {
        module.entry(number, name);
    }
    for (number, (_, mode, sizes)) in (10..).zip(kernels) {
        module.push(Op::ExecutionMode, &[&[number, *mode], *sizes].concat());
    }
    module.push(Op::TypeVoid, &[VOID]);
    module.push(Op::TypeFunction, &[KIND, VOID]);
    for number in 0..kernels.len() as u32 {
        module.function([VOID, KIND, 10 + number], &[], 100 + number, &[]);
    }
    module.module()
}

const SIZES: [(&str, u32, &[u32]); 5] = [
    ("sg8", ExecutionMode::SubgroupSize as u32, &[8]),
    ("sg16", ExecutionMode::SubgroupSize as u32, &[16]),
    ("again8", ExecutionMode::SubgroupSize as u32, &[8]),
    ("wg", ExecutionMode::LocalSize as u32, &[4, 1, 1]),
    ("other", ExecutionMode::LocalSize as u32, &[8, 1, 1]),
];

/// "Behavior for optional kernel features", Changes to the device code split algorithm.
#[test]
fn kernels_with_different_required_sizes_never_share_an_image() {
    for mode in [SplitMode::Off, SplitMode::PerSource, SplitMode::Auto] {
        let found = entries(&with_sizes(&SIZES), &SplitOptions::new(mode));
        let expected = [vec!["sg8", "again8"], vec!["sg16"], vec!["wg"], vec!["other"]];
        assert_eq!(found, expected, "{mode:?}");
    }
}

/// The same sizes, given by the ids of constants.
#[test]
fn sizes_that_are_constants_count_as_numbers_do() {
    const MODE: u32 = ExecutionMode::LocalSizeId as u32;
    let [one, four, eight] = [50, 51, 52];
    let kernels: [(&str, [u32; 3]); 3] =
        [("wg", [four, one, one]), ("other", [eight, one, one]), ("again", [four, one, one])];
    let mut module = Assembler::new();
    for (id, (name, _)) in (10..).zip(&kernels) {
        module.entry(id, name);
    }
    for (id, (_, sizes)) in (10..).zip(&kernels) {
        module.push(Op::ExecutionModeId, &[&[id, MODE], sizes.as_slice()].concat());
    }
    module.push(Op::TypeVoid, &[VOID]);
    module.push(Op::TypeFunction, &[KIND, VOID]);
    module.push(Op::TypeInt, &[60, 32, 0]);
    for (id, number) in [(one, 1), (four, 4), (eight, 8)] {
        module.push(Op::Constant, &[60, id, number]);
    }
    for id in 10..13 {
        module.function([VOID, KIND, id], &[], 100 + id, &[]);
    }
    let found = entries(&module.module(), &SplitOptions::new(SplitMode::Off));
    assert_eq!(found, [vec!["wg", "again"], vec!["other"]]);
}

/// A store has no result, so its width is that of the value.
#[test]
fn a_piece_keeps_the_capability_for_64_bit_atomics_if_it_has_some() {
    let [scalar, number, pointer, scope, semantics, value, memory, result] = [60, 61, 62, 63, 64, 65, 66, 67];
    let needed = Capability::Int64Atomics as u32;
    let operations: [(Op, &[u32]); 2] = [
        (Op::AtomicStore, &[memory, scope, semantics, value]),
        (Op::AtomicLoad, &[number, result, memory, scope, semantics]),
    ];
    for (operation, bits) in operations.into_iter().flat_map(|operation| [(operation, 32), (operation, 64)]) {
        let mut module = Assembler::new();
        module.push(Op::Capability, &[needed]);
        module.entry(10, "kernel");
        module.push(Op::TypeVoid, &[VOID]);
        module.push(Op::TypeInt, &[scalar, 16, 0]);
        module.push(Op::TypeInt, &[number, bits, 0]);
        module.push(Op::TypePointer, &[pointer, StorageClass::CrossWorkgroup as u32, number]);
        module.push(Op::TypeFunction, &[KIND, VOID, pointer]);
        module.push(Op::Constant, &[scalar, scope, 1]);
        module.push(Op::Constant, &[scalar, semantics, 0]);
        let words: &[u32] = if bits == 64 { &[7, 0] } else { &[7] };
        module.push(Op::Constant, &[&[number, value], words].concat());
        module.function([VOID, KIND, 10], &[[pointer, memory]], 11, &[operation]);
        let [(_, piece)] = &pieces(&module.module(), &SplitOptions::new(SplitMode::PerKernel))[..] else {
            panic!("one kernel is one piece");
        };
        let mut capabilities = piece.instructions().filter(|inst| inst.opcode == Op::Capability);
        let has_it = capabilities.any(|inst| inst.operand(0) == needed);
        assert_eq!(has_it, bits == 64, "{:?} of {bits} bits", operation.0);
    }
}

/// "-fsycl-device-code-split provides the precise control over bundling": with `off` there is one image, regardless of
/// the kernels' requirements.
#[test]
fn for_fixed_targets_only_the_granularity_counts() {
    let images = |module: &Module, mode| {
        let mut options = SplitOptions::new(mode);
        options.for_fixed_targets = true;
        entries(module, &options).len()
    };
    for (mode, count) in [(SplitMode::Off, 1), (SplitMode::PerSource, 1), (SplitMode::PerKernel, 5)] {
        assert_eq!(images(&with_sizes(&SIZES), mode), count, "{mode:?}");
    }
    // The compiler's own image has different aspects and sizes.
    let module = Module::parse(&common::image("feat_wg_off").bytes).unwrap();
    assert!(entries(&module, &SplitOptions::new(SplitMode::Off)).len() > 1);
    assert_eq!(images(&module, SplitMode::Off), 1);
}

/// The first line of an entry point may be in the function of its name, which it only calls.
#[test]
fn an_entry_point_without_lines_is_of_the_source_of_the_function_that_it_calls() {
    let mut module = Assembler::new();
    for (function, name) in [(10, "one"), (11, "two"), (12, "three")] {
        module.entry(function, name);
    }
    for (id, file) in [(30, "a.cpp"), (31, "b.cpp")] {
        module.push_text(Op::String, &[id], file, &[]);
    }
    module.push(Op::TypeVoid, &[VOID]);
    module.push(Op::TypeFunction, &[KIND, VOID]);
    for (kernel, function, file) in [(10, 20, 30), (11, 21, 31), (12, 22, 30)] {
        let call = [VOID, 50 + kernel, function];
        module.function([VOID, KIND, kernel], &[], 60 + kernel, &[(Op::FunctionCall, &call)]);
        module.function([VOID, KIND, function], &[], 60 + function, &[(Op::Line, &[file, 3, 1])]);
    }
    let found = entries(&module.module(), &SplitOptions::new(SplitMode::PerSource));
    assert_eq!(found, [vec!["one", "three"], vec!["two"]]);
}

/// A name that is given is exported once, even if the code exports it already; one that nothing defines is refused.
#[test]
fn functions_to_export_are_named_once_and_defined() {
    let mut module = Assembler::new();
    module.entry(10, "kernel");
    module.linkage(11, "helper", 0);
    module.push_text(Op::Name, &[11], "helper", &[]);
    module.push_text(Op::Name, &[12], "declared", &[]);
    module.push(Op::TypeVoid, &[VOID]);
    module.push(Op::TypeFunction, &[KIND, VOID]);
    module.function([VOID, KIND, 12], &[], 0, &[]);
    module.function([VOID, KIND, 10], &[], 20, &[]);
    module.function([VOID, KIND, 11], &[], 21, &[]);
    let module = module.module();
    let exporting = |name: &str| {
        let mut options = SplitOptions::new(SplitMode::Off);
        options.exports = vec![name.to_owned(), name.to_owned()];
        split(&Index::new(&module).unwrap(), &options).map(|images| images[0].entries.clone())
    };
    assert_eq!(exporting("helper").unwrap(), ["kernel", "helper"]);
    let error = exporting("declared").unwrap_err().to_string();
    assert_eq!(error, "no function declared is defined here to export");
}

/// With many kernels that reach many functions, the time is proportional to the module's size.
#[test]
fn time_is_linear() {
    const COUNT: u32 = 6000;
    let mut words = vec![0x0723_0203, 0x0001_0000, 0, 10 + 6 * COUNT, 0];
    let push = |words: &mut Vec<u32>, opcode: Op, operands: &[u32]| {
        words.push((operands.len() as u32 + 1) << 16 | opcode as u32);
        words.extend(operands);
    };
    for capability in [4, 5, 6] {
        push(&mut words, Op::Capability, &[capability]);
    }
    push(&mut words, Op::MemoryModel, &[2, 2]);
    let (kernel, function) = (|number: u32| 10 + 3 * number, |number: u32| 10 + 3 * (COUNT + number));
    for number in 0..COUNT {
        // A name of eight characters.
        let name = format!("k{number:07}");
        let text: Vec<u32> =
            name.as_bytes().chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
        push(&mut words, Op::EntryPoint, &[6, kernel(number), text[0], text[1], 0]);
        push(&mut words, Op::ExecutionMode, &[kernel(number), ExecutionMode::SubgroupSize as u32, 8]);
    }
    push(&mut words, Op::TypeVoid, &[VOID]);
    push(&mut words, Op::TypeFunction, &[KIND, VOID]);
    let mut write = |id: u32, callee: Option<u32>| {
        push(&mut words, Op::Function, &[VOID, id, 0, KIND]);
        push(&mut words, Op::Label, &[id + 1]);
        if let Some(callee) = callee {
            push(&mut words, Op::FunctionCall, &[VOID, id + 2, callee]);
        }
        push(&mut words, Op::Return, &[]);
        push(&mut words, Op::FunctionEnd, &[]);
    };
    for number in 0..COUNT {
        write(kernel(number), Some(function(0)));
        write(function(number), (number + 1 < COUNT).then(|| function(number + 1)));
    }
    let module = Module::from_words(words).unwrap();
    let start = std::time::Instant::now();
    assert_eq!(pieces(&module, &SplitOptions::new(SplitMode::Off)).len(), 1);
    let index = Index::new(&module).unwrap();
    link(&[("a", &index)], LinkOptions::default()).unwrap();
    derive(&module.to_bytes().unwrap()).unwrap();
    // A quadratic algorithm takes some 36 million tree steps, which are minutes in a build without optimizations.
    assert!(start.elapsed().as_secs() < 100, "{:?}", start.elapsed());
}
