//! Parameters and requirements of functions, the functions that they reach, and the arguments of kernels.

use std::collections::BTreeSet;

use sycl_pi_image::aspect::{ATOMIC64, FP16, FP64};
use sycl_pi_image::spirv::{
    ArgumentKind, Decoration, ExecutionMode, FunctionParameterAttribute, Index, Op, Reflection, StorageClass,
};

use crate::assembler::Assembler;

const VOID: u32 = 1;
const KIND: u32 = 2;
const UINT: u32 = 3;
const FLOAT: u32 = 4;
const DOUBLE: u32 = 5;
const HALF: u32 = 6;
const BFLOAT: u32 = 7;
const POINTER: u32 = 8;
const OTHER: u32 = 9;
/// The function, its label and its results.
const FUNCTION: u32 = 10;
const LABEL: u32 = 11;
const RESULT: u32 = 20;

const GLOBAL: u32 = StorageClass::CrossWorkgroup as u32;
const PRIVATE: u32 = StorageClass::Function as u32;

/// A module with types of numbers.
fn with_numbers() -> Assembler {
    let mut module = Assembler::new();
    module.entry(FUNCTION, "kernel");
    module.push(Op::TypeVoid, &[VOID]);
    module.push(Op::TypeInt, &[UINT, 32, 0]);
    module.push(Op::TypeFloat, &[FLOAT, 32]);
    module.push(Op::TypeFloat, &[DOUBLE, 64]);
    module.push(Op::TypeFloat, &[HALF, 16]);
    // SPV_KHR_bfloat16: an encoding of its own, which is no half.
    module.push(Op::TypeFloat, &[BFLOAT, 16, 0]);
    module
}

fn reflection(module: &Assembler) -> Reflection {
    Reflection::of(&Index::new(&module.module()).unwrap()).unwrap()
}

/// The aspects that a function with these parameters and instructions needs.
fn needs(types: &[(Op, &[u32])], parameters: &[[u32; 2]], body: &[(Op, &[u32])]) -> BTreeSet<u32> {
    let mut module = with_numbers();
    for (opcode, operands) in types {
        module.push(*opcode, operands);
    }
    let of_parameters = parameters.iter().map(|[kind, _]| *kind);
    let kind: Vec<u32> = [KIND, VOID].into_iter().chain(of_parameters).collect();
    module.push(Op::TypeFunction, &kind);
    module.function([VOID, KIND, FUNCTION], parameters, LABEL, body);
    reflection(&module).call_graph.aspects(FUNCTION)
}

/// A pointer to numbers needs nothing, but a function's own memory has them.
#[test]
fn numbers_in_a_function_s_own_memory_are_needed_and_those_behind_pointers_are_not() {
    let undefined = |kind: u32| needs(&[], &[], &[(Op::Undef, &[kind, RESULT])]);
    assert_eq!(undefined(HALF), BTreeSet::from([FP16]));
    assert_eq!(undefined(DOUBLE), BTreeSet::from([FP64]));
    assert!(undefined(FLOAT).is_empty() && undefined(BFLOAT).is_empty());
    // A variable, and an argument that the caller copies.
    for (class, wanted) in [(PRIVATE, vec![FP64]), (GLOBAL, Vec::new())] {
        let pointer: (Op, &[u32]) = (Op::TypePointer, &[POINTER, class, DOUBLE]);
        let wanted = BTreeSet::from_iter(wanted);
        assert_eq!(needs(&[pointer], &[[POINTER, RESULT]], &[]), wanted, "an argument of class {class}");
        let variable: (Op, &[u32]) = (Op::Variable, &[POINTER, RESULT, PRIVATE]);
        if class == PRIVATE {
            assert_eq!(needs(&[pointer], &[], &[variable]), wanted);
        }
    }
}

#[test]
fn a_structure_has_the_numbers_of_all_its_members() {
    for members in [[HALF, DOUBLE], [DOUBLE, HALF]] {
        let [first, second] = members;
        let types: [(Op, &[u32]); 2] =
            [(Op::TypeStruct, &[OTHER, FLOAT, first, second]), (Op::TypeVector, &[POINTER, FLOAT, 2])];
        let body: [(Op, &[u32]); 1] = [(Op::Undef, &[OTHER, RESULT])];
        assert_eq!(needs(&types, &[], &body), BTreeSet::from([FP16, FP64]), "{members:?}");
    }
}

/// "atomic64" is for all types of 64 bits, doubles among them (SYCL 2020, 4.15.3).
#[test]
fn atomic_operations_on_doubles_need_the_aspect_of_64_bits() {
    let [scope, semantics, value, memory] = [30, 31, 32, 33];
    for operation in [Op::AtomicFAddEXT, Op::AtomicFMinEXT, Op::AtomicFMaxEXT, Op::AtomicExchange] {
        for (number, wanted) in [(DOUBLE, vec![FP64, ATOMIC64]), (FLOAT, Vec::new())] {
            let words: &[u32] = if number == DOUBLE { &[0, 0] } else { &[0] };
            let constant = [&[number, value], words].concat();
            let types: [(Op, &[u32]); 4] = [
                (Op::Constant, &[UINT, scope, 1]),
                (Op::Constant, &[UINT, semantics, 0]),
                (Op::Constant, &constant),
                (Op::TypePointer, &[POINTER, GLOBAL, number]),
            ];
            let body = [number, RESULT, memory, scope, semantics, value];
            let found = needs(&types, &[[POINTER, memory]], &[(operation, &body)]);
            assert_eq!(found, BTreeSet::from_iter(wanted), "{operation:?} on {number}");
        }
    }
}

/// SPV_INTEL_function_pointers: a function whose address is taken may run, so its aspects count for those that take it.
#[test]
fn a_function_whose_address_is_taken_is_reached() {
    let (called, pointer, kept) = (40, 50, 60);
    let mut module = with_numbers();
    module.push(Op::TypeFunction, &[KIND, VOID]);
    module.push(Op::TypePointer, &[POINTER, StorageClass::CodeSectionINTEL as u32, KIND]);
    module.push(Op::ConstantFunctionPointerINTEL, &[POINTER, pointer, called]);
    module.function([VOID, KIND, FUNCTION], &[], LABEL, &[(Op::CopyObject, &[POINTER, RESULT, pointer])]);
    module.function([VOID, KIND, called], &[], 41, &[(Op::Undef, &[DOUBLE, 42])]);
    module.function([VOID, KIND, kept], &[], 61, &[(Op::FunctionCall, &[VOID, 62, FUNCTION])]);
    let graph = reflection(&module).call_graph;
    let callee = graph.get(FUNCTION).unwrap();
    assert!(callee.calls.is_empty() && callee.aspects.is_empty());
    assert_eq!(callee.takes_address_of, BTreeSet::from([called]));
    assert_eq!(graph.reachable(kept), [kept, FUNCTION, called]);
    assert_eq!(graph.aspects(kept), BTreeSet::from([FP64]));
    assert_eq!(graph.all_aspects().get(&kept), Some(&BTreeSet::from([FP64])));
    assert_eq!(graph.chain(kept, called), Some(vec![kept, FUNCTION, called]));
    assert_eq!(graph.chain(called, kept), None);
}

/// OpenCL passes a structure by value behind a private pointer; compilers write `ByVal` beside it, or only one of both.
#[test]
fn a_structure_that_is_passed_by_value_is_no_pointer() {
    let kind = |class: u32, by_value: bool| {
        let mut module = Assembler::new();
        module.entry(FUNCTION, "kernel");
        if by_value {
            let attribute =
                [RESULT, Decoration::FuncParamAttr as u32, FunctionParameterAttribute::ByVal as u32];
            module.push(Op::Decorate, &attribute);
        }
        module.push(Op::TypeVoid, &[VOID]);
        module.push(Op::TypeInt, &[UINT, 32, 0]);
        module.push(Op::TypeStruct, &[OTHER, UINT, UINT, UINT]);
        module.push(Op::TypePointer, &[POINTER, class, OTHER]);
        module.push(Op::TypeFunction, &[KIND, VOID, POINTER]);
        module.function([VOID, KIND, FUNCTION], &[[POINTER, RESULT]], LABEL, &[]);
        let mut arguments = reflection(&module).entry_points.remove(0).arguments;
        arguments.remove(0).kind
    };
    assert_eq!(kind(PRIVATE, true), ArgumentKind::Structure(Some(12)));
    assert_eq!(kind(PRIVATE, false), ArgumentKind::Structure(Some(12)));
    assert_eq!(kind(GLOBAL, true), ArgumentKind::Structure(Some(12)));
    assert_eq!(kind(GLOBAL, false), ArgumentKind::Pointer("global"));
    assert_eq!(kind(StorageClass::Workgroup as u32, false), ArgumentKind::Pointer("local"));
    assert_eq!(kind(StorageClass::UniformConstant as u32, false), ArgumentKind::Pointer("constant"));
}

/// "Implementation design for device_global": the class has the pointer to its value first, possibly in a base class.
#[test]
fn a_device_global_is_behind_a_pointer_or_is_its_own_value() {
    let variable = 70;
    let global = |types: &[(Op, &[u32])]| {
        let mut module = with_numbers();
        for (opcode, operands) in types {
            module.push(*opcode, operands);
        }
        module.push(Op::TypePointer, &[80, GLOBAL, 81]);
        module.push(Op::Variable, &[80, variable, GLOBAL]);
        let global = reflection(&module).globals.remove(0);
        (global.image_scope, global.value_size, global.size)
    };
    let pointer: (Op, &[u32]) = (Op::TypePointer, &[POINTER, GLOBAL, UINT]);
    // The value's type is behind the pointer in the class, of which the variable has a copy.
    assert_eq!(global(&[pointer, (Op::TypeStruct, &[81, POINTER, DOUBLE])]), (false, Some(8), Some(16)));
    let base: (Op, &[u32]) = (Op::TypeStruct, &[82, POINTER, FLOAT]);
    assert_eq!(global(&[pointer, base, (Op::TypeStruct, &[81, 82])]), (false, Some(4), Some(16)));
    // With image scope, the class is the value; a lone pointer is a value, too.
    assert_eq!(global(&[(Op::TypeStruct, &[81, DOUBLE])]), (true, Some(8), Some(8)));
    assert_eq!(global(&[pointer, (Op::TypeStruct, &[81, POINTER])]), (true, Some(8), Some(8)));
}

#[test]
fn modes_and_linkage_that_are_not_known_are_named_by_their_numbers() {
    let mut module = with_numbers();
    module.push(Op::ExecutionMode, &[FUNCTION, ExecutionMode::SubgroupSize as u32, 8]);
    module.push(Op::ExecutionMode, &[FUNCTION, 0x7fff_0000]);
    module.push(Op::TypeFunction, &[KIND, VOID]);
    module.function([VOID, KIND, FUNCTION], &[], LABEL, &[]);
    let modes = reflection(&module).entry_points.remove(0).modes;
    assert_eq!(modes.iter().map(|mode| mode.name()).collect::<Vec<_>>(), ["SubgroupSize", "2147418112"]);

    let mut module = Assembler::new();
    module.linkage(FUNCTION, "f", 9);
    let module = module.module();
    let error = Reflection::of(&Index::new(&module).unwrap()).unwrap_err().to_string();
    assert!(error.ends_with("linkage type 9 is not known"), "{error}");
}
