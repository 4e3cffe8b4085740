//! Sums and differences that saturate, with instructions that do not.
//!
//! rusticl 25.0 computes those of two constants while it compiles, in C: a sum of 8 or 16 bits does not overflow there, and
//! a signed one of more bits overflows without being noticed. It cannot be seen here which numbers become constants.

use rspirv::spirv::{Op, OpenclStd100Op as CLOp};

use super::expression::{Expression, Numbers};
use crate::spirv::SpirvError;
use crate::spirv::legalize::draft::Draft;
use crate::spirv::legalize::line::Line;

/// Replaces the functions that are wrong for constants.
pub(in crate::spirv::legalize) fn rewrite(draft: &mut Draft) -> Result<(), SpirvError> {
    draft.rewrite(|draft, line, code| {
        let mut expression = Expression::new(draft, code);
        let integers = expression.integers(line.operand(0)).filter(|integers| integers.bits <= u64::BITS);
        let is_done = match (integers, expression.draft.function_of_opencl(&line)) {
            (Some(integers), Some(CLOp::u_add_sat)) => unsigned_sum(&mut expression, &line, integers)?,
            (Some(integers), Some(CLOp::s_add_sat)) => signed(&mut expression, &line, integers, Op::IAdd)?,
            (Some(integers), Some(CLOp::s_sub_sat)) => signed(&mut expression, &line, integers, Op::ISub)?,
            _ => false,
        };
        if !is_done {
            code.push(line);
        }
        Ok(())
    })
}

/// A sum that is below one of its terms has overflowed.
fn unsigned_sum(code: &mut Expression<'_>, line: &Line, integers: Numbers) -> Result<bool, SpirvError> {
    let [a, b] = [line.operand(4), line.operand(5)];
    let largest = code.constant(integers, u64::MAX >> (u64::BITS - integers.bits))?;
    let sum = code.compute(Op::IAdd, integers, &[a, b])?;
    let is_over = code.test(Op::ULessThan, integers, &[sum, a])?;
    code.end_with_select(line.operand(1), is_over, integers, [largest, sum])
}

/// A sum has overflowed if its sign is that of neither term. A difference has if its sign is not that of the first
/// number, and that of the second one is not either. The limit has the sign of the first one.
fn signed(code: &mut Expression<'_>, line: &Line, integers: Numbers, opcode: Op) -> Result<bool, SpirvError> {
    let [a, b] = [line.operand(4), line.operand(5)];
    let (none, places) =
        (code.constant(integers, 0)?, code.constant(integers, u64::from(integers.bits - 1))?);
    let largest = code.constant(integers, u64::MAX >> (u64::BITS + 1 - integers.bits))?;
    let result = code.compute(opcode, integers, &[a, b])?;
    let other = if opcode == Op::IAdd { result } else { a };
    let from_b = code.compute(Op::BitwiseXor, integers, &[b, other])?;
    let from_a = code.compute(Op::BitwiseXor, integers, &[a, result])?;
    let both = code.compute(Op::BitwiseAnd, integers, &[from_a, from_b])?;
    let is_over = code.test(Op::SLessThan, integers, &[both, none])?;
    let sign = code.compute(Op::ShiftRightArithmetic, integers, &[a, places])?;
    let limit = code.compute(Op::BitwiseXor, integers, &[sign, largest])?;
    code.end_with_select(line.operand(1), is_over, integers, [limit, result])
}
