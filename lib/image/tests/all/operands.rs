//! Which operands of an instruction are ids, and the cases of a switch, as SPIR-V's specification lists them.

use sycl_pi_image::spirv::grammar::{InstructionSet, SwitchCase, Unclear, ids, switch_cases};
use sycl_pi_image::spirv::{Module, Op};

/// Ids with a meaning: 1 is a set of OpenCL's instructions, 2 one of debug information, 3 one without semantics, 4 another.
/// Selector 64 is wide.
fn found(opcode: Op, operands: &[u32]) -> Result<Vec<usize>, Unclear> {
    let set = |id: u32| match id {
        1 => InstructionSet::OpenCl,
        2 => InstructionSet::Debug,
        3 => InstructionSet::NonSemantic,
        _ => InstructionSet::Other,
    };
    let module = module(opcode, operands);
    let mut found = Vec::new();
    ids(&module.inst(0).unwrap(), |id| id == 64, set, |at| found.push(at))?;
    Ok(found)
}

fn module(opcode: Op, operands: &[u32]) -> Module {
    let mut words =
        vec![0x0723_0203, 0x0001_0400, 0, 1000, 0, (operands.len() as u32 + 1) << 16 | opcode as u32];
    words.extend(operands);
    Module::from_words(words).unwrap()
}

/// `k` and `kern`, as words.
const SHORT: u32 = 0x6b;
const LONG: [u32; 2] = [0x6e72_656b, 0];

#[test]
fn ids_stand_apart_from_literals() {
    let cases: &[(Op, &[u32], &[usize])] = &[
        (Op::IAdd, &[10, 11, 12, 13], &[0, 1, 2, 3]),
        (Op::CompositeExtract, &[10, 11, 12, 5, 6], &[0, 1, 2]),
        (Op::CompositeInsert, &[10, 11, 12, 13, 5], &[0, 1, 2, 3]),
        (Op::VectorShuffle, &[10, 11, 12, 13, 0, 1], &[0, 1, 2, 3]),
        (Op::Phi, &[10, 11, 12, 13, 14, 15], &[0, 1, 2, 3, 4, 5]),
        (Op::ControlBarrier, &[10, 11, 12], &[0, 1, 2]),
        (Op::Constant, &[10, 11, 12, 13], &[0, 1]),
        (Op::TypeInt, &[10, 32, 0], &[0]),
        (Op::TypeStruct, &[10, 11, 12], &[0, 1, 2]),
        (Op::Branch, &[10], &[0]),
        // Two weights.
        (Op::BranchConditional, &[10, 11, 12, 1, 9], &[0, 1, 2]),
        (Op::LoopMerge, &[10, 11, 0x10, 12], &[0, 1]),
        (Op::SelectionMerge, &[10, 1], &[0]),
        (Op::Line, &[10, 11, 12], &[0]),
        (Op::Return, &[], &[]),
        // Names, which end with a byte of 0.
        (Op::Name, &[10, SHORT], &[0]),
        (Op::EntryPoint, &[6, 10, SHORT, 11, 12], &[1, 3, 4]),
        (Op::EntryPoint, &[6, 10, LONG[0], LONG[1], 11], &[1, 4]),
        (Op::ExtInstImport, &[10, LONG[0], LONG[1]], &[0]),
        // Decorations and modes.
        (Op::Decorate, &[10, 44, 4], &[0]),
        (Op::MemberDecorate, &[10, 1, 35, 4], &[0]),
        (Op::DecorateString, &[10, 5635, SHORT], &[0]),
        (Op::DecorateId, &[10, 46, 11, 12], &[0, 2, 3]),
        (Op::ExecutionMode, &[10, 17, 1, 2, 3], &[0]),
        (Op::ExecutionModeId, &[10, 38, 11, 12, 13], &[0, 2, 3, 4]),
        // Accesses: Volatile and Aligned have at most a literal, MakePointerAvailable a scope, aliasing a list.
        (Op::Load, &[10, 11, 12], &[0, 1, 2]),
        (Op::Load, &[10, 11, 12, 3, 4], &[0, 1, 2]),
        (Op::Load, &[10, 11, 12, 0x10002, 4, 13], &[0, 1, 2, 5]),
        (Op::Store, &[10, 11, 0xa, 4, 12], &[0, 1, 4]),
        (Op::Store, &[10, 11, 0x30000, 12, 13], &[0, 1, 3, 4]),
        (Op::CopyMemory, &[10, 11, 2, 4, 0x10002, 4, 12], &[0, 1, 6]),
        // Bias, and a gradient, which is two.
        (Op::ImageSampleImplicitLod, &[10, 11, 12, 13, 1, 14], &[0, 1, 2, 3, 5]),
        (Op::ImageSampleExplicitLod, &[10, 11, 12, 13, 4, 14, 15], &[0, 1, 2, 3, 5, 6]),
        // An instruction in a constant: OpUMod, OpCompositeExtract and OpSelect.
        (Op::SpecConstantOp, &[10, 11, 137, 12, 13], &[0, 1, 3, 4]),
        (Op::SpecConstantOp, &[10, 11, 81, 12, 5], &[0, 1, 3]),
        (Op::SpecConstantOp, &[10, 11, 169, 12, 13, 14], &[0, 1, 3, 4, 5]),
        // fmin; vloadn, whose last operand is a literal; instructions of debug information and of no semantics.
        (Op::ExtInst, &[10, 11, 1, 28, 12, 13], &[0, 1, 2, 4, 5]),
        (Op::ExtInst, &[10, 11, 1, 171, 12, 13, 4], &[0, 1, 2, 4, 5]),
        (Op::ExtInst, &[10, 11, 2, 1, 12, 13], &[0, 1, 2, 4, 5]),
        (Op::ExtInst, &[10, 11, 3, 1, 12], &[0, 1, 2, 4]),
        // The labels, behind literals of one word or two.
        (Op::Switch, &[10, 11], &[0, 1]),
        (Op::Switch, &[10, 11, 5, 12, 6, 13], &[0, 1, 3, 5]),
        (Op::Switch, &[64, 11, 5, 0, 12, 6, 1, 13], &[0, 1, 4, 7]),
    ];
    for (opcode, operands, expected) in cases {
        assert_eq!(found(*opcode, operands).as_deref(), Ok(*expected), "{opcode:?} {operands:?}");
    }
}

#[test]
fn what_is_missing_or_unknown_is_named() {
    for (opcode, operands, expected) in [
        (Op::IAdd, &[10, 11, 12][..], Unclear::Count),
        (Op::IAdd, &[10, 11, 12, 13, 14], Unclear::Count),
        (Op::Decorate, &[10], Unclear::Count),
        (Op::DecorateId, &[10], Unclear::Count),
        (Op::Load, &[10, 11, 12, 2], Unclear::Count),
        (Op::Name, &[10, LONG[0]], Unclear::Count),
        (Op::Switch, &[10, 11, 5], Unclear::Count),
        (Op::Switch, &[64, 11, 5, 12], Unclear::Count),
        (Op::Phi, &[10, 11, 12], Unclear::Count),
        (Op::ExtInst, &[10, 11, 1], Unclear::Count),
        (Op::ExtInst, &[10, 11, 1, 28, 12], Unclear::Count),
        (Op::ExtInst, &[10, 11, 1, 60_000, 12], Unclear::Extended),
        (Op::ExtInst, &[10, 11, 4, 1, 12], Unclear::Extended),
        (Op::SpecConstantOp, &[10, 11, 60_000, 12], Unclear::Unknown),
    ] {
        assert_eq!(found(opcode, operands), Err(expected), "{opcode:?} {operands:?}");
    }
    let texts = [Unclear::Unknown, Unclear::Extended, Unclear::Kind, Unclear::Count];
    let texts = texts.map(|problem| problem.describe(Op::IAdd as u16));
    assert_eq!(
        texts,
        [
            "OpIAdd is not known",
            "OpIAdd has an instruction or a set that is not known",
            "OpIAdd has an operand of a kind that is not handled",
            "OpIAdd has too few or too many operands",
        ]
    );
    assert_eq!(Unclear::Unknown.describe(60_000), "instruction 60000 is not known");
}

/// Literals of more than 32 bits have their lower word first.
#[test]
fn a_switch_has_its_cases() {
    let cases = |operands: &[u32], wide: bool| -> Vec<Option<(u64, u32)>> {
        let module = module(Op::Switch, operands);
        let cases = switch_cases(&module.inst(0).unwrap(), wide);
        cases.map(|case| case.map(|SwitchCase { literal, target }| (literal, target))).collect()
    };
    assert_eq!(cases(&[10, 11], false), []);
    assert_eq!(cases(&[10, 11, 5, 12, 6, 13], false), [Some((5, 12)), Some((6, 13))]);
    assert_eq!(cases(&[10, 11, 5, 0, 12, 6, 7, 13], true), [Some((5, 12)), Some((0x7_0000_0006, 13))]);
    // Incomplete.
    assert_eq!(cases(&[10, 11, 5, 12, 6], false), [Some((5, 12)), None]);
    assert_eq!(cases(&[10, 11, 5, 0, 12, 6, 13], true), [Some((5, 12)), None]);
}

#[test]
fn sets_of_instructions_are_known_by_their_names() {
    for (name, set) in [
        ("OpenCL.std", InstructionSet::OpenCl),
        ("SPIRV.debug", InstructionSet::Debug),
        ("OpenCL.DebugInfo.100", InstructionSet::Debug),
        ("NonSemantic.Shader.DebugInfo.100", InstructionSet::Debug),
        ("NonSemantic.AuxData", InstructionSet::NonSemantic),
        ("GLSL.std.450", InstructionSet::Other),
    ] {
        assert_eq!(InstructionSet::from_name(name), set, "{name}");
    }
}
