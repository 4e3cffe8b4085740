//! Functions of OpenCL.std on half-precision numbers.

use rspirv::spirv::{Op, OpenclStd100Op as CLOp};

use super::values::{
    convert, convert_as, doubles, floats, is_half, is_value, narrow, shorts, widen, widened,
};
use crate::spirv::SpirvError;
use crate::spirv::legalize::draft::Draft;
use crate::spirv::legalize::line::Line;
use crate::spirv::legalize::numbers;

/// The bits of the largest half-precision number below 1, in single precision.
const BELOW_ONE: u64 = 0x3f7f_e000;
/// All bits but the sign.
const MAGNITUDE: u64 = 0x7fff;
const INFINITY: u64 = 0x7c00;
const SMALLEST_NORMAL: u64 = 0x0400;
const NAN: u64 = 0x7e00;

/// Appends a function's code for a driver that has the function for other numbers only.
pub(super) fn rewrite(draft: &mut Draft, code: &mut Vec<Line>, line: Line) -> Result<(), SpirvError> {
    let (kind, id) = (line.operand(0), line.operand(1));
    let arguments: Vec<u32> = line.operands.get(4..).unwrap_or_default().to_vec();
    let [first, second] = [0, 1].map(|at| arguments.get(at).copied().unwrap_or(0));
    let has_halves = is_half(draft, kind) || arguments.iter().any(|&argument| is_value(draft, argument));
    match CLOp::from_u32(line.operand(3)) {
        Some(CLOp::vloadn | CLOp::vstoren | CLOp::prefetch) => on_bits(draft, code, &line),
        Some(CLOp::shuffle | CLOp::shuffle2 | CLOp::select | CLOp::bitselect) if has_halves => {
            on_bits(draft, code, &line)
        }
        Some(CLOp::nan) if is_half(draft, kind) => {
            let integers = shorts(draft, kind)?;
            let nan = draft.constants(integers, NAN)?;
            let bits = draft.emit(code, Op::BitwiseOr, integers, &[first, nan])?;
            draft.emit_as(code, id, Op::Bitcast, kind, &[bits])
        }
        Some(CLOp::nextafter) if is_half(draft, kind) => numbers::nextafter(draft, code, line),
        Some(CLOp::fma) if is_half(draft, kind) => fma(draft, code, kind, id, &arguments),
        Some(CLOp::sincos) if is_half(draft, kind) => {
            let wide = widen(draft, code, first)?;
            let cosine = call(draft, code, kind, CLOp::cos, &[wide])?;
            store(draft, code, kind, cosine, second)?;
            let sine = call(draft, code, kind, CLOp::sin, &[wide])?;
            convert_as(draft, code, id, Op::FConvert, kind, sine)
        }
        Some(CLOp::fract) if is_half(draft, kind) => {
            parts(draft, code, kind, id, [first, second], CLOp::floor)
        }
        Some(CLOp::modf) if is_half(draft, kind) => {
            parts(draft, code, kind, id, [first, second], CLOp::trunc)
        }
        _ if has_halves => {
            let wide = widened(draft, code, &line, 4)?;
            if is_half(draft, kind) {
                return narrow(draft, code, id, kind, wide);
            }
            code.push(wide);
            Ok(())
        }
        _ => {
            code.push(line);
            Ok(())
        }
    }
}

/// Appends a function in single precision.
fn call(
    draft: &mut Draft,
    code: &mut Vec<Line>,
    kind: u32,
    function: CLOp,
    arguments: &[u32],
) -> Result<u32, SpirvError> {
    let (set, floats) = (draft.opencl()?, floats(draft, kind)?);
    draft.emit(code, Op::ExtInst, floats, &[&[set, function as u32], arguments].concat())
}

/// Rounds single-precision numbers and stores them.
fn store(
    draft: &mut Draft,
    code: &mut Vec<Line>,
    kind: u32,
    value: u32,
    pointer: u32,
) -> Result<(), SpirvError> {
    let narrow = convert(draft, code, Op::FConvert, kind, value)?;
    code.push(Line::new(Op::Store, &[pointer, narrow]));
    Ok(())
}

/// Appends a function that moves numbers, with integers of as many bits.
fn on_bits(draft: &mut Draft, code: &mut Vec<Line>, line: &Line) -> Result<(), SpirvError> {
    let (kind, id) = (line.operand(0), line.operand(1));
    let mut operands = line.operands.clone();
    let count = if line.operand(3) == CLOp::vloadn as u32 { 6 } else { operands.len() };
    for operand in operands.iter_mut().take(count).skip(4) {
        if let Some(integers) = integer_type(draft, *operand)? {
            *operand = draft.emit(code, Op::Bitcast, integers, &[*operand])?;
        }
    }
    if !is_half(draft, kind) {
        code.push(Line::new(Op::ExtInst, &operands));
        return Ok(());
    }
    let integers = shorts(draft, kind)?;
    let bits = draft.emit(code, Op::ExtInst, integers, operands.get(2..).unwrap_or_default())?;
    draft.emit_as(code, id, Op::Bitcast, kind, &[bits])
}

/// Returns the type of the integers that stand for an operand: half-precision numbers, or a pointer to them.
fn integer_type(draft: &mut Draft, operand: u32) -> Result<Option<u32>, SpirvError> {
    let Some(kind) = draft.kind(operand) else { return Ok(None) };
    if is_half(draft, kind) {
        return shorts(draft, kind).map(Some);
    }
    let pointer = draft.definition(kind).filter(|line| line.opcode() == Op::TypePointer);
    let Some((class, target)) = pointer.map(|line| (line.operand(1), line.operand(2))) else {
        return Ok(None);
    };
    if !is_half(draft, target) {
        return Ok(None);
    }
    let integers = shorts(draft, target)?;
    draft.type_of(Op::TypePointer, &[class, integers]).map(Some)
}

/// Computes `a * b + c` in double precision, which holds the product and rounds no sum to a number that half precision
/// would round to another one.
fn fma(
    draft: &mut Draft,
    code: &mut Vec<Line>,
    kind: u32,
    id: u32,
    arguments: &[u32],
) -> Result<(), SpirvError> {
    let doubles = doubles(draft, kind)?;
    let mut wide = [0; 3];
    for (wide, argument) in wide.iter_mut().zip(arguments) {
        *wide = convert(draft, code, Op::FConvert, doubles, *argument)?;
    }
    let [a, b, c] = wide;
    let product = draft.emit(code, Op::FMul, doubles, &[a, b])?;
    let sum = draft.emit(code, Op::FAdd, doubles, &[product, c])?;
    convert_as(draft, code, id, Op::FConvert, kind, sum)
}

/// Splits numbers into integers, which it stores, and the rest. `fract` takes the integers below, and its result is
/// positive and below 1; the result of `modf` has the sign of the number. Infinity leaves a zero with its sign, and so does
/// `fract` of a zero.
fn parts(
    draft: &mut Draft,
    code: &mut Vec<Line>,
    kind: u32,
    id: u32,
    [value, pointer]: [u32; 2],
    whole: CLOp,
) -> Result<(), SpirvError> {
    let (floats, booleans) = (floats(draft, kind)?, draft.booleans_like(kind)?);
    let wide = widen(draft, code, value)?;
    let integer = call(draft, code, kind, whole, &[wide])?;
    store(draft, code, kind, integer, pointer)?;
    let zero = draft.constants(floats, 0)?;
    let mut rest = draft.emit(code, Op::FSub, floats, &[wide, integer])?;
    let mut has_none = draft.emit(code, Op::IsInf, booleans, &[wide])?;
    if whole == CLOp::floor {
        let most = draft.constants(floats, BELOW_ONE)?;
        let is_most = draft.emit(code, Op::FOrdGreaterThan, booleans, &[rest, most])?;
        rest = draft.emit(code, Op::Select, floats, &[is_most, most, rest])?;
        let is_zero = draft.emit(code, Op::FOrdEqual, booleans, &[wide, zero])?;
        has_none = draft.emit(code, Op::LogicalOr, booleans, &[has_none, is_zero])?;
        let signed_zero = call(draft, code, kind, CLOp::copysign, &[zero, wide])?;
        rest = draft.emit(code, Op::Select, floats, &[has_none, signed_zero, rest])?;
    } else {
        rest = draft.emit(code, Op::Select, floats, &[has_none, zero, rest])?;
        rest = call(draft, code, kind, CLOp::copysign, &[rest, wide])?;
    }
    convert_as(draft, code, id, Op::FConvert, kind, rest)
}

/// Appends `OpIsNormal`.
pub(super) fn is_normal(
    draft: &mut Draft,
    code: &mut Vec<Line>,
    kind: u32,
    id: u32,
    value: u32,
) -> Result<(), SpirvError> {
    let halves = draft.kind(value).unwrap_or(0);
    let integers = shorts(draft, halves)?;
    let (magnitudes, smallest) =
        (draft.constants(integers, MAGNITUDE)?, draft.constants(integers, SMALLEST_NORMAL)?);
    let count = draft.constants(integers, INFINITY - SMALLEST_NORMAL)?;
    let bits = draft.emit(code, Op::Bitcast, integers, &[value])?;
    let magnitude = draft.emit(code, Op::BitwiseAnd, integers, &[bits, magnitudes])?;
    let number = draft.emit(code, Op::ISub, integers, &[magnitude, smallest])?;
    draft.emit_as(code, id, Op::ULessThan, kind, &[number, count])
}
