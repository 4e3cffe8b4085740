//! OpenCL.std on integers.

use super::{ScalarType, operands_of};
use crate::code::body::Body;
use crate::error::Result;

/// Whether integers are signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signedness {
    Signed,
    Unsigned,
}

/// How a result at twice the width is narrowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Narrowing {
    /// Saturated to the range of the type; for unsigned numbers, to the greatest.
    Saturate,
    /// Saturated at 0.
    AtLeastZero,
    Half,
    RoundedHalf,
    High,
}

impl Body<'_, '_> {
    pub(super) fn absolute(&mut self, scalar: &ScalarType, values: &[String]) -> Result<String> {
        let ([a], int) = (operands_of(values)?, &scalar.text);
        let negative = self.new_value(format_args!("sub {int} 0, {a}"));
        let below = self.new_value(format_args!("icmp slt {int} {a}, 0"));
        Ok(self.new_value(format_args!("select i1 {below}, {int} {negative}, {int} {a}")))
    }

    /// Returns the absolute value of an unsigned number.
    pub(super) fn unchanged(&mut self, _scalar: &ScalarType, values: &[String]) -> Result<String> {
        let [a] = operands_of(values)?;
        Ok(a.to_owned())
    }

    /// Returns the difference of the greater and the lesser number, which the comparison determines.
    pub(super) fn absolute_difference(&mut self, greater: &str, operands: &[u32]) -> Result<()> {
        self.each_integer(operands, |body, scalar, values| {
            let ([a, b], int) = (operands_of(values)?, &scalar.text);
            let above = body.new_value(format_args!("icmp {greater} {int} {a}, {b}"));
            let one = body.new_value(format_args!("sub {int} {a}, {b}"));
            let other = body.new_value(format_args!("sub {int} {b}, {a}"));
            Ok(body.new_value(format_args!("select i1 {above}, {int} {one}, {int} {other}")))
        })
    }

    /// Applies LLVM's instruction at twice the width.
    pub(super) fn widened(
        &mut self,
        name: &str,
        signedness: Signedness,
        narrowing: Narrowing,
        operands: &[u32],
    ) -> Result<()> {
        self.each_integer(operands, |body, scalar, values| {
            let ([a, b], bits) = (operands_of(values)?, scalar.bits);
            let (a, b) = (body.widen(a, bits, signedness), body.widen(b, bits, signedness));
            let both = body.new_value(format_args!("{name} i{} {a}, {b}", bits * 2));
            Ok(body.narrow(&both, bits, signedness, narrowing))
        })
    }

    pub(super) fn multiply_high_and_add(&mut self, signedness: Signedness, operands: &[u32]) -> Result<()> {
        self.each_integer(operands, |body, scalar, values| {
            let ([a, b, c], bits, int) = (operands_of(values)?, scalar.bits, &scalar.text);
            let (a, b) = (body.widen(a, bits, signedness), body.widen(b, bits, signedness));
            let product = body.new_value(format_args!("mul i{} {a}, {b}", bits * 2));
            let high = body.narrow(&product, bits, signedness, Narrowing::High);
            Ok(body.new_value(format_args!("add {int} {high}, {c}")))
        })
    }

    pub(super) fn multiply_and_add_saturated(
        &mut self,
        signedness: Signedness,
        operands: &[u32],
    ) -> Result<()> {
        self.each_integer(operands, |body, scalar, values| {
            let ([a, b, c], bits) = (operands_of(values)?, scalar.bits);
            let [a, b, c] = [a, b, c].map(|value| body.widen(value, bits, signedness));
            // The product of the largest numbers plus the largest summand still fits.
            let product = body.new_value(format_args!("mul i{} {a}, {b}", bits * 2));
            let sum = body.new_value(format_args!("add i{} {product}, {c}", bits * 2));
            Ok(body.narrow(&sum, bits, signedness, Narrowing::Saturate))
        })
    }

    /// Chooses the first number if the comparison holds, else the second.
    pub(super) fn choice(&mut self, order: &str, operands: &[u32]) -> Result<()> {
        self.each_integer(operands, |body, scalar, values| {
            let [a, b] = operands_of(values)?;
            Ok(body.choose(order, &scalar.text, a, b))
        })
    }

    pub(super) fn integer_clamp(&mut self, greater: &str, less: &str, operands: &[u32]) -> Result<()> {
        self.each_integer(operands, |body, scalar, values| {
            let [value, least, greatest] = operands_of(values)?;
            let lower = body.choose(greater, &scalar.text, value, least);
            Ok(body.choose(less, &scalar.text, &lower, greatest))
        })
    }

    pub(super) fn count_zeros(&mut self, name: &str, operands: &[u32]) -> Result<()> {
        self.each_integer(operands, |body, scalar, values| {
            let ([a], int) = (operands_of(values)?, &scalar.text);
            let function = format!("llvm.{name}.{int}");
            body.helpers.declare(int, &function, &format!("{int}, i1"), "nounwind readnone");
            Ok(body.new_value(format_args!("call {int} @{function}({int} {a}, i1 false)")))
        })
    }

    pub(super) fn population_count(&mut self, scalar: &ScalarType, values: &[String]) -> Result<String> {
        let [a] = operands_of(values)?;
        self.bit_intrinsic("ctpop", scalar.ty, &[a.to_owned()])
    }

    pub(super) fn rotate(&mut self, scalar: &ScalarType, values: &[String]) -> Result<String> {
        let ([a, distance], int, mask) = (operands_of(values)?, &scalar.text, scalar.bits - 1);
        let left = self.new_value(format_args!("and {int} {distance}, {mask}"));
        let negative = self.new_value(format_args!("sub {int} 0, {distance}"));
        let right = self.new_value(format_args!("and {int} {negative}, {mask}"));
        let high = self.new_value(format_args!("shl {int} {a}, {left}"));
        let low = self.new_value(format_args!("lshr {int} {a}, {right}"));
        Ok(self.new_value(format_args!("or {int} {high}, {low}")))
    }

    /// Joins two numbers of half the width.
    pub(super) fn upsample(&mut self, scalar: &ScalarType, values: &[String]) -> Result<String> {
        let ([high, low], int, half) = (operands_of(values)?, &scalar.text, scalar.bits / 2);
        let high = self.new_value(format_args!("zext i{half} {high} to {int}"));
        let low = self.new_value(format_args!("zext i{half} {low} to {int}"));
        let high = self.new_value(format_args!("shl {int} {high}, {half}"));
        Ok(self.new_value(format_args!("or {int} {high}, {low}")))
    }

    pub(super) fn multiply_and_add(&mut self, scalar: &ScalarType, values: &[String]) -> Result<String> {
        let ([a, b, c], int) = (operands_of(values)?, &scalar.text);
        let product = self.new_value(format_args!("mul {int} {a}, {b}"));
        Ok(self.new_value(format_args!("add {int} {product}, {c}")))
    }

    pub(super) fn multiply(&mut self, scalar: &ScalarType, values: &[String]) -> Result<String> {
        let ([a, b], int) = (operands_of(values)?, &scalar.text);
        Ok(self.new_value(format_args!("mul {int} {a}, {b}")))
    }

    fn choose(&mut self, order: &str, int: &str, a: &str, b: &str) -> String {
        let first = self.new_value(format_args!("icmp {order} {int} {a}, {b}"));
        self.new_value(format_args!("select i1 {first}, {int} {a}, {int} {b}"))
    }

    /// Extends an integer to twice its width.
    fn widen(&mut self, value: &str, bits: u32, signedness: Signedness) -> String {
        let extend = match signedness {
            Signedness::Signed => "sext",
            Signedness::Unsigned => "zext",
        };
        self.new_value(format_args!("{extend} i{bits} {value} to i{}", bits * 2))
    }

    /// Narrows the result of a computation at twice the width.
    fn narrow(&mut self, both: &str, bits: u32, signedness: Signedness, narrowing: Narrowing) -> String {
        let wide = bits * 2;
        let shift = match signedness {
            Signedness::Signed => "ashr",
            Signedness::Unsigned => "lshr",
        };
        let value = match narrowing {
            Narrowing::High => self.new_value(format_args!("{shift} i{wide} {both}, {bits}")),
            Narrowing::Half => self.new_value(format_args!("{shift} i{wide} {both}, 1")),
            Narrowing::RoundedHalf => {
                let more = self.new_value(format_args!("add i{wide} {both}, 1"));
                self.new_value(format_args!("{shift} i{wide} {more}, 1"))
            }
            Narrowing::Saturate if signedness == Signedness::Signed => {
                let (greatest, least) = ((1_u128 << (bits - 1)) - 1, 1_u128 << (bits - 1));
                let upper = self.choose("slt", &format!("i{wide}"), both, &greatest.to_string());
                self.choose("sgt", &format!("i{wide}"), &upper, &format!("-{least}"))
            }
            Narrowing::Saturate => {
                self.choose("ult", &format!("i{wide}"), both, &((1_u128 << bits) - 1).to_string())
            }
            Narrowing::AtLeastZero => self.choose("sgt", &format!("i{wide}"), both, "0"),
        };
        self.new_value(format_args!("trunc i{wide} {value} to i{bits}"))
    }
}
