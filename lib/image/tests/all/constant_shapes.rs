//! The constants that a host can set: composites whose scalars appear only there, and all other scalars individually.

use sycl_pi_image::derive::derive;
use sycl_pi_image::emulate::emulate;
use sycl_pi_image::property::{PADDING, Properties};
use sycl_pi_image::spirv::{Decoration, Index, Module, Op, specialize};

use crate::assembler::Assembler;
use crate::common;

const UINT: u32 = 1;
/// Two numbers, eight bytes.
const PAIR: u32 = 2;
/// A number and a pair, whose alignment leaves a gap; sixteen bytes.
const NESTED: u32 = 3;
/// A number, a byte, and three bytes of padding at the end.
const PADDED: u32 = 4;
const BYTE: u32 = 5;
const BYTES: u32 = 6;
const OPAQUE: u32 = 7;
/// A number and a type without a size.
const UNSIZED: u32 = 8;
const THREE: u32 = 9;
const SHORT: u32 = 10;
/// The number 1.
const FIXED: u32 = 20;
const NULL: u32 = 21;
const GAP: u32 = 22;
/// `A + 1`
const SUM: u32 = 23;
/// Specialization constants with ids 0 to 3: the numbers 10, 20, 30 and the byte 40.
const A: u32 = 30;
const B: u32 = 31;
const C: u32 = 32;
const D: u32 = 33;
/// Further constants with ids 0 and 1.
const A_AGAIN: u32 = 34;
const B_AGAIN: u32 = 35;

/// Composites: type, id, parts.
type Composites<'c> = &'c [(u32, u32, &'c [u32])];

/// Makes a module with these composites.
fn module(composites: Composites<'_>) -> Module {
    const ADD: u32 = Op::IAdd as u32;
    let mut module = Assembler::new();
    for (id, spec_id) in [(A, 0), (B, 1), (C, 2), (D, 3), (A_AGAIN, 0), (B_AGAIN, 1)] {
        module.push(Op::Decorate, &[id, Decoration::SpecId as u32, spec_id]);
    }
    module.push(Op::TypeInt, &[UINT, 32, 0]);
    module.push(Op::TypeInt, &[BYTE, 8, 0]);
    module.push(Op::TypeVector, &[PAIR, UINT, 2]);
    module.push(Op::TypeStruct, &[NESTED, UINT, PAIR]);
    module.push(Op::Constant, &[UINT, THREE, 3]);
    module.push(Op::TypeArray, &[BYTES, BYTE, THREE]);
    module.push(Op::TypeStruct, &[PADDED, UINT, BYTE, BYTES]);
    module.push_text(Op::TypeOpaque, &[OPAQUE], "opaque", &[]);
    module.push(Op::TypeStruct, &[UNSIZED, UINT, OPAQUE, UINT]);
    module.push(Op::Constant, &[UINT, FIXED, 1]);
    module.push(Op::ConstantNull, &[UINT, NULL]);
    module.push(Op::Undef, &[BYTES, GAP]);
    module.push(Op::SpecConstant, &[UINT, A, 10]);
    module.push(Op::SpecConstant, &[UINT, B, 20]);
    module.push(Op::SpecConstant, &[UINT, C, 30]);
    module.push(Op::SpecConstant, &[BYTE, D, 40]);
    module.push(Op::SpecConstantOp, &[UINT, SUM, ADD, A, FIXED]);
    for (_, _, parts) in composites {
        for (again, value) in [(A_AGAIN, 10), (B_AGAIN, 20)] {
            if parts.contains(&again) {
                module.push(Op::SpecConstant, &[UINT, again, value]);
            }
        }
    }
    for &(kind, id, parts) in composites {
        module.push(Op::SpecConstantComposite, &[&[kind, id], parts].concat());
    }
    module.module()
}

fn properties(module: &Module) -> Properties {
    let derived = derive(&module.to_bytes().unwrap()).unwrap();
    // A runtime reads them like a compiler's.
    let mut parts = sycl_pi_image::ImageParts::new("shapes", "spir64", module.to_bytes().unwrap());
    parts.property_sets = derived.properties.encode();
    Properties::decode(&parts).unwrap()
}

/// Returns each constant's scalar ids and its size in bytes.
fn constants(composites: Composites<'_>) -> Vec<(Vec<u32>, u64)> {
    let properties = properties(&module(composites));
    let mut found = Vec::new();
    for constant in properties.spec_constants.iter() {
        let ids = constant.leaves.iter().map(|leaf| leaf.id).filter(|&id| id != PADDING);
        let ids: Vec<u32> = ids.collect();
        assert_eq!(constant.name, format!("spec_constant_{}", ids[0]));
        found.push((ids, constant.size()));
    }
    found
}

/// Returns the constants of a module in which none is part of another.
fn scalars() -> Vec<(Vec<u32>, u64)> {
    vec![(vec![0], 4), (vec![1], 4), (vec![2], 4), (vec![3], 1)]
}

#[test]
fn a_composite_of_constants_of_its_own_is_one_constant() {
    let pair = constants(&[(PAIR, 40, &[A, B])]);
    assert_eq!(pair, [(vec![0, 1], 8), (vec![2], 4), (vec![3], 1)]);
    let nested = constants(&[(PAIR, 40, &[B, C]), (NESTED, 41, &[A, 40])]);
    assert_eq!(nested, [(vec![0, 1, 2], 16), (vec![3], 1)]);
    // The padding at the end has no value.
    let padded = constants(&[(PADDED, 40, &[C, D, GAP])]);
    assert_eq!(padded, [(vec![0], 4), (vec![1], 4), (vec![2, 3], 8)]);
}

/// SYCL compilers write a constant anew for each kernel.
#[test]
fn the_same_composite_under_two_ids_is_one_constant() {
    let twice = constants(&[(PAIR, 40, &[A, B]), (PAIR, 41, &[A_AGAIN, B_AGAIN])]);
    assert_eq!(twice, [(vec![0, 1], 8), (vec![2], 4), (vec![3], 1)]);
}

#[test]
fn scalars_of_every_other_composite_stand_by_their_ids() {
    let cases: [(&str, Composites<'_>); 9] = [
        ("no composite", &[]),
        ("one constant twice", &[(PAIR, 40, &[A, A])]),
        ("one id twice", &[(PAIR, 40, &[A, A_AGAIN])]),
        ("in the structure and in its vector", &[(PAIR, 40, &[A, B]), (NESTED, 41, &[A, 40])]),
        ("in two composites", &[(PAIR, 40, &[A, B]), (PAIR, 41, &[C, A])]),
        ("a fixed part", &[(PAIR, 40, &[A, FIXED])]),
        ("a part of zeros", &[(PAIR, 40, &[A, NULL])]),
        ("a computed part", &[(PAIR, 40, &[C, SUM])]),
        ("a part without a size", &[(UNSIZED, 40, &[A, GAP, B])]),
    ];
    for (what, composites) in cases {
        assert_eq!(constants(composites), scalars(), "{what}");
    }
    // The composite is inside another one, and only the outer one shares a scalar.
    let shared = [(PAIR, 40, &[A, B][..]), (NESTED, 41, &[C, 40]), (PAIR, 42, &[C, FIXED])];
    assert_eq!(constants(&shared), scalars());
    // The other composites stay whole.
    let beside = [(PAIR, 40, &[A, A][..]), (PAIR, 41, &[B, C])];
    assert_eq!(constants(&beside), [(vec![0], 4), (vec![1, 2], 8), (vec![3], 1)]);
}

/// The emulation buffer has the scalars one after another, and each is loaded from there.
#[test]
fn scalars_that_stand_by_themselves_are_emulated() {
    let module = module(&[(PAIR, 40, &[A, A]), (PAIR, 41, &[B, FIXED])]);
    let properties = properties(&module);
    let places: Vec<(&str, u64)> = properties
        .spec_constants
        .iter()
        .map(|constant| (constant.name.as_str(), constant.blob_offset))
        .collect();
    let wanted =
        [("spec_constant_0", 0), ("spec_constant_1", 4), ("spec_constant_2", 8), ("spec_constant_3", 12)];
    assert_eq!(places, wanted);
    let defaults = [10, 0, 0, 0, 20, 0, 0, 0, 30, 0, 0, 0, 40];
    assert_eq!(properties.spec_defaults.all.as_deref(), Some(&defaults[..]));
    let mut parts = sycl_pi_image::ImageParts::new("shapes", "spir64", module.to_bytes().unwrap());
    parts.property_sets = properties.encode();
    let made = emulate(&parts).unwrap().image;
    let left = derive(&made.bytes).unwrap().properties;
    assert!(left.spec_constants.is_empty(), "{:?}", left.spec_constants);
}

/// A scalar with a final value is a fixed part, so the other scalars of its composite become separate constants.
#[test]
fn what_is_left_of_a_composite_stands_by_itself() {
    let module = module(&[(PAIR, 40, &[A, B])]);
    let index = Index::new(&module).unwrap();
    let values = [(0, 7_u32.to_le_bytes().to_vec())].into_iter().collect();
    let made = specialize(&index, &values, false).unwrap();
    let left = properties(&made);
    let found: Vec<(&str, u64)> =
        left.spec_constants.iter().map(|constant| (constant.name.as_str(), constant.size())).collect();
    assert_eq!(found, [("spec_constant_1", 4), ("spec_constant_2", 4), ("spec_constant_3", 1)]);
    common::validate_like("shapes", &module.to_bytes().unwrap(), &made.to_bytes().unwrap());
}

/// With one scalar left to set, the composite is still a specialization constant.
#[test]
fn a_composite_is_final_when_all_of_its_scalars_are() {
    let module = module(&[(PAIR, 40, &[A, B]), (NESTED, 41, &[C, 40])]);
    let index = Index::new(&module).unwrap();
    let (open, last) = (Op::SpecConstantComposite, Op::ConstantComposite);
    for (set, pair, nested) in [
        (&[0][..], open, open),
        (&[1], open, open),
        (&[2], open, open),
        (&[0, 1], last, open),
        (&[0, 2], open, open),
        (&[0, 1, 2], last, last),
    ] {
        let values = set.iter().map(|&id| (id, 7_u32.to_le_bytes().to_vec())).collect();
        let made = specialize(&index, &values, false).unwrap();
        let made = Index::new(&made).unwrap();
        let opcodes = [40, 41].map(|id| made.definition(id).unwrap().opcode);
        assert_eq!(opcodes, [pair, nested], "{set:?}");
    }
}

/// SPIR-V, "Literal": a signed number of fewer than 32 bits is sign-extended, and the unused bits of others are 0. The
/// sign is that of the most significant byte, the last one.
#[test]
fn a_short_constant_fills_its_word_with_its_sign_if_it_has_one() {
    let fixed = |opcode: Op, kind: &[u32], value: i16| {
        let mut module = Assembler::new();
        module.push(Op::Decorate, &[40, Decoration::SpecId as u32, 0]);
        module.push(opcode, &[&[SHORT], kind].concat());
        module.push(Op::SpecConstant, &[SHORT, 40, 1]);
        let module = module.module();
        let values = [(0, value.to_le_bytes().to_vec())].into_iter().collect();
        let made = specialize(&Index::new(&module).unwrap(), &values, false).unwrap();
        let made = Index::new(&made).unwrap();
        let constant = made.definition(40).unwrap();
        assert_eq!(constant.opcode, Op::Constant, "{value}");
        constant.operand(2)
    };
    for (value, signed, unsigned) in
        [(255, 255, 255), (-256, 0xffff_ff00, 0xff00), (-1, 0xffff_ffff, 0xffff), (1, 1, 1)]
    {
        assert_eq!(fixed(Op::TypeInt, &[16, 1], value), signed, "{value}");
        assert_eq!(fixed(Op::TypeInt, &[16, 0], value), unsigned, "{value}");
        assert_eq!(fixed(Op::TypeFloat, &[16], value), unsigned, "{value}");
    }
}
