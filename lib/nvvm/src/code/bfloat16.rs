//! `bfloat16`: conversions by Intel's instructions and by the equivalent functions of DPC++'s device library, and
//! arithmetic, which is computed in `float` and rounded. `float` has more than twice the bits, so a sum, product,
//! quotient or root that is rounded twice equals one that is rounded once.

use sycl_pi_image::spirv::FPRoundingMode;

use crate::code::body::Body;
use crate::error::Result;
use crate::helpers::conversions::Number;
use crate::types::TypeKind;

/// The direction of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Conversion {
    ToBfloat16,
    FromBfloat16,
}

impl Conversion {
    /// Returns the types of source and result.
    fn types(self) -> [&'static str; 2] {
        match self {
            Self::ToBfloat16 => ["float", "i16"],
            Self::FromBfloat16 => ["i16", "float"],
        }
    }
}

impl Body<'_, '_> {
    pub(crate) fn bfloat16(&mut self, conversion: Conversion) -> Result<()> {
        let [from, to] = conversion.types();
        let element = self.program.types.scalar(self.result_type())?.0;
        let source = self.program.types.scalar(self.type_of(self.operand(2))?)?.0;
        if self.type_text(element)? != to || self.type_text(source)? != from {
            return Err(format!("the conversion goes from {from} to {to}").into());
        }
        self.lanes(&[self.operand(2)], |body, values| {
            let [value] = values else { return Err("an operand is missing".into()) };
            Ok(body.converted(conversion, value))
        })
    }

    /// Returns whether the scalars of a type are `SPV_KHR_bfloat16`'s type.
    pub(crate) fn is_bfloat16(&self, ty: u32) -> Result<bool> {
        Ok(*self.kind(self.program.types.scalar(ty)?.0)? == TypeKind::Bfloat16)
    }

    /// Translates a conversion from or to `SPV_KHR_bfloat16`'s type. A `double` must not be rounded twice.
    pub(crate) fn convert_bfloat16(&mut self, from: u32, to: u32) -> Result<()> {
        let is_from = self.is_bfloat16(from)?;
        let width = self.float_bits(if is_from { to } else { from })?;
        self.lanes(&[self.operand(2)], |body, values| {
            let [value] = values else { return Err("an operand is missing".into()) };
            if is_from {
                let wide = body.converted(Conversion::FromBfloat16, value);
                return Ok(match width {
                    16 => body.new_value(format_args!("fptrunc float {wide} to half")),
                    64 => body.new_value(format_args!("fpext float {wide} to double")),
                    _ => wide,
                });
            }
            let single = match width {
                16 => body.new_value(format_args!("fpext half {value} to float")),
                32 => value.clone(),
                _ => body.cut_to_float("double", value, Number::Float(64))?,
            };
            Ok(body.converted(Conversion::ToBfloat16, &single))
        })
    }

    /// Converts an integer to `bfloat16`.
    pub(crate) fn integer_to_bfloat16(&mut self, signed: bool) -> Result<()> {
        let ty = self.program.types.scalar(self.type_of(self.operand(2))?)?.0;
        let (text, bits) = (self.type_text(ty)?.to_owned(), self.int_bits(ty)?);
        let source = if signed { Number::Signed(bits) } else { Number::Unsigned(bits) };
        self.lanes(&[self.operand(2)], |body, values| {
            let [value] = values else { return Err("an operand is missing".into()) };
            let single = body.cut_to_float(&text, value, source)?;
            Ok(body.converted(Conversion::ToBfloat16, &single))
        })
    }

    /// Converts a number to a `float` that later rounds like the number itself: a lost remainder is recorded in the
    /// last bit.
    fn cut_to_float(&mut self, ty: &str, value: &str, source: Number) -> Result<String> {
        let helper = self.helpers.conversion(source, Number::Float(32), FPRoundingMode::RTZ)?;
        let cut = self.new_value(format_args!("call float @{helper}({ty} {value})"));
        let differs = match source {
            Number::Float(_) => {
                let back = self.new_value(format_args!("fpext float {cut} to {ty}"));
                self.new_value(format_args!("fcmp one {ty} {back}, {value}"))
            }
            Number::Signed(_) | Number::Unsigned(_) => {
                let signed = matches!(source, Number::Signed(_));
                let operation = if signed { "fptosi" } else { "fptoui" };
                let back = self.new_value(format_args!("{operation} float {cut} to {ty}"));
                self.new_value(format_args!("icmp ne {ty} {back}, {value}"))
            }
        };
        let rest = self.new_value(format_args!("zext i1 {differs} to i32"));
        let bits = self.new_value(format_args!("bitcast float {cut} to i32"));
        let odd = self.new_value(format_args!("or i32 {bits}, {rest}"));
        Ok(self.new_value(format_args!("bitcast i32 {odd} to float")))
    }

    /// Sets the result to a computation in `float` on `bfloat16` operands.
    pub(crate) fn in_float(
        &mut self,
        operands: &[u32],
        mut compute: impl FnMut(&mut Self, &[String]) -> Result<String>,
    ) -> Result<()> {
        self.lanes(operands, |body, values| {
            let result = body.with_widened(values, &mut compute)?;
            Ok(body.converted(Conversion::ToBfloat16, &result))
        })
    }

    /// Computes a value in `float` from `bfloat16` numbers.
    pub(crate) fn with_widened(
        &mut self,
        values: &[String],
        compute: impl FnOnce(&mut Self, &[String]) -> Result<String>,
    ) -> Result<String> {
        let wide: Vec<String> =
            values.iter().map(|value| self.converted(Conversion::FromBfloat16, value)).collect();
        compute(self, &wide)
    }

    pub(crate) fn converted(&mut self, conversion: Conversion, value: &str) -> String {
        let [from, to] = conversion.types();
        let helper = match conversion {
            Conversion::ToBfloat16 => self.helpers.rounded_bfloat16(),
            Conversion::FromBfloat16 => self.helpers.widened_bfloat16(),
        };
        self.new_value(format_args!("call {to} @{helper}({from} {value})"))
    }

    /// Translates a call of one of the device library's conversion functions, if the name is one of them. The number is
    /// behind a pointer; vectors are written behind a second pointer.
    pub(crate) fn bfloat16_import(&mut self, name: &str, given: &[u32]) -> Option<Result<()>> {
        let (conversion, rest) = if let Some(rest) = name.strip_prefix("__devicelib_ConvertFToBF16INTEL") {
            (Conversion::ToBfloat16, rest)
        } else {
            (Conversion::FromBfloat16, name.strip_prefix("__devicelib_ConvertBF16ToFINTEL")?)
        };
        match (rest, given) {
            ("", &[from]) => Some(self.convert_behind(conversion, from)),
            ("Vec1" | "Vec2" | "Vec3" | "Vec4" | "Vec8" | "Vec16", &[from, to]) => {
                let count = rest.trim_start_matches("Vec").parse().unwrap_or(1);
                Some(self.convert_several(conversion, from, to, count))
            }
            _ => None,
        }
    }

    fn convert_behind(&mut self, conversion: Conversion, from: u32) -> Result<()> {
        let [ty, result] = conversion.types();
        if self.type_text(self.result_type())? != result {
            return Err(format!("the conversion goes from {ty} to {result}").into());
        }
        let (pointer, address) = self.scalars_behind(from, ty)?;
        let value = self.load_scalar(from, ty, (&pointer, &address))?;
        let converted = self.converted(conversion, &value);
        self.copy(self.result_type(), &converted)
    }

    fn convert_several(&mut self, conversion: Conversion, from: u32, to: u32, count: u32) -> Result<()> {
        let [ty, result] = conversion.types();
        let (source_type, sources) = self.scalars_behind(from, ty)?;
        let (target_type, targets) = self.scalars_behind(to, result)?;
        for at in 0..count {
            let source =
                self.new_value(format_args!("getelementptr {ty}, {source_type} {sources}, i32 {at}"));
            let target =
                self.new_value(format_args!("getelementptr {result}, {target_type} {targets}, i32 {at}"));
            let value = self.load_scalar(from, ty, (&source_type, &source))?;
            let converted = self.converted(conversion, &value);
            self.store_scalar(to, (result, &converted), (&target_type, &target))?;
        }
        Ok(())
    }

    /// Returns the type and value of a pointer to scalars of a type.
    fn scalars_behind(&mut self, pointer: u32, scalar: &str) -> Result<(String, String)> {
        let (space, _) = self.program.types.pointer(self.type_of(pointer)?)?;
        let (ty, typed) = (space.pointer_to(scalar), self.typed(pointer)?);
        let cast = self.new_value(format_args!("bitcast {typed} to {ty}"));
        Ok((ty, cast))
    }
}
