//! Comparisons and classification of floating-point numbers.

use sycl_pi_image::spirv::Op;

use crate::code::body::Body;
use crate::error::Result;
use crate::types::TypeKind;

impl Body<'_, '_> {
    /// Translates a comparison of integers, truth values or pointers.
    pub(crate) fn compare_integers(&mut self, order: &str) -> Result<()> {
        let (ty, a, b) = self.values_of_one_type(self.operand(2), self.operand(3))?;
        let ty = self.type_text(ty)?.to_owned();
        self.set_result(format_args!("icmp {order} {ty} {a}, {b}"));
        Ok(())
    }

    /// Translates a comparison of floating-point numbers.
    pub(crate) fn compare_floats(&mut self, order: &str) -> Result<()> {
        let operands = [self.operand(2), self.operand(3)];
        let (ty, a, b) = self.values_of_one_type(operands[0], operands[1])?;
        if self.is_bfloat16(ty)? {
            return self.lanes(&operands, |body, values| {
                body.with_widened(values, |body, wide| {
                    let [a, b] = wide else { return Err("an operand is missing".into()) };
                    let b = if operands[0] == operands[1] { a } else { b };
                    let comparison = body.comparison(order, ("float", "i1"), a, b);
                    Ok(body.new_value(format_args!("{comparison}")))
                })
            });
        }
        self.float_bits(ty)?;
        let (ty, truths) = (self.type_text(ty)?.to_owned(), self.shaped_like(ty, "i1")?);
        let comparison = self.comparison(order, (&ty, &truths), &a, &b);
        self.set_result(format_args!("{comparison}"));
        Ok(())
    }

    /// Compares numbers of a type with a result of another type. Libnvvm keeps constant expressions that it does not
    /// evaluate, such as 0/0, and treats the same expression as equal to itself and as neither ordered nor unordered.
    /// Each number is therefore checked for NaN separately, and compared with a comparison that is right for the same
    /// numbers. Libnvvm merges these into one comparison unless the numbers are constants or were just converted.
    fn comparison(&mut self, order: &str, (ty, truths): (&str, &str), a: &str, b: &str) -> String {
        let (asked, join, rest) = match order {
            "ord" => ("ord", "and", None),
            "oeq" => ("ord", "and", Some("ueq")),
            "ole" => ("ord", "and", Some("ule")),
            "oge" => ("ord", "and", Some("uge")),
            "uno" => ("uno", "or", None),
            "une" => ("uno", "or", Some("one")),
            "ult" => ("uno", "or", Some("olt")),
            "ugt" => ("uno", "or", Some("ogt")),
            _ => return format!("fcmp {order} {ty} {a}, {b}"),
        };
        let literal = [a, b].iter().any(|value| !value.starts_with('%'));
        if literal {
            return format!("fcmp {order} {ty} {a}, {b}");
        }
        if a == b {
            return format!("fcmp {asked} {ty} {a}, zeroinitializer");
        }
        let [first, second] =
            [a, b].map(|value| self.new_value(format_args!("fcmp {asked} {ty} {value}, zeroinitializer")));
        let Some(rest) = rest else { return format!("{join} {truths} {first}, {second}") };
        let both = self.new_value(format_args!("{join} {truths} {first}, {second}"));
        let rest = self.new_value(format_args!("fcmp {rest} {ty} {a}, {b}"));
        format!("{join} {truths} {both}, {rest}")
    }

    /// Returns whether a value is NaN.
    pub(crate) fn none(&mut self, ty: &str, value: &str) -> String {
        self.new_value(format_args!("fcmp uno {ty} {value}, zeroinitializer"))
    }

    pub(crate) fn is_nan(&mut self) -> Result<()> {
        let a = self.operand(2);
        if self.is_bfloat16(self.type_of(a)?)? {
            return self.lanes(&[a], |body, values| {
                body.with_widened(values, |body, wide| {
                    let [a] = wide else { return Err("an operand is missing".into()) };
                    Ok(body.none("float", a))
                })
            });
        }
        let typed = self.typed(a)?;
        self.set_result(format_args!("fcmp uno {typed}, zeroinitializer"));
        Ok(())
    }

    /// Translates the tests for infinite, finite, normal and negative numbers. They inspect the bits, which no
    /// fast-math option affects.
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

    /// Combines all truth values of a vector.
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
            return Err("the condition is not a truth value".into());
        }
        let (ty, a, b) = self.values_of_one_type(self.operand(3), self.operand(4))?;
        let (condition, ty) = (self.typed(condition)?, self.type_text(ty)?.to_owned());
        self.set_result(format_args!("select {condition}, {ty} {a}, {ty} {b}"));
        Ok(())
    }
}
