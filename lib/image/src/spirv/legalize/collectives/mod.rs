//! Computes work-group collectives through local memory.
//!
//! rusticl silently computes them over the 8 work-items of a sub-group. PoCL has no functions for products and for
//! bitwise and logical operations, and does not build kernels that use them. PoCL 6.0 negates the vote whether all
//! work-items agree.

mod helpers;

use rspirv::spirv::{GroupOperation, Op, Scope};

use super::arithmetic::Combine;
use super::draft::Draft;
use super::halves;
use super::line::Line;
use super::needs::Collectives;
use super::scope;
use super::vector_type::VectorType;
use crate::spirv::SpirvError;
use helpers::Helpers;

/// Replaces the collectives that the driver lacks. `most_items` is the largest number of work-items of a work-group. With
/// `lacks_halves`, the driver lacks those of half-precision numbers, too.
///
/// # Errors
/// Fails for types that are neither numbers, nor truth values, nor vectors of them.
pub(super) fn rewrite(
    draft: &mut Draft,
    lacking: Collectives,
    lacks_halves: bool,
    most_items: u32,
) -> Result<(), SpirvError> {
    let mut helpers = Helpers::new(most_items);
    draft.rewrite(|draft, line, code| {
        let is_half = lacks_halves && halves::is_half(draft, line.operand(0));
        let lacking = if is_half { Collectives::ThroughLocalMemory } else { lacking };
        let is_lacking = is_lacking(line.opcode(), lacking);
        if is_lacking {
            scope::check(draft, &line)?;
        }
        if !is_lacking || !scope::is(draft, line.operand(2), Scope::Workgroup) {
            code.push(line);
            return Ok(());
        }
        let (kind, id, value) = (line.operand(0), line.operand(1), line.operand(3));
        match (line.opcode(), Combine::of(line.opcode())) {
            (Op::GroupAll | Op::GroupAny, _) => {
                let combine = if line.opcode() == Op::GroupAll { Combine::And } else { Combine::Or };
                on_integers(draft, code, &mut helpers, [kind, id, value], combine, GroupOperation::Reduce)
            }
            (Op::GroupBroadcast, _) => {
                let from = helpers::item_at(draft, code, line.operand(4))?;
                each_part(draft, code, kind, id, value, |draft, code, kind, part| {
                    let helper = helpers.broadcast(draft, kind)?;
                    draft.emit(code, Op::FunctionCall, kind, &[helper, part, from])
                })
            }
            (_, Some(combine)) => {
                let value = line.operand(4);
                let operation = GroupOperation::from_u32(line.operand(3));
                let operation =
                    operation.ok_or_else(|| SpirvError::whole("a group operation is not known"))?;
                if combine != combine.on_integers() {
                    let integers = combine.on_integers();
                    return on_integers(draft, code, &mut helpers, [kind, id, value], integers, operation);
                }
                each_part(draft, code, kind, id, value, |draft, code, kind, part| {
                    if !is_half {
                        let helper = helpers.combine(draft, combine, operation, kind)?;
                        return draft.emit(code, Op::FunctionCall, kind, &[helper, part]);
                    }
                    // A sum of many numbers that is rounded each time would be off by per cents.
                    let float = draft.type_of(Op::TypeFloat, &[32])?;
                    let helper = helpers.combine(draft, combine, operation, float)?;
                    let part = draft.emit(code, Op::FConvert, float, &[part])?;
                    let result = draft.emit(code, Op::FunctionCall, float, &[helper, part])?;
                    draft.emit(code, Op::FConvert, kind, &[result])
                })
            }
            _ => {
                code.push(line);
                Ok(())
            }
        }
    })?;
    Ok(())
}

fn is_lacking(opcode: Op, lacking: Collectives) -> bool {
    let uniform = (Op::GroupIMulKHR..=Op::GroupLogicalXorKHR).contains(&opcode);
    match lacking {
        Collectives::Native => false,
        Collectives::WithoutProducts => uniform,
        Collectives::ThroughLocalMemory => uniform || (Op::GroupAll..=Op::GroupSMax).contains(&opcode),
    }
}

/// Computes a collective of truth values as one of words.
fn on_integers(
    draft: &mut Draft,
    code: &mut Vec<Line>,
    helpers: &mut Helpers,
    [kind, id, value]: [u32; 3],
    combine: Combine,
    operation: GroupOperation,
) -> Result<(), SpirvError> {
    check_value(draft, kind, value)?;
    let word = draft.int(32)?;
    let (one, zero) = (draft.word(1)?, draft.word(0)?);
    let value = draft.emit(code, Op::Select, word, &[value, one, zero])?;
    let helper = helpers.combine(draft, combine, operation, word)?;
    let result = draft.emit(code, Op::FunctionCall, word, &[helper, value])?;
    // The identity of `and` on words has all bits set, and is true too.
    draft.emit_as(code, id, Op::INotEqual, kind, &[result, zero])
}

/// Applies `operation` to a number, or to each component of a vector.
fn each_part(
    draft: &mut Draft,
    code: &mut Vec<Line>,
    kind: u32,
    id: u32,
    value: u32,
    mut operation: impl FnMut(&mut Draft, &mut Vec<Line>, u32, u32) -> Result<u32, SpirvError>,
) -> Result<(), SpirvError> {
    check_value(draft, kind, value)?;
    let Some(vector) = VectorType::of(draft, kind) else {
        let result = operation(draft, code, kind, value)?;
        return draft.emit_as(code, id, Op::CopyObject, kind, &[result]);
    };
    let mut whole = value;
    for at in 0..vector.count {
        let part = draft.emit(code, Op::CompositeExtract, vector.component, &[value, at])?;
        let result = operation(draft, code, vector.component, part)?;
        whole = draft.emit(code, Op::CompositeInsert, kind, &[result, whole, at])?;
    }
    draft.emit_as(code, id, Op::CopyObject, kind, &[whole])
}

/// Refuses an operation whose value has another type than its result. Not every validator does.
fn check_value(draft: &Draft, kind: u32, value: u32) -> Result<(), SpirvError> {
    if draft.kind(value) == Some(kind) {
        return Ok(());
    }
    Err(SpirvError::whole("the value of a group's operation has another type than its result"))
}
