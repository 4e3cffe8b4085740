//! Conversions to half precision with another rounding than to the nearest.

use rspirv::spirv::{FPRoundingMode, Op, OpenclStd100Op as CLOp};

use super::values::{self, doubles, shorts};
use crate::spirv::SpirvError;
use crate::spirv::legalize::draft::Draft;
use crate::spirv::legalize::line::Line;

/// The bits of 2^17 in double precision, and of the sign.
const LIMIT: u64 = 0x4100_0000_0000_0000;
const SIGN: u64 = 0x8000_0000_0000_0000;

/// Converts to the nearest number, and takes the one next to it if that is on the wrong side of the exact value.
pub(super) fn convert(
    draft: &mut Draft,
    code: &mut Vec<Line>,
    line: &Line,
    mode: FPRoundingMode,
) -> Result<(), SpirvError> {
    let (kind, id, value) = (line.operand(0), line.operand(1), line.operand(2));
    let (doubles, integers, booleans) =
        (doubles(draft, kind)?, shorts(draft, kind)?, draft.booleans_like(kind)?);
    // Integers that a double does not hold are beyond the largest half-precision number.
    let exact = match line.opcode() {
        Op::FConvert if draft.kind(value) == Some(doubles) => value,
        opcode @ (Op::ConvertSToF | Op::ConvertUToF) => {
            let number = values::convert(draft, code, opcode, doubles, value)?;
            // If LLVM sees that an integer has few enough bits, it takes the nearest number for exact, even if that is
            // infinity. Numbers beyond these limits are beyond the largest half-precision number, too.
            let limits = [draft.constants(doubles, LIMIT | SIGN)?, draft.constants(doubles, LIMIT)?];
            let set = draft.opencl()?;
            let operands = [set, CLOp::fclamp as u32, number, limits[0], limits[1]];
            draft.emit(code, Op::ExtInst, doubles, &operands)?
        }
        opcode => values::convert(draft, code, opcode, doubles, value)?,
    };
    let nearest = values::convert(draft, code, Op::FConvert, kind, exact)?;
    let wide = values::convert(draft, code, Op::FConvert, doubles, nearest)?;
    let bits = draft.emit(code, Op::Bitcast, integers, &[nearest])?;
    let (sign, one) = (draft.constants(integers, 0x8000)?, draft.constants(integers, 1)?);
    let is_negative = draft.emit(code, Op::UGreaterThanEqual, booleans, &[bits, sign])?;
    let is_above = draft.emit(code, Op::FOrdGreaterThan, booleans, &[wide, exact])?;
    let is_below = draft.emit(code, Op::FOrdLessThan, booleans, &[wide, exact])?;
    // The bits of a larger magnitude are a larger integer.
    let larger = draft.emit(code, Op::IAdd, integers, &[bits, one])?;
    let smaller = draft.emit(code, Op::ISub, integers, &[bits, one])?;
    let (is_wrong, next) = match mode {
        FPRoundingMode::RTP => {
            (is_below, draft.emit(code, Op::Select, integers, &[is_negative, smaller, larger])?)
        }
        FPRoundingMode::RTN => {
            (is_above, draft.emit(code, Op::Select, integers, &[is_negative, larger, smaller])?)
        }
        _ => (draft.emit(code, Op::Select, booleans, &[is_negative, is_below, is_above])?, smaller),
    };
    let result = draft.emit(code, Op::Select, integers, &[is_wrong, next, bits])?;
    draft.emit_as(code, id, Op::Bitcast, kind, &[result])
}
