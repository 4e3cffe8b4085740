//! Numbers of type `bfloat16`: the upper half of a `float`, held in an `i16`.

use super::{Helpers, INLINE};

impl Helpers {
    /// Defines the helper that rounds to the nearest, ties to even: `i16 (float)`.
    pub(crate) fn rounded_bfloat16(&mut self) -> String {
        let name = "__spirv_convert_f32_bf16".to_owned();
        // A NaN must not be rounded to an infinity, so it keeps its upper bits and becomes quiet.
        self.define(&name, |_| {
            format!(
                "define internal i16 @{name}(float %x) {INLINE} {{\n  %b = bitcast float %x to i32\n  %h = lshr i32 %b, 16\n  \
                 %odd = and i32 %h, 1\n  %more = add i32 %odd, 32767\n  %sum = add i32 %b, %more\n  %up = lshr i32 %sum, 16\n  \
                 %size = and i32 %b, 2147483647\n  %nan = icmp ugt i32 %size, 2139095040\n  %quiet = or i32 %h, 64\n  \
                 %w = select i1 %nan, i32 %quiet, i32 %up\n  %r = trunc i32 %w to i16\n  ret i16 %r\n}}\n"
            )
        });
        name
    }

    /// Defines the helper that widens to `float`: `float (i16)`.
    pub(crate) fn widened_bfloat16(&mut self) -> String {
        let name = "__spirv_convert_bf16_f32".to_owned();
        self.define(&name, |_| {
            format!(
                "define internal float @{name}(i16 %x) {INLINE} {{\n  %w = zext i16 %x to i32\n  %b = shl i32 %w, 16\n  \
                 %r = bitcast i32 %b to float\n  ret float %r\n}}\n"
            )
        });
        name
    }
}
