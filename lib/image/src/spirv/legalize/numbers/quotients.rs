//! Quotients of zeros and by zeros that are constants.
//!
//! rusticl takes a quotient by zero for undefined if it knows the divisor when it compiles it, and a quotient of zero for
//! zero.

use std::collections::HashSet;

use rspirv::spirv::Op;

use super::expression::Expression;
use super::special::{infinity, one_and_sign};
use crate::spirv::SpirvError;
use crate::spirv::legalize::draft::Draft;
use crate::spirv::legalize::line::Line;

/// Replaces quotients of and by numbers that are zero, or vectors with a component that is.
pub(super) fn rewrite(draft: &mut Draft) -> Result<(), SpirvError> {
    // Copies of zeros, and vectors that are made of them.
    let mut copies = HashSet::new();
    draft.rewrite(|draft, line, code| {
        let is_zero = |value: &u32| copies.contains(value) || has_zero(draft, *value);
        let operands = line.operands.get(2..).unwrap_or_default();
        let has_zeros = operands.iter().any(is_zero);
        let is_replaced = match line.opcode() {
            Op::FDiv => has_zeros && quotient(&mut Expression::new(draft, code), &line)?,
            Op::CopyObject | Op::CompositeConstruct if has_zeros => {
                copies.insert(line.operand(1));
                false
            }
            _ => false,
        };
        if !is_replaced {
            code.push(line);
        }
        Ok(())
    })
}

/// Appends the code for a quotient. By zero, it is the product with an infinity of the same sign. Of zero, it is a zero with
/// the sign of the product, or NaN if the divisor is zero or NaN.
fn quotient(code: &mut Expression<'_>, line: &Line) -> Result<bool, SpirvError> {
    let Some((numbers, divisor)) = code.float_operand(line, 3) else { return Ok(false) };
    let bits = one_and_sign(numbers.bits).zip(infinity(numbers.bits));
    let Some(((one, sign), infinity)) = bits else { return Ok(false) };
    let dividend = line.operand(2);
    let words = code.words_like(numbers, numbers.bits)?;
    let (zero, one) = (code.constant(numbers, 0)?, code.constant(numbers, one)?);
    let (sign, infinity) = (code.constant(words, sign)?, code.constant(words, infinity)?);
    let is_by_zero = code.test(Op::FOrdEqual, numbers, &[divisor, zero])?;
    let is_of_zero = code.test(Op::FOrdEqual, numbers, &[dividend, zero])?;
    // The signed infinity, and the quotient of other numbers.
    let divisor_bits = code.compute(Op::Bitcast, words, &[divisor])?;
    let bits = code.compute(Op::BitwiseAnd, words, &[divisor_bits, sign])?;
    let bits = code.compute(Op::BitwiseOr, words, &[bits, infinity])?;
    let infinity = code.compute(Op::Bitcast, numbers, &[bits])?;
    let product = code.compute(Op::FMul, numbers, &[dividend, infinity])?;
    let [upper, lower] = [
        code.select(is_of_zero, numbers, [one, dividend])?,
        code.select(is_by_zero, numbers, [one, divisor])?,
    ];
    let quotient = code.compute(Op::FDiv, numbers, &[upper, lower])?;
    let quotient = code.select(is_by_zero, numbers, [product, quotient])?;
    // The signed zero, which the product is if it is not NaN.
    let bits = code.compute(Op::Bitcast, words, &[dividend])?;
    let bits = code.compute(Op::BitwiseXor, words, &[bits, divisor_bits])?;
    let bits = code.compute(Op::BitwiseAnd, words, &[bits, sign])?;
    let signed = code.compute(Op::Bitcast, numbers, &[bits])?;
    let is_nan = code.test(Op::FUnordEqual, numbers, &[divisor, zero])?;
    let none = code.compute(Op::FMul, numbers, &[infinity, zero])?;
    let signed = code.select(is_nan, numbers, [none, signed])?;
    code.end_with_select(line.operand(1), is_of_zero, numbers, [signed, quotient])
}

/// Returns whether a number, or a component of a vector, is the constant zero of either sign.
fn has_zero(draft: &Draft, id: u32) -> bool {
    let is_zero = |id: u32| {
        let Some(line) = draft.definition(id) else { return false };
        let bits = draft.definition(line.operand(0)).map_or(0, |kind| kind.operand(1));
        let value = u64::from(line.operand(2)) | u64::from(line.operand(3)) << 32;
        let without_sign =
            64_u32.checked_sub(bits).and_then(|unused| value.checked_shl(unused)).map(|value| value << 1);
        line.opcode() == Op::ConstantNull || (line.opcode() == Op::Constant && without_sign == Some(0))
    };
    let composite = draft.definition(id).filter(|line| line.opcode() == Op::ConstantComposite);
    let parts = composite.and_then(|line| line.operands.get(2..));
    parts.map_or_else(|| is_zero(id), |parts| parts.iter().any(|part| is_zero(*part)))
}
