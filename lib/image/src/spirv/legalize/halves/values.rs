//! Half-precision numbers, other numbers of as many components, and conversions between them.

use rspirv::spirv::{Capability, Op};

use crate::spirv::SpirvError;
use crate::spirv::legalize::draft::Draft;
use crate::spirv::legalize::line::Line;
use crate::spirv::legalize::vector_type::VectorType;

/// Returns whether a type is a half-precision number or a vector of them.
pub(in crate::spirv::legalize) fn is_half(draft: &Draft, kind: u32) -> bool {
    let number = VectorType::of(draft, kind).map_or(kind, |vector| vector.component);
    draft.definition(number).is_some_and(|line| line.opcode() == Op::TypeFloat && line.operand(1) == 16)
}

/// Returns whether a value is a half-precision number or a vector of them.
pub(super) fn is_value(draft: &Draft, value: u32) -> bool {
    draft.kind(value).is_some_and(|kind| is_half(draft, kind))
}

/// Returns the type of as many single-precision numbers as this type has numbers.
pub(super) fn floats(draft: &mut Draft, kind: u32) -> Result<u32, SpirvError> {
    let number = draft.type_of(Op::TypeFloat, &[32])?;
    draft.type_like(kind, number)
}

/// Returns the type of as many double-precision numbers as this type has numbers.
pub(super) fn doubles(draft: &mut Draft, kind: u32) -> Result<u32, SpirvError> {
    draft.require(Capability::Float64)?;
    let number = draft.type_of(Op::TypeFloat, &[64])?;
    draft.type_like(kind, number)
}

/// Returns the type of as many 16-bit integers as this type has numbers.
pub(super) fn shorts(draft: &mut Draft, kind: u32) -> Result<u32, SpirvError> {
    let number = draft.int(16)?;
    draft.type_like(kind, number)
}

/// Appends the single-precision numbers that equal half-precision ones, or returns the value if it is something else.
pub(super) fn widen(draft: &mut Draft, code: &mut Vec<Line>, value: u32) -> Result<u32, SpirvError> {
    match draft.kind(value).filter(|&kind| is_half(draft, kind)) {
        Some(kind) => {
            let floats = floats(draft, kind)?;
            convert(draft, code, Op::FConvert, floats, value)
        }
        None => Ok(value),
    }
}

/// Returns an instruction whose operands from one on are widened. A result of half precision becomes one of single
/// precision with a new id.
pub(super) fn widened(
    draft: &mut Draft,
    code: &mut Vec<Line>,
    line: &Line,
    from: usize,
) -> Result<Line, SpirvError> {
    let mut operands = line.operands.clone();
    for operand in operands.iter_mut().skip(from) {
        *operand = widen(draft, code, *operand)?;
    }
    if is_half(draft, line.operand(0)) {
        let result = [floats(draft, line.operand(0))?, draft.id()?];
        operands.splice(..2, result);
    }
    let wide = Line::new(line.opcode(), &operands);
    draft.note(&wide);
    Ok(wide)
}

/// Appends an instruction of single precision, and rounds its result to the half-precision `id`.
pub(super) fn narrow(
    draft: &mut Draft,
    code: &mut Vec<Line>,
    id: u32,
    kind: u32,
    wide: Line,
) -> Result<(), SpirvError> {
    let result = wide.operand(1);
    code.push(wide);
    convert_as(draft, code, id, Op::FConvert, kind, result)
}

/// Appends a conversion to or from half precision, and returns its result.
pub(super) fn convert(
    draft: &mut Draft,
    code: &mut Vec<Line>,
    opcode: Op,
    kind: u32,
    value: u32,
) -> Result<u32, SpirvError> {
    let id = draft.id()?;
    convert_as(draft, code, id, opcode, kind, value)?;
    Ok(id)
}

/// Appends a conversion to or from half precision with this result. Vectors are converted number by number, because PoCL
/// would call a function.
pub(super) fn convert_as(
    draft: &mut Draft,
    code: &mut Vec<Line>,
    id: u32,
    opcode: Op,
    kind: u32,
    value: u32,
) -> Result<(), SpirvError> {
    let source = draft.kind(value).and_then(|kind| VectorType::of(draft, kind));
    let (Some(to), Some(from)) = (VectorType::of(draft, kind), source) else {
        return draft.emit_as(code, id, opcode, kind, &[value]);
    };
    let mut parts = Vec::new();
    for at in 0..to.count {
        let part = draft.emit(code, Op::CompositeExtract, from.component, &[value, at])?;
        parts.push(draft.emit(code, opcode, to.component, &[part])?);
    }
    draft.emit_as(code, id, Op::CompositeConstruct, kind, &parts)
}
