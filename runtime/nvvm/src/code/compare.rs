//! Comparisons and questions about floating-point numbers.

use sycl_pi_image::spirv::Op;

use crate::code::arithmetic::row;
use crate::code::body::Body;
use crate::error::Step;
use crate::types::Kind;

/// Comparisons of integers, truth values and pointers.
const INTEGERS: &[(Op, &str)] = &[
    (Op::LogicalEqual, "eq"),
    (Op::LogicalNotEqual, "ne"),
    (Op::IEqual, "eq"),
    (Op::INotEqual, "ne"),
    (Op::UGreaterThan, "ugt"),
    (Op::SGreaterThan, "sgt"),
    (Op::UGreaterThanEqual, "uge"),
    (Op::SGreaterThanEqual, "sge"),
    (Op::ULessThan, "ult"),
    (Op::SLessThan, "slt"),
    (Op::ULessThanEqual, "ule"),
    (Op::SLessThanEqual, "sle"),
    (Op::PtrEqual, "eq"),
    (Op::PtrNotEqual, "ne"),
];

/// Comparisons of floating-point numbers.
const FLOATS: &[(Op, &str)] = &[
    (Op::LessOrGreater, "one"),
    (Op::Ordered, "ord"),
    (Op::Unordered, "uno"),
    (Op::FOrdEqual, "oeq"),
    (Op::FUnordEqual, "ueq"),
    (Op::FOrdNotEqual, "one"),
    (Op::FUnordNotEqual, "une"),
    (Op::FOrdLessThan, "olt"),
    (Op::FUnordLessThan, "ult"),
    (Op::FOrdGreaterThan, "ogt"),
    (Op::FUnordGreaterThan, "ugt"),
    (Op::FOrdLessThanEqual, "ole"),
    (Op::FUnordLessThanEqual, "ule"),
    (Op::FOrdGreaterThanEqual, "oge"),
    (Op::FUnordGreaterThanEqual, "uge"),
];

impl Body<'_, '_> {
    /// Comparisons. Answers whether the instruction is one.
    pub(crate) fn compare(&mut self) -> Step<bool> {
        let opcode = self.inst.opcode;
        let (a, b) = (self.operand(2), self.operand(3));
        if let Some(name) = row(INTEGERS, opcode) {
            let (ty, a, b) = self.pair(a, b)?;
            let ty = self.text(ty)?.to_owned();
            self.set(format_args!("icmp {name} {ty} {a}, {b}"));
            return Ok(true);
        }
        if let Some(name) = row(FLOATS, opcode) {
            let (ty, a, b) = self.pair(a, b)?;
            self.float_bits(ty)?;
            let ty = self.text(ty)?.to_owned();
            self.set(format_args!("fcmp {name} {ty} {a}, {b}"));
            return Ok(true);
        }
        match opcode {
            Op::Any | Op::All => self.any_or_all(opcode == Op::Any)?,
            Op::IsNan => {
                let typed = self.typed(a)?;
                let a = self.value(a)?;
                self.set(format_args!("fcmp uno {typed}, {a}"));
            }
            Op::IsInf | Op::IsFinite | Op::IsNormal | Op::SignBitSet => self.class(opcode, a)?,
            Op::Select => self.select()?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Infinite, finite, normal, negative: seen in the bits, which no option for fast mathematics touches.
    fn class(&mut self, opcode: Op, a: u32) -> Step {
        let ty = self.type_of(a)?;
        let bits = self.float_bits(ty)?;
        let mantissa = match bits {
            16 => 10,
            32 => 23,
            _ => 52,
        };
        let infinite = ((1_u64 << (bits - 1 - mantissa)) - 1) << mantissa;
        let integer = self.shaped(ty, &format!("i{bits}"))?;
        let splat = |value: u64| -> Step<String> {
            Ok(match self.program.types.scalar(ty)?.1 {
                Some(count) => format!("<{}>", vec![format!("i{bits} {value}"); count as usize].join(", ")),
                None => value.to_string(),
            })
        };
        let (zero, infinity, positive, least) =
            (splat(0)?, splat(infinite)?, splat((1 << (bits - 1)) - 1)?, splat(1 << mantissa)?);
        let (truth, range) = (self.shaped(ty, "i1")?, splat(infinite - (1 << mantissa))?);
        let (text, a) = (self.text(ty)?.to_owned(), self.value(a)?);
        let raw = self.new_value(format_args!("bitcast {text} {a} to {integer}"));
        if opcode == Op::SignBitSet {
            self.set(format_args!("icmp slt {integer} {raw}, {zero}"));
            return Ok(());
        }
        let magnitude = self.new_value(format_args!("and {integer} {raw}, {positive}"));
        match opcode {
            Op::IsInf => self.set(format_args!("icmp eq {integer} {magnitude}, {infinity}")),
            Op::IsFinite => self.set(format_args!("icmp ult {integer} {magnitude}, {infinity}")),
            _ => {
                let above = self.new_value(format_args!("sub {integer} {magnitude}, {least}"));
                let _ = truth;
                self.set(format_args!("icmp ult {integer} {above}, {range}"));
            }
        }
        Ok(())
    }

    fn any_or_all(&mut self, any: bool) -> Step {
        let id = self.operand(2);
        let count = self.program.types.scalar(self.type_of(id)?)?.1.unwrap_or(1);
        let name = if any { "or" } else { "and" };
        let mut all = self.lane_of(id, 0)?;
        for lane in 1..count {
            let next = self.lane_of(id, lane)?;
            all = self.new_value(format_args!("{name} i1 {all}, {next}"));
        }
        self.copy(self.result_type(), &all)
    }

    fn select(&mut self) -> Step {
        let condition = self.operand(2);
        let truth = self.program.types.scalar(self.type_of(condition)?)?.0;
        if *self.kind(truth)? != Kind::Bool {
            return Err("the condition is no truth value".into());
        }
        let (ty, a, b) = self.pair(self.operand(3), self.operand(4))?;
        let (condition, ty) = (self.typed(condition)?, self.text(ty)?.to_owned());
        self.set(format_args!("select {condition}, {ty} {a}, {ty} {b}"));
        Ok(())
    }
}
