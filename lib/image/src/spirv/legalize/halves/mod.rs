//! Lets a driver without half precision compute with it.
//!
//! PoCL compiles with LLVM, which stores, converts, compares and computes with 16-bit floating-point numbers on every CPU
//! that converts them in hardware. Only the functions for them are missing in PoCL's library, and it calls one for each
//! instruction that LLVM does not have. Such instructions are applied to the same numbers in single precision, of which
//! every half-precision number is one.

mod functions;
mod rounding;
mod values;

use std::collections::{HashMap, HashSet};

use rspirv::spirv::{Decoration, FPRoundingMode, Op};

use super::draft::Draft;
use super::line::Line;
use crate::spirv::SpirvError;
use crate::spirv::grammar::InstructionSet;
pub(super) use values::is_half;
use values::{convert_as, is_value, narrow, widened};

/// Replaces the instructions on half-precision numbers that are calls of functions.
pub(super) fn rewrite(draft: &mut Draft) -> Result<(), SpirvError> {
    if !draft.globals.iter().any(|line| line.opcode() == Op::TypeFloat && line.operand(1) == 16) {
        return Ok(());
    }
    let modes: HashMap<u32, FPRoundingMode> = draft.globals.iter().filter_map(Line::rounding_mode).collect();
    let mut rounded = HashSet::new();
    draft.rewrite(|draft, line, code| {
        let (kind, id) = (line.operand(0), line.operand(1));
        let value = line.operand(2);
        match line.opcode() {
            Op::ExtInst if draft.set(value) == InstructionSet::OpenCl => {
                functions::rewrite(draft, code, line)?;
            }
            Op::IsNan
            | Op::IsInf
            | Op::IsFinite
            | Op::SignBitSet
            | Op::LessOrGreater
            | Op::Ordered
            | Op::Unordered
            | Op::ConvertFToU
            | Op::ConvertFToS
                if is_value(draft, value) =>
            {
                let wide = widened(draft, code, &line, 2)?;
                code.push(wide);
            }
            Op::IsNormal if is_value(draft, value) => functions::is_normal(draft, code, kind, id, value)?,
            Op::FRem | Op::FMod | Op::Dot if is_half(draft, kind) => {
                let wide = widened(draft, code, &line, 2)?;
                narrow(draft, code, id, kind, wide)?;
            }
            Op::ConvertUToF | Op::ConvertSToF | Op::FConvert
                if is_half(draft, kind) || is_value(draft, value) =>
            {
                let mode = modes.get(&id).copied();
                rounded.extend(mode.map(|_| id));
                match mode.filter(|_| is_half(draft, kind)) {
                    Some(mode) if mode != FPRoundingMode::RTE => rounding::convert(draft, code, &line, mode)?,
                    // Without the decoration, numbers are rounded to the nearest. Widening is exact.
                    _ => convert_as(draft, code, id, line.opcode(), kind, value)?,
                }
            }
            _ => code.push(line),
        }
        Ok(())
    })?;
    draft.retain_globals(|line| {
        !line.decorates(Decoration::FPRoundingMode) || !rounded.contains(&line.operand(0))
    });
    Ok(())
}
