//! Remainders with quotients, of which libdevice computes only three bits.

use super::{Helpers, INLINE};
use crate::constants::float;

/// OpenCL.std, remquo: the number of bits of the quotient that a program receives.
const QUOTIENT_BITS: u32 = 7;

impl Helpers {
    /// Defines the helper that returns the remainder to the nearest multiple and the low bits of the quotient with its
    /// sign: `{ T, i32 } (T x, T y)`, where `T` is `float` or `double`. Every step is exact: it takes the remainder of
    /// a multiple of `y` and subtracts smaller multiples while they fit. If there is no quotient, no comparison holds,
    /// so it is 0.
    pub(crate) fn remainder_and_quotient(&mut self, bits: u32) -> String {
        let ty = if bits == 32 { "float" } else { "double" };
        let name = format!("__spirv_remquo_{ty}");
        self.define(&name, |all| {
            let suffix = if bits == 32 { "f" } else { "" };
            let fmod = all.declare_libdevice(ty, &format!("fmod{suffix}"), &format!("{ty}, {ty}"));
            let power = |exponent: u32| match bits {
                32 => float(32, u64::from((127 + exponent) << 23)),
                _ => float(64, u64::from(1023 + exponent) << 52),
            };
            let (word, sign) = (format!("i{bits}"), 1_u64 << (bits - 1));
            let others = sign - 1;
            let mut text = format!(
                "define internal {{ {ty}, i32 }} @{name}({ty} %x, {ty} %y) {INLINE} {{\n  \
                 %xb = bitcast {ty} %x to {word}\n  %yb = bitcast {ty} %y to {word}\n  \
                 %axb = and {word} %xb, {others}\n  %ayb = and {word} %yb, {others}\n  \
                 %ax = bitcast {word} %axb to {ty}\n  %ay = bitcast {word} %ayb to {ty}\n  \
                 %all = fmul {ty} %ay, {}\n  %m{QUOTIENT_BITS} = call {ty} @{fmod}({ty} %ax, {ty} %all)\n  \
                 %q{QUOTIENT_BITS} = add i32 0, 0\n",
                power(QUOTIENT_BITS)
            );
            for bit in (0..QUOTIENT_BITS).rev() {
                let (last, multiple) = (bit + 1, power(bit));
                text += &format!(
                    "  %y{bit} = fmul {ty} %ay, {multiple}\n  %fits{bit} = fcmp oge {ty} %m{last}, %y{bit}\n  \
                     %less{bit} = fsub {ty} %m{last}, %y{bit}\n  \
                     %m{bit} = select i1 %fits{bit}, {ty} %less{bit}, {ty} %m{last}\n  \
                     %more{bit} = or i32 %q{last}, {}\n  \
                     %q{bit} = select i1 %fits{bit}, i32 %more{bit}, i32 %q{last}\n",
                    1 << bit
                );
            }
            // The nearest multiple is the next one if more than half remains, or exactly half and the quotient is odd.
            text += &format!(
                "  %rest = fsub {ty} %ay, %m0\n  %above = fcmp ogt {ty} %m0, %rest\n  %half = fcmp oeq {ty} %m0, %rest\n  \
                 %odd = trunc i32 %q0 to i1\n  %tie = and i1 %half, %odd\n  %up = or i1 %above, %tie\n  \
                 %under = fsub {ty} %m0, %ay\n  %m = select i1 %up, {ty} %under, {ty} %m0\n  \
                 %next = add i32 %q0, 1\n  %whole = select i1 %up, i32 %next, i32 %q0\n  \
                 %low = and i32 %whole, {}\n  %negative = sub i32 0, %low\n  \
                 %mb = bitcast {ty} %m to {word}\n  %sign = and {word} %xb, {sign}\n  %rb = xor {word} %mb, %sign\n  \
                 %r = bitcast {word} %rb to {ty}\n  %signs = xor {word} %xb, %yb\n  %below = icmp slt {word} %signs, 0\n  \
                 %q = select i1 %below, i32 %negative, i32 %low\n  \
                 %one = insertvalue {{ {ty}, i32 }} undef, {ty} %r, 0\n  \
                 %both = insertvalue {{ {ty}, i32 }} %one, i32 %q, 1\n  ret {{ {ty}, i32 }} %both\n}}\n",
                (1 << QUOTIENT_BITS) - 1
            );
            text
        });
        name
    }
}
