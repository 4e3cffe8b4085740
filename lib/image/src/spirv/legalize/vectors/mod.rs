//! Calls functions for one component of a vector at a time.
//!
//! On x86, C functions get a vector that is longer than a register through memory. The functions of PoCL 6.0 that SPIR-V
//! calls do not store it there, so all that take 16 numbers of 64 bits compute with whatever is on the stack, and
//! shorter vectors are affected on older processors. In addition, PoCL's sines, cosines and tangents of a vector of
//! floats are off by up to 0.02 if another component of the vector is large.

mod moves;

use std::collections::HashSet;

use rspirv::spirv::{Decoration, Op, OpenclStd100Op as CLOp};

use super::draft::Draft;
use super::line::Line;
use super::needs::VectorFunctions;
use super::vector_type::VectorType;
use crate::spirv::SpirvError;

/// Splits the calls of functions that the driver computes wrongly.
pub(super) fn rewrite(draft: &mut Draft, lacking: VectorFunctions) -> Result<(), SpirvError> {
    if lacking == VectorFunctions::Native {
        return Ok(());
    }
    let mut split = HashSet::new();
    draft.rewrite(|draft, line, code| {
        let function = draft.function_of_opencl(&line);
        let arguments = line.operands.get(if function.is_some() { 4 } else { 2 }..).unwrap_or_default();
        let is_long = lacking == VectorFunctions::WithoutLong
            && arguments
                .iter()
                .filter_map(|&id| VectorType::of(draft, draft.kind(id)?))
                .any(|v| v.is_long(draft));
        let of = VectorType::of(draft, line.operand(0));
        let is_float = of.is_some_and(|of| of.component_bits(draft) == Some((Op::TypeFloat, 32)));
        let is_split = match function {
            Some(function) => is_of_components(function) && (is_long || (is_float && is_sine(function))),
            None => is_long && calls_a_function(line.opcode()),
        };
        match (function, of) {
            (_, Some(of)) if is_split => {
                split.insert(line.operand(1));
                each(draft, code, &line, of)
            }
            (Some(CLOp::select), Some(of)) if is_long => moves::select(draft, code, &line, of),
            (Some(CLOp::shuffle | CLOp::shuffle2), Some(of)) if is_long => {
                moves::shuffle(draft, code, &line, of)
            }
            (Some(function), _) if is_long && moves::is_store(function) => {
                moves::store(draft, code, &line, function)
            }
            _ => {
                code.push(line);
                Ok(())
            }
        }
    })?;
    // How a result may be rounded is said of a computation only.
    draft.retain_globals(|line| {
        !(line.decorates(Decoration::FPFastMathMode) && split.contains(&line.operand(0)))
    });
    Ok(())
}

/// Returns whether a component of the result is the function of the same components of the arguments. For `select`, a
/// scalar and a component of a vector are true in different ways.
fn is_of_components(function: CLOp) -> bool {
    let number = function as u32;
    let geometric = CLOp::cross as u32..=CLOp::fast_normalize as u32;
    let memory = CLOp::vloadn as u32..=CLOp::prefetch as u32;
    !geometric.contains(&number) && !memory.contains(&number) && function != CLOp::select
}

fn is_sine(function: CLOp) -> bool {
    matches!(
        function,
        CLOp::sin | CLOp::cos | CLOp::tan | CLOp::sincos | CLOp::half_sin | CLOp::half_cos | CLOp::half_tan
    )
}

/// Returns whether an instruction of the core becomes a call of a function that has vectors as arguments.
fn calls_a_function(opcode: Op) -> bool {
    matches!(
        opcode,
        Op::IsNan
            | Op::IsInf
            | Op::IsFinite
            | Op::IsNormal
            | Op::SignBitSet
            | Op::LessOrGreater
            | Op::Ordered
            | Op::Unordered
            | Op::BitCount
    )
}

/// Applies an instruction to each component, or to each pointer to a component of a second result.
fn each(draft: &mut Draft, code: &mut Vec<Line>, line: &Line, of: VectorType) -> Result<(), SpirvError> {
    let first = if line.opcode() == Op::ExtInst { 4 } else { 2 };
    let (head, arguments) = line.operands.split_at(first.min(line.operands.len()));
    let mut parts = Vec::new();
    for at in 0..of.count {
        let mut operands = head.get(2..).unwrap_or_default().to_vec();
        for &argument in arguments {
            operands.push(part(draft, code, argument, at)?);
        }
        parts.push(draft.emit(code, line.opcode(), of.component, &operands)?);
    }
    draft.emit_as(code, line.operand(1), Op::CompositeConstruct, of.kind, &parts)
}

/// Returns a component of a vector, the address of one, or the value itself if it is something else.
fn part(draft: &mut Draft, code: &mut Vec<Line>, value: u32, at: u32) -> Result<u32, SpirvError> {
    let kind = draft.kind(value).unwrap_or(0);
    if let Some(of) = VectorType::of(draft, kind) {
        return draft.emit(code, Op::CompositeExtract, of.component, &[value, at]);
    }
    let pointer = draft.definition(kind).filter(|line| line.opcode() == Op::TypePointer);
    let Some((class, of)) =
        pointer.and_then(|line| Some((line.operand(1), VectorType::of(draft, line.operand(2))?)))
    else {
        return Ok(value);
    };
    let pointer = draft.type_of(Op::TypePointer, &[class, of.component])?;
    let number = draft.word(at)?;
    draft.emit(code, Op::InBoundsAccessChain, pointer, &[value, number])
}
