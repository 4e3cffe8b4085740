//! Functions that are wrong for zeros, infinities, numbers that are none, and at the limits of their types.

use rspirv::spirv::{Op, OpenclStd100Op as CLOp};

use super::expression::{Expression, Numbers};
use crate::spirv::SpirvError;
use crate::spirv::legalize::line::Line;

/// Returns the bits of one, and of the sign, of floating-point numbers.
pub(super) fn one_and_sign(bits: u32) -> Option<(u64, u64)> {
    Some(match bits {
        16 => (0x3c00, 0x8000),
        32 => (0x3f80_0000, 0x8000_0000),
        64 => (0x3ff0_0000_0000_0000, 0x8000_0000_0000_0000),
        _ => return None,
    })
}

/// Returns the bits of infinity, which are those of the exponent.
pub(super) fn infinity(bits: u32) -> Option<u64> {
    Some(match bits {
        16 => 0x7c00,
        32 => f32::INFINITY.to_bits().into(),
        64 => f64::INFINITY.to_bits(),
        _ => return None,
    })
}

/// `sign`: 1 or -1, a zero itself, or 0 for what is not a number. rusticl returns 0 for -0.
pub(super) fn sign(code: &mut Expression<'_>, line: &Line) -> Result<bool, SpirvError> {
    let Some((numbers, x)) = code.float_operand(line, 4) else { return Ok(false) };
    let Some((one, sign)) = one_and_sign(numbers.bits) else { return Ok(false) };
    let zero = code.constant(numbers, 0)?;
    let (plus, minus) = (code.constant(numbers, one)?, code.constant(numbers, one | sign)?);
    let is_nan = code.test(Op::IsNan, numbers, &[x])?;
    let small = code.select(is_nan, numbers, [zero, x])?;
    let is_negative = code.test(Op::FOrdLessThan, numbers, &[x, zero])?;
    let other = code.select(is_negative, numbers, [minus, small])?;
    let is_positive = code.test(Op::FOrdGreaterThan, numbers, &[x, zero])?;
    code.end_with_select(line.operand(1), is_positive, numbers, [plus, other])
}

/// `ldexp` of doubles: three factors that are powers of two. The first two leave what may be rounded to the last one.
/// rusticl computes with the exponents of infinity and of what is not a number, too.
pub(super) fn scaled(code: &mut Expression<'_>, line: &Line) -> Result<bool, SpirvError> {
    /// The largest exponent of a double, the smallest one, and one that leaves no normal number without a bit.
    const LARGEST: i32 = 1023;
    const SMALLEST: i32 = -1022;
    const DOWN: i32 = SMALLEST + 53;
    const MANTISSA_BITS: u64 = 52;
    let Some((numbers, x)) = code.float_operand(line, 4).filter(|(numbers, _)| numbers.bits == 64) else {
        return Ok(false);
    };
    let exponent = line.operand(5);
    let Some(integers) = code.draft.kind(exponent).and_then(|kind| code.integers(kind)) else {
        return Ok(false);
    };
    if integers.bits != 32 || integers.lanes != numbers.lanes {
        return Ok(false);
    }
    let power = |exponent: i32| ((exponent - SMALLEST + 1) as u64) << MANTISSA_BITS;
    let whole = |code: &mut Expression<'_>, number: i32| code.constant(integers, u64::from(number as u32));
    let [largest, smallest, down, none] =
        [whole(code, LARGEST)?, whole(code, SMALLEST)?, whole(code, DOWN)?, whole(code, 0)?];
    let one = code.constant(numbers, power(0))?;
    let up_factor = code.constant(numbers, power(LARGEST))?;
    let down_factor = code.constant(numbers, power(DOWN))?;
    let limits = [whole(code, 2 * DOWN + SMALLEST)?, whole(code, 3 * LARGEST)?];
    let mut left = code.call(CLOp::s_clamp, integers, &[exponent, limits[0], limits[1]])?;
    let mut product = x;
    for _ in 0..2 {
        let is_up = code.test(Op::SGreaterThan, integers, &[left, largest])?;
        let is_down = code.test(Op::SLessThan, integers, &[left, smallest])?;
        let step = code.select(is_down, integers, [down, none])?;
        let step = code.select(is_up, integers, [largest, step])?;
        let factor = code.select(is_down, numbers, [down_factor, one])?;
        let factor = code.select(is_up, numbers, [up_factor, factor])?;
        left = code.compute(Op::ISub, integers, &[left, step])?;
        product = code.compute(Op::FMul, numbers, &[product, factor])?;
    }
    let bias = whole(code, LARGEST)?;
    let biased = code.compute(Op::IAdd, integers, &[left, bias])?;
    let words = code.words_like(numbers, 64)?;
    let wide = code.compute(Op::UConvert, words, &[biased])?;
    let shift = code.constant(words, MANTISSA_BITS)?;
    let shifted = code.compute(Op::ShiftLeftLogical, words, &[wide, shift])?;
    let factor = code.compute(Op::Bitcast, numbers, &[shifted])?;
    code.draft.emit_as(code.code, line.operand(1), Op::FMul, numbers.kind, &[product, factor])?;
    Ok(true)
}

/// `nextafter`: adds one to the bits, or subtracts one. rusticl returns the first of two zeros. From the constant 0, PoCL
/// takes the wrong direction.
pub(super) fn next(code: &mut Expression<'_>, line: &Line) -> Result<bool, SpirvError> {
    let Some((numbers, x)) = code.float_operand(line, 4) else { return Ok(false) };
    let Some((_, sign)) = one_and_sign(numbers.bits) else { return Ok(false) };
    let to = line.operand(5);
    let words = code.words_like(numbers, numbers.bits)?;
    let (zero, none) = (code.constant(numbers, 0)?, code.constant(words, 0)?);
    let (one, minus_one) = (code.constant(words, 1)?, code.constant(words, all_ones(numbers))?);
    let sign_bit = code.constant(words, sign)?;
    let bits = code.compute(Op::Bitcast, words, &[x])?;
    let is_up = code.test(Op::FOrdLessThan, numbers, &[x, to])?;
    let is_plus = code.test(Op::SGreaterThanEqual, words, &[bits, none])?;
    let is_away = code.test(Op::LogicalEqual, numbers, &[is_up, is_plus])?;
    let step = code.select(is_away, words, [one, minus_one])?;
    let other = code.compute(Op::IAdd, words, &[bits, step])?;
    // The smallest number with the sign of the direction.
    let to_bits = code.compute(Op::Bitcast, words, &[to])?;
    let to_sign = code.compute(Op::BitwiseAnd, words, &[to_bits, sign_bit])?;
    let smallest = code.compute(Op::BitwiseOr, words, &[to_sign, one])?;
    let is_zero = code.test(Op::FOrdEqual, numbers, &[x, zero])?;
    let other = code.select(is_zero, words, [smallest, other])?;
    let other = code.compute(Op::Bitcast, numbers, &[other])?;
    let is_there = code.test(Op::FOrdEqual, numbers, &[x, to])?;
    let other = code.select(is_there, numbers, [to, other])?;
    let is_nan = code.test(Op::Unordered, numbers, &[x, to])?;
    let sum = code.compute(Op::FAdd, numbers, &[x, to])?;
    code.end_with_select(line.operand(1), is_nan, numbers, [sum, other])
}

/// `OpDot`: a sum of products. rusticl takes a product of 0 and infinity or NaN for 0 in it.
pub(super) fn dot(code: &mut Expression<'_>, line: &Line) -> Result<bool, SpirvError> {
    let vectors = code.float_operand(line, 2);
    let Some((vectors, x, lanes)) = vectors.and_then(|(all, x)| Some((all, x, all.lanes?))) else {
        return Ok(false);
    };
    let kind = line.operand(0);
    let products = code.compute(Op::FMul, vectors, &[x, line.operand(3)])?;
    let mut sum = code.draft.emit(code.code, Op::CompositeExtract, kind, &[products, 0])?;
    for lane in 1..lanes {
        let product = code.draft.emit(code.code, Op::CompositeExtract, kind, &[products, lane])?;
        sum = code.draft.emit(code.code, Op::FAdd, kind, &[sum, product])?;
    }
    code.draft.emit_as(code.code, line.operand(1), Op::CopyObject, kind, &[sum])?;
    Ok(true)
}

/// `OpFRem` of floats and halves: `fmod`, which is exact. That of doubles is not.
pub(super) fn float_remainder(code: &mut Expression<'_>, line: &Line) -> Result<bool, SpirvError> {
    let Some((numbers, x)) = code.float_operand(line, 2).filter(|(numbers, _)| numbers.bits != 64) else {
        return Ok(false);
    };
    let set = code.draft.opencl()?;
    let operands = [set, CLOp::fmod as u32, x, line.operand(3)];
    code.draft.emit_as(code.code, line.operand(1), Op::ExtInst, numbers.kind, &operands)?;
    Ok(true)
}

/// `fmod`, `remainder` and `remquo`: divides by one in place of zero, and returns NaN there. PoCL divides integers by zero,
/// and LLVM assumes anything of a kernel that does so with constants.
pub(super) fn remainder(code: &mut Expression<'_>, line: &Line) -> Result<bool, SpirvError> {
    const DIVISOR: usize = 5;
    let Some((numbers, divisor)) = code.float_operand(line, DIVISOR) else { return Ok(false) };
    let Some(((one, _), infinity)) = one_and_sign(numbers.bits).zip(infinity(numbers.bits)) else {
        return Ok(false);
    };
    let (zero, one) = (code.constant(numbers, 0)?, code.constant(numbers, one)?);
    let is_done =
        |last: &Line| last.opcode() == Op::Select && last.operand(1) == divisor && last.operand(3) == one;
    if code.code.last().is_some_and(is_done) {
        return Ok(false);
    }
    let is_zero = code.test(Op::FOrdEqual, numbers, &[divisor, zero])?;
    let divisor = code.select(is_zero, numbers, [one, divisor])?;
    let mut operands = line.operands.get(2..).unwrap_or_default().to_vec();
    operands.get_mut(DIVISOR - 2).into_iter().for_each(|operand| *operand = divisor);
    let rest = code.compute(Op::ExtInst, numbers, &operands)?;
    let nan = code.constant(numbers, infinity | infinity >> 1)?;
    code.end_with_select(line.operand(1), is_zero, numbers, [nan, rest])
}

fn all_ones(numbers: Numbers) -> u64 {
    u64::MAX >> (64 - numbers.bits)
}

/// `s_mad_sat` of 64-bit integers: the product in two words, and a sum that is too large if its words have different
/// signs. rusticl returns the smallest integer for 0 * -1 + 0.
pub(super) fn saturated_sum(code: &mut Expression<'_>, line: &Line) -> Result<bool, SpirvError> {
    let words = code.integers(line.operand(0)).filter(|integers| integers.bits == 64);
    let Some(words) = words else { return Ok(false) };
    let [a, b, c] = [4, 5, 6].map(|at| line.operand(at));
    let (none, one) = (code.constant(words, 0)?, code.constant(words, 1)?);
    let (places, largest) = (code.constant(words, 63)?, code.constant(words, i64::MAX as u64)?);
    let low = code.compute(Op::IMul, words, &[a, b])?;
    let high = code.call(CLOp::s_mul_hi, words, &[a, b])?;
    let sum = code.compute(Op::IAdd, words, &[low, c])?;
    let is_carried = code.test(Op::ULessThan, words, &[sum, low])?;
    let carry = code.select(is_carried, words, [one, none])?;
    let signs = code.compute(Op::ShiftRightArithmetic, words, &[c, places])?;
    let high = code.compute(Op::IAdd, words, &[high, signs])?;
    let high = code.compute(Op::IAdd, words, &[high, carry])?;
    let signs = code.compute(Op::ShiftRightArithmetic, words, &[sum, places])?;
    let fits = code.test(Op::IEqual, words, &[high, signs])?;
    let signs = code.compute(Op::ShiftRightArithmetic, words, &[high, places])?;
    let limit = code.compute(Op::BitwiseXor, words, &[signs, largest])?;
    code.end_with_select(line.operand(1), fits, words, [sum, limit])
}
