//! Linking and specializing modules.

use std::collections::HashMap;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use sycl_pi_image::derive::derive;
use sycl_pi_image::spirv::{
    Decoration, Index, LinkOptions, LinkageKind, Module, Op, Reflection, SpecIdMap, SplitMode, SplitOptions,
    StorageClass, link, linked_spec_ids, specialize,
};

use crate::assembler::Assembler;
use crate::common;

fn linked(names: &[&str], options: LinkOptions) -> Result<Vec<u8>, String> {
    let modules: Vec<Module> =
        names.iter().map(|name| Module::parse(&common::image(name).bytes).unwrap()).collect();
    let indices: Vec<Index<'_>> = modules.iter().map(|module| Index::new(module).unwrap()).collect();
    let named: Vec<(&str, &Index<'_>)> = names.iter().copied().zip(&indices).collect();
    link(&named, options).map(|module| module.to_bytes().unwrap()).map_err(|error| error.to_string())
}

/// Returns the message of `spirv-val`, or `None` if it accepts the module or is not installed.
fn complaint(name: &str, bytes: &[u8]) -> Option<String> {
    // Tests run at the same time, and several link the same images.
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let file = std::env::temp_dir().join(format!("pi-image-link-{}-{number}-{name}.spv", std::process::id()));
    std::fs::write(&file, bytes).unwrap();
    let output = Command::new("spirv-val").args(["--target-env", "spv1.4"]).arg(&file).output();
    std::fs::remove_file(&file).unwrap();
    let output = output.ok().filter(|output| !output.status.success())?;
    Some(String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Checks that a module is valid, as far as the validator knows its capabilities.
fn validate(name: &str, bytes: &[u8]) {
    if let Some(text) = complaint(name, bytes) {
        assert!(text.contains("Invalid capability"), "{name}: {text}");
    }
}

/// Chains, diamonds and split images link completely, so that no imports remain, and all kernels are present.
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

/// Every image that is linked alone is valid and has unchanged contents.
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
    validate("spec_some", &made.to_bytes().unwrap());
    let left = Reflection::of(&Index::new(&made).unwrap()).unwrap();
    assert_eq!(left.spec_scalars.iter().map(|scalar| scalar.spec_id).collect::<Vec<_>>(), [0, 3, 4, 5]);
    // The composite contains the values in place of the constants. Two parts are fixed, so the others become separate
    // constants.
    let fixed = |opcode: Op, value: &[u32]| {
        made.instructions().any(|inst| inst.opcode == opcode && inst.operands.get(2..) == Some(value))
    };
    let bits = 2.5_f64.to_bits();
    assert!(fixed(Op::Constant, &[bits as u32, (bits >> 32) as u32]) && fixed(Op::Constant, &[7]));
    let sizes: Vec<usize> = left.spec_constants.iter().map(|constant| constant.default.len()).collect();
    assert_eq!(sizes, [2, 4, 1, 4]);

    let made = specialize(&index, &values, true).unwrap();
    validate("spec_all", &made.to_bytes().unwrap());
    let left = Reflection::of(&Index::new(&made).unwrap()).unwrap();
    assert!(left.spec_scalars.is_empty() && left.spec_constants.is_empty());

    let error = |values: &[(u32, Vec<u8>)]| {
        specialize(&index, &values.iter().cloned().collect(), false).unwrap_err().to_string()
    };
    assert_eq!(error(&[(9, vec![0])]), "there is no specialization constant 9; there are 0, 1, 2, 3, 4, 5");
    assert_eq!(error(&[(1, vec![0])]), "constant 1 (double) has 8 bytes, not 1");
}

const UINT: u32 = 1;
const VOID: u32 = 2;
const KIND: u32 = 3;
const VECTOR: u32 = 4;
const POINTER: u32 = 5;
const GLOBAL_INVOCATION_ID: u32 = 28;

/// Makes a kernel with a variable that the device provides; with `linked` it is an import, as OpenCL compilers write
/// it.
fn with_built_in(kernel: &str, first: u32, linked: bool, bits: u32) -> Module {
    let mut module = Assembler::new();
    module.push_text(Op::EntryPoint, &[6, first], kernel, &[first + 1]);
    if linked {
        module.linkage(first + 1, "__spirv_BuiltInGlobalInvocationId", 1);
    }
    module.push(Op::Decorate, &[first + 1, Decoration::BuiltIn as u32, GLOBAL_INVOCATION_ID]);
    module.push(Op::TypeInt, &[UINT, bits, 0]);
    module.push(Op::TypeVoid, &[VOID]);
    module.push(Op::TypeFunction, &[KIND, VOID]);
    module.push(Op::TypeVector, &[VECTOR, UINT, 3]);
    module.push(Op::TypePointer, &[POINTER, 1, VECTOR]);
    module.push(Op::Variable, &[POINTER, first + 1, 1]);
    let load = [VECTOR, first + 2, first + 1];
    module.function([VOID, KIND, first], &[], first + 3, &[(Op::Load, &load)]);
    module.module()
}

fn linked_modules(modules: &[Module]) -> Result<Module, String> {
    let indices: Vec<Index<'_>> = modules.iter().map(|module| Index::new(module).unwrap()).collect();
    let named: Vec<(&str, &Index<'_>)> = ["a", "b", "c"].into_iter().zip(&indices).collect();
    link(&named, LinkOptions::default()).map_err(|error| error.to_string())
}

/// Drivers recognize these variables by their names, and a second variable cannot have the same name.
#[test]
fn built_in_variables_of_several_modules_are_one() {
    let modules = [
        with_built_in("one", 10, true, 64),
        with_built_in("two", 20, true, 64),
        with_built_in("three", 30, false, 64),
    ];
    let made = linked_modules(&modules).unwrap();
    let variables = made.instructions().filter(|inst| inst.opcode == Op::Variable);
    let variables: Vec<u32> = variables.map(|inst| inst.operand(1)).collect();
    assert_eq!(variables.len(), 1);
    let index = Index::new(&made).unwrap();
    let loads = made.instructions().filter(|inst| inst.opcode == Op::Load);
    assert_eq!(loads.map(|inst| inst.operand(2)).collect::<Vec<_>>(), [variables[0]; 3]);
    assert_eq!(index.decorations(variables[0], Decoration::BuiltIn).count(), 1);
    assert_eq!(index.decorations(variables[0], Decoration::LinkageAttributes).count(), 1);
    let mut entries = made.instructions().filter(|inst| inst.opcode == Op::EntryPoint);
    assert!(entries.all(|inst| inst.operands.last() == Some(&variables[0])));

    let error = linked_modules(&[with_built_in("one", 10, true, 64), with_built_in("two", 20, true, 32)]);
    let error = error.unwrap_err();
    assert!(error.starts_with("b: ") && error.ends_with("has another type than in a"), "{error}");
}

/// Pointers of 32 bits in one and of 64 in the other.
#[test]
fn modules_of_two_memory_models_are_refused() {
    let module = with_built_in("one", 10, true, 64);
    let words = module.words();
    let model = (0..words.len()).find(|&at| words[at] == (3 << 16 | Op::MemoryModel as u32)).unwrap();
    let mut other = with_built_in("two", 20, true, 64).words().to_vec();
    assert_eq!(other[model], words[model]);
    other[model + 1] = 1;
    let error = linked_modules(&[module, Module::from_words(other).unwrap()]).unwrap_err();
    assert!(error.ends_with("b has another memory model than a"), "{error}");
}

/// The result has the newest of the versions, because it has the instructions of all.
#[test]
fn the_newest_version_of_several_modules_is_that_of_all() {
    let mut words = with_built_in("one", 10, true, 64).words().to_vec();
    words[1] = 0x0001_0400;
    let modules = [Module::from_words(words).unwrap(), with_built_in("two", 20, true, 64)];
    for [first, second] in [[0, 1], [1, 0]] {
        let made = linked_modules(&[modules[first].clone(), modules[second].clone()]).unwrap();
        assert_eq!(made.version(), (1, 4));
    }
}

/// All of the functions' names are told, whichever image lacks them.
#[test]
fn a_missing_symbol_names_all_that_need_it() {
    let caller = |kernel: &str| {
        let mut module = Assembler::new();
        module.entry(10, kernel);
        module.linkage(20, "helper", 1);
        module.push(Op::TypeVoid, &[VOID]);
        module.push(Op::TypeFunction, &[KIND, VOID]);
        module.function([VOID, KIND, 20], &[], 0, &[]);
        module.function([VOID, KIND, 10], &[], 11, &[(Op::FunctionCall, &[VOID, 12, 20])]);
        module.module()
    };
    let error = linked_modules(&[caller("one"), caller("two")]).unwrap_err();
    assert!(error.starts_with("symbol helper, which a, b "), "{error}");
}

/// 2 is the linkage of functions that several modules may define; the definition that is not goes before them.
#[test]
fn a_definition_replaces_those_that_several_modules_may_have() {
    let with = |kernel: &str, linkage: u32, number: u32| {
        let mut module = Assembler::new();
        module.entry(10, kernel);
        module.linkage(20, "helper", linkage);
        module.push(Op::TypeVoid, &[VOID]);
        module.push(Op::TypeFunction, &[KIND, VOID]);
        module.push(Op::TypeInt, &[UINT, 32, 0]);
        module.push(Op::Constant, &[UINT, 30, number]);
        module.function([VOID, KIND, 20], &[], 21, &[(Op::IAdd, &[UINT, 22, 30, 30])]);
        module.function([VOID, KIND, 10], &[], 11, &[(Op::FunctionCall, &[VOID, 12, 20])]);
        module.module()
    };
    for order in [[0, 1, 2], [1, 0, 2], [2, 1, 0]] {
        let modules = order.map(|at| match at {
            0 => with("odr", 2, 7),
            1 => with("strong", 0, 8),
            _ => with("another", 2, 9),
        });
        let made = linked_modules(&modules).unwrap();
        let index = Index::new(&made).unwrap();
        let sums: Vec<u32> = made
            .instructions()
            .filter(|inst| inst.opcode == Op::IAdd)
            .map(|inst| index.definition(inst.operand(2)).unwrap().operand(2))
            .collect();
        assert_eq!(sums, [8], "{order:?}");
    }
}

#[test]
fn two_kernels_of_one_name_are_refused() {
    let modules = [with_built_in("same", 10, true, 64), with_built_in("same", 20, true, 64)];
    assert_eq!(linked_modules(&modules).unwrap_err(), "kernel same is defined in a and in b");
    // OpenCL exports kernels under their names. That is told once.
    let exported = || {
        let mut module = Assembler::new();
        module.entry(10, "same");
        module.linkage(10, "same", 0);
        module.push(Op::TypeVoid, &[VOID]);
        module.push(Op::TypeFunction, &[KIND, VOID]);
        module.function([VOID, KIND, 10], &[], 11, &[]);
        module.module()
    };
    let error = linked_modules(&[exported(), exported()]).unwrap_err();
    assert_eq!(error, "kernel same is defined in a and in b");
}

/// Structures are told apart by their names, other types are not: SPIR-V has each of those once.
#[test]
fn structures_of_two_names_are_two_types() {
    let with = |kernel: &str, structure: &str, vector: &str| {
        let mut module = Assembler::new();
        module.entry(10, kernel);
        module.push_text(Op::Name, &[30], structure, &[]);
        module.push_text(Op::Name, &[VECTOR], vector, &[]);
        module.push(Op::TypeVoid, &[VOID]);
        module.push(Op::TypeFunction, &[KIND, VOID]);
        module.push(Op::TypeInt, &[UINT, 32, 0]);
        module.push(Op::TypeVector, &[VECTOR, UINT, 2]);
        module.push(Op::TypeStruct, &[30, UINT, VECTOR]);
        module.function([VOID, KIND, 10], &[], 11, &[(Op::Undef, &[30, 12])]);
        module.module()
    };
    let count = |made: &Module, opcode| made.instructions().filter(|inst| inst.opcode == opcode).count();
    for (name, structures) in [("Same", 1), ("Other", 2)] {
        let made = linked_modules(&[with("one", "Same", "v"), with("two", name, "w")]).unwrap();
        assert_eq!((count(&made, Op::TypeStruct), count(&made, Op::TypeVector)), (structures, 1), "{name}");
        let undefined = made.instructions().filter(|inst| inst.opcode == Op::Undef);
        let kinds: HashMap<u32, ()> = undefined.map(|inst| (inst.operand(0), ())).collect();
        assert_eq!(kinds.len(), structures);
    }
}

/// The greatest number means padding, which belongs to no constant.
#[test]
fn padding_is_no_id_that_is_renumbered() {
    const PADDING: u32 = sycl_pi_image::property::PADDING;
    let with = |ids: &[u32]| {
        let mut module = Assembler::new();
        for (constant, id) in (50..).zip(ids) {
            module.push(Op::Decorate, &[constant, Decoration::SpecId as u32, *id]);
        }
        module.push(Op::TypeInt, &[UINT, 32, 0]);
        for constant in (50..).take(ids.len()) {
            module.push(Op::SpecConstant, &[UINT, constant, 7]);
        }
        module.module()
    };
    let modules = [with(&[3, PADDING]), with(&[3, 4, PADDING]), with(&[9])];
    let indices: Vec<Index<'_>> = modules.iter().map(|module| Index::new(module).unwrap()).collect();
    let named: Vec<(&str, &Index<'_>)> = ["a", "b", "c"].into_iter().zip(&indices).collect();
    let maps = linked_spec_ids(&named).unwrap();
    let pairs = |map: &SpecIdMap| map.iter().map(|(old, new)| (*old, *new)).collect::<Vec<_>>();
    assert_eq!(pairs(&maps[0]), [(3, 3), (PADDING, PADDING)]);
    assert_eq!(pairs(&maps[1]), [(3, 10), (4, 11), (PADDING, PADDING)]);
    assert_eq!(pairs(&maps[2]), [(9, 9)]);
}

/// The operands of OpenCL's extended instructions according to the specification "OpenCL.std": the number of ids, and
/// the final literal.
#[test]
fn literals_of_extended_instructions_stay() {
    // Some ids look like the literals: `UINT` is 1, `VOID` is 2.
    const CASES: [(u32, usize, Option<u32>); 10] = [
        (171, 2, Some(4)),  // vloadn
        (172, 3, None),     // vstoren
        (173, 2, None),     // vload_half
        (174, 2, Some(8)),  // vload_halfn
        (175, 3, None),     // vstore_half
        (176, 3, Some(1)),  // vstore_half_r, towards zero
        (178, 3, Some(2)),  // vstore_halfn_r, up
        (179, 2, Some(16)), // vloada_halfn
        (181, 3, Some(3)),  // vstorea_halfn_r, down
        (26, 3, None),      // fma
    ];
    let mut module = Assembler::new();
    module.push_text(Op::ExtInstImport, &[9], "OpenCL.std", &[]);
    module.entry(10, "k");
    module.push(Op::TypeInt, &[UINT, 32, 0]);
    module.push(Op::TypeVoid, &[VOID]);
    module.push(Op::TypeFunction, &[KIND, VOID]);
    // Ids that differ greatly from the new ones.
    module.push(Op::Constant, &[UINT, 700, 77]);
    let instructions: Vec<Vec<u32>> = (100..)
        .zip(CASES)
        .map(|(id, (number, ids, literal))| {
            [VOID, id, 9, number].into_iter().chain(vec![700; ids]).chain(literal).collect()
        })
        .collect();
    let body: Vec<(Op, &[u32])> = instructions.iter().map(|words| (Op::ExtInst, words.as_slice())).collect();
    module.function([VOID, KIND, 10], &[], 20, &body);
    let module = module.module();
    let split = crate::assembler::pieces(&module, &SplitOptions::new(SplitMode::PerKernel));
    let linked = linked_modules(std::slice::from_ref(&module)).unwrap();
    for made in [&split[0].1, &linked] {
        let index = Index::new(made).unwrap();
        let mut seen = made.instructions().filter(|inst| inst.opcode == Op::ExtInst);
        for (number, ids, literal) in CASES {
            let inst = seen.next().unwrap();
            assert_eq!(inst.operand(3), number);
            let operands = &inst.operands[4..];
            assert_eq!(operands.get(ids).copied(), literal, "{number}");
            for &id in &operands[..ids] {
                assert_eq!(index.definition(id).unwrap().operand(2), 77, "{number}");
            }
        }
    }
    // An unknown instruction or set cannot be rewritten.
    for (set, number) in [("OpenCL.std", 9999), ("Somebody.else", 1)] {
        let mut module = Assembler::new();
        module.push_text(Op::ExtInstImport, &[9], set, &[]);
        module.push(Op::TypeVoid, &[VOID]);
        module.push(Op::TypeFunction, &[KIND, VOID]);
        module.function([VOID, KIND, 10], &[], 20, &[(Op::ExtInst, &[VOID, 30, 9, number, 1])]);
        let error = linked_modules(&[module.module()]).unwrap_err();
        assert!(error.ends_with("OpExtInst has an instruction or a set that is not known"), "{error}");
    }
}

/// Memory operands are in the order of their bits: the alignment is a number, and alias scopes are ids.
#[test]
fn an_alignment_beside_scopes_of_aliasing_stays() {
    const ALIGNED: u32 = 0x2;
    const ALIAS_SCOPE: u32 = 0x1_0000;
    const NO_ALIAS: u32 = 0x2_0000;
    let mut module = Assembler::new();
    module.entry(10, "k");
    for (opcode, operands) in [
        (Op::AliasDomainDeclINTEL, [600].as_slice()),
        (Op::AliasScopeDeclINTEL, &[601, 600]),
        (Op::AliasScopeListDeclINTEL, &[602, 601]),
    ] {
        module.push(opcode, operands);
    }
    module.push(Op::TypeInt, &[UINT, 32, 0]);
    module.push(Op::TypeVoid, &[VOID]);
    module.push(Op::TypePointer, &[POINTER, StorageClass::CrossWorkgroup as u32, UINT]);
    module.push(Op::TypeFunction, &[KIND, VOID, POINTER]);
    let load = [UINT, 30, 11, ALIGNED | ALIAS_SCOPE | NO_ALIAS, 4, 602, 602];
    module.function([VOID, KIND, 10], &[[POINTER, 11]], 20, &[(Op::Load, &load)]);
    let made = linked_modules(&[module.module()]).unwrap();
    let index = Index::new(&made).unwrap();
    let load = made.instructions().find(|inst| inst.opcode == Op::Load).unwrap();
    assert_eq!(load.operand(4), 4);
    for at in [5, 6] {
        assert_eq!(index.definition(load.operand(at)).unwrap().opcode, Op::AliasScopeListDeclINTEL);
    }
}
