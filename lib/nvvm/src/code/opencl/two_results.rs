//! OpenCL.std's functions that write a second result to memory.

use super::common::constant;
use super::operands_of;
use crate::code::body::Body;
use crate::constants::float;
use crate::error::Result;

/// The scalar types of both results.
pub(super) struct ResultTypes {
    first: u32,
    second: u32,
}

impl Body<'_, '_> {
    /// Translates a function that writes a second result to the address in its last operand.
    pub(super) fn two_results(
        &mut self,
        operands: &[u32],
        both: impl Fn(&mut Self, &ResultTypes, &[String]) -> Result<(String, String)>,
    ) -> Result<()> {
        let first = self.program.types.scalar(self.result_type())?.0;
        let pointer = operands.last().copied().unwrap_or(0);
        let (space, pointee) = self.program.types.pointer(self.type_of(pointer)?)?;
        let (second, count) = self.program.types.scalar(pointee)?;
        if count != self.program.types.scalar(self.result_type())?.1 {
            return Err("the two results have different numbers of scalars".into());
        }
        let second_text = self.type_text(second)?.to_owned();
        let place = space.pointer_to(&second_text);
        let typed = self.typed(pointer)?;
        let base = self.new_value(format_args!("bitcast {typed} to {place}"));
        let types = ResultTypes { first, second };
        let mut lane = 0_u32;
        let inputs = operands.split_last().map(|(_, rest)| rest).unwrap_or_default();
        self.lanes(inputs, |body, values| {
            let (result, other) = both(body, &types, values)?;
            let address =
                body.new_value(format_args!("getelementptr {second_text}, {place} {base}, i32 {lane}"));
            body.store_scalar(pointer, (&second_text, &other), (&place, &address))?;
            lane += 1;
            Ok(result)
        })
    }

    pub(super) fn sine_and_cosine(
        &mut self,
        types: &ResultTypes,
        values: &[String],
    ) -> Result<(String, String)> {
        Ok((
            self.call_libdevice("sin", types.first, values)?,
            self.call_libdevice("cos", types.first, values)?,
        ))
    }

    /// Returns the fractional part and the whole number below.
    pub(super) fn fraction(&mut self, types: &ResultTypes, values: &[String]) -> Result<(String, String)> {
        let ([a], ty) = (operands_of(values)?, types.first);
        let (text, bits) = (self.type_text(ty)?.to_owned(), self.float_bits(ty)?);
        let below_one = match bits {
            16 => float(16, 0x3bff),
            32 => float(32, 0x3f7f_ffff),
            _ => float(64, 0x3fef_ffff_ffff_ffff),
        };
        let floor = self.intrinsic("floor", ty, &[a.to_owned()])?;
        let rest = self.new_value(format_args!("fsub {text} {a}, {floor}"));
        let least = self.intrinsic("minnum", ty, &[rest.clone(), below_one])?;
        // Zeros and infinities, whose rest is NaN, give a zero with their sign; other whole numbers give +0.
        let zero = constant(bits, 0.0);
        let is_zero = self.new_value(format_args!("fcmp oeq {text} {a}, {zero}"));
        let is_infinite = self.none(&text, &rest);
        let is_signed = self.new_value(format_args!("or i1 {is_zero}, {is_infinite}"));
        let zero = self.with_sign(ty, &zero, a)?;
        let part = self.new_value(format_args!("select i1 {is_signed}, {text} {zero}, {text} {least}"));
        let none = self.none(&text, a);
        Ok((self.new_value(format_args!("select i1 {none}, {text} {a}, {text} {part}")), floor))
    }

    pub(super) fn log_gamma_and_sign(
        &mut self,
        types: &ResultTypes,
        values: &[String],
    ) -> Result<(String, String)> {
        let ([a], ty) = (operands_of(values)?, types.first);
        let text = self.type_text(ty)?.to_owned();
        let gamma = self.call_libdevice("lgamma", ty, values)?;
        let bits = self.float_bits(ty)?;
        let (zero, half) = (constant(bits, 0.0), constant(bits, 0.5));
        let floor = self.intrinsic("floor", ty, &[a.to_owned()])?;
        let halved = self.new_value(format_args!("fmul {text} {floor}, {half}"));
        let even = self.intrinsic("floor", ty, std::slice::from_ref(&halved))?;
        let odd = self.new_value(format_args!("fcmp one {text} {even}, {halved}"));
        let below = self.new_value(format_args!("fcmp olt {text} {a}, {zero}"));
        let negative = self.new_value(format_args!("and i1 {odd}, {below}"));
        let sign = self.new_value(format_args!("select i1 {negative}, i32 -1, i32 1"));
        // OpenCL C specification, Additional Requirements Beyond C99 TC2: for zeros and negative integers it is 0.
        let whole = self.new_value(format_args!("fcmp oeq {text} {a}, {floor}"));
        let above = self.new_value(format_args!("fcmp ogt {text} {a}, {zero}"));
        let inside = self.new_value(format_args!("xor i1 {above}, true"));
        let is_pole = self.new_value(format_args!("and i1 {whole}, {inside}"));
        Ok((gamma, self.new_value(format_args!("select i1 {is_pole}, i32 0, i32 {sign}"))))
    }

    pub(super) fn fraction_and_exponent(
        &mut self,
        types: &ResultTypes,
        values: &[String],
    ) -> Result<(String, String)> {
        let (first, exponent) = self.through_memory("frexp", Some("i32"), values, types)?;
        // OpenCL C specification, Additional Requirements Beyond C99 TC2: for infinities and NaN it is 0, which
        // libdevice does not guarantee.
        let ([a], text) = (operands_of(values)?, self.type_text(types.first)?.to_owned());
        let rest = self.new_value(format_args!("fsub {text} {a}, {a}"));
        let odd = self.none(&text, &rest);
        let exponent = self.new_value(format_args!("select i1 {odd}, i32 0, i32 {exponent}"));
        Ok((self.back(types.first, first)?, exponent))
    }

    pub(super) fn fraction_and_whole(
        &mut self,
        types: &ResultTypes,
        values: &[String],
    ) -> Result<(String, String)> {
        let (first, whole) = self.through_memory("modf", None, values, types)?;
        Ok((self.back(types.first, first)?, self.back(types.second, whole)?))
    }

    pub(super) fn remainder_and_quotient(
        &mut self,
        types: &ResultTypes,
        values: &[String],
    ) -> Result<(String, String)> {
        let ([x, y], ty) = (operands_of(values)?, types.first);
        let (text, _, x) = self.full(ty, x)?;
        let (_, _, y) = self.full(ty, y)?;
        let helper = self.helpers.remainder_and_quotient(self.float_bits(ty)?.max(32));
        let pair = format!("{{ {text}, i32 }}");
        let both = self.new_value(format_args!("call {pair} @{helper}({text} {x}, {text} {y})"));
        let first = self.new_value(format_args!("extractvalue {pair} {both}, 0"));
        let quotient = self.new_value(format_args!("extractvalue {pair} {both}, 1"));
        Ok((self.back(ty, first)?, quotient))
    }

    /// Returns both results of a libdevice function that writes the second one to memory, before they are narrowed to
    /// halves. The second result has the type of the first, unless a type is given.
    fn through_memory(
        &mut self,
        name: &str,
        second: Option<&str>,
        values: &[String],
        types: &ResultTypes,
    ) -> Result<(String, String)> {
        let mut arguments = Vec::new();
        let (mut text, mut suffix) = ("", "");
        for value in values {
            let (full, ending, value) = self.full(types.first, value)?;
            (text, suffix) = (full, ending);
            arguments.push(format!("{full} {value}"));
        }
        let place = second.unwrap_or(text);
        let parameters = format!("{}, {place}*", vec![text; values.len()].join(", "));
        let function = self.helpers.declare_libdevice(text, &format!("{name}{suffix}"), &parameters);
        let helper = format!("__spirv_{name}_{text}");
        // The memory is allocated in a separate function, so that a loop does not allocate more and more.
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
        Ok((first, other))
    }
}
