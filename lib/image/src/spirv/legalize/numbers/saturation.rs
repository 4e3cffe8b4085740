//! Sums, differences and conversions that saturate.
//!
//! rusticl 25.0 computes those of constants while it compiles, in C. A sum of 8 or 16 bits does not overflow there, and a
//! signed one of more bits overflows without being noticed. A negative number is not 0 as an unsigned one. It cannot be
//! seen here which numbers become constants.

use std::collections::{HashMap, HashSet};

use rspirv::spirv::{Decoration, Op, OpenclStd100Op as CLOp};

use super::expression::{Expression, Numbers};
use crate::spirv::SpirvError;
use crate::spirv::legalize::draft::Draft;
use crate::spirv::legalize::line::Line;

/// Replaces the functions that are wrong for constants, and the operands of conversions.
pub(in crate::spirv::legalize) fn rewrite(draft: &mut Draft) -> Result<(), SpirvError> {
    let saturated = draft.globals.iter().filter(|line| line.decorates(Decoration::SaturatedConversion));
    let saturated: HashSet<u32> = saturated.map(|line| line.operand(0)).collect();
    let limits = limits(draft);
    draft.rewrite(|draft, mut line, code| {
        let mut expression = Expression::new(draft, code);
        if line.opcode() == Op::ConvertFToU && saturated.contains(&line.operand(1)) {
            raise(&mut expression, &mut line, &limits)?;
            code.push(line);
            return Ok(());
        }
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

/// Returns the second number of each call of `fmax`.
fn limits(draft: &Draft) -> HashMap<u32, u32> {
    let lines = draft.functions.iter().flat_map(|function| &function.lines);
    let calls = lines.filter(|line| draft.function_of_opencl(line) == Some(CLOp::fmax));
    calls.map(|line| (line.operand(1), line.operand(5))).collect()
}

/// Raises the negative operands of a conversion to 0, unless that has been done.
fn raise(code: &mut Expression<'_>, line: &mut Line, limits: &HashMap<u32, u32>) -> Result<(), SpirvError> {
    let Some((numbers, x)) = code.float_operand(line, 2) else { return Ok(()) };
    let zero = code.constant(numbers, 0)?;
    if limits.get(&x) != Some(&zero) {
        let raised = code.call(CLOp::fmax, numbers, &[x, zero])?;
        line.operands.iter_mut().skip(2).for_each(|operand| *operand = raised);
    }
    Ok(())
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
