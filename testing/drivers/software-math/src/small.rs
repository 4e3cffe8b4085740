//! Products that OpenBLAS does not support: of half-precision numbers and of bytes.

use crate::stream::at;

/// The types of A and B, and of C.
#[derive(Clone, Copy)]
pub(crate) struct Types {
    pub(crate) input: i32,
    pub(crate) output: i32,
}

/// Converts an IEEE half to double.
fn half(bits: u16) -> f64 {
    let (sign, exponent, fraction) = (bits >> 15, i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    let size = match exponent {
        0 => fraction * 2_f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1.0 + fraction / 1024.0) * 2_f64.powi(exponent - 15),
    };
    if sign == 1 { -size } else { size }
}

/// Converts a double to the nearest IEEE half.
fn to_half(number: f64) -> u16 {
    let sign = if number.is_sign_negative() { 0x8000 } else { 0 };
    let size = number.abs();
    if size.is_nan() {
        return 0x7e00;
    }
    if size >= 65520.0 {
        return sign | 0x7c00;
    }
    let exponent = (size.log2().floor() as i32).clamp(-14, 15);
    let step = 2_f64.powi(exponent - 10);
    let count = (size / step).round_ties_even() as u32;
    // A count of 2048 carries into the exponent.
    let bits = if count < 1024 { count } else { ((exponent + 15) as u32) * 1024 + count - 1024 };
    sign | bits as u16
}

/// Converts a double to the nearest bfloat16 of those with a normal exponent.
fn to_bfloat16(number: f64) -> u16 {
    if number.is_nan() {
        return 0x7fc0;
    }
    // Both types have the same exponents. A tie that rounding to float has made is not seen as one.
    let bits = (number as f32).to_bits();
    let (kept, rest) = (bits >> 16, bits & 0xffff);
    let up = rest > 0x8000 || rest == 0x8000 && kept & 1 == 1;
    (kept + u32::from(up)) as u16
}

/// The number of a type that is no memory's: floats that are read with 11 significant bits.
pub(crate) const TF32: i32 = -32;

/// Rounds a float to 11 significant bits, the halfway case away from zero, as NVIDIA's matrix units do.
fn to_tf32(number: f32) -> f32 {
    f32::from_bits(number.to_bits().wrapping_add(1 << 12) & !0x1FFF)
}

fn load(address: u64, index: i64, kind: i32) -> f64 {
    let index = index as usize;
    // SAFETY: inside the caller's matrix.
    unsafe {
        match kind {
            2 => half(at::<u16>(address).add(index).read()),
            14 => f64::from(f32::from_bits(u32::from(at::<u16>(address).add(index).read()) << 16)),
            3 => f64::from(at::<i8>(address).add(index).read()),
            10 => f64::from(at::<i32>(address).add(index).read()),
            TF32 => f64::from(to_tf32(at::<f32>(address).add(index).read())),
            _ => f64::from(at::<f32>(address).add(index).read()),
        }
    }
}

fn store(address: u64, index: i64, kind: i32, number: f64) {
    let index = index as usize;
    // SAFETY: inside the caller's matrix.
    unsafe {
        match kind {
            2 => at::<u16>(address).add(index).write(to_half(number)),
            14 => at::<u16>(address).add(index).write(to_bfloat16(number)),
            10 => at::<i32>(address).add(index).write(number as i32),
            _ => at::<f32>(address).add(index).write(number as f32),
        }
    }
}

/// Computes a product by its definition.
pub(crate) fn product(
    types: Types,
    (ta, tb): (i32, i32),
    (m, n, k): (i64, i64, i64),
    (alpha, beta): (f64, f64),
    (a, lda): (u64, i64),
    (b, ldb): (u64, i64),
    (c, ldc): (u64, i64),
) {
    for row in 0..m {
        for column in 0..n {
            let sum: f64 = (0..k)
                .map(|index| {
                    let left = if ta == 0 { row + index * lda } else { index + row * lda };
                    let right = if tb == 0 { index + column * ldb } else { column + index * ldb };
                    load(a, left, types.input) * load(b, right, types.input)
                })
                .sum();
            let place = row + column * ldc;
            let old = if beta == 0.0 { 0.0 } else { beta * load(c, place, types.output) };
            store(c, place, types.output, alpha * sum + old);
        }
    }
}
