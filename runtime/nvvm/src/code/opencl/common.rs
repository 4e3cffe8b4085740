//! OpenCL.std's common functions: clamp, mix, step, sign; and what selects bits and values.

use crate::code::body::Body;
use crate::constants::float;
use crate::error::Step;
use crate::types::Kind;

/// A constant of a floating-point type of so many bits; `half` and `float` get it rounded.
pub(super) fn constant(bits: u32, value: f64) -> String {
    match bits {
        16 => {
            // Only constants that are exact in 11 bits, or good enough rounded to them, are used.
            let raw = (value as f32).to_bits();
            let (sign, exponent, mantissa) = (raw >> 31, (raw >> 23) & 0xff, raw & 0x7f_ffff);
            let half = match exponent {
                0..113 => 0,
                143.. => 0x7c00,
                _ => (((exponent - 112) << 10) | (mantissa >> 13)) + ((mantissa >> 12) & 1),
            };
            float(16, u64::from(sign << 15 | half))
        }
        32 => float(32, u64::from((value as f32).to_bits())),
        _ => float(64, value.to_bits()),
    }
}

impl Body<'_, '_> {
    /// Common functions. Answers whether the instruction is one.
    pub(super) fn opencl_common(&mut self, number: u32, operands: &[u32]) -> Step<bool> {
        if !matches!(number, 95 | 96 | 99..=103 | 186 | 187) {
            return Ok(false);
        }
        let ty = self.program.types.scalar(self.result_type())?.0;
        if matches!(number, 186 | 187) {
            self.lanes(operands, |body, values| body.select_bits(number, ty, values))?;
            return Ok(true);
        }
        let bits = self.float_bits(ty)?;
        self.lanes(operands, |body, values| body.common(number, ty, bits, values))?;
        Ok(true)
    }

    fn common(&mut self, number: u32, ty: u32, bits: u32, values: &[String]) -> Step<String> {
        let at = |place: usize| values.get(place).cloned().ok_or("an operand is missing");
        let (a, text) = (at(0)?, self.text(ty)?.to_owned());
        let number_of = |value: f64| constant(bits, value);
        Ok(match number {
            95 => {
                let lower = self.intrinsic("maxnum", ty, &[a, at(1)?])?;
                self.intrinsic("minnum", ty, &[lower, at(2)?])?
            }
            96 => {
                self.new_value(format_args!("fmul {text} {a}, {}", number_of(180.0 / std::f64::consts::PI)))
            }
            100 => {
                self.new_value(format_args!("fmul {text} {a}, {}", number_of(std::f64::consts::PI / 180.0)))
            }
            99 => {
                let difference = self.new_value(format_args!("fsub {text} {}, {a}", at(1)?));
                let part = self.new_value(format_args!("fmul {text} {difference}, {}", at(2)?));
                self.new_value(format_args!("fadd {text} {a}, {part}"))
            }
            101 => {
                let below = self.new_value(format_args!("fcmp olt {text} {}, {a}", at(1)?));
                self.new_value(format_args!(
                    "select i1 {below}, {text} {}, {text} {}",
                    number_of(0.0),
                    number_of(1.0)
                ))
            }
            102 => {
                let (b, x) = (at(1)?, at(2)?);
                let over = self.new_value(format_args!("fsub {text} {x}, {a}"));
                let range = self.new_value(format_args!("fsub {text} {b}, {a}"));
                let part = self.new_value(format_args!("fdiv {text} {over}, {range}"));
                let lower = self.intrinsic("maxnum", ty, &[part, number_of(0.0)])?;
                let t = self.intrinsic("minnum", ty, &[lower, number_of(1.0)])?;
                let double = self.new_value(format_args!("fmul {text} {t}, {}", number_of(2.0)));
                let rest = self.new_value(format_args!("fsub {text} {}, {double}", number_of(3.0)));
                let square = self.new_value(format_args!("fmul {text} {t}, {t}"));
                self.new_value(format_args!("fmul {text} {square}, {rest}"))
            }
            _ => {
                // The sign of a zero stays, and what is no number gives 0.
                let above = self.new_value(format_args!("fcmp ogt {text} {a}, {}", number_of(0.0)));
                let below = self.new_value(format_args!("fcmp olt {text} {a}, {}", number_of(0.0)));
                let none = self.new_value(format_args!("fcmp uno {text} {a}, {a}"));
                let other =
                    self.new_value(format_args!("select i1 {none}, {text} {}, {text} {a}", number_of(0.0)));
                let low = self
                    .new_value(format_args!("select i1 {below}, {text} {}, {text} {other}", number_of(-1.0)));
                self.new_value(format_args!("select i1 {above}, {text} {}, {text} {low}", number_of(1.0)))
            }
        })
    }

    fn select_bits(&mut self, number: u32, ty: u32, values: &[String]) -> Step<String> {
        let [a, b, c] = values else { return Err("an operand is missing".into()) };
        let text = self.text(ty)?.to_owned();
        let condition = self.operand(6);
        if number == 187 {
            let (element, count) = self.program.types.scalar(self.type_of(condition)?)?;
            let int = self.text(element)?.to_owned();
            self.int_bits(element)?;
            // Of a vector the highest bit decides, of a scalar any bit.
            let order = if count.is_some() { "slt" } else { "ne" };
            let is = self.new_value(format_args!("icmp {order} {int} {c}, 0"));
            return Ok(self.new_value(format_args!("select i1 {is}, {text} {b}, {text} {a}")));
        }
        let bits = match *self.kind(ty)? {
            Kind::Int(bits) | Kind::Float(bits) => bits,
            _ => return Err("a number is expected".into()),
        };
        let mut raw = |value: &str| self.new_value(format_args!("bitcast {text} {value} to i{bits}"));
        let (a, b, c) = (raw(a), raw(b), raw(c));
        let differ = self.new_value(format_args!("xor i{bits} {a}, {b}"));
        let taken = self.new_value(format_args!("and i{bits} {differ}, {c}"));
        let all = self.new_value(format_args!("xor i{bits} {a}, {taken}"));
        Ok(self.new_value(format_args!("bitcast i{bits} {all} to {text}")))
    }
}
