//! OpenCL.std on integers.

use crate::code::body::Body;
use crate::error::Step;

/// Least and greatest: the comparison for which the first operand is taken.
const CHOICES: &[(u32, &str)] = &[(156, "sgt"), (157, "ugt"), (158, "slt"), (159, "ult")];

/// Sums, differences and products at twice the width: LLVM's instruction, whether the operands have signs, and what follows.
const WIDENED: &[(u32, (&str, bool, After))] = &[
    (143, ("add", true, After::Saturate)),
    (144, ("add", false, After::Ceiling)),
    (145, ("add", true, After::Half)),
    (146, ("add", false, After::Half)),
    (147, ("add", true, After::RoundedHalf)),
    (148, ("add", false, After::RoundedHalf)),
    (160, ("mul", true, After::High)),
    (203, ("mul", false, After::High)),
    (162, ("sub", true, After::Saturate)),
    (163, ("sub", false, After::Floor)),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum After {
    /// Cut to the range of signed numbers.
    Saturate,
    /// Cut to the greatest unsigned number.
    Ceiling,
    /// Cut to 0.
    Floor,
    Half,
    RoundedHalf,
    High,
}

impl Body<'_, '_> {
    /// Instructions on integers. Answers whether the instruction is one.
    pub(super) fn opencl_integer(&mut self, number: u32, operands: &[u32]) -> Step<bool> {
        let ty = self.program.types.scalar(self.result_type())?.0;
        if !matches!(number, 141..=170 | 201..=204) {
            return Ok(false);
        }
        let bits = self.int_bits(ty)?;
        if bits > 64 {
            return Err("integers of more than 64 bits are not supported here".into());
        }
        self.lanes(operands, |body, values| body.integer(number, ty, bits, values))?;
        Ok(true)
    }

    fn integer(&mut self, number: u32, ty: u32, bits: u32, values: &[String]) -> Step<String> {
        let at = |place: usize| values.get(place).cloned().ok_or("an operand is missing");
        let (a, int) = (at(0)?, format!("i{bits}"));
        if let Some((_, order)) = CHOICES.iter().find(|(row, _)| *row == number) {
            return Ok(self.choose(order, &int, &a, &at(1)?));
        }
        if let Some((_, (name, signed, after))) = WIDENED.iter().find(|(row, _)| *row == number) {
            let (a, b) = (self.widened(&a, bits, *signed), self.widened(&at(1)?, bits, *signed));
            let wide = bits * 2;
            let both = self.new_value(format_args!("{name} i{wide} {a}, {b}"));
            return self.finish(&both, bits, *signed, *after);
        }
        Ok(match number {
            141 => {
                let negative = self.new_value(format_args!("sub {int} 0, {a}"));
                let below = self.new_value(format_args!("icmp slt {int} {a}, 0"));
                self.new_value(format_args!("select i1 {below}, {int} {negative}, {int} {a}"))
            }
            201 => a,
            142 | 202 => {
                let b = at(1)?;
                let order = if number == 142 { "sgt" } else { "ugt" };
                let above = self.new_value(format_args!("icmp {order} {int} {a}, {b}"));
                let one = self.new_value(format_args!("sub {int} {a}, {b}"));
                let other = self.new_value(format_args!("sub {int} {b}, {a}"));
                self.new_value(format_args!("select i1 {above}, {int} {one}, {int} {other}"))
            }
            149 | 150 => {
                let (more, less) = if number == 149 { ("sgt", "slt") } else { ("ugt", "ult") };
                let lower = self.choose(more, &int, &a, &at(1)?);
                self.choose(less, &int, &lower, &at(2)?)
            }
            151 | 152 => {
                let name = if number == 151 { "ctlz" } else { "cttz" };
                let function = format!("llvm.{name}.{int}");
                self.helpers.declare(&int, &function, &format!("{int}, i1"), "nounwind readnone");
                self.new_value(format_args!("call {int} @{function}({int} {a}, i1 false)"))
            }
            153 | 204 => {
                let signed = number == 153;
                let (wide_a, wide_b) = (self.widened(&a, bits, signed), self.widened(&at(1)?, bits, signed));
                let product = self.new_value(format_args!("mul i{} {wide_a}, {wide_b}", bits * 2));
                let high = self.finish(&product, bits, signed, After::High)?;
                self.new_value(format_args!("add {int} {high}, {}", at(2)?))
            }
            154 | 155 => {
                let signed = number == 155;
                let (wide_a, wide_b) = (self.widened(&a, bits, signed), self.widened(&at(1)?, bits, signed));
                let wide_c = self.widened(&at(2)?, bits, signed);
                // The product of the largest numbers and the largest summand still fit.
                let product = self.new_value(format_args!("mul i{} {wide_a}, {wide_b}", bits * 2));
                let sum = self.new_value(format_args!("add i{} {product}, {wide_c}", bits * 2));
                self.finish(&sum, bits, signed, if signed { After::Saturate } else { After::Ceiling })?
            }
            161 => {
                let b = at(1)?;
                let mask = bits - 1;
                let left = self.new_value(format_args!("and {int} {b}, {mask}"));
                let negative = self.new_value(format_args!("sub {int} 0, {b}"));
                let right = self.new_value(format_args!("and {int} {negative}, {mask}"));
                let high = self.new_value(format_args!("shl {int} {a}, {left}"));
                let low = self.new_value(format_args!("lshr {int} {a}, {right}"));
                self.new_value(format_args!("or {int} {high}, {low}"))
            }
            164 | 165 => {
                let half = bits / 2;
                let high = self.new_value(format_args!("zext i{half} {a} to {int}"));
                let low = self.new_value(format_args!("zext i{half} {} to {int}", at(1)?));
                let high = self.new_value(format_args!("shl {int} {high}, {half}"));
                self.new_value(format_args!("or {int} {high}, {low}"))
            }
            166 => self.bit_intrinsic("ctpop", ty, &[a])?,
            167 | 168 => {
                let product = self.new_value(format_args!("mul {int} {a}, {}", at(1)?));
                self.new_value(format_args!("add {int} {product}, {}", at(2)?))
            }
            169 | 170 => self.new_value(format_args!("mul {int} {a}, {}", at(1)?)),
            _ => return Err(format!("OpenCL.std instruction {number} is not supported on CUDA").into()),
        })
    }

    fn choose(&mut self, order: &str, int: &str, a: &str, b: &str) -> String {
        let first = self.new_value(format_args!("icmp {order} {int} {a}, {b}"));
        self.new_value(format_args!("select i1 {first}, {int} {a}, {int} {b}"))
    }

    /// An integer at twice its width.
    fn widened(&mut self, value: &str, bits: u32, signed: bool) -> String {
        let extend = if signed { "sext" } else { "zext" };
        self.new_value(format_args!("{extend} i{bits} {value} to i{}", bits * 2))
    }

    /// The result of a computation at twice the width.
    fn finish(&mut self, both: &str, bits: u32, signed: bool, after: After) -> Step<String> {
        let wide = bits * 2;
        let shift = if signed { "ashr" } else { "lshr" };
        let value = match after {
            After::High => self.new_value(format_args!("{shift} i{wide} {both}, {bits}")),
            After::Half => self.new_value(format_args!("{shift} i{wide} {both}, 1")),
            After::RoundedHalf => {
                let more = self.new_value(format_args!("add i{wide} {both}, 1"));
                self.new_value(format_args!("{shift} i{wide} {more}, 1"))
            }
            After::Saturate => {
                let (greatest, least) = ((1_u128 << (bits - 1)) - 1, 1_u128 << (bits - 1));
                let upper = self.choose("slt", &format!("i{wide}"), both, &greatest.to_string());
                self.choose("sgt", &format!("i{wide}"), &upper, &format!("-{least}"))
            }
            After::Ceiling => {
                self.choose("ult", &format!("i{wide}"), both, &((1_u128 << bits) - 1).to_string())
            }
            After::Floor => self.choose("sgt", &format!("i{wide}"), both, "0"),
        };
        Ok(self.new_value(format_args!("trunc i{wide} {value} to i{bits}")))
    }
}
