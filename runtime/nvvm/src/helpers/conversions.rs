//! Conversions that round in a given direction.

use sycl_pi_image::spirv::FPRoundingMode;

use super::Helpers;
use crate::error::Result;

/// A number's type: LLVM's spelling, that of the register, the constraint of inline assembly, and its bits.
fn number(name: &str) -> Result<(&'static str, &'static str, char, u32)> {
    Ok(match name {
        "f16" => ("half", "i16", 'h', 16),
        "f32" => ("float", "float", 'f', 32),
        "f64" => ("double", "double", 'd', 64),
        "s8" | "u8" => ("i8", "i16", 'h', 8),
        "s16" | "u16" => ("i16", "i16", 'h', 16),
        "s32" | "u32" => ("i32", "i32", 'r', 32),
        "s64" | "u64" => ("i64", "i64", 'l', 64),
        _ => return Err(format!("conversions of {name} that round are not supported").into()),
    })
}

impl Helpers {
    /// The helper that converts from one type to another and rounds as `FPRoundingMode` says.
    pub(crate) fn conversion(&mut self, source: &str, target: &str, mode: FPRoundingMode) -> Result<String> {
        let (word, suffix) = match mode {
            FPRoundingMode::RTE => ("rte", "rn"),
            FPRoundingMode::RTZ => ("rtz", "rz"),
            FPRoundingMode::RTP => ("rtp", "rp"),
            FPRoundingMode::RTN => ("rtn", "rm"),
        };
        let (from, from_register, from_constraint, _) = number(source)?;
        let (to, to_register, to_constraint, _) = number(target)?;
        let name = format!("__spirv_convert_{source}_{target}_{word}");
        self.define(&name, |_| {
            let load = match (from, source.as_bytes().first()) {
                ("half", _) => "%i = bitcast half %x to i16",
                ("i8", Some(b's')) => "%i = sext i8 %x to i16",
                ("i8", _) => "%i = zext i8 %x to i16",
                _ => "",
            };
            let input = if load.is_empty() { "%x" } else { "%i" };
            // 8-bit numbers stand in 16-bit registers.
            let source = source.replace("s8", "s16").replace("u8", "u16");
            let (output, store) =
                if to == "half" { ("%o", "%r = bitcast i16 %o to half") } else { ("%r", "") };
            format!(
                "define internal {to} @{name}({from} %x) alwaysinline nounwind {{\n  {load}\n  \
                 {output} = call {to_register} asm \"cvt.{suffix}.{target}.{source} $0, $1;\", \
                 \"={to_constraint},{from_constraint}\"({from_register} {input})\n  {store}\n  ret {to} %r\n}}\n"
            )
        });
        Ok(name)
    }
}
