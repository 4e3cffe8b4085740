//! Functions that need aspects which their kernels do not expect.

use std::collections::{BTreeMap, BTreeSet};

use sycl_pi_image::Properties;
use sycl_pi_image::derive::{ImagePart, unite};
use sycl_pi_image::property::Requirements;
use sycl_pi_image::spirv::{Capability, Index, LinkOptions, Module, Op, Reflection, link, mismatches};

use crate::assembler::Assembler;
use crate::common;

/// `foo` calls `bar`, which calls `boo`, which uses double: the design's example, at the end of a chain of images.
#[test]
fn the_designs_chain() {
    let names = ["dl_a", "dl_b", "dl_c"];
    let modules = names.map(|name| Module::parse(&common::image(name).bytes).unwrap());
    let indices: Vec<Index<'_>> = modules.iter().map(|module| Index::new(module).unwrap()).collect();
    let named: Vec<(&str, &Index<'_>)> = names.into_iter().zip(&indices).collect();
    let whole = link(&named, LinkOptions::default()).unwrap();
    let index = Index::new(&whole).unwrap();
    let mut reflection = Reflection::of(&index).unwrap();
    let last = reflection.linkage.iter().find(|symbol| symbol.name == "_Z2fci").unwrap().id;
    let callee = reflection.call_graph.functions.iter_mut().find(|callee| callee.id == last).unwrap();
    assert!(callee.aspects.is_empty());
    callee.aspects.insert(sycl_pi_image::aspect::FP64);

    let expected = BTreeMap::from([("_ZTS3DlA".to_owned(), BTreeSet::new())]);
    let found = mismatches(&index, &reflection, &expected);
    let text: Vec<String> = found.iter().map(ToString::to_string).collect();
    let wanted = "warning: function '_Z2fci' uses aspect 'fp64' not expected by its calling kernel. Missing \
                  [[sycl::device_has()]] on SYCL_EXTERNAL function?\nuse is from this call chain:\n  _ZTS3DlA()\n  \
                  _Z2fbi()\n  _Z2fci()\ncompile with '-g' to get source location";
    assert_eq!(text, [wanted]);

    let expected = BTreeMap::from([("_ZTS3DlA".to_owned(), BTreeSet::from([sycl_pi_image::aspect::FP64]))]);
    assert!(mismatches(&index, &reflection, &expected).is_empty(), "a kernel that expects it is not warned");
}

/// Makes a kernel that calls a function that calls one with a sum of doubles, or of vectors of them. Each call and the
/// sum have a line.
fn chain_with_lines(vectors: bool) -> Module {
    let (void, kind, double) = (1, 2, 3);
    let mut module = Assembler::new();
    module.push(Op::Capability, &[Capability::Float64 as u32]);
    module.entry(10, "kernel");
    module.push_text(Op::String, &[4], "code.cpp", &[]);
    module.linkage(20, "outer", 0);
    module.linkage(30, "inner", 0);
    module.push(Op::TypeVoid, &[void]);
    module.push(Op::TypeFunction, &[kind, void]);
    module.push(Op::TypeFloat, &[double, 64]);
    module.push(Op::Constant, &[double, 5, 0, 0]);
    module.push(Op::TypeVector, &[6, double, 2]);
    module.push(Op::ConstantComposite, &[6, 7, 5, 5]);
    let call = |line: &'static [u32], callee: &'static [u32]| [(Op::Line, line), (Op::FunctionCall, callee)];
    module.function([void, kind, 10], &[], 11, &call(&[4, 7, 3], &[1, 12, 20]));
    module.function([void, kind, 20], &[], 21, &call(&[4, 17, 5], &[1, 22, 30]));
    let operands = if vectors { [6, 32, 7, 7] } else { [double, 32, 5, 5] };
    let sum: [(Op, &[u32]); 2] = [(Op::Line, &[4, 27, 9]), (Op::FAdd, &operands)];
    module.function([void, kind, 30], &[], 31, &sum);
    module.module()
}

#[test]
fn a_warning_has_the_lines_of_the_use_and_of_each_call() {
    let wanted = "code.cpp:27:9: warning: function 'inner' uses aspect 'fp64' not expected by its calling kernel. Missing \
                  [[sycl::device_has()]] on SYCL_EXTERNAL function?\nuse is from this call chain:\n  kernel()\n  \
                  outer() code.cpp:7:3\n  inner() code.cpp:17:5";
    for vectors in [false, true] {
        let module = chain_with_lines(vectors);
        let index = Index::new(&module).unwrap();
        let reflection = Reflection::of(&index).unwrap();
        let expected = BTreeMap::from([("kernel".to_owned(), BTreeSet::new())]);
        let found = mismatches(&index, &reflection, &expected);
        assert_eq!(found.iter().map(ToString::to_string).collect::<Vec<_>>(), [wanted], "{vectors}");
    }
}

#[test]
fn a_caller_needs_the_aspects_of_what_it_reaches() {
    let module = chain_with_lines(false);
    let reflection = Reflection::of(&Index::new(&module).unwrap()).unwrap();
    let double = BTreeSet::from([sycl_pi_image::aspect::FP64]);
    let wanted = [10, 20, 30].map(|function| (function, double.clone()));
    assert_eq!(reflection.call_graph.all_aspects(), wanted.into_iter().collect());
}

/// A store has no result, so its type is that of the value.
#[test]
fn atomic_operations_on_64_bits_need_their_aspect() {
    let (void, kind, uint, number, pointer) = (1, 2, 3, 4, 5);
    let (scope, semantics, value, memory, result) = (6, 7, 8, 12, 13);
    let operations: [(Op, &[u32]); 4] = [
        (Op::AtomicLoad, &[number, result, memory, scope, semantics]),
        (Op::AtomicStore, &[memory, scope, semantics, value]),
        (Op::AtomicExchange, &[number, result, memory, scope, semantics, value]),
        (Op::AtomicIAdd, &[number, result, memory, scope, semantics, value]),
    ];
    for (operation, bits) in operations.into_iter().flat_map(|operation| [(operation, 32), (operation, 64)]) {
        let mut module = Assembler::new();
        module.push(Op::TypeVoid, &[void]);
        module.push(Op::TypeInt, &[uint, 16, 0]);
        module.push(Op::TypeInt, &[number, bits, 0]);
        module.push(Op::TypePointer, &[pointer, 5, number]);
        module.push(Op::TypeFunction, &[kind, void, pointer]);
        module.push(Op::Constant, &[uint, scope, 1]);
        module.push(Op::Constant, &[uint, semantics, 0]);
        let words: &[u32] = if bits == 64 { &[7, 0] } else { &[7] };
        module.push(Op::Constant, &[&[number, value], words].concat());
        module.function([void, kind, 10], &[[pointer, memory]], 11, &[operation]);
        let reflection = Reflection::of(&Index::new(&module.module()).unwrap()).unwrap();
        let wanted =
            if bits == 64 { BTreeSet::from([sycl_pi_image::aspect::ATOMIC64]) } else { BTreeSet::new() };
        assert_eq!(reflection.call_graph.aspects(10), wanted, "{:?} of {bits} bits", operation.0);
    }
}

/// A kernel in an image of its own calls `inner`, which uses double.
#[test]
fn aspects_that_a_kernels_file_declares_are_expected() {
    let (void, kind) = (1, 2);
    let mut kernel = Assembler::new();
    kernel.entry(10, "caller");
    kernel.linkage(20, "inner", 1);
    kernel.push(Op::TypeVoid, &[void]);
    kernel.push(Op::TypeFunction, &[kind, void]);
    kernel.function([void, kind, 20], &[], 0, &[]);
    kernel.function([void, kind, 10], &[], 11, &[(Op::FunctionCall, &[void, 12, 20])]);
    let (kernel, functions) = (kernel.module(), chain_with_lines(false));
    let warnings = |requirements: Requirements| {
        let file = Properties { requirements, ..Properties::default() };
        let parts = [
            ImagePart { name: "one", code: &kernel, file: Some(&file) },
            ImagePart { name: "two", code: &functions, file: None },
        ];
        let of_kernel = |warning: &&String| warning.contains("use is from this call chain:\n  caller()");
        unite(&parts, false).unwrap().warnings.iter().filter(of_kernel).count()
    };
    let double = || Some(vec![sycl_pi_image::aspect::FP64]);
    assert_eq!(warnings(Requirements::default()), 1);
    assert_eq!(warnings(Requirements { aspects: double(), ..Requirements::default() }), 0);
    // The builder of an image for fixed targets decides that they have all that is needed.
    assert_eq!(warnings(Requirements { fixed_targets: double(), ..Requirements::default() }), 0);
}
