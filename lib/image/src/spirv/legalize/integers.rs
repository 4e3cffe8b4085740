//! Computes functions of signed integers that LLVM assumes not to overflow.
//!
//! PoCL's `mul24` is C's multiplication of `int`, although a product of two 24-bit numbers may have 48 bits, of which the
//! lower 32 are the result. Its `abs` of the smallest integer is undefined, although the result is unsigned.

use rspirv::spirv::{Op, OpenclStd100Op as CLOp};

use super::draft::Draft;
use crate::spirv::SpirvError;
use crate::spirv::grammar::InstructionSet;

/// Replaces products and magnitudes of signed integers. Arguments that do not have 24 bits have no defined result.
pub(super) fn rewrite(draft: &mut Draft) -> Result<(), SpirvError> {
    draft.rewrite(|draft, line, code| {
        let is_call = line.opcode() == Op::ExtInst && draft.set(line.operand(2)) == InstructionSet::OpenCl;
        match (line.operands.as_slice(), CLOp::from_u32(line.operand(3)).filter(|_| is_call)) {
            (&[kind, id, _, _, x, y], Some(CLOp::s_mul24)) => {
                draft.emit_as(code, id, Op::IMul, kind, &[x, y])
            }
            (&[kind, id, _, _, x, y, z], Some(CLOp::s_mad24)) => {
                let product = draft.emit(code, Op::IMul, kind, &[x, y])?;
                draft.emit_as(code, id, Op::IAdd, kind, &[product, z])
            }
            (&[kind, id, _, _, x], Some(CLOp::s_abs)) => {
                let zero = draft.constant_of(Op::ConstantNull, kind, &[])?;
                let booleans = draft.booleans_like(kind)?;
                let is_negative = draft.emit(code, Op::SLessThan, booleans, &[x, zero])?;
                let negated = draft.emit(code, Op::ISub, kind, &[zero, x])?;
                draft.emit_as(code, id, Op::Select, kind, &[is_negative, negated, x])
            }
            _ => {
                code.push(line);
                Ok(())
            }
        }
    })
}
