//! Conversions of small integers to floats.
//!
//! Where control flow leads either such a conversion or a constant on, rusticl 25.0 moves the conversion behind it, and takes
//! the 16 bits that the constant has in half precision for an integer.

use std::collections::HashSet;

use rspirv::spirv::Op;

use super::expression::Expression;
use crate::spirv::SpirvError;
use crate::spirv::legalize::draft::Draft;
use crate::spirv::legalize::line::Line;

const SMALL_BITS: u32 = 16;

/// Hides that integers are small: flips the sign of the wide integer, and adds it.
pub(in crate::spirv::legalize) fn rewrite(draft: &mut Draft) -> Result<(), SpirvError> {
    // Wide integers that were small ones.
    let mut wide = HashSet::new();
    draft.rewrite(|draft, line, code| {
        let mut expression = Expression::new(draft, code);
        let integers = expression.draft.kind(line.operand(2)).and_then(|kind| expression.integers(kind));
        let is_small = integers.is_some_and(|all| all.bits <= SMALL_BITS) || wide.contains(&line.operand(2));
        match line.opcode() {
            Op::SConvert | Op::UConvert if is_small => {
                wide.insert(line.operand(1));
                code.push(line);
            }
            Op::ConvertSToF | Op::ConvertUToF if is_small => {
                let line = hidden(&mut expression, line)?;
                code.push(line);
            }
            _ => code.push(line),
        }
        Ok(())
    })
}

/// Returns the conversion of a wide integer that equals the small one.
fn hidden(code: &mut Expression<'_>, mut line: Line) -> Result<Line, SpirvError> {
    let floats = code.floats(line.operand(0)).filter(|floats| floats.bits == 32);
    let value = line.operand(2);
    let integers = code.draft.kind(value).and_then(|kind| code.integers(kind));
    let (Some(_), Some(integers)) = (floats, integers) else { return Ok(line) };
    let words = code.words_like(integers, integers.bits.max(32))?;
    let widen = if line.opcode() == Op::ConvertSToF { Op::SConvert } else { Op::UConvert };
    let value = if integers.bits < 32 { code.compute(widen, words, &[value])? } else { value };
    let sign = code.constant(words, 1 << (words.bits - 1))?;
    let flipped = code.compute(Op::BitwiseXor, words, &[value, sign])?;
    let same = code.compute(Op::IAdd, words, &[flipped, sign])?;
    line.operands.get_mut(2).into_iter().for_each(|operand| *operand = same);
    Ok(line)
}
