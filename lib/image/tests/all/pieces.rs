//! The pieces of a split module contain everything that their entries need, and nothing else.

use sycl_pi_image::spirv::{
    Capability, Decoration, ExecutionMode, FunctionControl, Index, LinkageKind, Module, Op, Reflection,
    SplitImage, SplitMode, SplitOptions, StorageClass, split,
};

use crate::assembler::{Assembler, pieces};

const VOID: u32 = 1;
const KIND: u32 = 2;
const UINT: u32 = 3;
const POINTER: u32 = 4;
const VARIABLE: u32 = 5;
const EXPORT: u32 = 0;
const IMPORT: u32 = 1;

/// Instructions with their operands.
type Instructions<'a> = &'a [(Op, &'a [u32])];

fn images(module: &Assembler, options: &SplitOptions) -> Vec<SplitImage> {
    let module = module.module();
    split(&Index::new(&module).unwrap(), options).unwrap()
}

fn per_kernel() -> SplitOptions {
    SplitOptions::new(SplitMode::PerKernel)
}

/// The names of a module's symbols of one kind.
fn symbols(module: &Module, kind: LinkageKind) -> Vec<String> {
    let reflection = Reflection::of(&Index::new(module).unwrap()).unwrap();
    reflection.symbols(kind).map(|symbol| symbol.name.clone()).collect()
}

/// The functions of a module that have a body.
fn bodies(module: &Module) -> usize {
    Index::new(module).unwrap().functions.iter().filter(|function| function.has_body).count()
}

/// A driver refuses a module with a capability that its device lacks, whether or not the code uses it.
#[test]
fn a_piece_has_the_capabilities_that_it_uses_only() {
    use Capability as C;
    let generic = StorageClass::Generic as u32;
    // Types that the second kernel has an undefined value of.
    let cases: [(Capability, Instructions<'_>); 6] = [
        (C::Float16, &[(Op::TypeFloat, &[50, 16])]),
        (C::Float64, &[(Op::TypeFloat, &[50, 64])]),
        (C::Int8, &[(Op::TypeInt, &[50, 8, 0])]),
        (C::Int16, &[(Op::TypeInt, &[50, 16, 0])]),
        (C::Int64, &[(Op::TypeInt, &[50, 64, 0])]),
        (C::GenericPointer, &[(Op::TypePointer, &[50, generic, UINT])]),
    ];
    let has = |module: &Module, capability: Capability| {
        let mut all = module.instructions().filter(|inst| inst.opcode == Op::Capability);
        all.any(|inst| inst.operand(0) == capability as u32)
    };
    let with = |capability: Capability, types: Instructions<'_>, control: u32, body: Instructions<'_>| {
        let mut module = Assembler::new();
        for capability in [capability, C::Groups] {
            module.push(Op::Capability, &[capability as u32]);
        }
        module.entry(10, "plain");
        module.entry(11, "special");
        module.push(Op::TypeVoid, &[VOID]);
        module.push(Op::TypeInt, &[UINT, 32, 0]);
        for (opcode, operands) in types {
            module.push(*opcode, operands);
        }
        module.push(Op::TypeFunction, &[KIND, VOID]);
        module.function([VOID, KIND, 10], &[], 20, &[]);
        module.push(Op::Function, &[VOID, 11, control, KIND]);
        module.push(Op::Label, &[21]);
        for (opcode, operands) in body {
            module.push(*opcode, operands);
        }
        module.push(Op::Return, &[]);
        module.push(Op::FunctionEnd, &[]);
        let pieces = pieces(&module.module(), &per_kernel());
        let found: Vec<_> = pieces.iter().map(|(_, module)| has(module, capability)).collect();
        assert_eq!(found, [false, true], "{capability:?}");
        assert!(pieces.iter().all(|(_, module)| has(module, C::Groups)), "what is not looked for stays");
    };
    for (capability, types) in cases {
        with(capability, types, 0, &[(Op::Undef, &[50, 30])]);
    }
    let truth: [(Op, &[u32]); 2] = [(Op::TypeBool, &[50]), (Op::ConstantTrue, &[50, 51])];
    with(C::ExpectAssumeKHR, &truth, 0, &[(Op::AssumeTrueKHR, &[51])]);
    with(C::OptNoneEXT, &[], FunctionControl::OPT_NONE_EXT.bits(), &[]);
}

/// Decorations and execution modes may have ids as operands, whose definitions belong to the piece.
#[test]
fn ids_of_decorations_and_modes_come_with_them() {
    let (size, alignment, value) = (30, 31, 40);
    let mut module = Assembler::new();
    module.entry(10, "kernel");
    module.push(Op::ExecutionModeId, &[10, ExecutionMode::LocalSizeId as u32, size, size, size]);
    module.push(Op::DecorateId, &[value, Decoration::AlignmentId as u32, alignment]);
    module.push(Op::TypeVoid, &[VOID]);
    module.push(Op::TypeInt, &[UINT, 32, 0]);
    module.push(Op::Constant, &[UINT, size, 4]);
    module.push(Op::Constant, &[UINT, alignment, 16]);
    module.push(Op::TypePointer, &[POINTER, StorageClass::CrossWorkgroup as u32, UINT]);
    module.push(Op::TypeFunction, &[KIND, VOID]);
    module.function([VOID, KIND, 10], &[], 20, &[(Op::Undef, &[POINTER, value])]);
    let [(_, piece)] = &pieces(&module.module(), &per_kernel())[..] else { panic!("one kernel") };
    let index = Index::new(piece).unwrap();
    for (opcode, number) in [(Op::ExecutionModeId, 4), (Op::DecorateId, 16)] {
        let inst = piece.instructions().find(|inst| inst.opcode == opcode).unwrap();
        let definition = index.definition(inst.operand(2)).unwrap();
        assert_eq!((definition.opcode, definition.operand(2)), (Op::Constant, number), "{opcode:?}");
    }
}

/// Makes kernels `first` and `second`, which use one variable of the host, with this linkage.
fn with_host_variable(linkage: Option<u32>) -> Assembler {
    let mut module = Assembler::new();
    for (function, name) in [(10, "first"), (11, "second")] {
        module.entry(function, name);
    }
    if let Some(linkage) = linkage {
        module.linkage(VARIABLE, "counter", linkage);
    }
    module.push_text(Op::Decorate, &[VARIABLE, Decoration::HostAccessINTEL as u32, 2], "unique", &[]);
    module.push(Op::TypeVoid, &[VOID]);
    module.push(Op::TypeFunction, &[KIND, VOID]);
    module.push(Op::TypeInt, &[UINT, 32, 0]);
    module.push(Op::TypePointer, &[8, StorageClass::CrossWorkgroup as u32, UINT]);
    module.push(Op::TypeStruct, &[7, 8, UINT]);
    module.push(Op::TypePointer, &[POINTER, StorageClass::CrossWorkgroup as u32, 7]);
    module.push(Op::Variable, &[POINTER, VARIABLE, StorageClass::CrossWorkgroup as u32]);
    for kernel in [10, 11] {
        module.function(
            [VOID, KIND, kernel],
            &[],
            kernel + 10,
            &[(Op::CopyObject, &[POINTER, kernel + 20, VARIABLE])],
        );
    }
    module
}

/// The host finds its variables by their exported names in every image, unlike what images only share with each other.
#[test]
fn each_piece_exports_the_variables_of_the_host() {
    for image in images(&with_host_variable(Some(EXPORT)), &per_kernel()) {
        assert_eq!(symbols(&image.module, LinkageKind::Export), ["counter"], "{:?}", image.entries);
    }
}

/// With dependencies, one image has the variable. Its name is its own, or else the one that the host knows it by.
#[test]
fn a_variable_is_shared_under_the_name_that_the_host_knows() {
    for (linkage, name) in [(Some(EXPORT), "counter"), (None, "unique")] {
        let mut options = per_kernel();
        options.dependencies = true;
        let [first, second] = &images(&with_host_variable(linkage), &options)[..] else {
            panic!("one image for each kernel");
        };
        assert_eq!((&first.variable_exports[..], first.variable_imports.len()), (&[name.to_owned()][..], 0));
        assert_eq!(
            (second.variable_exports.len(), &second.variable_imports[..]),
            (0, &[name.to_owned()][..])
        );
        assert_eq!(symbols(&first.module, LinkageKind::Export), [name]);
        assert_eq!(symbols(&second.module, LinkageKind::Import), [name]);
    }
}

/// A variable of another module has its home there, whichever images of the split need it.
#[test]
fn an_imported_variable_stays_imported_by_each_piece() {
    let mut options = per_kernel();
    options.dependencies = true;
    for image in images(&with_host_variable(Some(IMPORT)), &options) {
        assert!(
            image.variable_exports.is_empty() && image.variable_imports.is_empty(),
            "{:?}",
            image.entries
        );
        assert_eq!(symbols(&image.module, LinkageKind::Import), ["counter"]);
    }
}

/// Two entry points of one function are one piece of code.
#[test]
fn kernels_of_one_function_stay_together() {
    let mut module = Assembler::new();
    for (function, name) in [(10, "one"), (11, "other"), (10, "alias")] {
        module.entry(function, name);
    }
    // OpenCL exports kernels under their names.
    module.linkage(11, "other", 0);
    module.push(Op::TypeVoid, &[VOID]);
    module.push(Op::TypeFunction, &[KIND, VOID]);
    for kernel in [10, 11] {
        module.function([VOID, KIND, kernel], &[], kernel + 10, &[]);
    }
    let images = images(&module, &per_kernel());
    let entries: Vec<_> = images.iter().map(|image| image.entries.join(" ")).collect();
    assert_eq!(entries, ["one alias", "other"]);
    assert_eq!(symbols(&images[1].module, LinkageKind::Export), ["other"], "a kernel's own name stays");
}

/// Makes `kernel` and exported functions `f` and `g`, of which each calls the next.
fn chain_of_exports() -> Assembler {
    let mut module = Assembler::new();
    module.entry(10, "kernel");
    module.linkage(11, "f", 0);
    module.linkage(12, "g", 0);
    module.push(Op::TypeVoid, &[VOID]);
    module.push(Op::TypeFunction, &[KIND, VOID]);
    module.function([VOID, KIND, 10], &[], 20, &[(Op::FunctionCall, &[VOID, 30, 11])]);
    module.function([VOID, KIND, 11], &[], 21, &[(Op::FunctionCall, &[VOID, 31, 12])]);
    module.function([VOID, KIND, 12], &[], 22, &[]);
    module
}

/// "External function calling one of another module: not copied, a dependency; kernels still self-contained".
#[test]
fn images_of_functions_import_though_kernels_are_self_contained() {
    let found = |self_contained| {
        let mut options = per_kernel();
        (options.dependencies, options.self_contained_kernels) = (true, self_contained);
        let images = images(&chain_of_exports(), &options);
        let one = |image: &SplitImage| {
            (symbols(&image.module, LinkageKind::Import).concat(), bodies(&image.module))
        };
        images.iter().map(one).collect::<Vec<_>>()
    };
    assert_eq!(found(true), [(String::new(), 3), ("g".into(), 1), (String::new(), 1)]);
    assert_eq!(found(false), [("f".into(), 1), ("g".into(), 1), (String::new(), 1)]);
}

/// An image defines the functions that it exports, even if other images import them.
#[test]
fn an_image_defines_what_it_exports() {
    let mut options = SplitOptions::new(SplitMode::Off);
    options.dependencies = true;
    let [image] = &images(&chain_of_exports(), &options)[..] else { panic!("one image") };
    assert_eq!(bodies(&image.module), 3);
    assert_eq!(symbols(&image.module, LinkageKind::Export), ["f", "g"]);
    assert!(symbols(&image.module, LinkageKind::Import).is_empty());
}
