//! Conversions of doubles to narrower floating-point numbers.
//!
//! rusticl rounds a double to a `float` first, and sets its last bit if that is not exact. This makes infinity what is
//! not a number. In the other modes, numbers below the smallest float are rounded away from zero; 25.0 ignores the mode.
//! Both take a double that is converted to a `float` and back for the same number, so that this code computes with the
//! bits. They convert a double that is a `float` correctly, and floats to halves in each mode.

use rspirv::spirv::{FPRoundingMode, Op, OpenclStd100Op as CLOp};

use super::expression::{Expression, Numbers};
use crate::spirv::SpirvError;
use crate::spirv::legalize::line::Line;

/// Converts doubles. Returns the conversion that is left to append, unless code with its result replaces it.
pub(super) fn convert(
    code: &mut Expression<'_>,
    line: Line,
    mode: FPRoundingMode,
) -> Result<Option<Line>, SpirvError> {
    let source = code.float_operand(&line, 2).filter(|(numbers, _)| numbers.bits == 64);
    let (Some((doubles, x)), Some(result)) = (source, code.floats(line.operand(0))) else {
        return Ok(Some(line));
    };
    match (result.bits, mode) {
        (32, FPRoundingMode::RTE) => Ok(Some(line)),
        (32, mode) => {
            let rounded = directed(code, doubles, x, mode)?;
            code.draft.emit_as(code.code, line.operand(1), Op::Bitcast, result.kind, &[rounded])?;
            Ok(None)
        }
        (16, _) => {
            let odd = rounded_to_odd(code, doubles, x)?;
            Ok(Some(Line::new(Op::FConvert, &[line.operand(0), line.operand(1), odd])))
        }
        _ => Ok(Some(line)),
    }
}

/// Returns whether a function stores numbers as halves.
pub(super) fn is_store(function: CLOp) -> bool {
    use CLOp::{vstore_half, vstore_half_r, vstore_halfn, vstore_halfn_r, vstorea_halfn, vstorea_halfn_r};
    let stores = [vstore_half, vstore_half_r, vstore_halfn, vstore_halfn_r, vstorea_halfn, vstorea_halfn_r];
    stores.contains(&function)
}

/// Stores floats in place of doubles.
pub(super) fn store(code: &mut Expression<'_>, mut line: Line) -> Result<Line, SpirvError> {
    const DATA: usize = 4;
    let Some((doubles, x)) = code.float_operand(&line, DATA).filter(|(numbers, _)| numbers.bits == 64) else {
        return Ok(line);
    };
    let odd = rounded_to_odd(code, doubles, x)?;
    line.operands.iter_mut().skip(DATA).take(1).for_each(|data| *data = odd);
    Ok(line)
}

/// Doubles that are rounded toward zero.
struct Cut {
    /// The type of their bits.
    words: Numbers,
    /// The sizes of the floats, as bits.
    bits: u32,
    /// Whether they are smaller than the doubles.
    is_inexact: u32,
    /// Whether the doubles have a sign.
    is_negative: u32,
    /// Whether they are finite.
    is_finite: u32,
    /// The bits of the floats if they are not.
    other: u32,
}

/// The bits of the smallest normal float and of the largest one, as doubles.
const SMALLEST: u64 = 0x3810_0000_0000_0000;
const LARGEST: u64 = 0x47ef_ffff_e000_0000;
const INFINITY: u64 = 0x7ff0_0000_0000_0000;
/// The number of the smallest floats in one.
const SCALE: u64 = (1023 + 149) << 52;
const SIGN: u64 = 1 << 63;
const FLOAT_SIGN: u64 = 1 << 31;
/// The bits of a double that a `float` does not have.
const SPARE: u64 = (1 << 29) - 1;

fn cut(code: &mut Expression<'_>, doubles: Numbers, x: u32) -> Result<Cut, SpirvError> {
    let (floats, words) = (code.floats_like(doubles, 32)?, code.words_like(doubles, 32)?);
    let wide = code.words_like(doubles, 64)?;
    let bits = code.compute(Op::Bitcast, wide, &[x])?;
    let zero = code.constant(wide, 0)?;
    let is_negative = code.test(Op::SLessThan, wide, &[bits, zero])?;
    let [size_bits, infinity, smallest, largest] = [
        code.constant(wide, SIGN - 1)?,
        code.constant(wide, INFINITY)?,
        code.constant(wide, SMALLEST)?,
        code.constant(wide, LARGEST)?,
    ];
    let size = code.compute(Op::BitwiseAnd, wide, &[bits, size_bits])?;
    let is_finite = code.test(Op::ULessThan, wide, &[size, infinity])?;
    // Normal floats: without the last bits.
    let (spare, kept) = (code.constant(wide, SPARE)?, code.constant(wide, !SPARE)?);
    let short = code.compute(Op::BitwiseAnd, wide, &[size, kept])?;
    let short = code.call(CLOp::u_min, wide, &[short, largest])?;
    let float = code.compute(Op::Bitcast, doubles, &[short])?;
    let float = code.compute(Op::FConvert, floats, &[float])?;
    let normal = code.compute(Op::Bitcast, words, &[float])?;
    let rest = code.compute(Op::BitwiseAnd, wide, &[size, spare])?;
    let has_rest = code.test(Op::INotEqual, wide, &[rest, zero])?;
    let is_beyond = code.test(Op::UGreaterThan, wide, &[size, largest])?;
    let is_cut = code.test(Op::LogicalOr, wide, &[has_rest, is_beyond])?;
    // The others: how many of the smallest one they are.
    let is_small = code.test(Op::ULessThan, wide, &[size, smallest])?;
    let small = code.select(is_small, wide, [size, zero])?;
    let small = code.compute(Op::Bitcast, doubles, &[small])?;
    let scale = code.constant(doubles, SCALE)?;
    let count = code.compute(Op::FMul, doubles, &[small, scale])?;
    let whole = code.compute(Op::ConvertFToU, words, &[count])?;
    let back = code.compute(Op::ConvertUToF, doubles, &[whole])?;
    let is_between = code.test(Op::FOrdLessThan, doubles, &[back, count])?;
    let bits = code.select(is_small, words, [whole, normal])?;
    let kind = code.draft.booleans_like(doubles.kind)?;
    let is_inexact = code.draft.emit(code.code, Op::Select, kind, &[is_small, is_between, is_cut])?;
    let other = code.compute(Op::FConvert, floats, &[x])?;
    let other = code.compute(Op::Bitcast, words, &[other])?;
    Ok(Cut { words, bits, is_inexact, is_negative, is_finite, other })
}

/// Returns the bits of floats, from their sizes if the doubles are finite.
fn with_sign(code: &mut Expression<'_>, cut: &Cut, size: u32) -> Result<u32, SpirvError> {
    let (none, sign) = (code.constant(cut.words, 0)?, code.constant(cut.words, FLOAT_SIGN)?);
    let sign = code.select(cut.is_negative, cut.words, [sign, none])?;
    let bits = code.compute(Op::BitwiseOr, cut.words, &[size, sign])?;
    code.select(cut.is_finite, cut.words, [bits, cut.other])
}

/// Returns the floats whose last bit is set unless they are exact. Rounding them once more, in any mode, is as good as
/// rounding the doubles.
fn rounded_to_odd(code: &mut Expression<'_>, doubles: Numbers, x: u32) -> Result<u32, SpirvError> {
    let cut = cut(code, doubles, x)?;
    let one = code.constant(cut.words, 1)?;
    let odd = code.compute(Op::BitwiseOr, cut.words, &[cut.bits, one])?;
    let size = code.select(cut.is_inexact, cut.words, [odd, cut.bits])?;
    let bits = with_sign(code, &cut, size)?;
    let floats = code.floats_like(doubles, 32)?;
    code.compute(Op::Bitcast, floats, &[bits])
}

/// Returns the bits of the floats in one direction.
fn directed(
    code: &mut Expression<'_>,
    doubles: Numbers,
    x: u32,
    mode: FPRoundingMode,
) -> Result<u32, SpirvError> {
    let cut = cut(code, doubles, x)?;
    let (none, one) = (code.constant(cut.words, 0)?, code.constant(cut.words, 1)?);
    let steps = match mode {
        FPRoundingMode::RTP => [none, one],
        FPRoundingMode::RTN => [one, none],
        _ => [none, none],
    };
    let step = code.select(cut.is_negative, cut.words, steps)?;
    let step = code.select(cut.is_inexact, cut.words, [step, none])?;
    let size = code.compute(Op::IAdd, cut.words, &[cut.bits, step])?;
    with_sign(code, &cut, size)
}
