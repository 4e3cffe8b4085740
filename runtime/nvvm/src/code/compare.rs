//! Comparisons and questions about floating-point numbers.

use sycl_pi_image::spirv::Op;

use crate::code::body::Body;
use crate::error::Result;
use crate::types::TypeKind;

impl Body<'_, '_> {
    /// A comparison of integers, truth values or pointers.
    pub(crate) fn compare_integers(&mut self, order: &str) -> Result<()> {
        let (ty, a, b) = self.values_of_one_type(self.operand(2), self.operand(3))?;
        let ty = self.type_text(ty)?.to_owned();
        self.set_result(format_args!("icmp {order} {ty} {a}, {b}"));
        Ok(())
    }

    /// A comparison of floating-point numbers.
    pub(crate) fn compare_floats(&mut self, order: &str) -> Result<()> {
        let (ty, a, b) = self.values_of_one_type(self.operand(2), self.operand(3))?;
        if self.is_bfloat16(ty)? {
            return self.lanes(&[self.operand(2), self.operand(3)], |body, values| {
                body.with_widened(values, |body, wide| {
                    let [a, b] = wide else { return Err("an operand is missing".into()) };
                    Ok(body.new_value(format_args!("fcmp {order} float {a}, {b}")))
                })
            });
        }
        self.float_bits(ty)?;
        let ty = self.type_text(ty)?.to_owned();
        self.set_result(format_args!("fcmp {order} {ty} {a}, {b}"));
        Ok(())
    }

    pub(crate) fn is_nan(&mut self) -> Result<()> {
        let a = self.operand(2);
        if self.is_bfloat16(self.type_of(a)?)? {
            return self.lanes(&[a], |body, values| {
                body.with_widened(values, |body, wide| {
                    let [a] = wide else { return Err("an operand is missing".into()) };
                    Ok(body.new_value(format_args!("fcmp uno float {a}, {a}")))
                })
            });
        }
        let (typed, a) = (self.typed(a)?, self.value(a)?);
        self.set_result(format_args!("fcmp uno {typed}, {a}"));
        Ok(())
    }

    /// Infinite, finite, normal, negative: seen in the bits, which no option for fast mathematics touches.
    pub(crate) fn classify(&mut self) -> Result<()> {
        let a = self.operand(2);
        let ty = self.type_of(a)?;
        let bits = self.float_bits(ty)?;
        let mantissa = match bits {
            16 => 10,
            32 => 23,
            _ => 52,
        };
        let infinite = ((1_u64 << (bits - 1 - mantissa)) - 1) << mantissa;
        let integer = self.shaped_like(ty, &format!("i{bits}"))?;
        let splat = |value: u64| -> Result<String> {
            Ok(match self.program.types.scalar(ty)?.1 {
                Some(count) => format!("<{}>", vec![format!("i{bits} {value}"); count as usize].join(", ")),
                None => value.to_string(),
            })
        };
        let (zero, infinity, positive, least) =
            (splat(0)?, splat(infinite)?, splat((1 << (bits - 1)) - 1)?, splat(1 << mantissa)?);
        let range = splat(infinite - (1 << mantissa))?;
        let (text, a) = (self.type_text(ty)?.to_owned(), self.value(a)?);
        let raw = self.new_value(format_args!("bitcast {text} {a} to {integer}"));
        if self.inst.opcode == Op::SignBitSet {
            self.set_result(format_args!("icmp slt {integer} {raw}, {zero}"));
            return Ok(());
        }
        let magnitude = self.new_value(format_args!("and {integer} {raw}, {positive}"));
        match self.inst.opcode {
            Op::IsInf => self.set_result(format_args!("icmp eq {integer} {magnitude}, {infinity}")),
            Op::IsFinite => self.set_result(format_args!("icmp ult {integer} {magnitude}, {infinity}")),
            _ => {
                let above = self.new_value(format_args!("sub {integer} {magnitude}, {least}"));
                self.set_result(format_args!("icmp ult {integer} {above}, {range}"));
            }
        }
        Ok(())
    }

    /// All truth values of a vector combined.
    pub(crate) fn any_or_all(&mut self, name: &str) -> Result<()> {
        let id = self.operand(2);
        let count = self.program.types.scalar(self.type_of(id)?)?.1.unwrap_or(1);
        let mut all = self.lane_of(id, 0)?;
        for lane in 1..count {
            let next = self.lane_of(id, lane)?;
            all = self.new_value(format_args!("{name} i1 {all}, {next}"));
        }
        self.copy(self.result_type(), &all)
    }

    pub(crate) fn select(&mut self) -> Result<()> {
        let condition = self.operand(2);
        let truth = self.program.types.scalar(self.type_of(condition)?)?.0;
        if *self.kind(truth)? != TypeKind::Bool {
            return Err("the condition is no truth value".into());
        }
        let (ty, a, b) = self.values_of_one_type(self.operand(3), self.operand(4))?;
        let (condition, ty) = (self.typed(condition)?, self.type_text(ty)?.to_owned());
        self.set_result(format_args!("select {condition}, {ty} {a}, {ty} {b}"));
        Ok(())
    }
}
