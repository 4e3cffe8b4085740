//! The texts of the kernels about functions of numbers.

use crate::program::{PLAIN, Text};

/// Declares doubles, and constants of which [`x`] and [`y`] are made.
macro_rules! doubles {
    ($more:literal) => {
        concat!(doubles!(), $more)
    };
    () => {
        "OpCapability Float64
         %double = OpTypeFloat 64
         %v2double = OpTypeVector %double 2
         %d_0 = OpConstant %double 0
         %d_inf = OpConstant %double 0x7ff0000000000000
         %x.factor = OpConstant %ulong 0x9e3779b97f4a7c15
         %y.factor = OpConstant %ulong 0x5851f42d4c957f2d
         %l_5 = OpConstant %ulong 5
         %l_12 = OpConstant %ulong 12
         %l_32 = OpConstant %ulong 32
         %l_52 = OpConstant %ulong 52
         %l_63 = OpConstant %ulong 63
         %l_860 = OpConstant %ulong 860
         "
    };
}

/// Computes `%a` and `%b`, which are doubles of all sizes and signs, from the item's number.
macro_rules! all_sizes {
    ($rest:literal) => {
        concat!(
            "%w = OpUConvert %ulong %n
             %a.bits = OpIMul %ulong %w %x.factor
             %b.bits = OpIMul %ulong %w %y.factor
             %a = OpBitcast %double %a.bits
             %b = OpBitcast %double %b.bits\n",
            $rest
        )
    };
}

fn a(item: u32) -> f64 {
    f64::from_bits(u64::from(item + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

fn b(item: u32) -> f64 {
    f64::from_bits(u64::from(item + 1).wrapping_mul(0x5851_f42d_4c95_7f2d))
}

/// Computes `%a`, which has a size from 2^-158 to 2^157, and is negative in every other item.
macro_rules! sizes_of_floats {
    ($rest:literal) => {
        concat!(
            "%w = OpUConvert %ulong %n
             %a.random = OpIMul %ulong %w %x.factor
             %a.mantissa = OpShiftRightLogical %ulong %a.random %l_12
             %a.fives = OpIMul %ulong %w %l_5
             %a.power = OpIAdd %ulong %a.fives %l_860
             %a.high = OpShiftLeftLogical %ulong %a.power %l_52
             %a.sign = OpShiftLeftLogical %ulong %w %l_63
             %a.size = OpBitwiseOr %ulong %a.mantissa %a.high
             %a.bits = OpBitwiseOr %ulong %a.size %a.sign
             %a = OpBitcast %double %a.bits\n",
            $rest
        )
    };
}

fn of_float_size(item: u32) -> f64 {
    let n = u64::from(item + 1);
    let mantissa = n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 12;
    f64::from_bits(mantissa | (5 * n + 860) << 52 | n << 63)
}

/// Makes the result of `%r`, a double.
macro_rules! halves_of {
    ($code:expr) => {
        concat!(
            $code,
            "\n%r.bits = OpBitcast %ulong %r
             %r.high = OpShiftRightLogical %ulong %r.bits %l_32
             %r.both = OpBitwiseXor %ulong %r.bits %r.high
             %result = OpUConvert %uint %r.both"
        )
    };
}

fn halves(number: f64) -> u32 {
    (number.to_bits() ^ number.to_bits() >> 32) as u32
}

pub(super) const NUMBERS: [Text; 15] = [
    Text {
        name: "sign",
        declarations: "%f_0 = OpConstant %float 0x80000000
                       %f_nan = OpConstant %float 0x7fc00000
                       %u_2 = OpConstant %uint 2
                       %u_factor = OpConstant %uint 0x04400000",
        // Of -0, of what is not a number, and of numbers of all sizes and signs.
        code: "%bits = OpIMul %uint %n %u_factor
               %some = OpBitcast %float %bits
               %is_1 = OpIEqual %bool %n %u_1
               %is_2 = OpIEqual %bool %n %u_2
               %or_zero = OpSelect %float %is_1 %f_0 %some
               %number = OpSelect %float %is_2 %f_nan %or_zero
               %sign = OpExtInst %float %cl sign %number
               %result = OpBitcast %uint %sign",
        result: |item| match item + 1 {
            1 => (-0.0_f32).to_bits(),
            2 => 0,
            n => match f32::from_bits(n.wrapping_mul(0x0440_0000)) {
                0.0 => 0,
                number => 1.0_f32.copysign(number).to_bits(),
            },
        },
        ..PLAIN
    },
    Text {
        name: "narrowed",
        declarations: doubles!(
            "OpCapability Float16Buffer
             %half = OpTypeFloat 16
             %p_half = OpTypePointer CrossWorkgroup %half"
        ),
        // The lower half of the result is rounded to the nearest number, the upper one toward zero.
        code: sizes_of_floats!(
            "%own = OpInBoundsPtrAccessChain %p_uint %out %l
             %parts = OpBitcast %p_half %own
             %l_0 = OpConstant %ulong 0
             %l_1 = OpConstant %ulong 1
             %stored = OpExtInst %void %cl vstore_half %a %l_0 %parts
             %other = OpExtInst %void %cl vstore_half_r %a %l_1 %parts RTZ
             %result = OpLoad %uint %own Aligned 4"
        ),
        result: |item| {
            let (nearest, cut) = as_halves(of_float_size(item));
            u32::from(cut) << 16 | u32::from(nearest)
        },
        ..PLAIN
    },
    Text {
        name: "rounded",
        declarations: doubles!(
            "OpDecorate %cut FPRoundingMode RTZ
             OpDecorate %upper FPRoundingMode RTP
             OpDecorate %lower FPRoundingMode RTN"
        ),
        // The sum of the bits toward zero, three times those upward, and seven times those downward.
        code: sizes_of_floats!(
            "%cut = OpFConvert %float %a
             %upper = OpFConvert %float %a
             %lower = OpFConvert %float %a
             %one = OpBitcast %uint %cut
             %two = OpBitcast %uint %upper
             %three = OpBitcast %uint %lower
             %twos = OpIMul %uint %two %u_3
             %threes = OpIMul %uint %three %u_7
             %most = OpIAdd %uint %one %twos
             %result = OpIAdd %uint %most %threes"
        ),
        result: |item| {
            let number = of_float_size(item);
            let nearest = number as f32;
            let upper = if f64::from(nearest) < number { nearest.next_up() } else { nearest };
            let lower = if f64::from(nearest) > number { nearest.next_down() } else { nearest };
            let cut = if number < 0.0 { upper } else { lower };
            let sum = cut.to_bits().wrapping_add(upper.to_bits().wrapping_mul(3));
            sum.wrapping_add(lower.to_bits().wrapping_mul(7))
        },
        ..PLAIN
    },
    Text {
        name: "back",
        declarations: doubles!(),
        // The bits of a double that was a float, and an integer that was one.
        code: sizes_of_floats!(
            "%narrow = OpFConvert %float %a
             %r = OpFConvert %double %narrow
             %r.bits = OpBitcast %ulong %r
             %r.high = OpShiftRightLogical %ulong %r.bits %l_32
             %r.both = OpBitwiseXor %ulong %r.bits %r.high
             %r.word = OpUConvert %uint %r.both
             %small = OpUConvert %uint %a.random
             %cut = OpShiftRightLogical %uint %small %u_1
             %half = OpConvertSToF %float %cut
             %s = OpConvertFToS %uint %half
             %result = OpBitwiseXor %uint %r.word %s"
        ),
        result: |item| {
            let random = u64::from(item + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) as u32;
            halves(f64::from(of_float_size(item) as f32)) ^ (random >> 1) as f32 as i32 as u32
        },
        ..PLAIN
    },
    Text {
        name: "remainders",
        declarations: doubles!(),
        // Odd numbers are for OpFRem, and even ones for fmod.
        code: halves_of!(all_sizes!(
            "%one = OpCompositeConstruct %v2double %a %b
             %two = OpCompositeConstruct %v2double %b %a
             %rests = OpFRem %v2double %one %two
             %rest = OpCompositeExtract %double %rests 1
             %other = OpExtInst %double %cl fmod %a %b
             %odd = OpBitwiseAnd %uint %n %u_1
             %is_odd = OpIEqual %bool %odd %u_1
             %r = OpSelect %double %is_odd %rest %other"
        )),
        result: |item| halves(if item % 2 == 0 { b(item) % a(item) } else { a(item) % b(item) }),
        ..PLAIN
    },
    Text {
        name: "nearest",
        declarations: doubles!(),
        // The last bits of the quotient are added.
        code: all_sizes!(
            "%own = OpInBoundsPtrAccessChain %p_uint %out %l
             %r = OpExtInst %double %cl remquo %a %b %own
             %q = OpLoad %uint %own Aligned 4
             %s = OpExtInst %double %cl remainder %a %b
             %r.bits = OpBitcast %ulong %r
             %s.bits = OpBitcast %ulong %s
             %s.high = OpShiftRightLogical %ulong %s.bits %l_32
             %both = OpBitwiseXor %ulong %r.bits %s.high
             %both.w = OpUConvert %uint %both
             %result = OpIAdd %uint %both.w %q"
        ),
        result: |item| {
            let (rest, quotient) = nearest(a(item), b(item));
            halves(rest).wrapping_add(quotient as u32)
        },
        ..PLAIN
    },
    Text {
        name: "scaled",
        declarations: doubles!(
            "%d_nan = OpConstant %double 0x7ff8000000000000
             %u_97 = OpConstant %uint 97
             %u_3000 = OpConstant %uint 3000
             %minus_2 = OpConstant %uint 0xfffffffe"
        ),
        // By powers of two from -2806 on. The first one is no number, times 2^-2.
        code: halves_of!(all_sizes!(
            "%is_1 = OpIEqual %bool %n %u_1
             %number = OpSelect %double %is_1 %d_nan %a
             %n.scaled = OpIMul %uint %n %u_97
             %all = OpISub %uint %n.scaled %u_3000
             %power = OpSelect %uint %is_1 %minus_2 %all
             %product = OpExtInst %double %cl ldexp %number %power
             %is_nan = OpIsNan %bool %product
             %r = OpSelect %double %is_nan %d_inf %product"
        )),
        result: |item| match item {
            0 => halves(f64::INFINITY),
            _ => halves(scaled(a(item), (item as i32 + 1) * 97 - 3000)),
        },
        ..PLAIN
    },
    Text {
        name: "lowered",
        declarations: "OpCapability Float16
                       OpDecorate %lower FPRoundingMode RTN
                       %half = OpTypeFloat 16
                       %l_63 = OpConstant %ulong 63",
        // Rounds 2^63, which is beyond the largest number, down to that. Every other item has 0.
        code: "%w = OpUConvert %ulong %n
               %large = OpShiftLeftLogical %ulong %w %l_63
               %lower = OpConvertUToF %half %large
               %wide = OpFConvert %float %lower
               %result = OpBitcast %uint %wide",
        result: |item| if item % 2 == 0 { 65504.0_f32.to_bits() } else { 0 },
        ..PLAIN
    },
    Text {
        name: "from_zero",
        declarations: "%f_0 = OpConstant %float 0
                       %u_factor = OpConstant %uint 0x03f00000",
        // To numbers of all sizes and signs.
        code: "%bits = OpIMul %uint %n %u_factor
               %goal = OpBitcast %float %bits
               %r = OpExtInst %float %cl nextafter %f_0 %goal
               %result = OpBitcast %uint %r",
        result: |item| if (item + 1).wrapping_mul(0x03f0_0000) >> 31 == 0 { 1 } else { 0x8000_0001 },
        ..PLAIN
    },
    Text {
        name: "by_zero",
        declarations: doubles!(
            "%d_1 = OpConstant %double 1
             %f_uint = OpTypePointer Function %uint"
        ),
        // Adds 16 if the remainder is not a number.
        code: "%exponent = OpVariable %f_uint Function
               %is_finite = OpIsFinite %bool %d_0
               %divisor = OpSelect %double %is_finite %d_0 %d_1
               %rest = OpExtInst %double %cl fmod %divisor %divisor
               %is_number = OpIsFinite %bool %rest
               %number = OpSelect %double %is_number %rest %d_1
               %mantissa = OpExtInst %double %cl frexp %number %exponent
               %more = OpSelect %uint %is_number %u_0 %u_16
               %result = OpIAdd %uint %n %more",
        result: |item| item + 1 + 16,
        ..PLAIN
    },
    Text {
        name: "next",
        declarations: doubles!("%d_minus_0 = OpConstant %double 0x8000000000000000"),
        // The first two numbers are zeros: from 0 to -0, and from 0 on.
        code: halves_of!(all_sizes!(
            "%is_1 = OpIEqual %bool %n %u_1
             %is_small = OpULessThan %bool %n %u_3
             %start = OpSelect %double %is_small %d_0 %a
             %goal = OpSelect %double %is_1 %d_minus_0 %b
             %r = OpExtInst %double %cl nextafter %start %goal"
        )),
        result: |item| {
            let (from, to) = (if item < 2 { 0.0 } else { a(item) }, if item == 0 { -0.0 } else { b(item) });
            halves(if from == to {
                to
            } else if from < to {
                from.next_up()
            } else {
                from.next_down()
            })
        },
        ..PLAIN
    },
    Text {
        name: "saturated",
        declarations: doubles!(),
        // (n - 32) * large + larger, and with a small factor in every other item.
        code: "%w = OpUConvert %ulong %n
               %few = OpISub %ulong %w %l_32
               %random = OpIMul %ulong %w %x.factor
               %small = OpShiftRightArithmetic %ulong %random %l_52
               %odd = OpBitwiseAnd %uint %n %u_1
               %is_odd = OpIEqual %bool %odd %u_1
               %factor = OpSelect %ulong %is_odd %random %small
               %term = OpIMul %ulong %w %y.factor
               %sum = OpExtInst %ulong %cl s_mad_sat %few %factor %term
               %sum.high = OpShiftRightLogical %ulong %sum %l_32
               %sum.both = OpBitwiseXor %ulong %sum %sum.high
               %result = OpUConvert %uint %sum.both",
        result: |item| {
            let n = i64::from(item) + 1;
            let random = n.wrapping_mul(0x9e37_79b9_7f4a_7c15_u64 as i64);
            let factor = if n % 2 == 1 { random } else { random >> 52 };
            let term = n.wrapping_mul(0x5851_f42d_4c95_7f2d);
            let sum = i128::from(n - 32) * i128::from(factor) + i128::from(term);
            let sum = sum.clamp(i64::MIN.into(), i64::MAX.into()) as u64;
            (sum ^ sum >> 32) as u32
        },
        ..PLAIN
    },
    Text {
        name: "folded",
        declarations: "OpCapability Int16
                       %ushort = OpTypeInt 16 0
                       %v2ushort = OpTypeVector %ushort 2
                       %s_large = OpConstant %ushort 0xfff0
                       %s_20 = OpConstant %ushort 20
                       %s_7 = OpConstant %ushort 7
                       %large = OpConstantComposite %v2ushort %s_large %s_large
                       %small = OpConstantComposite %v2ushort %s_20 %s_7
                       %c_100 = OpConstant %uchar 100
                       %c_minus_100 = OpConstant %uchar 0x9c
                       %u_smallest = OpConstant %uint 0x80000000
                       %l_large = OpConstant %ulong 0x7ffffffffffffff0",
        // Limits of 16, 8, 32 and 64 bits, of which the upper half counts. The second number of 16 bits is below its limit.
        code: "%sums = OpExtInst %v2ushort %cl u_add_sat %large %small
               %sum = OpBitcast %uint %sums
               %plus = OpExtInst %uchar %cl s_add_sat %c_100 %c_100
               %plus.w = OpUConvert %uint %plus
               %minus = OpExtInst %uchar %cl s_sub_sat %c_minus_100 %c_100
               %minus.w = OpUConvert %uint %minus
               %less = OpExtInst %uint %cl s_sub_sat %u_smallest %u_7
               %more = OpExtInst %ulong %cl s_add_sat %l_large %l_large
               %l_32 = OpConstant %ulong 32
               %more.high = OpShiftRightLogical %ulong %more %l_32
               %more.w = OpUConvert %uint %more.high
               %r.1 = OpIMul %uint %n %sum
               %r.2 = OpIAdd %uint %r.1 %plus.w
               %r.3 = OpIMul %uint %n %r.2
               %r.4 = OpIAdd %uint %r.3 %minus.w
               %r.5 = OpIMul %uint %n %r.4
               %r.6 = OpIAdd %uint %r.5 %less
               %r.7 = OpIMul %uint %n %r.6
               %result = OpIAdd %uint %r.7 %more.w",
        result: |item| {
            let limits = [0xfff7_ffff, 0x7f, 0x80, 0x8000_0000, 0x7fff_ffff];
            limits.into_iter().fold(0_u32, |sum, limit| sum.wrapping_mul(item + 1).wrapping_add(limit))
        },
        ..PLAIN
    },
    Text {
        name: "raised",
        declarations: doubles!(
            "%v2uint = OpTypeVector %uint 2
             %d_half = OpConstant %double 0xbfe0000000000000
             %d_77 = OpConstant %double 0x40534ccccccccccd
             %numbers = OpConstantComposite %v2double %d_half %d_77
             %f_small = OpConstant %float 0xc4810000
             OpDecorate %two SaturatedConversion
             OpDecorate %two FPRoundingMode RTN
             OpDecorate %byte SaturatedConversion"
        ),
        // Of -0.5 and 77.2 downward, and of -1032, whose last byte is not 0.
        code: "%two = OpConvertFToU %v2uint %numbers
               %first = OpCompositeExtract %uint %two 0
               %second = OpCompositeExtract %uint %two 1
               %byte = OpConvertFToU %uchar %f_small
               %third = OpUConvert %uint %byte
               %r.1 = OpIMul %uint %n %first
               %r.2 = OpIAdd %uint %r.1 %second
               %r.3 = OpIMul %uint %n %r.2
               %result = OpIAdd %uint %r.3 %third",
        result: |item| (item + 1) * 77,
        ..PLAIN
    },
    Text {
        name: "angles",
        declarations: doubles!(
            "%d_step = OpConstant %double 0x415fffd47ae147ae
             %d_scale = OpConstant %double 0x41e0000000000000
             %d_small = OpConstant %double 0x4170000000000000
             %d_minus_1 = OpConstant %double 0xbff0000000000000
             %d_minus_0 = OpConstant %double 0x8000000000000000"
        ),
        // Of up to 64 * 8388433.92, and of the opposite numbers. The last bits are lost in integers. The sine of -0 adds its
        // sign.
        code: "%d = OpConvertUToF %double %n
               %a = OpFMul %double %d %d_step
               %b = OpFMul %double %a %d_minus_1
               %both = OpCompositeConstruct %v2double %a %b
               %sines = OpExtInst %v2double %cl sin %both
               %cosines = OpExtInst %v2double %cl cos %both
               %sine = OpCompositeExtract %double %sines 1
               %cosine = OpCompositeExtract %double %cosines 0
               %tangent = OpExtInst %double %cl tan %a
               %sine.scaled = OpFMul %double %sine %d_scale
               %cosine.scaled = OpFMul %double %cosine %d_scale
               %tangent.scaled = OpFMul %double %tangent %d_small
               %one = OpConvertFToS %uint %sine.scaled
               %two = OpConvertFToS %uint %cosine.scaled
               %three = OpConvertFToS %uint %tangent.scaled
               %twos = OpIMul %uint %two %u_3
               %threes = OpIMul %uint %three %u_7
               %most = OpIAdd %uint %one %twos
               %all = OpIAdd %uint %most %threes
               %none = OpExtInst %double %cl sin %d_minus_0
               %none.bits = OpBitcast %ulong %none
               %none.high = OpShiftRightLogical %ulong %none.bits %l_32
               %sign = OpUConvert %uint %none.high
               %result = OpIAdd %uint %all %sign",
        result: |item| {
            let a = f64::from(item + 1) * f64::from_bits(0x415f_ffd4_7ae1_47ae);
            let [scale, small] = [2.0_f64.powi(31), 2.0_f64.powi(24)];
            let one = ((-a).sin() * scale) as i32 as u32;
            let two = (a.cos() * scale) as i32 as u32;
            let three = (a.tan() * small) as i32 as u32;
            let all = one.wrapping_add(two.wrapping_mul(3)).wrapping_add(three.wrapping_mul(7));
            all.wrapping_add(1 << 31)
        },
        ..PLAIN
    },
];

/// Returns the nearest half of a number, and the next one toward zero, from a search among all of them.
fn as_halves(number: f64) -> (u16, u16) {
    const INFINITY: u16 = 0x7c00;
    // Infinity counts as the number that would follow the largest one.
    let value = |half: u16| match half >> 10 {
        0 => f64::from(half) * 2.0_f64.powi(-24),
        power => f64::from(half & 0x3ff | 0x400) * 2.0_f64.powi(i32::from(power) - 25),
    };
    let size = number.abs();
    let cut = (0..INFINITY).rev().find(|half| value(*half) <= size).unwrap_or(0);
    let middle = value(cut).midpoint(value(cut + 1));
    let is_up = size > middle || size == middle && cut % 2 == 1;
    let sign = u16::from(number < 0.0) << 15;
    (sign | (cut + u16::from(is_up)), sign | cut)
}

/// Returns the remainder of the division that is rounded to the nearest integer, and the last seven bits of that one, with
/// its sign. The remainders toward zero of x and of multiples of y tell the bits.
fn nearest(x: f64, y: f64) -> (f64, i32) {
    let (size, by) = (x.abs(), y.abs());
    let rest = size % by;
    let has_bit = |bit: &i32| size % (by * 2.0_f64.powi(bit + 1)) >= by * 2.0_f64.powi(*bit);
    let quotient: i32 = (0..7).filter(has_bit).map(|bit| 1 << bit).sum();
    let is_up = rest * 2.0 > by || rest * 2.0 == by && quotient % 2 == 1;
    let rest = if is_up { rest - by } else { rest };
    let quotient = (quotient + i32::from(is_up)) & 0x7f;
    let is_negative = x.is_sign_negative() != y.is_sign_negative();
    (if x < 0.0 { -rest } else { rest }, if is_negative { -quotient } else { quotient })
}

/// Returns a normal number times a power of two. All products but the last one are exact.
fn scaled(number: f64, power: i32) -> f64 {
    let own_power = (number.to_bits() >> 52 & 0x7ff) as i32 - 1023;
    let mantissa = f64::from_bits(number.to_bits() & !(0x7ff << 52) | 1023 << 52);
    match own_power + power {
        ..-1100 => mantissa * 0.0,
        power @ -1100..-1022 => mantissa * 2.0_f64.powi(-1000) * 2.0_f64.powi(power + 1000),
        power @ -1022..1024 => mantissa * 2.0_f64.powi(power),
        _ => mantissa * f64::INFINITY,
    }
}
