//! Sines, cosines and tangents of doubles.
//!
//! rusticl's library subtracts multiples of π/2 with `fma`. llvmpipe rounds that twice, so that results are off by about
//! 1e-16 times the argument. Here the multiple is subtracted in parts: π/2 is cut into pieces that are short enough for
//! exact products. The sine and the tangent of -0 would be 0.

use std::collections::HashSet;

use rspirv::spirv::{Op, OpenclStd100Op as CLOp};

use super::expression::{Expression, Numbers};
use crate::spirv::SpirvError;
use crate::spirv::build::text;
use crate::spirv::legalize::draft::Draft;
use crate::spirv::legalize::line::Line;

/// The name of the driver's functions that are left.
const NAME: &str = "sycl_pi_reduced";

/// The bits of -π/2 in four pieces of 23 bits, and the rest. Multiples of a piece below 2^30 have at most 53 bits.
const PIECES: [u64; 5] = [
    0xbff9_21fb_4000_0000,
    0xbe74_442d_0000_0000,
    0xbcf8_4698_0000_0000,
    0xbba3_198a_0000_0000,
    0xba37_01b8_39a2_5205,
];
/// The bits of 1/π and 2/π.
const TURNS: u64 = 0x3fd4_5f30_6dc9_c883;
const QUARTERS: u64 = 0x3fe4_5f30_6dc9_c883;
/// The driver is right below this argument, and here the pieces are too long from this one on.
const LEAST: f64 = 16.0;
const MOST: f64 = (1 << 30) as f64;

/// Reduces the arguments, where they are neither small nor huge.
pub(in crate::spirv::legalize) fn rewrite(draft: &mut Draft) -> Result<(), SpirvError> {
    let names = draft.globals.iter().filter(|line| line.opcode() == Op::Name && line.text(1) == NAME);
    let done: HashSet<u32> = names.map(|line| line.operand(0)).collect();
    let mut kept = Vec::new();
    draft.rewrite(|draft, line, code| {
        let expression = Expression::new(draft, code);
        let function = expression.draft.function_of_opencl(&line);
        let functions: &[CLOp] = match function {
            Some(CLOp::sin) => &[CLOp::sin],
            Some(CLOp::cos) => &[CLOp::cos],
            Some(CLOp::tan) => &[CLOp::tan],
            Some(CLOp::sincos) => &[CLOp::sin, CLOp::cos],
            _ => &[],
        };
        let source = expression.float_operand(&line, 4).filter(|(numbers, _)| numbers.bits == 64);
        let Some((numbers, x)) = source.filter(|_| !functions.is_empty() && !done.contains(&line.operand(1)))
        else {
            code.push(line);
            return Ok(());
        };
        let mut angle = Angle { code: expression, numbers, x, kept: &mut kept };
        let mut results = Vec::new();
        for function in functions {
            results.push(angle.result(*function)?);
        }
        if let &[_, cosine] = results.as_slice() {
            angle.code.code.push(Line::new(Op::Store, &[line.operand(5), cosine]));
        }
        draft.emit_as(
            code,
            line.operand(1),
            Op::CopyObject,
            numbers.kind,
            results.get(..1).unwrap_or_default(),
        )
    })?;
    for id in kept {
        let operands: Vec<u32> = [id].into_iter().chain(text(NAME)).collect();
        draft.add_global(Line::new(Op::Name, &operands))?;
    }
    Ok(())
}

/// An argument of a function.
struct Angle<'a, 'c> {
    code: Expression<'c>,
    numbers: Numbers,
    x: u32,
    /// The calls of the driver's functions.
    kept: &'a mut Vec<u32>,
}

impl Angle<'_, '_> {
    fn result(&mut self, function: CLOp) -> Result<u32, SpirvError> {
        let x = self.x;
        let own = self.driver(function, x)?;
        let (least, most) = (self.constant(LEAST)?, self.constant(MOST)?);
        let size = self.code.call(CLOp::fabs, self.numbers, &[x])?;
        let is_large = self.code.test(Op::FOrdGreaterThanEqual, self.numbers, &[size, least])?;
        let is_below = self.code.test(Op::FOrdLessThan, self.numbers, &[size, most])?;
        let is_reduced = self.code.test(Op::LogicalAnd, self.numbers, &[is_large, is_below])?;
        let zero = self.constant(0.0)?;
        let is_zero = self.code.test(Op::FOrdEqual, self.numbers, &[x, zero])?;
        let own =
            if function == CLOp::cos { own } else { self.code.select(is_zero, self.numbers, [x, own])? };
        let x = self.code.select(is_reduced, self.numbers, [x, zero])?;
        // The nearest multiple of π/2, of π, or of π less π/2, where the cosine is plus or minus the sine of the rest.
        let turns = if function == CLOp::tan { QUARTERS } else { TURNS };
        let turns = self.code.constant(self.numbers, turns)?;
        let mut turns = self.compute(Op::FMul, [x, turns])?;
        let (half, one) = (self.constant(0.5)?, self.constant(1.0)?);
        if function == CLOp::cos {
            turns = self.compute(Op::FAdd, [turns, half])?;
        }
        let turns = self.code.call(CLOp::rint, self.numbers, &[turns])?;
        let quarters = match function {
            CLOp::tan => turns,
            _ => self.compute(Op::FAdd, [turns, turns])?,
        };
        let quarters =
            if function == CLOp::cos { self.compute(Op::FSub, [quarters, one])? } else { quarters };
        let [rest, low] = self.rest(x, quarters)?;
        let value = if function == CLOp::tan { self.tangent(rest, low)? } else { self.sine(rest, low)? };
        let words = self.code.words_like(self.numbers, 32)?;
        let count = self.code.compute(Op::ConvertFToS, words, &[turns])?;
        let (bit, none) = (self.code.constant(words, 1)?, self.code.constant(words, 0)?);
        let bit = self.code.compute(Op::BitwiseAnd, words, &[count, bit])?;
        let is_odd = self.code.test(Op::INotEqual, words, &[bit, none])?;
        let other = match function {
            CLOp::tan => {
                let minus_one = self.constant(-1.0)?;
                self.compute(Op::FDiv, [minus_one, value])?
            }
            _ => self.code.compute(Op::FNegate, self.numbers, &[value])?,
        };
        let value = self.code.select(is_odd, self.numbers, [other, value])?;
        self.code.select(is_reduced, self.numbers, [value, own])
    }

    /// Subtracts a multiple of π/2, with an error in the last of 106 bits at most.
    fn rest(&mut self, x: u32, quarters: u32) -> Result<[u32; 2], SpirvError> {
        let mut steps = [0; PIECES.len()];
        for (step, piece) in steps.iter_mut().zip(PIECES) {
            let piece = self.code.constant(self.numbers, piece)?;
            *step = self.compute(Op::FMul, [quarters, piece])?;
        }
        // The first two sums are exact, because the result is smaller and no bit is below the operands' last ones.
        let rest = self.compute(Op::FAdd, [x, steps[0]])?;
        let rest = self.compute(Op::FAdd, [rest, steps[1]])?;
        let [rest, third] = self.sum(rest, steps[2])?;
        let [rest, fourth] = self.sum(rest, steps[3])?;
        let low = self.compute(Op::FAdd, [third, fourth])?;
        let low = self.compute(Op::FAdd, [low, steps[4]])?;
        self.sum(rest, low)
    }

    /// Returns a sum and its error.
    fn sum(&mut self, a: u32, b: u32) -> Result<[u32; 2], SpirvError> {
        let sum = self.compute(Op::FAdd, [a, b])?;
        let b_part = self.compute(Op::FSub, [sum, a])?;
        let a_part = self.compute(Op::FSub, [sum, b_part])?;
        let a_error = self.compute(Op::FSub, [a, a_part])?;
        let b_error = self.compute(Op::FSub, [b, b_part])?;
        Ok([sum, self.compute(Op::FAdd, [a_error, b_error])?])
    }

    /// Returns the sine of `rest + low`, from that of `rest` and a rough cosine: 1 - rest² (1/2 - rest²/24).
    fn sine(&mut self, rest: u32, low: u32) -> Result<u32, SpirvError> {
        let (half, part, one) = (self.constant(0.5)?, self.constant(1.0 / 24.0)?, self.constant(1.0)?);
        let sine = self.driver(CLOp::sin, rest)?;
        let square = self.compute(Op::FMul, [rest, rest])?;
        let slope = self.compute(Op::FMul, [square, part])?;
        let slope = self.compute(Op::FSub, [half, slope])?;
        let slope = self.compute(Op::FMul, [square, slope])?;
        let slope = self.compute(Op::FSub, [one, slope])?;
        self.step(sine, low, slope)
    }

    /// Returns the tangent of `rest + low`. Its slope is 1 plus its square.
    fn tangent(&mut self, rest: u32, low: u32) -> Result<u32, SpirvError> {
        let one = self.constant(1.0)?;
        let tangent = self.driver(CLOp::tan, rest)?;
        let square = self.compute(Op::FMul, [tangent, tangent])?;
        let slope = self.compute(Op::FAdd, [one, square])?;
        self.step(tangent, low, slope)
    }

    fn step(&mut self, value: u32, low: u32, slope: u32) -> Result<u32, SpirvError> {
        let step = self.compute(Op::FMul, [low, slope])?;
        self.compute(Op::FAdd, [value, step])
    }

    fn driver(&mut self, function: CLOp, x: u32) -> Result<u32, SpirvError> {
        let result = self.code.call(function, self.numbers, &[x])?;
        self.kept.push(result);
        Ok(result)
    }

    fn constant(&mut self, number: f64) -> Result<u32, SpirvError> {
        self.code.constant(self.numbers, number.to_bits())
    }

    fn compute(&mut self, opcode: Op, operands: [u32; 2]) -> Result<u32, SpirvError> {
        self.code.compute(opcode, self.numbers, &operands)
    }
}
