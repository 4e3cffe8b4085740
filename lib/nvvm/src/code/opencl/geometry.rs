//! OpenCL.std's geometric functions: products, lengths, distances, directions.

use super::common::constant;
use crate::code::body::Body;
use crate::error::Result;

impl Body<'_, '_> {
    pub(super) fn cross(&mut self, operands: &[u32]) -> Result<()> {
        let ty = self.program.types.scalar(self.result_type())?.0;
        let (first, second) = (self.scalars_of(operands, 0)?, self.scalars_of(operands, 1)?);
        let values = self.cross_product(ty, &first, &second)?;
        self.compose(&values)
    }

    pub(super) fn length(
        &mut self,
        length_of: impl Fn(&mut Self, u32, &[String]) -> Result<String>,
        operands: &[u32],
    ) -> Result<()> {
        let ty = self.program.types.scalar(self.result_type())?.0;
        let values = self.scalars_of(operands, 0)?;
        let length = length_of(self, ty, &values)?;
        self.copy(self.result_type(), &length)
    }

    pub(super) fn distance(
        &mut self,
        length_of: impl Fn(&mut Self, u32, &[String]) -> Result<String>,
        operands: &[u32],
    ) -> Result<()> {
        let ty = self.program.types.scalar(self.result_type())?.0;
        let (first, second) = (self.scalars_of(operands, 0)?, self.scalars_of(operands, 1)?);
        let text = self.type_text(ty)?.to_owned();
        let mut between = Vec::new();
        for (a, b) in first.iter().zip(&second) {
            between.push(self.new_value(format_args!("fsub {text} {a}, {b}")));
        }
        let length = length_of(self, ty, &between)?;
        self.copy(self.result_type(), &length)
    }

    pub(super) fn normalize(&mut self, operands: &[u32]) -> Result<()> {
        let ty = self.program.types.scalar(self.result_type())?.0;
        let values = self.scalars_of(operands, 0)?;
        let values = self.with_finite_length(ty, &values)?;
        let length = self.exact_length(ty, &values)?;
        let direction = self.direction(ty, &values, &length)?;
        self.compose(&direction)
    }

    pub(super) fn fast_normalize(&mut self, operands: &[u32]) -> Result<()> {
        let ty = self.program.types.scalar(self.result_type())?.0;
        let values = self.scalars_of(operands, 0)?;
        let length = self.fast_length(ty, &values)?;
        let direction = self.direction(ty, &values, &length)?;
        self.compose(&direction)
    }

    /// Returns the scalars of an operand: one, or those of a vector of 2 to 4.
    fn scalars_of(&mut self, operands: &[u32], at: usize) -> Result<Vec<String>> {
        let id = operands.get(at).copied().ok_or("an operand is missing")?;
        let count = self.program.types.scalar(self.type_of(id)?)?.1.unwrap_or(1);
        if count > 4 {
            return Err("a point has at most 4 dimensions".into());
        }
        self.float_bits(self.type_of(id)?)?;
        (0..count).map(|lane| self.lane_of(id, lane)).collect()
    }

    /// Sets the result to a scalar, or to a vector of these values.
    fn compose(&mut self, values: &[String]) -> Result<()> {
        let ty = self.result_type();
        let (element, count) = self.program.types.scalar(ty)?;
        if count.unwrap_or(1) as usize != values.len() {
            return Err("operand and result have different numbers of scalars".into());
        }
        let ([value], None) = (values, count) else {
            let (whole, element) = (self.type_text(ty)?.to_owned(), self.type_text(element)?.to_owned());
            let mut all = String::from("undef");
            for (lane, value) in values.iter().enumerate() {
                all = self
                    .new_value(format_args!("insertelement {whole} {all}, {element} {value}, i32 {lane}"));
            }
            return self.copy(ty, &all);
        };
        self.copy(ty, value)
    }

    fn cross_product(&mut self, ty: u32, a: &[String], b: &[String]) -> Result<Vec<String>> {
        let ([a0, a1, a2, rest @ ..], [b0, b1, b2, ..]) = (a, b) else {
            return Err("a cross product is of vectors of 3 or 4".into());
        };
        let text = self.type_text(ty)?.to_owned();
        let mut values = Vec::new();
        for [p, q, r, s] in [[a1, b2, a2, b1], [a2, b0, a0, b2], [a0, b1, a1, b0]] {
            let one = self.new_value(format_args!("fmul {text} {p}, {q}"));
            let two = self.new_value(format_args!("fmul {text} {r}, {s}"));
            values.push(self.new_value(format_args!("fsub {text} {one}, {two}")));
        }
        if !rest.is_empty() {
            values.push(constant(self.float_bits(ty)?, 0.0));
        }
        Ok(values)
    }

    /// Returns the sum of squares.
    fn squared(&mut self, ty: u32, values: &[String]) -> Result<String> {
        let text = self.type_text(ty)?.to_owned();
        let mut sum: Option<String> = None;
        for value in values {
            let square = self.new_value(format_args!("fmul {text} {value}, {value}"));
            sum = Some(match sum {
                None => square,
                Some(sum) => self.new_value(format_args!("fadd {text} {sum}, {square}")),
            });
        }
        sum.ok_or_else(|| "an operand is missing".into())
    }

    /// Returns the length without intermediate overflow.
    pub(super) fn exact_length(&mut self, ty: u32, values: &[String]) -> Result<String> {
        let name = match values {
            [_] => "fabs",
            [_, _] => "hypot",
            [_, _, _] => "norm3d",
            _ => "norm4d",
        };
        self.call_libdevice(name, ty, values)
    }

    /// Returns the root of the sum of squares, which may overflow.
    pub(super) fn fast_length(&mut self, ty: u32, values: &[String]) -> Result<String> {
        let squared = self.squared(ty, values)?;
        self.intrinsic("sqrt", ty, &[squared])
    }

    /// Returns a vector of the same direction whose length is finite and has full precision. If elements are infinite,
    /// they become 1 and the others 0; too long vectors are shortened, and vectors as short as denormal numbers are
    /// lengthened.
    fn with_finite_length(&mut self, ty: u32, values: &[String]) -> Result<Vec<String>> {
        let (bits, text) = (self.float_bits(ty)?, self.type_text(ty)?.to_owned());
        let infinity = constant(bits, f64::INFINITY);
        let (mut any, mut infinite) = ("false".to_owned(), Vec::new());
        for value in values {
            let size = self.call_libdevice("fabs", ty, std::slice::from_ref(value))?;
            let is_infinite = self.new_value(format_args!("fcmp oeq {text} {size}, {infinity}"));
            any = self.new_value(format_args!("or i1 {any}, {is_infinite}"));
            infinite.push(is_infinite);
        }
        let length = self.exact_length(ty, values)?;
        let too_long = self.new_value(format_args!("fcmp oeq {text} {length}, {infinity}"));
        let (zero, one, quarter) = (constant(bits, 0.0), constant(bits, 1.0), constant(bits, 0.25));
        // Four times the least normal number, and the factor that makes the least denormal one normal.
        let (least, enlarging) = match bits {
            16 => (-12, 12),
            32 => (-124, 25),
            _ => (-1020, 54),
        };
        let [least, enlarging] = [least, enlarging].map(|exponent| constant(bits, 2_f64.powi(exponent)));
        let too_short = self.new_value(format_args!("fcmp olt {text} {length}, {least}"));
        let factor = self.new_value(format_args!("select i1 {too_short}, {text} {enlarging}, {text} {one}"));
        let factor = self.new_value(format_args!("select i1 {too_long}, {text} {quarter}, {text} {factor}"));
        let mut tamed = Vec::new();
        for (value, is_infinite) in values.iter().zip(infinite) {
            let size = self.new_value(format_args!("select i1 {is_infinite}, {text} {one}, {text} {zero}"));
            let replaced = self.with_sign(ty, &size, value)?;
            let finite = self.new_value(format_args!("fmul {text} {value}, {factor}"));
            // NaN stays NaN.
            let none = self.none(&text, value);
            let taken = self.new_value(format_args!("select i1 {any}, {text} {replaced}, {text} {finite}"));
            tamed.push(self.new_value(format_args!("select i1 {none}, {text} {value}, {text} {taken}")));
        }
        Ok(tamed)
    }

    /// Divides a vector by its length; a vector of zeros stays zero.
    fn direction(&mut self, ty: u32, values: &[String], length: &str) -> Result<Vec<String>> {
        let (bits, text) = (self.float_bits(ty)?, self.type_text(ty)?.to_owned());
        let (zero, one) = (constant(bits, 0.0), constant(bits, 1.0));
        let none = self.new_value(format_args!("fcmp oeq {text} {length}, {zero}"));
        let divisor = self.new_value(format_args!("select i1 {none}, {text} {one}, {text} {length}"));
        Ok(values
            .iter()
            .map(|value| self.new_value(format_args!("fdiv {text} {value}, {divisor}")))
            .collect())
    }
}
