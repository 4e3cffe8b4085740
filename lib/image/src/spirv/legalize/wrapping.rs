//! Computes functions of signed integers with operations that may overflow.
//!
//! PoCL's functions are C's operations on `int`, which LLVM assumes not to overflow. A product of two 24-bit numbers may
//! have 48 bits, of which the lower 32 are the result, and the absolute value of the smallest number is one more than
//! the largest.

use rspirv::spirv::{Op, OpenclStd100Op as CLOp};

use super::draft::Draft;
use crate::spirv::SpirvError;

/// Replaces products, absolute values and absolute differences. Arguments of products that do not have 24 bits have no
/// defined result.
pub(super) fn rewrite(draft: &mut Draft) -> Result<(), SpirvError> {
    draft.rewrite(|draft, line, code| match (line.operands.as_slice(), draft.function_of_opencl(&line)) {
        (&[kind, id, _, _, x, y], Some(CLOp::s_mul24)) => draft.emit_as(code, id, Op::IMul, kind, &[x, y]),
        (&[kind, id, _, _, x, y, z], Some(CLOp::s_mad24)) => {
            let product = draft.emit(code, Op::IMul, kind, &[x, y])?;
            draft.emit_as(code, id, Op::IAdd, kind, &[product, z])
        }
        (&[kind, id, _, _, x], Some(CLOp::s_abs)) => {
            let zero = draft.constant_of(Op::ConstantNull, kind, &[])?;
            let booleans = draft.booleans_like(kind)?;
            let negated = draft.emit(code, Op::SNegate, kind, &[x])?;
            let is_negative = draft.emit(code, Op::SLessThan, booleans, &[x, zero])?;
            draft.emit_as(code, id, Op::Select, kind, &[is_negative, negated, x])
        }
        (&[kind, id, _, _, x, y], Some(CLOp::s_abs_diff)) => {
            let booleans = draft.booleans_like(kind)?;
            let one = draft.emit(code, Op::ISub, kind, &[x, y])?;
            let other = draft.emit(code, Op::ISub, kind, &[y, x])?;
            let is_less = draft.emit(code, Op::SLessThan, booleans, &[x, y])?;
            draft.emit_as(code, id, Op::Select, kind, &[is_less, other, one])
        }
        _ => {
            code.push(line);
            Ok(())
        }
    })
}
