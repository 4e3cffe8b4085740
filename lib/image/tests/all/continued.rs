//! Instructions that continue the previous one, and forward-declared types.

use std::collections::HashMap;

use sycl_pi_image::spirv::{
    Decoration, Index, Inst, LinkOptions, Module, Op, Reflection, SplitMode, SplitOptions, StorageClass,
    Types, link, portable, specialize,
};

use crate::assembler::{Assembler, pieces};

const UINT: u32 = 1;
const VOID: u32 = 2;
const KIND: u32 = 3;
const COUNT: u32 = 4;
const ARRAY: u32 = 5;
const POINTER: u32 = 6;
const ZERO: u32 = 7;
const ONE: u32 = 8;
const LENGTH: usize = 70_000;

/// Makes a module with tables of 70,000 numbers, which are 0 except the last one. Each kernel loads one table.
fn tables(kernels: &[(&str, u32)]) -> Module {
    let mut module = Assembler::new();
    for (number, (name, _)) in (0..).zip(kernels) {
        module.entry(100 + number, name);
    }
    module.push(Op::TypeInt, &[UINT, 32, 0]);
    module.push(Op::TypeVoid, &[VOID]);
    module.push(Op::TypeFunction, &[KIND, VOID]);
    module.push(Op::Constant, &[UINT, COUNT, LENGTH as u32]);
    module.push(Op::TypeArray, &[ARRAY, UINT, COUNT]);
    module.push(Op::TypePointer, &[POINTER, StorageClass::UniformConstant as u32, ARRAY]);
    module.push(Op::Constant, &[UINT, ZERO, 0]);
    module.push(Op::Constant, &[UINT, ONE, 1]);
    for (number, (_, last)) in (0..).zip(kernels) {
        let mut members = vec![ZERO; LENGTH];
        members[LENGTH - 1] = *last;
        let (head, rest) = members.split_at(60_000);
        let operands: Vec<u32> = [ARRAY, 200 + number].iter().chain(head).copied().collect();
        module.push(Op::ConstantComposite, &operands);
        let (middle, rest) = rest.split_at(9_999);
        module.push(Op::ConstantCompositeContinuedINTEL, middle);
        module.push(Op::ConstantCompositeContinuedINTEL, rest);
        module
            .push(Op::Variable, &[POINTER, 300 + number, StorageClass::UniformConstant as u32, 200 + number]);
    }
    for number in 0..kernels.len() as u32 {
        let load = [ARRAY, 500 + number, 300 + number];
        module.function([VOID, KIND, 100 + number], &[], 400 + number, &[(Op::Load, &load)]);
    }
    module.module()
}

/// Returns the last number of every long constant, and its count of numbers.
fn lasts(module: &Module) -> Vec<(u32, usize)> {
    let index = Index::new(module).unwrap();
    let composites = index.globals().filter(|inst| inst.opcode == Op::ConstantComposite);
    let last = |inst: Inst<'_>| {
        let value = index.definition(*inst.operands.last().unwrap()).unwrap();
        (value.operand(2), inst.operands.len() - 2)
    };
    composites.map(last).collect()
}

/// Returns the opcodes as a file contains them, and checks that no instruction is too long and that continuations
/// follow the instructions that they continue.
fn physical(module: &Module) -> Vec<Op> {
    let words = module.words();
    let (mut at, mut opcodes) = (5, Vec::new());
    while at < words.len() {
        opcodes.push(Op::from_u32(words[at] & 0xffff).unwrap());
        at += (words[at] >> 16) as usize;
    }
    assert_eq!(at, words.len());
    let parts = opcodes.windows(2).filter(|pair| pair[1] == Op::ConstantCompositeContinuedINTEL);
    assert!(
        parts
            .clone()
            .all(|pair| [Op::ConstantComposite, Op::ConstantCompositeContinuedINTEL].contains(&pair[0]))
    );
    opcodes
}

#[test]
fn a_long_constant_is_one_instruction_with_all_its_members() {
    let module = tables(&[("k", ONE)]);
    assert_eq!(lasts(&module), [(1, LENGTH)]);
    assert!(module.instructions().all(|inst| inst.opcode != Op::ConstantCompositeContinuedINTEL));
    assert_eq!(
        physical(&module).iter().filter(|&&opcode| opcode == Op::ConstantCompositeContinuedINTEL).count(),
        2
    );
}

#[test]
fn a_long_constant_survives_a_split() {
    let module = tables(&[("one", ONE), ("zero", ZERO)]);
    let found = pieces(&module, &SplitOptions::new(SplitMode::PerKernel));
    let expected = [("one", 1), ("zero", 0)];
    assert_eq!(found.len(), 2);
    for ((entries, piece), (name, last)) in found.iter().zip(expected) {
        assert_eq!((entries.as_slice(), lasts(piece)), ([name.to_owned()].as_slice(), vec![(last, LENGTH)]));
        assert!(physical(piece).contains(&Op::ConstantCompositeContinuedINTEL));
    }
}

fn linked(modules: &[Module]) -> Module {
    let indices: Vec<Index<'_>> = modules.iter().map(|module| Index::new(module).unwrap()).collect();
    let named: Vec<(&str, &Index<'_>)> = ["a", "b"].into_iter().zip(&indices).collect();
    link(&named, LinkOptions::default()).unwrap()
}

/// Two long constants that differ only in a continuation stay separate; equal ones are merged.
#[test]
fn long_constants_are_compared_to_their_end() {
    let both = linked(&[tables(&[("one", ONE)]), tables(&[("zero", ZERO)])]);
    assert_eq!(lasts(&both), [(1, LENGTH), (0, LENGTH)]);
    physical(&both);
    let same = linked(&[tables(&[("one", ONE)]), tables(&[("other", ONE)])]);
    assert_eq!(lasts(&same), [(1, LENGTH)]);
}

#[test]
fn a_long_specialization_constant_is_fixed_as_a_whole() {
    let mut module = Assembler::new();
    module.push(Op::Decorate, &[ONE, Decoration::SpecId as u32, 4]);
    module.push(Op::TypeInt, &[UINT, 32, 0]);
    module.push(Op::Constant, &[UINT, COUNT, LENGTH as u32]);
    module.push(Op::TypeArray, &[ARRAY, UINT, COUNT]);
    // A gap before the only number.
    module.push(Op::Undef, &[UINT, ZERO]);
    module.push(Op::SpecConstant, &[UINT, ONE, 1]);
    let members: Vec<u32> = [ARRAY, 20].into_iter().chain(vec![ZERO; 65_000]).collect();
    module.push(Op::SpecConstantComposite, &members);
    module.push(Op::SpecConstantCompositeContinuedINTEL, &[[ZERO; 4_999].as_slice(), &[ONE]].concat());
    let module = module.module();
    let index = Index::new(&module).unwrap();
    let top = Reflection::of(&index).unwrap().spec_constants.remove(0);
    assert_eq!((top.default.len(), top.leaves.len()), (LENGTH * 4, 1));
    assert_eq!((top.leaves[0].id, top.leaves[0].offset as usize), (4, LENGTH * 4 - 4));
    let values = HashMap::from([(4, 9_u32.to_le_bytes().to_vec())]);
    let made = specialize(&index, &values, true).unwrap();
    assert_eq!(lasts(&made), [(9, LENGTH)]);
    physical(&made);
}

#[test]
fn a_structure_may_have_more_members_than_an_instruction() {
    let mut module = Assembler::new();
    module.push(Op::TypeInt, &[UINT, 32, 0]);
    module.push(Op::TypeInt, &[9, 64, 0]);
    let members: Vec<u32> = [20].into_iter().chain(vec![UINT; 65_000]).collect();
    module.push(Op::TypeStruct, &members);
    module.push(Op::TypeStructContinuedINTEL, &[9, 9]);
    let module = module.module();
    let index = Index::new(&module).unwrap();
    assert_eq!(Types::new(&index).size(20), Some(65_000 * 4 + 16));
    // The module is written as it was read if nothing is rewritten, and is reassembled otherwise.
    assert_eq!(portable(&module).unwrap(), None);
    let again = linked(std::slice::from_ref(&module));
    let index = Index::new(&again).unwrap();
    let structure = index.globals().find(|inst| inst.opcode == Op::TypeStruct).unwrap();
    assert_eq!(structure.operands.len(), 65_003);
}

#[test]
fn a_part_of_nothing_is_an_error() {
    for before in [None, Some(Op::TypeVoid), Some(Op::TypeStruct)] {
        let mut module = Assembler::new();
        if let Some(opcode) = before {
            module.push(opcode, &[1]);
        }
        module.push(Op::ConstantCompositeContinuedINTEL, &[1]);
        let error = Module::parse(&module.bytes()).unwrap_err().to_string();
        assert!(error.ends_with("OpConstantCompositeContinuedINTEL continues no instruction"), "{error}");
    }
}

/// Makes a kernel or a library function that takes the first node of a list. The library defines `sum`, and the kernel
/// calls it.
fn list(is_kernel: bool, first_id: u32, name: &str) -> Module {
    let id = |number: u32| first_id + number;
    let [uint, node, pointer, void, kind, entry, label, parameter] = [0, 1, 2, 3, 4, 5, 6, 7].map(id);
    let mut module = Assembler::new();
    if is_kernel {
        module.entry(entry, "k");
    }
    module.push_text(Op::Name, &[node], name, &[]);
    module.linkage(id(8), "sum", u32::from(is_kernel));
    // The library declares its types in another order.
    if !is_kernel {
        module.push(Op::TypeVoid, &[void]);
        module.push(Op::TypeInt, &[uint, 32, 0]);
    }
    module.push(Op::TypeForwardPointer, &[pointer, StorageClass::CrossWorkgroup as u32]);
    if is_kernel {
        module.push(Op::TypeInt, &[uint, 32, 0]);
    }
    module.push(Op::TypeStruct, &[node, uint, pointer]);
    module.push(Op::TypePointer, &[pointer, StorageClass::CrossWorkgroup as u32, node]);
    if is_kernel {
        module.push(Op::TypeVoid, &[void]);
    }
    module.push(Op::TypeFunction, &[kind, void, pointer]);
    let sum = if is_kernel { 0 } else { id(10) };
    module.function([void, kind, id(8)], &[[pointer, id(9)]], sum, &[]);
    if is_kernel {
        let call = [void, id(11), id(8), parameter];
        module.function([void, kind, entry], &[[pointer, parameter]], label, &[(Op::FunctionCall, &call)]);
    }
    module.module()
}

fn count(module: &Module, opcode: Op) -> usize {
    module.instructions().filter(|inst| inst.opcode == opcode).count()
}

/// Types with pointers to themselves: the driver accepts a call only if caller and callee use exactly the same type.
#[test]
fn a_recursive_type_of_two_modules_is_one_type() {
    let both = linked(&[list(true, 1, "node"), list(false, 500, "node")]);
    let counts = [Op::TypeForwardPointer, Op::TypeStruct, Op::TypePointer, Op::TypeFunction];
    assert_eq!(counts.map(|opcode| count(&both, opcode)), [1, 1, 1, 1]);
    assert_eq!(crate::common::complaint(&both.to_bytes().unwrap()).flatten(), None);
    // Another name makes another type.
    let other = linked(&[list(true, 1, "node"), list(false, 500, "other")]);
    assert_eq!(count(&other, Op::TypeStruct), 2);
}

#[test]
fn a_type_that_is_declared_in_advance_survives_a_split() {
    let both = linked(&[list(true, 1, "node"), list(false, 500, "node")]);
    for (entries, piece) in pieces(&both, &SplitOptions::new(SplitMode::PerKernel)) {
        assert_eq!(count(&piece, Op::TypeForwardPointer), 1, "{entries:?}");
        let forward = piece.instructions().find(|inst| inst.opcode == Op::TypeForwardPointer).unwrap();
        let structure = piece.instructions().find(|inst| inst.opcode == Op::TypeStruct).unwrap();
        assert!(forward.number < structure.number && structure.operand(2) == forward.operand(0));
        assert_eq!(crate::common::complaint(&piece.to_bytes().unwrap()).flatten(), None);
    }
}
