//! OpenCL.std on floating-point numbers, where it takes more than one function.

use super::common::constant;
use crate::code::body::{Body, emit};
use crate::error::Step;
use crate::types::Kind;

/// Functions of angles in half turns: libdevice's function, and how often it takes an operand.
const BY_PI: &[(u32, &str)] = &[(2, "acos"), (5, "asin"), (9, "atan"), (10, "atan2")];

impl Body<'_, '_> {
    /// Further functions of floating-point numbers. Answers whether the instruction is one.
    pub(super) fn opencl_float(&mut self, number: u32, operands: &[u32]) -> Step<bool> {
        let ty = self.program.types.scalar(self.result_type())?.0;
        if let Some((_, name)) = BY_PI.iter().find(|(row, _)| *row == number) {
            let (bits, text) = (self.float_bits(ty)?, self.text(ty)?.to_owned());
            let factor = constant(bits, std::f64::consts::FRAC_1_PI);
            self.lanes(operands, |body, values| {
                let angle = body.library(name, ty, values)?;
                Ok(body.new_value(format_args!("fmul {text} {angle}, {factor}")))
            })?;
            return Ok(true);
        }
        match number {
            13 => self.lanes(operands, |body, values| {
                let [size, sign] = values else { return Err("an operand is missing".into()) };
                body.with_sign(ty, size, sign)
            })?,
            30 | 31 | 36 | 45 | 52 | 58 => self.two_results(number, ty, operands)?,
            33 => self.lanes(operands, |body, values| body.with_integer("ilogb", values, None))?,
            34 => self.lanes(operands, |body, values| {
                let [a, n] = values else { return Err("an operand is missing".into()) };
                body.with_exponent("ldexp", ty, a, n)
            })?,
            43 | 44 => self.lanes(operands, |body, values| body.by_magnitude(number == 43, ty, values))?,
            46 => self.not_a_number(operands)?,
            47 => self.lanes(operands, |body, values| body.next_after(ty, values))?,
            49 => {
                let bits = self.float_bits(ty)?;
                self.lanes(operands, |body, values| body.integer_power(ty, bits, values))?;
            }
            50 | 75 | 89 => self.lanes(operands, |body, values| body.positive_power(ty, values))?,
            54 => self.lanes(operands, |body, values| body.root(ty, values))?,
            64 => self.lanes(operands, |body, values| {
                let (sine, cosine) = (body.library("sinpi", ty, values)?, body.library("cospi", ty, values)?);
                let text = body.text(ty)?.to_owned();
                Ok(body.new_value(format_args!("fdiv {text} {sine}, {cosine}")))
            })?,
            68 | 82 => self.lanes(operands, |body, values| {
                let [a, b] = values else { return Err("an operand is missing".into()) };
                let text = body.text(ty)?.to_owned();
                Ok(body.new_value(format_args!("fdiv {text} {a}, {b}")))
            })?,
            76 | 90 => {
                let one = constant(self.float_bits(ty)?, 1.0);
                self.lanes(operands, |body, values| {
                    let [a] = values else { return Err("an operand is missing".into()) };
                    let text = body.text(ty)?.to_owned();
                    Ok(body.new_value(format_args!("fdiv {text} {one}, {a}")))
                })?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// A number as `float` if it is a `half`: the spelling of the type, its suffix in libdevice, and the value.
    fn full(&mut self, ty: u32, value: &str) -> Step<(&'static str, &'static str, String)> {
        Ok(match *self.kind(ty)? {
            Kind::Float(16) => ("float", "f", self.new_value(format_args!("fpext half {value} to float"))),
            Kind::Float(32) => ("float", "f", value.to_owned()),
            Kind::Float(64) => ("double", "", value.to_owned()),
            _ => return Err("a floating-point number is expected".into()),
        })
    }

    /// A full result as a number of the type.
    fn back(&mut self, ty: u32, value: String) -> Step<String> {
        Ok(match *self.kind(ty)? {
            Kind::Float(16) => self.new_value(format_args!("fptrunc float {value} to half")),
            _ => value,
        })
    }

    /// A function from a floating-point number to an `i32`.
    fn with_integer(&mut self, name: &str, values: &[String], _more: Option<&str>) -> Step<String> {
        let [a] = values else { return Err("an operand is missing".into()) };
        let ty = self.program.types.scalar(self.type_of(self.operand(4))?)?.0;
        let (text, suffix, a) = self.full(ty, a)?;
        let function = format!("__nv_{name}{suffix}");
        self.helpers.library("i32", &function, text);
        Ok(self.new_value(format_args!("call i32 @{function}({text} {a})")))
    }

    /// A function of a floating-point number and an `i32`.
    fn with_exponent(&mut self, name: &str, ty: u32, a: &str, n: &str) -> Step<String> {
        let (text, suffix, a) = self.full(ty, a)?;
        let function = format!("__nv_{name}{suffix}");
        self.helpers.library(text, &function, &format!("{text}, i32"));
        let value = self.new_value(format_args!("call {text} @{function}({text} {a}, i32 {n})"));
        self.back(ty, value)
    }

    fn by_magnitude(&mut self, greater: bool, ty: u32, values: &[String]) -> Step<String> {
        let [a, b] = values else { return Err("an operand is missing".into()) };
        let text = self.text(ty)?.to_owned();
        let size_a = self.library("fabs", ty, std::slice::from_ref(a))?;
        let size_b = self.library("fabs", ty, std::slice::from_ref(b))?;
        let (name, order) = if greater { ("maxnum", "ogt") } else { ("minnum", "olt") };
        let both = self.intrinsic(name, ty, values)?;
        let first = self.new_value(format_args!("fcmp {order} {text} {size_a}, {size_b}"));
        let second = self.new_value(format_args!("fcmp {order} {text} {size_b}, {size_a}"));
        let other = self.new_value(format_args!("select i1 {second}, {text} {b}, {text} {both}"));
        Ok(self.new_value(format_args!("select i1 {first}, {text} {a}, {text} {other}")))
    }

    fn not_a_number(&mut self, operands: &[u32]) -> Step {
        let ty = self.program.types.scalar(self.result_type())?.0;
        let (bits, text) = (self.float_bits(ty)?, self.text(ty)?.to_owned());
        let quiet: u64 = match bits {
            16 => 0x7e00,
            32 => 0x7fc0_0000,
            _ => 0x7ff8_0000_0000_0000,
        };
        self.lanes(operands, |body, values| {
            let [payload] = values else { return Err("an operand is missing".into()) };
            let raw = body.new_value(format_args!("or i{bits} {payload}, {quiet}"));
            Ok(body.new_value(format_args!("bitcast i{bits} {raw} to {text}")))
        })
    }

    /// The next number towards another; of `half` found among its own bits.
    fn next_after(&mut self, ty: u32, values: &[String]) -> Step<String> {
        let ([a, b], Kind::Float(16)) = (values, self.kind(ty)?) else {
            return self.library("nextafter", ty, values);
        };
        let raw = self.new_value(format_args!("bitcast half {a} to i16"));
        let size = self.new_value(format_args!("and i16 {raw}, 32767"));
        let zero = self.new_value(format_args!("icmp eq i16 {size}, 0"));
        let up = self.new_value(format_args!("fcmp olt half {a}, {b}"));
        let negative = self.new_value(format_args!("icmp slt i16 {raw}, 0"));
        let away = self.new_value(format_args!("xor i1 {up}, {negative}"));
        let step = self.new_value(format_args!("select i1 {away}, i16 1, i16 -1"));
        let next = self.new_value(format_args!("add i16 {raw}, {step}"));
        let least = self.new_value(format_args!("select i1 {up}, i16 1, i16 -32767"));
        let moved = self.new_value(format_args!("select i1 {zero}, i16 {least}, i16 {next}"));
        let moved = self.new_value(format_args!("bitcast i16 {moved} to half"));
        let same = self.new_value(format_args!("fcmp oeq half {a}, {b}"));
        let equal = self.new_value(format_args!("select i1 {same}, half {b}, half {moved}"));
        let none = self.new_value(format_args!("fcmp uno half {a}, {b}"));
        let sum = self.new_value(format_args!("fadd half {a}, {b}"));
        Ok(self.new_value(format_args!("select i1 {none}, half {sum}, half {equal}")))
    }

    /// A power with an integer exponent, computed in `double`, where every exponent is exact.
    fn integer_power(&mut self, ty: u32, bits: u32, values: &[String]) -> Step<String> {
        let [a, n] = values else { return Err("an operand is missing".into()) };
        let text = self.text(ty)?.to_owned();
        let n = self.new_value(format_args!("sitofp i32 {n} to double"));
        let a =
            if bits < 64 { self.new_value(format_args!("fpext {text} {a} to double")) } else { a.clone() };
        self.helpers.library("double", "__nv_pow", "double, double");
        let value = self.new_value(format_args!("call double @__nv_pow(double {a}, double {n})"));
        Ok(if bits < 64 { self.new_value(format_args!("fptrunc double {value} to {text}")) } else { value })
    }

    /// A power of a number that is not negative: what is below 0 gives no number, as does 1 to the power of infinity.
    fn positive_power(&mut self, ty: u32, values: &[String]) -> Step<String> {
        let [a, b] = values else { return Err("an operand is missing".into()) };
        let (bits, text) = (self.float_bits(ty)?, self.text(ty)?.to_owned());
        let power = self.library("pow", ty, values)?;
        let (zero, one) = (constant(bits, 0.0), constant(bits, 1.0));
        let (infinite, none) = (constant(bits, f64::INFINITY), self.quiet(bits));
        let size_b = self.library("fabs", ty, std::slice::from_ref(b))?;
        let size_a = self.library("fabs", ty, std::slice::from_ref(a))?;
        let negative = self.new_value(format_args!("fcmp olt {text} {a}, {zero}"));
        let is_one = self.new_value(format_args!("fcmp oeq {text} {a}, {one}"));
        let b_infinite = self.new_value(format_args!("fcmp oeq {text} {size_b}, {infinite}"));
        let b_none = self.new_value(format_args!("fcmp uno {text} {b}, {b}"));
        let b_odd = self.new_value(format_args!("or i1 {b_infinite}, {b_none}"));
        let first = self.new_value(format_args!("and i1 {is_one}, {b_odd}"));
        let b_zero = self.new_value(format_args!("fcmp oeq {text} {b}, {zero}"));
        let a_zero = self.new_value(format_args!("fcmp oeq {text} {a}, {zero}"));
        let a_infinite = self.new_value(format_args!("fcmp oeq {text} {size_a}, {infinite}"));
        let a_none = self.new_value(format_args!("fcmp uno {text} {a}, {a}"));
        let edge = self.new_value(format_args!("or i1 {a_zero}, {a_infinite}"));
        let edge = self.new_value(format_args!("or i1 {edge}, {a_none}"));
        let second = self.new_value(format_args!("and i1 {b_zero}, {edge}"));
        let wrong = self.new_value(format_args!("or i1 {first}, {second}"));
        let wrong = self.new_value(format_args!("or i1 {wrong}, {negative}"));
        // A zero has no sign here.
        let size = self.library("fabs", ty, &[power])?;
        Ok(self.new_value(format_args!("select i1 {wrong}, {text} {none}, {text} {size}")))
    }

    /// A number with the sign of another. libnvvm's verifier refuses `copysign`, and so libdevice's function, which calls it.
    pub(super) fn with_sign(&mut self, ty: u32, size: &str, sign: &str) -> Step<String> {
        let (bits, text) = (self.float_bits(ty)?, self.text(ty)?.to_owned());
        Ok(self.with_sign_bit(&text, bits, size, sign))
    }

    fn with_sign_bit(&mut self, text: &str, bits: u32, size: &str, sign: &str) -> String {
        let (highest, others) = (1_u64 << (bits - 1), (1_u64 << (bits - 1)) - 1);
        let size = self.new_value(format_args!("bitcast {text} {size} to i{bits}"));
        let sign = self.new_value(format_args!("bitcast {text} {sign} to i{bits}"));
        let size = self.new_value(format_args!("and i{bits} {size}, {others}"));
        let sign = self.new_value(format_args!("and i{bits} {sign}, {highest}"));
        let both = self.new_value(format_args!("or i{bits} {size}, {sign}"));
        self.new_value(format_args!("bitcast i{bits} {both} to {text}"))
    }

    fn quiet(&self, bits: u32) -> String {
        let raw = match bits {
            16 => 0x7e00,
            32 => 0x7fc0_0000,
            _ => 0x7ff8_0000_0000_0000,
        };
        crate::constants::float(bits, raw)
    }

    /// A root: odd ones of a negative number are negative, even ones are no number.
    fn root(&mut self, ty: u32, values: &[String]) -> Step<String> {
        let [a, n] = values else { return Err("an operand is missing".into()) };
        let (bits, text) = (self.float_bits(ty)?, self.text(ty)?.to_owned());
        let wide =
            if bits < 64 { self.new_value(format_args!("fpext {text} {a} to double")) } else { a.clone() };
        self.helpers.library("double", "__nv_pow", "double, double");
        self.helpers.library("double", "__nv_fabs", "double");
        let (one, zero, none) = (constant(64, 1.0), constant(64, 0.0), self.quiet(64));
        let size = self.new_value(format_args!("call double @__nv_fabs(double {wide})"));
        let degree = self.new_value(format_args!("sitofp i32 {n} to double"));
        let exponent = self.new_value(format_args!("fdiv double {one}, {degree}"));
        let power = self.new_value(format_args!("call double @__nv_pow(double {size}, double {exponent})"));
        let signed = self.with_sign_bit("double", 64, &power, &wide);
        let odd = self.new_value(format_args!("trunc i32 {n} to i1"));
        let chosen = self.new_value(format_args!("select i1 {odd}, double {signed}, double {power}"));
        let negative = self.new_value(format_args!("fcmp olt double {wide}, {zero}"));
        let even = self.new_value(format_args!("xor i1 {odd}, true"));
        let impossible = self.new_value(format_args!("and i1 {negative}, {even}"));
        let no_degree = self.new_value(format_args!("icmp eq i32 {n}, 0"));
        let wrong = self.new_value(format_args!("or i1 {impossible}, {no_degree}"));
        let value = self.new_value(format_args!("select i1 {wrong}, double {none}, double {chosen}"));
        Ok(if bits < 64 { self.new_value(format_args!("fptrunc double {value} to {text}")) } else { value })
    }

    /// Functions that write a second result to memory.
    fn two_results(&mut self, number: u32, ty: u32, operands: &[u32]) -> Step {
        let pointer = operands.last().copied().unwrap_or(0);
        let (space, pointee) = self.program.types.pointer(self.type_of(pointer)?)?;
        let (second, count) = self.program.types.scalar(pointee)?;
        if count != self.program.types.scalar(self.result_type())?.1 {
            return Err("the two results have different numbers of scalars".into());
        }
        let second_text = self.text(second)?.to_owned();
        let place =
            if space == 0 { format!("{second_text}*") } else { format!("{second_text} addrspace({space})*") };
        let typed = self.typed(pointer)?;
        let base = self.new_value(format_args!("bitcast {typed} to {place}"));
        let mut lane = 0_u32;
        let inputs = operands.split_last().map(|(_, rest)| rest).unwrap_or_default();
        self.lanes(inputs, |body, values| {
            let (first, other) = body.both(number, ty, second, values)?;
            let address =
                body.new_value(format_args!("getelementptr {second_text}, {place} {base}, i32 {lane}"));
            emit!(body, "store {second_text} {other}, {place} {address}");
            lane += 1;
            Ok(first)
        })
    }

    /// Both results of a function.
    fn both(&mut self, number: u32, ty: u32, second: u32, values: &[String]) -> Step<(String, String)> {
        let [a, ..] = values else { return Err("an operand is missing".into()) };
        let text = self.text(ty)?.to_owned();
        match number {
            58 => Ok((self.library("sin", ty, values)?, self.library("cos", ty, values)?)),
            30 => {
                let bits = self.float_bits(ty)?;
                let below_one = match bits {
                    16 => crate::constants::float(16, 0x3bff),
                    32 => crate::constants::float(32, 0x3f7f_ffff),
                    _ => crate::constants::float(64, 0x3fef_ffff_ffff_ffff),
                };
                let floor = self.intrinsic("floor", ty, std::slice::from_ref(a))?;
                let rest = self.new_value(format_args!("fsub {text} {a}, {floor}"));
                let least = self.intrinsic("minnum", ty, &[rest.clone(), below_one])?;
                // Zeros and infinities, whose rest is no number, give a zero of their sign; other whole numbers give +0.
                let zero = constant(bits, 0.0);
                let is_zero = self.new_value(format_args!("fcmp oeq {text} {a}, {zero}"));
                let is_infinite = self.new_value(format_args!("fcmp uno {text} {rest}, {rest}"));
                let is_signed = self.new_value(format_args!("or i1 {is_zero}, {is_infinite}"));
                let zero = self.with_sign(ty, &zero, a)?;
                let part =
                    self.new_value(format_args!("select i1 {is_signed}, {text} {zero}, {text} {least}"));
                let none = self.new_value(format_args!("fcmp uno {text} {a}, {a}"));
                Ok((self.new_value(format_args!("select i1 {none}, {text} {a}, {text} {part}")), floor))
            }
            36 => {
                let gamma = self.library("lgamma", ty, values)?;
                let (zero, half) = (constant(self.float_bits(ty)?, 0.0), constant(self.float_bits(ty)?, 0.5));
                let floor = self.intrinsic("floor", ty, std::slice::from_ref(a))?;
                let halved = self.new_value(format_args!("fmul {text} {floor}, {half}"));
                let even = self.intrinsic("floor", ty, std::slice::from_ref(&halved))?;
                let odd = self.new_value(format_args!("fcmp one {text} {even}, {halved}"));
                let below = self.new_value(format_args!("fcmp olt {text} {a}, {zero}"));
                let negative = self.new_value(format_args!("and i1 {odd}, {below}"));
                Ok((gamma, self.new_value(format_args!("select i1 {negative}, i32 -1, i32 1"))))
            }
            _ => self.through_memory(number, ty, second, values),
        }
    }

    /// Both results of a function of libdevice that writes the second one to memory.
    fn through_memory(
        &mut self,
        number: u32,
        ty: u32,
        second: u32,
        values: &[String],
    ) -> Step<(String, String)> {
        let name = match number {
            31 => "frexp",
            45 => "modf",
            _ => "remquo",
        };
        let mut arguments = Vec::new();
        let (mut text, mut suffix) = ("", "");
        for value in values {
            let (full, ending, value) = self.full(ty, value)?;
            (text, suffix) = (full, ending);
            arguments.push(format!("{full} {value}"));
        }
        let place = if number == 45 { text } else { "i32" };
        let function = format!("__nv_{name}{suffix}");
        let types = vec![text; values.len()].join(", ");
        self.helpers.library(text, &function, &format!("{types}, {place}*"));
        let helper = format!("__spirv_{name}_{text}");
        // The memory is in a function of its own, so that a loop does not take more and more of it.
        self.helpers.define(&helper, |_| {
            let parameters: Vec<String> = (0..values.len()).map(|at| format!("{text} %x{at}")).collect();
            let parameters = parameters.join(", ");
            format!(
                "define internal {{ {text}, {place} }} @{helper}({parameters}) alwaysinline nounwind {{\n  \
                 %p = alloca {place}, align 8\n  %a = call {text} @{function}({parameters}, {place}* %p)\n  \
                 %b = load {place}, {place}* %p\n  %c = insertvalue {{ {text}, {place} }} undef, {text} %a, 0\n  \
                 %d = insertvalue {{ {text}, {place} }} %c, {place} %b, 1\n  ret {{ {text}, {place} }} %d\n}}\n"
            )
        });
        let pair = format!("{{ {text}, {place} }}");
        let both = self.new_value(format_args!("call {pair} @{helper}({})", arguments.join(", ")));
        let first = self.new_value(format_args!("extractvalue {pair} {both}, 0"));
        let other = self.new_value(format_args!("extractvalue {pair} {both}, 1"));
        let first = self.back(ty, first)?;
        let other = if number == 45 { self.back(second, other)? } else { other };
        Ok((first, other))
    }
}
