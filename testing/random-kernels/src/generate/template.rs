//! Statements from templates: text in which words with a `$` are replaced.

use super::{Generator, Value};
use crate::types::{Kind, Ty};

impl Generator {
    /// Appends a statement with the result type `ty`. Lines are separated by semicolons. Words: `$r` is the result and
    /// `$r.x` are further ids, `$T` is its type, `$A` that of the first operand, `$B` truth values and `$I` 32-bit
    /// integers for its lanes, `$W` integers of its width; `$a`, `$b`, `$c` operands; `$#7f` a constant of the first
    /// operand's type by its bits, `$%1.5` by its number, `$i#7f` one of `$I`; `$m` the highest shift; `$n` the bits of
    /// NaN; `$v` and `$w` variables of `$T` and `$I`.
    pub(super) fn template(&mut self, ty: Ty, template: &str, operands: &[Value]) -> Value {
        let first = operands.first().map_or(ty, |operand| operand.ty);
        let result = self.id();
        let (mut variable, mut integer_variable) = (None, None);
        let mut text = String::new();
        for line in template.split(';') {
            for word in line.split_whitespace() {
                let new = match word {
                    "$T" => self.declarations.ty(ty),
                    "$A" => self.declarations.ty(first),
                    "$B" => self.declarations.ty(ty.with_kind(Kind::Bool)),
                    "$I" => self.declarations.ty(ty.with_kind(Kind::Int(32))),
                    "$W" => self.declarations.ty(ty.with_kind(Kind::Int(ty.bits()))),
                    "$a" => operands[0].id.clone(),
                    "$b" => operands[1].id.clone(),
                    "$c" => operands[2].id.clone(),
                    "$m" => self.declarations.constant(first, first.bits() as u64 - 1),
                    "$n" => self
                        .declarations
                        .constant(first.with_kind(Kind::Int(first.bits())), no_number(first.bits())),
                    "$v" => {
                        let name = self.declarations.ty(ty);
                        variable.get_or_insert_with(|| self.variable(&name)).clone()
                    }
                    "$w" => {
                        let name = self.declarations.ty(ty.with_kind(Kind::Int(32)));
                        integer_variable.get_or_insert_with(|| self.variable(&name)).clone()
                    }
                    _ => self.word(word, &result, ty, first),
                };
                text.push_str(&new);
                text.push(' ');
            }
            text.truncate(text.trim_end().len());
            text.push('\n');
        }
        let uniform = operands.iter().all(|operand| operand.uniform);
        self.define(result, ty, uniform, text)
    }

    fn word(&mut self, word: &str, result: &str, ty: Ty, first: Ty) -> String {
        if let Some(rest) = word.strip_prefix("$r") {
            format!("{result}{rest}")
        } else if let Some(bits) = word.strip_prefix("$#") {
            let bits = u64::from_str_radix(bits, 16).unwrap_or_default();
            self.declarations.constant(first, bits)
        } else if let Some(bits) = word.strip_prefix("$i#") {
            let bits = u64::from_str_radix(bits, 16).unwrap_or_default();
            self.declarations.constant(ty.with_kind(Kind::Int(32)), bits)
        } else if let Some(number) = word.strip_prefix("$%") {
            self.declarations.float(first, number.parse().unwrap_or_default())
        } else {
            word.to_owned()
        }
    }
}

/// Returns the bits of NaN for a type of this width.
pub(super) fn no_number(bits: usize) -> u64 {
    match bits {
        16 => 0x7e00,
        32 => 0x7fc0_0000,
        _ => 0x7ff8 << 48,
    }
}
