//! Functions that move the components of vectors: selections, shuffles, and stores to arrays of numbers.

use rspirv::spirv::{MemoryAccess, Op, OpenclStd100Op as CLOp};

use crate::spirv::SpirvError;
use crate::spirv::legalize::draft::Draft;
use crate::spirv::legalize::line::Line;
use crate::spirv::legalize::vector_type::VectorType;

/// Chooses each component of a result from the second vector if the third one's component is negative, or else from the
/// first.
pub(super) fn select(
    draft: &mut Draft,
    code: &mut Vec<Line>,
    line: &Line,
    of: VectorType,
) -> Result<(), SpirvError> {
    let &[_, id, _, _, first, second, which] = line.operands.as_slice() else { return Err(unknown()) };
    let numbers = vector_of(draft, which)?;
    let zero = draft.constant_of(Op::ConstantNull, numbers.kind, &[])?;
    let booleans = draft.booleans_like(of.kind)?;
    let is_second = draft.emit(code, Op::SLessThan, booleans, &[which, zero])?;
    draft.emit_as(code, id, Op::Select, of.kind, &[is_second, second, first])
}

/// Chooses each component of a result among those of one or two vectors, by the lowest bits of a mask's component.
pub(super) fn shuffle(
    draft: &mut Draft,
    code: &mut Vec<Line>,
    line: &Line,
    of: VectorType,
) -> Result<(), SpirvError> {
    let [.., mask] = line.operands.as_slice() else { return Err(unknown()) };
    let from = line.operand(4);
    let other = (line.operands.len() > 6).then(|| line.operand(5));
    let count = vector_of(draft, from)?.count;
    let masks = vector_of(draft, *mask)?;
    let boolean = draft.boolean()?;
    let zero = draft.constant(masks.component, 0)?;
    let lowest = draft.constant(masks.component, u64::from(count.next_power_of_two() - 1))?;
    let which = draft.constant(masks.component, count.next_power_of_two().into())?;
    let mut parts = Vec::new();
    for at in 0..of.count {
        let number = draft.emit(code, Op::CompositeExtract, masks.component, &[*mask, at])?;
        let place = draft.emit(code, Op::BitwiseAnd, masks.component, &[number, lowest])?;
        let mut part = draft.emit(code, Op::VectorExtractDynamic, of.component, &[from, place])?;
        if let Some(other) = other {
            let second = draft.emit(code, Op::VectorExtractDynamic, of.component, &[other, place])?;
            let bit = draft.emit(code, Op::BitwiseAnd, masks.component, &[number, which])?;
            let is_first = draft.emit(code, Op::IEqual, boolean, &[bit, zero])?;
            part = draft.emit(code, Op::Select, of.component, &[is_first, part, second])?;
        }
        parts.push(part);
    }
    draft.emit_as(code, line.operand(1), Op::CompositeConstruct, of.kind, &parts)
}

/// Returns whether a function stores a vector, as numbers or as halves.
pub(super) fn is_store(function: CLOp) -> bool {
    half_of(function).is_some() || function == CLOp::vstoren
}

/// Returns the function that stores one component as a half.
fn half_of(function: CLOp) -> Option<CLOp> {
    match function {
        CLOp::vstore_halfn | CLOp::vstorea_halfn => Some(CLOp::vstore_half),
        CLOp::vstore_halfn_r | CLOp::vstorea_halfn_r => Some(CLOp::vstore_half_r),
        _ => None,
    }
}

/// Stores each component on its own. The operands are the vector, the number of vectors before it, the address and, for
/// halves, how they are rounded.
pub(super) fn store(
    draft: &mut Draft,
    code: &mut Vec<Line>,
    line: &Line,
    function: CLOp,
) -> Result<(), SpirvError> {
    let [void, id, set, _, value, offset, address, rounding @ ..] = line.operands.as_slice() else {
        return Err(unknown());
    };
    let of = vector_of(draft, *value)?;
    let size = draft.kind(*offset).ok_or_else(unknown)?;
    let pointer = draft.kind(*address).ok_or_else(unknown)?;
    let bytes = of.component_bits(draft).map_or(0, |(_, bits)| bits / 8);
    // Aligned vectors of three halves take the place of four.
    let is_aligned = matches!(function, CLOp::vstorea_halfn | CLOp::vstorea_halfn_r);
    let apart = if is_aligned { of.count.next_power_of_two() } else { of.count };
    let apart = draft.constant(size, apart.into())?;
    let start = draft.emit(code, Op::IMul, size, &[*offset, apart])?;
    for at in 0..of.count {
        let number = draft.constant(size, at.into())?;
        let part = draft.emit(code, Op::CompositeExtract, of.component, &[*value, at])?;
        let place = draft.emit(code, Op::IAdd, size, &[start, number])?;
        match half_of(function) {
            // The result of the last one is the result of the whole, which nothing uses.
            Some(half) => {
                let result = if at + 1 == of.count { *id } else { draft.id()? };
                let operands = [&[*set, half as u32, part, place, *address], rounding].concat();
                draft.emit_as(code, result, Op::ExtInst, *void, &operands)?;
            }
            None => {
                let to = draft.emit(code, Op::PtrAccessChain, pointer, &[*address, place])?;
                let aligned = MemoryAccess::ALIGNED.bits();
                code.push(Line::new(Op::Store, &[to, part, aligned, bytes]));
            }
        }
    }
    Ok(())
}

fn vector_of(draft: &Draft, value: u32) -> Result<VectorType, SpirvError> {
    draft.kind(value).and_then(|kind| VectorType::of(draft, kind)).ok_or_else(unknown)
}

fn unknown() -> SpirvError {
    SpirvError::whole("a function of OpenCL.std moves what is no vector")
}
