//! Keeps conversions that round.
//!
//! rusticl takes a number that is converted to a narrower type and back for the same number, such as
//! `(double)(float)x` or `(int)(float)n`. It does not see through the code that is added in between.

use std::collections::{HashMap, HashSet};

use rspirv::spirv::{Decoration, Op, OpenclStd100Op as CLOp};

use super::expression::{Expression, Numbers};
use crate::spirv::SpirvError;
use crate::spirv::build::text;
use crate::spirv::legalize::draft::Draft;
use crate::spirv::legalize::line::Line;

/// The name of the conversions that have been dealt with.
const NAME: &str = "sycl_pi_rounded";

/// The conversions of a module that round, and whose results may be converted back.
pub(super) struct Roundings {
    /// The widths of the floating-point numbers that are converted to others.
    widths: HashSet<u32>,
    /// The conversions that have been dealt with.
    done: HashSet<u32>,
    /// The new results of conversions.
    moved: HashMap<u32, u32>,
}

impl Roundings {
    pub(super) fn of(draft: &Draft) -> Self {
        let bits = |kind: u32| {
            let kind = draft.definition(kind)?;
            match kind.opcode() {
                Op::TypeVector => Some(draft.definition(kind.operand(1))?.operand(1)),
                _ => Some(kind.operand(1)),
            }
        };
        let lines = draft.functions.iter().flat_map(|function| &function.lines);
        let sources = lines.filter_map(|line| {
            let source = bits(draft.kind(line.operand(2))?)?;
            let is_back = match line.opcode() {
                Op::FConvert => bits(line.operand(0))? > source,
                opcode => matches!(opcode, Op::ConvertFToS | Op::ConvertFToU),
            };
            is_back.then_some(source)
        });
        let names = draft.globals.iter().filter(|line| line.opcode() == Op::Name && line.text(1) == NAME);
        Self {
            widths: sources.collect(),
            done: names.map(|line| line.operand(0)).collect(),
            moved: HashMap::new(),
        }
    }

    /// Appends a conversion. If it rounds, and numbers of its type are converted back somewhere, code is added that returns
    /// the same number.
    pub(super) fn append(&mut self, code: &mut Expression<'_>, mut line: Line) -> Result<(), SpirvError> {
        let id = line.operand(1);
        let rounded = self.rounded(code, &line).filter(|_| !self.done.contains(&id));
        let Some(numbers) = rounded else {
            code.code.push(line);
            return Ok(());
        };
        let converted = code.draft.id()?;
        line.operands.iter_mut().skip(1).take(1).for_each(|result| *result = converted);
        code.draft.note(&line);
        let is_float = line.opcode() == Op::FConvert;
        code.code.push(line);
        self.moved.insert(id, converted);
        let (infinity, nan) = match numbers.bits {
            16 => (0x7c00, 0x7e00),
            32 => (0x7f80_0000, 0x7fc0_0000),
            _ => (0x7ff0_0000_0000_0000, 0x7ff8_0000_0000_0000),
        };
        if is_float {
            let nan = code.constant(numbers, nan)?;
            let is_nan = code.test(Op::IsNan, numbers, &[converted])?;
            code.end_with_select(id, is_nan, numbers, [nan, converted])?;
        } else {
            // The driver knows that an integer is a number.
            let infinity = code.constant(numbers, infinity)?;
            let set = code.draft.opencl()?;
            let operands = [set, CLOp::fmin as u32, converted, infinity];
            code.draft.emit_as(code.code, id, Op::ExtInst, numbers.kind, &operands)?;
        }
        Ok(())
    }

    /// Returns the type of the results of a conversion that rounds.
    fn rounded(&self, code: &Expression<'_>, line: &Line) -> Option<Numbers> {
        let numbers = code.floats(line.operand(0))?;
        let digits = match numbers.bits {
            16 => 11,
            32 => 24,
            64 => 53,
            _ => return None,
        };
        let source = code.draft.kind(line.operand(2))?;
        let is_rounded = match line.opcode() {
            Op::FConvert => code.floats(source)?.bits > numbers.bits,
            Op::ConvertSToF | Op::ConvertUToF => code.integers(source)?.bits > digits,
            _ => false,
        };
        (is_rounded && self.widths.contains(&numbers.bits)).then_some(numbers)
    }

    /// Names the conversions, and moves their decorations to them.
    pub(super) fn finish(self, draft: &mut Draft) -> Result<(), SpirvError> {
        for line in draft.globals.iter_mut().filter(|line| line.decorates(Decoration::FPRoundingMode)) {
            if let Some(target) = line.operands.first_mut() {
                *target = self.moved.get(target).copied().unwrap_or(*target);
            }
        }
        let mut converted: Vec<u32> = self.moved.into_values().collect();
        converted.sort_unstable();
        for id in converted {
            let operands: Vec<u32> = [id].into_iter().chain(text(NAME)).collect();
            draft.add_global(Line::new(Op::Name, &operands))?;
        }
        Ok(())
    }
}
