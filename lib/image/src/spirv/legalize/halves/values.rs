//! Half-precision numbers, other numbers of as many components, and conversions between them.

use rspirv::spirv::{Capability, Op};

use crate::spirv::SpirvError;
use crate::spirv::legalize::draft::Draft;
use crate::spirv::legalize::line::Line;

/// Returns whether a type is a half-precision number or a vector of them.
pub(in crate::spirv::legalize) fn is_half(draft: &Draft, kind: u32) -> bool {
    draft.definition(kind).is_some_and(|line| match line.opcode() {
        Op::TypeVector => line.operand(1) != kind && is_number(draft, line.operand(1)),
        _ => is_number(draft, kind),
    })
}

fn is_number(draft: &Draft, kind: u32) -> bool {
    draft.definition(kind).is_some_and(|line| line.opcode() == Op::TypeFloat && line.operand(1) == 16)
}

/// Returns whether a value is a half-precision number or a vector of them.
pub(super) fn is_value(draft: &Draft, value: u32) -> bool {
    draft.kind(value).is_some_and(|kind| is_half(draft, kind))
}

/// Returns a type of numbers, or of a vector of them with as many components as another type.
fn like(draft: &mut Draft, kind: u32, number: u32) -> Result<u32, SpirvError> {
    match draft.definition(kind).filter(|line| line.opcode() == Op::TypeVector).map(|line| line.operand(2)) {
        Some(count) => draft.type_of(Op::TypeVector, &[number, count]),
        None => Ok(number),
    }
}

/// Returns the type of as many single-precision numbers as this type has numbers.
pub(super) fn floats(draft: &mut Draft, kind: u32) -> Result<u32, SpirvError> {
    let number = draft.type_of(Op::TypeFloat, &[32])?;
    like(draft, kind, number)
}

/// Returns the type of as many double-precision numbers as this type has numbers.
pub(super) fn doubles(draft: &mut Draft, kind: u32) -> Result<u32, SpirvError> {
    draft.require(Capability::Float64)?;
    let number = draft.type_of(Op::TypeFloat, &[64])?;
    like(draft, kind, number)
}

/// Returns the type of as many 16-bit integers as this type has numbers.
pub(super) fn shorts(draft: &mut Draft, kind: u32) -> Result<u32, SpirvError> {
    let number = draft.int(16)?;
    like(draft, kind, number)
}

/// Returns a constant for each number of a type.
pub(super) fn all(draft: &mut Draft, kind: u32, bits: u64) -> Result<u32, SpirvError> {
    const LONGEST_VECTOR: u32 = 16;
    match draft.definition(kind).filter(|line| line.opcode() == Op::TypeVector).cloned() {
        Some(line) => {
            let part = draft.constant(line.operand(1), bits)?;
            let parts = vec![part; line.operand(2).min(LONGEST_VECTOR) as usize];
            draft.constant_of(Op::ConstantComposite, kind, &parts)
        }
        None => draft.constant(kind, bits),
    }
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
    const LONGEST_VECTOR: u32 = 16;
    let part = |draft: &Draft, kind: Option<u32>| {
        let line =
            kind.and_then(|kind| draft.definition(kind)).filter(|line| line.opcode() == Op::TypeVector);
        line.map(|line| (line.operand(1), line.operand(2)))
    };
    let (Some((number, count)), Some((from, _))) = (part(draft, Some(kind)), part(draft, draft.kind(value)))
    else {
        return draft.emit_as(code, id, opcode, kind, &[value]);
    };
    let mut parts = Vec::new();
    for at in 0..count.min(LONGEST_VECTOR) {
        let part = draft.emit(code, Op::CompositeExtract, from, &[value, at])?;
        parts.push(draft.emit(code, opcode, number, &[part])?);
    }
    draft.emit_as(code, id, Op::CompositeConstruct, kind, &parts)
}
