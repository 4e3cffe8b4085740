//! Conversions of numbers.

use sycl_pi_image::spirv::{Decoration, FPRoundingMode};

use crate::code::bfloat16::Conversion;
use crate::code::body::Body;
use crate::constants::float;
use crate::error::Result;
use crate::helpers::conversions::Number;

/// Returns the rounding mode with this number.
pub(crate) fn rounding_mode(number: u32) -> Result<FPRoundingMode> {
    FPRoundingMode::from_u32(number).ok_or_else(|| format!("rounding mode {number} is not known").into())
}

impl Body<'_, '_> {
    /// Returns the rounding mode with which the result is decorated.
    fn rounding_mode(&self) -> Result<Option<FPRoundingMode>> {
        self.decorated(Decoration::FPRoundingMode).map(rounding_mode).transpose()
    }

    /// Returns the types of operand and result, which must have the same number of scalars.
    fn shapes(&self, from: u32) -> Result<(u32, u32)> {
        let (have, want) = (self.type_of(from)?, self.result_type());
        if self.program.types.scalar(have)?.1 != self.program.types.scalar(want)?.1 {
            return Err("operand and result have different numbers of scalars".into());
        }
        Ok((have, want))
    }

    pub(crate) fn integer_to_integer(&mut self, signed: bool) -> Result<()> {
        if self.decorated_saturated() {
            return self.saturate(signed, signed);
        }
        let from = self.operand(2);
        let (have, want) = self.shapes(from)?;
        let (a, b) = (self.int_bits(have)?, self.int_bits(want)?);
        let operation = match b.cmp(&a) {
            std::cmp::Ordering::Less => "trunc",
            std::cmp::Ordering::Equal => "bitcast",
            std::cmp::Ordering::Greater if signed => "sext",
            std::cmp::Ordering::Greater => "zext",
        };
        let (value, ty) = (self.typed(from)?, self.type_text(want)?.to_owned());
        self.set_result(format_args!("{operation} {value} to {ty}"));
        Ok(())
    }

    fn decorated_saturated(&self) -> bool {
        self.program.index.decorations(self.inst.operand(1), Decoration::SaturatedConversion).next().is_some()
    }

    /// Saturates an integer to the range of another type.
    pub(crate) fn saturate(&mut self, from_signed: bool, to_signed: bool) -> Result<()> {
        let from = self.operand(2);
        let (have, want) = self.shapes(from)?;
        let (a, b) = (self.int_bits(have)?, self.int_bits(want)?);
        if a > 64 || b > 64 {
            return Err("saturation of more than 64 bits is not supported".into());
        }
        let mask = |bits: u32| if bits < 64 { (1_u64 << bits) - 1 } else { u64::MAX };
        let greatest = if to_signed { mask(b - 1) } else { mask(b) };
        let own_greatest = if from_signed { mask(a - 1) } else { mask(a) };
        let (truth, ty) = (self.shaped_like(have, "i1")?, self.type_text(have)?.to_owned());
        let mut value = self.value(from)?;
        if greatest < own_greatest {
            let limit = self.splat(have, &greatest.to_string())?;
            let order = if from_signed { "sgt" } else { "ugt" };
            let above = self.new_value(format_args!("icmp {order} {ty} {value}, {limit}"));
            value = self.new_value(format_args!("select {truth} {above}, {ty} {limit}, {ty} {value}"));
        }
        if from_signed && (!to_signed || b < a) {
            let least = if to_signed { format!("-{}", 1_u64 << (b - 1)) } else { "0".into() };
            let limit = self.splat(have, &least)?;
            let below = self.new_value(format_args!("icmp slt {ty} {value}, {limit}"));
            value = self.new_value(format_args!("select {truth} {below}, {ty} {limit}, {ty} {value}"));
        }
        let operation = match b.cmp(&a) {
            std::cmp::Ordering::Less => "trunc",
            std::cmp::Ordering::Equal => "bitcast",
            std::cmp::Ordering::Greater if from_signed => "sext",
            std::cmp::Ordering::Greater => "zext",
        };
        let to = self.type_text(want)?.to_owned();
        self.set_result(format_args!("{operation} {ty} {value} to {to}"));
        Ok(())
    }

    pub(crate) fn float_to_integer(&mut self, signed: bool) -> Result<()> {
        let from = self.operand(2);
        let (have, want) = self.shapes(from)?;
        let bits = self.int_bits(want)?;
        let is_bfloat16 = self.is_bfloat16(have)?;
        let width = if is_bfloat16 { 32 } else { self.float_bits(have)? };
        let mode = self.rounding_mode()?.unwrap_or(FPRoundingMode::RTZ);
        let saturated = self.decorated_saturated();
        let (from_element, to_element) =
            (self.program.types.scalar(have)?.0, self.program.types.scalar(want)?.0);
        let to = self.type_text(to_element)?.to_owned();
        self.lanes(&[from], |body, operands| {
            let [value] = operands else { return Err("an operand is missing".into()) };
            let mut value = value.clone();
            if mode != FPRoundingMode::RTZ {
                value = body.rounded(mode, from_element, &value)?;
            }
            if is_bfloat16 {
                value = body.converted(Conversion::FromBfloat16, &value);
            }
            let ty = if width == 64 { "double" } else { "float" };
            if width == 16 {
                value = body.new_value(format_args!("fpext half {value} to float"));
            }
            if saturated {
                return body.saturated_integer(width.max(32), &value, bits, signed);
            }
            // Small integers wrap, as they do on a CPU.
            if bits < 32 {
                let wide = body.new_value(format_args!("fptosi {ty} {value} to i32"));
                return Ok(body.new_value(format_args!("trunc i32 {wide} to {to}")));
            }
            let operation = if signed { "fptosi" } else { "fptoui" };
            Ok(body.new_value(format_args!("{operation} {ty} {value} to {to}")))
        })
    }

    /// Rounds a number to an integral value that is still a floating-point number.
    fn rounded(&mut self, mode: FPRoundingMode, ty: u32, value: &str) -> Result<String> {
        let name = match mode {
            FPRoundingMode::RTE => "rint",
            FPRoundingMode::RTP => "ceil",
            FPRoundingMode::RTN => "floor",
            FPRoundingMode::RTZ => "trunc",
        };
        self.call_libdevice(name, ty, &[value.to_owned()])
    }

    /// Saturates a 32- or 64-bit number to the range of an integer type; NaN becomes 0.
    fn saturated_integer(&mut self, width: u32, value: &str, bits: u32, signed: bool) -> Result<String> {
        if bits > 64 {
            return Err("saturation of more than 64 bits is not supported".into());
        }
        let top = if signed { bits - 1 } else { bits };
        let ty = if width == 32 { "float" } else { "double" };
        let power = |exponent: u32| match width {
            32 => float(32, u64::from((127 + exponent) << 23)),
            _ => float(64, u64::from(1023 + exponent) << 52),
        };
        let above = power(top);
        let greatest = if top < 64 { (1_u64 << top) - 1 } else { u64::MAX };
        let (operation, least, below) = match signed {
            true => {
                let sign = 1_u64 << (width - 1);
                let limit = match width {
                    32 => float(32, sign | u64::from((127 + top) << 23)),
                    _ => float(64, sign | u64::from(1023 + top) << 52),
                };
                ("fptosi", format!("-{}", 1_u64 << top), limit)
            }
            false => ("fptoui", "0".to_owned(), float(width, 0)),
        };
        let whole = self.new_value(format_args!("{operation} {ty} {value} to i{bits}"));
        let over = self.new_value(format_args!("fcmp oge {ty} {value}, {above}"));
        let upper = self.new_value(format_args!("select i1 {over}, i{bits} {greatest}, i{bits} {whole}"));
        let under = self.new_value(format_args!("fcmp olt {ty} {value}, {below}"));
        let lower = self.new_value(format_args!("select i1 {under}, i{bits} {least}, i{bits} {upper}"));
        let none = self.none(ty, value);
        Ok(self.new_value(format_args!("select i1 {none}, i{bits} 0, i{bits} {lower}")))
    }

    pub(crate) fn integer_to_float(&mut self, signed: bool) -> Result<()> {
        let from = self.operand(2);
        let (have, want) = self.shapes(from)?;
        if self.is_bfloat16(want)? {
            return self.integer_to_bfloat16(signed);
        }
        let (bits, width) = (self.int_bits(have)?, self.float_bits(want)?);
        if let Some(mode) = self.rounding_mode()?.filter(|&mode| mode != FPRoundingMode::RTE) {
            let bits = bits.max(8);
            let source = if signed { Number::Signed(bits) } else { Number::Unsigned(bits) };
            return self.rounded_conversion(from, mode, source, Number::Float(width));
        }
        let operation = if signed { "sitofp" } else { "uitofp" };
        let (value, ty) = (self.typed(from)?, self.type_text(want)?.to_owned());
        self.set_result(format_args!("{operation} {value} to {ty}"));
        Ok(())
    }

    pub(crate) fn float_to_float(&mut self) -> Result<()> {
        let from = self.operand(2);
        let (have, want) = self.shapes(from)?;
        if self.is_bfloat16(have)? || self.is_bfloat16(want)? {
            return self.convert_bfloat16(have, want);
        }
        let (a, b) = (self.float_bits(have)?, self.float_bits(want)?);
        let mode = if b < a { self.rounding_mode()? } else { None };
        if let Some(mode) = mode.filter(|&mode| mode != FPRoundingMode::RTE) {
            return self.rounded_conversion(from, mode, Number::Float(a), Number::Float(b));
        }
        let operation = match b.cmp(&a) {
            std::cmp::Ordering::Less => "fptrunc",
            std::cmp::Ordering::Equal => "bitcast",
            std::cmp::Ordering::Greater => "fpext",
        };
        let (value, ty) = (self.typed(from)?, self.type_text(want)?.to_owned());
        self.set_result(format_args!("{operation} {value} to {ty}"));
        Ok(())
    }

    /// Rounds a number to one that `half` can represent.
    pub(crate) fn quantize(&mut self) -> Result<()> {
        let from = self.operand(2);
        let (have, want) = self.shapes(from)?;
        let (half, value, ty) =
            (self.shaped_like(have, "half")?, self.typed(from)?, self.type_text(want)?.to_owned());
        let small = self.new_value(format_args!("fptrunc {value} to {half}"));
        self.set_result(format_args!("fpext {half} {small} to {ty}"));
        Ok(())
    }

    /// Converts with a rounding direction that LLVM cannot express.
    fn rounded_conversion(
        &mut self,
        from: u32,
        mode: FPRoundingMode,
        source: Number,
        target: Number,
    ) -> Result<()> {
        let helper = self.helpers.conversion(source, target, mode)?;
        let (have, want) = (self.type_of(from)?, self.result_type());
        let have = self.type_text(self.program.types.scalar(have)?.0)?.to_owned();
        let want = self.type_text(self.program.types.scalar(want)?.0)?.to_owned();
        self.lanes(&[from], |body, operands| {
            let [value] = operands else { return Err("an operand is missing".into()) };
            Ok(body.new_value(format_args!("call {want} @{helper}({have} {value})")))
        })
    }
}
