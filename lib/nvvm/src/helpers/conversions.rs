//! Conversions that round in a given direction.

use std::fmt;

use sycl_pi_image::spirv::FPRoundingMode;

use super::Helpers;
use crate::error::Result;

/// The type of a number, with its width in bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    Float(u32),
    Signed(u32),
    Unsigned(u32),
}

/// The representation of a number in LLVM's text and in inline assembly.
struct Representation {
    /// LLVM's type.
    ty: &'static str,
    /// The type of the register.
    register: &'static str,
    /// The constraint of the register.
    constraint: char,
    /// PTX's type of the register. 8-bit numbers are held in 16 bits.
    ptx: String,
}

impl fmt::Display for Number {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Float(bits) => write!(out, "f{bits}"),
            Self::Signed(bits) => write!(out, "s{bits}"),
            Self::Unsigned(bits) => write!(out, "u{bits}"),
        }
    }
}

impl Number {
    fn representation(self) -> Result<Representation> {
        let (ty, register, constraint) = match self {
            Self::Float(16) => ("half", "i16", 'h'),
            Self::Float(32) => ("float", "float", 'f'),
            Self::Float(64) => ("double", "double", 'd'),
            Self::Signed(8) | Self::Unsigned(8) => ("i8", "i16", 'h'),
            Self::Signed(16) | Self::Unsigned(16) => ("i16", "i16", 'h'),
            Self::Signed(32) | Self::Unsigned(32) => ("i32", "i32", 'r'),
            Self::Signed(64) | Self::Unsigned(64) => ("i64", "i64", 'l'),
            _ => return Err(format!("conversions of {self} that round are not supported").into()),
        };
        let ptx = match self {
            Self::Signed(8) => "s16".to_owned(),
            Self::Unsigned(8) => "u16".to_owned(),
            other => other.to_string(),
        };
        Ok(Representation { ty, register, constraint, ptx })
    }
}

impl Helpers {
    /// Defines the helper that converts from one type to another and rounds: `TO (FROM)`.
    pub(crate) fn conversion(
        &mut self,
        source: Number,
        target: Number,
        mode: FPRoundingMode,
    ) -> Result<String> {
        let (word, suffix) = match mode {
            FPRoundingMode::RTE => ("rte", "rn"),
            FPRoundingMode::RTZ => ("rtz", "rz"),
            FPRoundingMode::RTP => ("rtp", "rp"),
            FPRoundingMode::RTN => ("rtn", "rm"),
        };
        let (from, to) = (source.representation()?, target.representation()?);
        let name = format!("__spirv_convert_{source}_{target}_{word}");
        self.define(&name, |_| {
            let load = match source {
                Number::Float(16) => "%i = bitcast half %x to i16",
                Number::Signed(8) => "%i = sext i8 %x to i16",
                Number::Unsigned(8) => "%i = zext i8 %x to i16",
                _ => "",
            };
            let input = if load.is_empty() { "%x" } else { "%i" };
            let (output, store) = match target {
                Number::Float(16) => ("%o", "%r = bitcast i16 %o to half"),
                _ => ("%r", ""),
            };
            format!(
                "define internal {} @{name}({} %x) alwaysinline nounwind {{\n  {load}\n  \
                 {output} = call {} asm \"cvt.{suffix}.{target}.{} $0, $1;\", \
                 \"={},{}\"({} {input})\n  {store}\n  ret {} %r\n}}\n",
                to.ty, from.ty, to.register, from.ptx, to.constraint, from.constraint, from.register, to.ty
            )
        });
        Ok(name)
    }
}
