//! Half-precision numbers, and the functions for them that LLVM's code calls.

use super::rounding::Rounding;

/// Rounds to half precision.
pub(super) fn half_of(value: f64, rounding: Rounding) -> u16 {
    let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
    let size = value.abs();
    if size.is_nan() {
        return sign | 0x7e00;
    }
    if size.is_infinite() {
        return sign | 0x7c00;
    }
    // Units in the last place. The smallest halves are multiples of 2^-24.
    let exponent = (((size.to_bits() >> 52) as i32) - 1023).max(-14);
    let units = size * power_of_two(10 - exponent);
    let (whole, rest) = (units.floor(), units - units.floor());
    let negative = sign != 0;
    let up = match rounding {
        Rounding::Nearest => rest > 0.5 || (rest == 0.5 && whole % 2.0 == 1.0),
        Rounding::Zero => false,
        Rounding::Up => rest > 0.0 && !negative,
        Rounding::Down => rest > 0.0 && negative,
    };
    let rounded = (whole + f64::from(u8::from(up))) * power_of_two(exponent - 10);
    if rounded > 65504.0 {
        let infinite = match rounding {
            Rounding::Nearest => true,
            Rounding::Zero => false,
            Rounding::Up => !negative,
            Rounding::Down => negative,
        };
        return sign | if infinite { 0x7c00 } else { 0x7bff };
    }
    if rounded < power_of_two(-14) {
        return sign | (rounded * power_of_two(24)) as u16;
    }
    let exponent = ((rounded.to_bits() >> 52) as i32) - 1023;
    sign | ((exponent + 15) as u16) << 10 | ((rounded * power_of_two(-exponent) - 1.0) * 1024.0) as u16
}

fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

pub(super) fn half_of_double(value: f64) -> u16 {
    half_of(value, Rounding::Nearest)
}

pub(super) fn double_of_half(bits: u16) -> f64 {
    let (exponent, mantissa) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    let size = match exponent {
        31 if mantissa == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        0 => mantissa * power_of_two(-24),
        _ => (1.0 + mantissa / 1024.0) * power_of_two(exponent - 15),
    };
    if bits & 0x8000 == 0 { size } else { -size }
}

#[unsafe(no_mangle)]
pub extern "C" fn __gnu_f2h_ieee(value: f32) -> u32 {
    half_of_double(value.into()).into()
}

#[unsafe(no_mangle)]
pub extern "C" fn __gnu_h2f_ieee(bits: u32) -> f32 {
    double_of_half(bits as u16) as f32
}

/// Implements `__truncdfhf2`. The fake libnvvm makes the linker rename it because libgcc_s has a function with that
/// name, whose result is in another register than LLVM 14 expects.
#[unsafe(no_mangle)]
pub extern "C" fn __wrap___truncdfhf2(value: f64) -> u32 {
    half_of_double(value).into()
}
