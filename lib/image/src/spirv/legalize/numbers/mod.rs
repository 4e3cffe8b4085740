//! Computes functions and conversions of numbers whose results the driver gets wrong in special cases.
//!
//! rusticl has an instruction of its own for `sign`, for `ldexp` and for conversions of doubles to narrower numbers, and
//! calls a library for the remainders. Both are written for shaders, where -0, infinity and large quotients matter less.

pub(super) mod angles;
mod conversions;
mod expression;
mod quotients;
mod remainders;
mod rounding;
pub(super) mod saturation;
mod special;
pub(super) mod widened;

use std::collections::{HashMap, HashSet};

use rspirv::spirv::{Decoration, FPRoundingMode, Op, OpenclStd100Op as CLOp};

use super::draft::Draft;
use super::line::Line;
use crate::spirv::SpirvError;
use expression::Expression;
use remainders::{Remainder, Remainders};
use rounding::Roundings;

/// Replaces the functions. None of them is left, except for conversions that the driver gets right.
pub(super) fn rewrite(draft: &mut Draft) -> Result<(), SpirvError> {
    let modes: HashMap<u32, FPRoundingMode> = draft.globals.iter().filter_map(Line::rounding_mode).collect();
    let mut remainders = Remainders::default();
    let mut roundings = Roundings::of(draft);
    let mut replaced = HashSet::new();
    draft.rewrite(|draft, line, code| {
        let id = line.operand(1);
        let mut expression = Expression::new(draft, code);
        let is_done = match (line.opcode(), expression.draft.function_of_opencl(&line)) {
            (Op::FConvert, _) => {
                let mode = modes.get(&id).copied().unwrap_or(FPRoundingMode::RTE);
                match conversions::convert(&mut expression, line, mode)? {
                    Some(line) => roundings.append(&mut expression, line)?,
                    None => drop(replaced.insert(id)),
                }
                return Ok(());
            }
            (Op::ConvertSToF | Op::ConvertUToF, _) => {
                return roundings.append(&mut expression, line);
            }
            (Op::Dot, _) => special::dot(&mut expression, &line)?,
            (Op::FRem, _) => {
                special::float_remainder(&mut expression, &line)?
                    || remainders.replace(&mut expression, &line, 2, Remainder::Truncated)?
            }
            (_, Some(CLOp::fmod)) => remainders.replace(&mut expression, &line, 4, Remainder::Truncated)?,
            (_, Some(CLOp::remainder | CLOp::remquo)) => {
                remainders.replace(&mut expression, &line, 4, Remainder::Nearest)?
            }
            (_, Some(CLOp::sign)) => special::sign(&mut expression, &line)?,
            (_, Some(CLOp::ldexp)) => special::scaled(&mut expression, &line)?,
            (_, Some(CLOp::s_mad_sat)) => special::saturated_sum(&mut expression, &line)?,
            (_, Some(function)) if conversions::is_store(function) => {
                let line = conversions::store(&mut expression, line)?;
                code.push(line);
                return Ok(());
            }
            _ => false,
        };
        if !is_done {
            code.push(line);
        }
        Ok(())
    })?;
    if !replaced.is_empty() {
        // These results are no longer those of conversions.
        draft.retain_globals(|line| {
            !(line.decorates(Decoration::FPRoundingMode) && replaced.contains(&line.operand(0)))
        });
    }
    roundings.finish(draft)?;
    remainders.finish(draft)?;
    quotients::rewrite(draft)
}

/// Replaces `nextafter`.
pub(super) fn rewrite_nextafter(draft: &mut Draft) -> Result<(), SpirvError> {
    draft.rewrite(|draft, line, code| match draft.function_of_opencl(&line) {
        Some(CLOp::nextafter) => nextafter(draft, code, line),
        _ => {
            code.push(line);
            Ok(())
        }
    })
}

/// Replaces the divisors of remainders that are zero.
pub(super) fn rewrite_remainders_by_zero(draft: &mut Draft) -> Result<(), SpirvError> {
    draft.rewrite(|draft, line, code| {
        let function = draft.function_of_opencl(&line);
        let is_remainder = matches!(function, Some(CLOp::fmod | CLOp::remainder | CLOp::remquo));
        if !is_remainder || !special::remainder(&mut Expression::new(draft, code), &line)? {
            code.push(line);
        }
        Ok(())
    })
}

/// Appends the code for a call of `nextafter`, or the call itself if its numbers have an unknown type.
pub(super) fn nextafter(draft: &mut Draft, code: &mut Vec<Line>, line: Line) -> Result<(), SpirvError> {
    if !special::next(&mut Expression::new(draft, code), &line)? {
        code.push(line);
    }
    Ok(())
}
