//! OpenCL.std's common functions (clamp, mix, step, sign), and the functions that select bits and values.

use super::{ScalarType, operands_of};
use crate::code::body::Body;
use crate::constants::float;
use crate::error::Result;
use crate::types::TypeKind;

/// The exponents of half's normal numbers, -14 to 15, as stored in a `float`.
const LEAST_OF_HALF: u32 = 127 - 14;
const GREATEST_OF_HALF: u32 = 127 + 15;

/// Returns a constant of a floating-point type with this many bits, rounded for `half` and `float`.
pub(super) fn constant(bits: u32, value: f64) -> String {
    match bits {
        16 => {
            // All constants in use are exact in 11 bits, or accurate enough when rounded to them.
            let raw = (value as f32).to_bits();
            let (sign, exponent, mantissa) = (raw >> 31, (raw >> 23) & 0xff, raw & 0x7f_ffff);
            let half = if exponent < LEAST_OF_HALF {
                0
            } else if exponent > GREATEST_OF_HALF {
                0x7c00
            } else {
                (((exponent - LEAST_OF_HALF + 1) << 10) | (mantissa >> 13)) + ((mantissa >> 12) & 1)
            };
            float(16, u64::from(sign << 15 | half))
        }
        32 => float(32, u64::from((value as f32).to_bits())),
        _ => float(64, value.to_bits()),
    }
}

impl Body<'_, '_> {
    /// Multiplies by a constant.
    pub(super) fn scaled(&mut self, factor: f64, operands: &[u32]) -> Result<()> {
        self.each_float(operands, |body, scalar, values| {
            let ([a], text) = (operands_of(values)?, &scalar.text);
            Ok(body.new_value(format_args!("fmul {text} {a}, {}", constant(scalar.bits, factor))))
        })
    }

    pub(super) fn clamp(&mut self, scalar: &ScalarType, values: &[String]) -> Result<String> {
        let [value, least, greatest] = operands_of(values)?;
        let lower = self.intrinsic("maxnum", scalar.ty, &[value.to_owned(), least.to_owned()])?;
        self.intrinsic("minnum", scalar.ty, &[lower, greatest.to_owned()])
    }

    pub(super) fn mix(&mut self, scalar: &ScalarType, values: &[String]) -> Result<String> {
        let ([a, b, share], text) = (operands_of(values)?, &scalar.text);
        let difference = self.new_value(format_args!("fsub {text} {b}, {a}"));
        let part = self.new_value(format_args!("fmul {text} {difference}, {share}"));
        Ok(self.new_value(format_args!("fadd {text} {a}, {part}")))
    }

    pub(super) fn step(&mut self, scalar: &ScalarType, values: &[String]) -> Result<String> {
        let ([edge, value], text) = (operands_of(values)?, &scalar.text);
        let (zero, one) = (constant(scalar.bits, 0.0), constant(scalar.bits, 1.0));
        let below = self.new_value(format_args!("fcmp olt {text} {value}, {edge}"));
        Ok(self.new_value(format_args!("select i1 {below}, {text} {zero}, {text} {one}")))
    }

    pub(super) fn smoothstep(&mut self, scalar: &ScalarType, values: &[String]) -> Result<String> {
        let ([first, last, value], text) = (operands_of(values)?, &scalar.text);
        let number = |value: f64| constant(scalar.bits, value);
        let over = self.new_value(format_args!("fsub {text} {value}, {first}"));
        let range = self.new_value(format_args!("fsub {text} {last}, {first}"));
        let part = self.new_value(format_args!("fdiv {text} {over}, {range}"));
        let lower = self.intrinsic("maxnum", scalar.ty, &[part, number(0.0)])?;
        let part = self.intrinsic("minnum", scalar.ty, &[lower, number(1.0)])?;
        let double = self.new_value(format_args!("fmul {text} {part}, {}", number(2.0)));
        let rest = self.new_value(format_args!("fsub {text} {}, {double}", number(3.0)));
        let square = self.new_value(format_args!("fmul {text} {part}, {part}"));
        Ok(self.new_value(format_args!("fmul {text} {square}, {rest}")))
    }

    /// Returns the sign. A zero keeps its sign, and NaN gives 0.
    pub(super) fn sign(&mut self, scalar: &ScalarType, values: &[String]) -> Result<String> {
        let ([a], text) = (operands_of(values)?, &scalar.text);
        let [zero, one, minus_one] = [0.0, 1.0, -1.0].map(|value| constant(scalar.bits, value));
        let above = self.new_value(format_args!("fcmp ogt {text} {a}, {zero}"));
        let below = self.new_value(format_args!("fcmp olt {text} {a}, {zero}"));
        let none = self.none(text, a);
        let other = self.new_value(format_args!("select i1 {none}, {text} {zero}, {text} {a}"));
        let low = self.new_value(format_args!("select i1 {below}, {text} {minus_one}, {text} {other}"));
        Ok(self.new_value(format_args!("select i1 {above}, {text} {one}, {text} {low}")))
    }

    pub(super) fn bitselect(&mut self, operands: &[u32]) -> Result<()> {
        let ty = self.program.types.scalar(self.result_type())?.0;
        self.lanes(operands, |body, values| {
            let [a, b, mask] = operands_of(values)?;
            let text = body.type_text(ty)?.to_owned();
            let bits = match *body.kind(ty)? {
                TypeKind::Int(bits) | TypeKind::Float(bits) => bits,
                _ => return Err("a number is expected".into()),
            };
            let mut raw = |value: &str| body.new_value(format_args!("bitcast {text} {value} to i{bits}"));
            let (a, b, mask) = (raw(a), raw(b), raw(mask));
            let differ = body.new_value(format_args!("xor i{bits} {a}, {b}"));
            let taken = body.new_value(format_args!("and i{bits} {differ}, {mask}"));
            let all = body.new_value(format_args!("xor i{bits} {a}, {taken}"));
            Ok(body.new_value(format_args!("bitcast i{bits} {all} to {text}")))
        })
    }

    pub(super) fn opencl_select(&mut self, operands: &[u32]) -> Result<()> {
        let ty = self.program.types.scalar(self.result_type())?.0;
        self.lanes(operands, |body, values| {
            let [a, b, condition] = operands_of(values)?;
            let text = body.type_text(ty)?.to_owned();
            let condition_type = body.type_of(operands.get(2).copied().unwrap_or(0))?;
            let (element, count) = body.program.types.scalar(condition_type)?;
            let integer = body.type_text(element)?.to_owned();
            body.int_bits(element)?;
            // For a vector the highest bit decides, for a scalar any bit.
            let order = if count.is_some() { "slt" } else { "ne" };
            let is_second = body.new_value(format_args!("icmp {order} {integer} {condition}, 0"));
            Ok(body.new_value(format_args!("select i1 {is_second}, {text} {b}, {text} {a}")))
        })
    }
}
