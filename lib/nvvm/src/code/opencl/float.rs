//! OpenCL.std's functions on floating-point numbers that need more than one function.

use super::common::constant;
use super::operands_of;
use crate::code::body::Body;
use crate::constants::float;
use crate::error::Result;
use crate::types::TypeKind;

/// Returns the bits of the quiet NaN of a type with this many bits.
fn quiet_nan(bits: u32) -> u64 {
    match bits {
        16 => 0x7e00,
        32 => 0x7fc0_0000,
        _ => 0x7ff8_0000_0000_0000,
    }
}

impl Body<'_, '_> {
    /// Calls a function of libdevice whose angles are in half turns.
    pub(super) fn in_half_turns(&mut self, name: &str, operands: &[u32]) -> Result<()> {
        self.each_float(operands, |body, scalar, values| {
            let factor = constant(scalar.bits, std::f64::consts::FRAC_1_PI);
            let (angle, text) = (body.call_libdevice(name, scalar.ty, values)?, &scalar.text);
            Ok(body.new_value(format_args!("fmul {text} {angle}, {factor}")))
        })
    }

    pub(super) fn tangent_of_half_turns(&mut self, operands: &[u32]) -> Result<()> {
        self.each_float(operands, |body, scalar, values| {
            let sine = body.call_libdevice("sinpi", scalar.ty, values)?;
            let cosine = body.call_libdevice("cospi", scalar.ty, values)?;
            Ok(body.new_value(format_args!("fdiv {} {sine}, {cosine}", scalar.text)))
        })
    }

    pub(super) fn copy_sign(&mut self, operands: &[u32]) -> Result<()> {
        let ty = self.program.types.scalar(self.result_type())?.0;
        self.lanes(operands, |body, values| {
            let [size, sign] = operands_of(values)?;
            body.with_sign(ty, size, sign)
        })
    }

    pub(super) fn divide(&mut self, operands: &[u32]) -> Result<()> {
        let ty = self.program.types.scalar(self.result_type())?.0;
        self.lanes(operands, |body, values| {
            let ([a, b], text) = (operands_of(values)?, body.type_text(ty)?.to_owned());
            Ok(body.new_value(format_args!("fdiv {text} {a}, {b}")))
        })
    }

    pub(super) fn reciprocal(&mut self, operands: &[u32]) -> Result<()> {
        self.each_float(operands, |body, scalar, values| {
            let ([a], one, text) = (operands_of(values)?, constant(scalar.bits, 1.0), &scalar.text);
            Ok(body.new_value(format_args!("fdiv {text} {one}, {a}")))
        })
    }

    /// Widens a `half` to `float`: returns the spelling of the type, its suffix in libdevice, and the value.
    pub(super) fn full(&mut self, ty: u32, value: &str) -> Result<(&'static str, &'static str, String)> {
        Ok(match *self.kind(ty)? {
            TypeKind::Float(16) => {
                ("float", "f", self.new_value(format_args!("fpext half {value} to float")))
            }
            TypeKind::Float(32) => ("float", "f", value.to_owned()),
            TypeKind::Float(64) => ("double", "", value.to_owned()),
            _ => return Err("a floating-point number is expected".into()),
        })
    }

    /// Converts a widened result back to the type.
    pub(super) fn back(&mut self, ty: u32, value: String) -> Result<String> {
        Ok(match *self.kind(ty)? {
            TypeKind::Float(16) => self.new_value(format_args!("fptrunc float {value} to half")),
            _ => value,
        })
    }

    /// Returns the binary exponent as an `i32`. For NaN this is the headers' `FP_ILOGBNAN`, the greatest `i32`;
    /// libdevice returns the least `i32`, which is `FP_ILOGB0`.
    pub(super) fn exponent(&mut self, operands: &[u32]) -> Result<()> {
        self.lanes(operands, |body, values| {
            let [a] = operands_of(values)?;
            let ty = body.program.types.scalar(body.type_of(operands.first().copied().unwrap_or(0))?)?.0;
            let (text, suffix, a) = body.full(ty, a)?;
            let function = body.helpers.declare_libdevice("i32", &format!("ilogb{suffix}"), text);
            let exponent = body.new_value(format_args!("call i32 @{function}({text} {a})"));
            let none = body.none(text, &a);
            Ok(body.new_value(format_args!("select i1 {none}, i32 {}, i32 {exponent}", i32::MAX)))
        })
    }

    /// Multiplies a number by a power of two, whose exponent is an `i32`.
    pub(super) fn scale_by_power_of_two(&mut self, operands: &[u32]) -> Result<()> {
        let ty = self.program.types.scalar(self.result_type())?.0;
        self.lanes(operands, |body, values| {
            let [a, exponent] = operands_of(values)?;
            let (text, suffix, a) = body.full(ty, a)?;
            let (name, parameters) = (format!("ldexp{suffix}"), format!("{text}, i32"));
            let function = body.helpers.declare_libdevice(text, &name, &parameters);
            let value = body.new_value(format_args!("call {text} @{function}({text} {a}, i32 {exponent})"));
            body.back(ty, value)
        })
    }

    /// Chooses the number by comparing absolute values, and uses LLVM's intrinsic if both are equal.
    pub(super) fn by_magnitude(&mut self, equal: &str, order: &str, operands: &[u32]) -> Result<()> {
        let ty = self.program.types.scalar(self.result_type())?.0;
        self.lanes(operands, |body, values| body.chosen_by_magnitude(equal, order, ty, values))
    }

    fn chosen_by_magnitude(
        &mut self,
        equal: &str,
        order: &str,
        ty: u32,
        values: &[String],
    ) -> Result<String> {
        let [a, b] = values else { return Err("an operand is missing".into()) };
        let text = self.type_text(ty)?.to_owned();
        let size_a = self.call_libdevice("fabs", ty, std::slice::from_ref(a))?;
        let size_b = self.call_libdevice("fabs", ty, std::slice::from_ref(b))?;
        let both = self.intrinsic(equal, ty, values)?;
        let first = self.new_value(format_args!("fcmp {order} {text} {size_a}, {size_b}"));
        let second = self.new_value(format_args!("fcmp {order} {text} {size_b}, {size_a}"));
        let other = self.new_value(format_args!("select i1 {second}, {text} {b}, {text} {both}"));
        Ok(self.new_value(format_args!("select i1 {first}, {text} {a}, {text} {other}")))
    }

    pub(super) fn not_a_number(&mut self, operands: &[u32]) -> Result<()> {
        let ty = self.program.types.scalar(self.result_type())?.0;
        let (bits, text) = (self.float_bits(ty)?, self.type_text(ty)?.to_owned());
        let quiet = quiet_nan(bits);
        self.lanes(operands, |body, values| {
            let [payload] = values else { return Err("an operand is missing".into()) };
            let raw = body.new_value(format_args!("or i{bits} {payload}, {quiet}"));
            Ok(body.new_value(format_args!("bitcast i{bits} {raw} to {text}")))
        })
    }

    pub(super) fn next_after(&mut self, operands: &[u32]) -> Result<()> {
        let ty = self.program.types.scalar(self.result_type())?.0;
        self.lanes(operands, |body, values| body.next_towards(ty, values))
    }

    /// Returns the next number towards another; for `half`, it is computed from the bits.
    fn next_towards(&mut self, ty: u32, values: &[String]) -> Result<String> {
        let ([a, b], TypeKind::Float(16)) = (values, self.kind(ty)?) else {
            return self.call_libdevice("nextafter", ty, values);
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

    /// Computes a power with an integer exponent, in `double`, which represents every exponent exactly.
    pub(super) fn integer_power(&mut self, operands: &[u32]) -> Result<()> {
        self.each_float(operands, |body, scalar, values| {
            let ([a, n], text, is_double) = (operands_of(values)?, &scalar.text, scalar.bits == 64);
            let n = body.new_value(format_args!("sitofp i32 {n} to double"));
            let a = match is_double {
                true => a.to_owned(),
                false => body.new_value(format_args!("fpext {text} {a} to double")),
            };
            let pow = body.helpers.declare_libdevice("double", "pow", "double, double");
            let value = body.new_value(format_args!("call double @{pow}(double {a}, double {n})"));
            Ok(match is_double {
                true => value,
                false => body.new_value(format_args!("fptrunc double {value} to {text}")),
            })
        })
    }

    pub(super) fn positive_power(&mut self, operands: &[u32]) -> Result<()> {
        let ty = self.program.types.scalar(self.result_type())?.0;
        self.lanes(operands, |body, values| body.power(ty, values))
    }

    /// Computes a power of a nonnegative number: a negative base gives NaN, as does 1 to the power of infinity.
    fn power(&mut self, ty: u32, values: &[String]) -> Result<String> {
        let [a, b] = values else { return Err("an operand is missing".into()) };
        let (bits, text) = (self.float_bits(ty)?, self.type_text(ty)?.to_owned());
        let power = self.call_libdevice("pow", ty, values)?;
        let (zero, one) = (constant(bits, 0.0), constant(bits, 1.0));
        let (infinite, none) = (constant(bits, f64::INFINITY), float(bits, quiet_nan(bits)));
        let size_b = self.call_libdevice("fabs", ty, std::slice::from_ref(b))?;
        let size_a = self.call_libdevice("fabs", ty, std::slice::from_ref(a))?;
        let negative = self.new_value(format_args!("fcmp olt {text} {a}, {zero}"));
        let is_one = self.new_value(format_args!("fcmp oeq {text} {a}, {one}"));
        let b_infinite = self.new_value(format_args!("fcmp oeq {text} {size_b}, {infinite}"));
        let b_none = self.none(&text, b);
        let b_odd = self.new_value(format_args!("or i1 {b_infinite}, {b_none}"));
        let first = self.new_value(format_args!("and i1 {is_one}, {b_odd}"));
        let b_zero = self.new_value(format_args!("fcmp oeq {text} {b}, {zero}"));
        let a_zero = self.new_value(format_args!("fcmp oeq {text} {a}, {zero}"));
        let a_infinite = self.new_value(format_args!("fcmp oeq {text} {size_a}, {infinite}"));
        let a_none = self.none(&text, a);
        let edge = self.new_value(format_args!("or i1 {a_zero}, {a_infinite}"));
        let edge = self.new_value(format_args!("or i1 {edge}, {a_none}"));
        let second = self.new_value(format_args!("and i1 {b_zero}, {edge}"));
        let wrong = self.new_value(format_args!("or i1 {first}, {second}"));
        let wrong = self.new_value(format_args!("or i1 {wrong}, {negative}"));
        // A zero has no sign here.
        let size = self.call_libdevice("fabs", ty, &[power])?;
        Ok(self.new_value(format_args!("select i1 {wrong}, {text} {none}, {text} {size}")))
    }

    /// Combines a magnitude with the sign of another number. libnvvm's verifier rejects `copysign`, and therefore also
    /// libdevice's function, which calls it.
    pub(super) fn with_sign(&mut self, ty: u32, size: &str, sign: &str) -> Result<String> {
        let (bits, text) = (self.float_bits(ty)?, self.type_text(ty)?.to_owned());
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

    pub(super) fn root(&mut self, operands: &[u32]) -> Result<()> {
        let ty = self.program.types.scalar(self.result_type())?.0;
        self.lanes(operands, |body, values| body.nth_root(ty, values))
    }

    /// Computes a root: odd roots of a negative number are negative, even ones are NaN.
    fn nth_root(&mut self, ty: u32, values: &[String]) -> Result<String> {
        let [a, n] = values else { return Err("an operand is missing".into()) };
        let (bits, text) = (self.float_bits(ty)?, self.type_text(ty)?.to_owned());
        let wide =
            if bits < 64 { self.new_value(format_args!("fpext {text} {a} to double")) } else { a.clone() };
        let pow = self.helpers.declare_libdevice("double", "pow", "double, double");
        let fabs = self.helpers.declare_libdevice("double", "fabs", "double");
        let (one, zero, none) = (constant(64, 1.0), constant(64, 0.0), float(64, quiet_nan(64)));
        let size = self.new_value(format_args!("call double @{fabs}(double {wide})"));
        let degree = self.new_value(format_args!("sitofp i32 {n} to double"));
        let exponent = self.new_value(format_args!("fdiv double {one}, {degree}"));
        let mut power = self.new_value(format_args!("call double @{pow}(double {size}, double {exponent})"));
        if bits == 64 {
            power = self.with_the_rest_of_the_exponent(&power, &size, &exponent, &degree);
        }
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

    /// Corrects a root that was computed with a rounded 1/n. The rounding error of 1/n changes the result by many units
    /// in the last place if the number is far from one: the remaining factor is 1 plus the error times the logarithm. A
    /// NaN here means that the number is zero or infinite.
    fn with_the_rest_of_the_exponent(
        &mut self,
        power: &str,
        size: &str,
        exponent: &str,
        degree: &str,
    ) -> String {
        let log = self.helpers.declare_libdevice("double", "log", "double");
        self.helpers.declare("double", "llvm.fma.f64", "double, double, double", "nounwind readnone");
        let (one, minus) = (constant(64, 1.0), constant(64, -1.0));
        let negative = self.new_value(format_args!("fmul double {exponent}, {minus}"));
        let missing = self.new_value(format_args!(
            "call double @llvm.fma.f64(double {negative}, double {degree}, double {one})"
        ));
        let rest = self.new_value(format_args!("fdiv double {missing}, {degree}"));
        let logarithm = self.new_value(format_args!("call double @{log}(double {size})"));
        let factor = self.new_value(format_args!("fmul double {rest}, {logarithm}"));
        let root = self.new_value(format_args!(
            "call double @llvm.fma.f64(double {power}, double {factor}, double {power})"
        ));
        let none = self.none("double", &root);
        self.new_value(format_args!("select i1 {none}, double {power}, double {root}"))
    }
}
