//! PTX's `cvt` to floating-point numbers.

use std::ffi::c_int;

use super::half::{double_of_half, half_of};
use super::rounding::Rounding;

unsafe extern "C" {
    fn fesetround(mode: c_int) -> c_int;
}

/// Runs a conversion with a rounding mode of the processor.
#[inline(never)]
fn under<T>(rounding: Rounding, convert: impl FnOnce() -> T) -> T {
    let mode = match rounding {
        Rounding::Nearest => 0,
        Rounding::Down => 0x400,
        Rounding::Up => 0x800,
        Rounding::Zero => 0xc00,
    };
    // SAFETY: modes that the processor supports. The default mode is restored immediately.
    unsafe {
        fesetround(mode);
        let result = std::hint::black_box(convert());
        fesetround(0);
        result
    }
}

/// Converts an unsigned number to a signed one. A number of 64 bits is halved first, and the lost bit is merged
/// into the last bit.
fn unsigned(value: u64) -> (i64, bool) {
    if value >> 63 == 0 { (value as i64, false) } else { ((value >> 1 | value & 1) as i64, true) }
}

macro_rules! to_float {
    ($to:ty; $($name:ident $rounding:ident $register:ty, $read:expr;)*) => { $(
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(value: $register) -> $to {
            let read: fn($register) -> Source = $read;
            let source = std::hint::black_box(read(value));
            match source {
                Source::Float(value) => under(Rounding::$rounding, || std::hint::black_box(value) as $to),
                Source::Integer(value) => {
                    let ((value, twice), negative) = (unsigned(value.unsigned_abs() as u64), value < 0);
                    let value = if negative { value.wrapping_neg() } else { value };
                    let result = under(Rounding::$rounding, || std::hint::black_box(value) as $to);
                    if twice { result * 2.0 } else { result }
                }
            }
        }
    )* };
}

enum Source {
    Float(f64),
    Integer(i128),
}

fn half(bits: u32) -> Source {
    Source::Float(double_of_half(bits as u16))
}

macro_rules! conversions {
    ($($rounding:ident: $h_f32:ident $h_f64:ident $h_s16:ident $h_u16:ident $h_s32:ident $h_u32:ident $h_s64:ident $h_u64:ident,
        $f_f16:ident $f_f64:ident $f_s16:ident $f_u16:ident $f_s32:ident $f_u32:ident $f_s64:ident $f_u64:ident,
        $d_f16:ident $d_f32:ident $d_s16:ident $d_u16:ident $d_s32:ident $d_u32:ident $d_s64:ident $d_u64:ident;)*) => {
        $(
            to_half! {
                $h_f32 $rounding f32, |value| Source::Float(value.into());
                $h_f64 $rounding f64, Source::Float;
                $h_s16 $rounding u32, |value| Source::Integer((value as i16).into());
                $h_u16 $rounding u32, |value| Source::Integer((value as u16).into());
                $h_s32 $rounding u32, |value| Source::Integer((value as i32).into());
                $h_u32 $rounding u32, |value| Source::Integer(value.into());
                $h_s64 $rounding u64, |value| Source::Integer((value as i64).into());
                $h_u64 $rounding u64, |value| Source::Integer(value.into());
            }
            to_float! {
                f32;
                $f_f16 $rounding u32, half;
                $f_f64 $rounding f64, Source::Float;
                $f_s16 $rounding u32, |value| Source::Integer((value as i16).into());
                $f_u16 $rounding u32, |value| Source::Integer((value as u16).into());
                $f_s32 $rounding u32, |value| Source::Integer((value as i32).into());
                $f_u32 $rounding u32, |value| Source::Integer(value.into());
                $f_s64 $rounding u64, |value| Source::Integer((value as i64).into());
                $f_u64 $rounding u64, |value| Source::Integer(value.into());
            }
            to_float! {
                f64;
                $d_f16 $rounding u32, half;
                $d_f32 $rounding f32, |value| Source::Float(value.into());
                $d_s16 $rounding u32, |value| Source::Integer((value as i16).into());
                $d_u16 $rounding u32, |value| Source::Integer((value as u16).into());
                $d_s32 $rounding u32, |value| Source::Integer((value as i32).into());
                $d_u32 $rounding u32, |value| Source::Integer(value.into());
                $d_s64 $rounding u64, |value| Source::Integer((value as i64).into());
                $d_u64 $rounding u64, |value| Source::Integer(value.into());
            }
        )*
    };
}

/// Converts to half precision. Numbers of 64 bits beyond its range become infinite or the largest number, whatever
/// their last bits are.
macro_rules! to_half {
    ($($name:ident $rounding:ident $register:ty, $read:expr;)*) => { $(
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(value: $register) -> u32 {
            let read: fn($register) -> Source = $read;
            let value = match read(value) {
                Source::Float(value) => value,
                // Exact if a half can represent it. The largest is 65504.
                Source::Integer(value) => value.clamp(-(1 << 40), 1 << 40) as f64,
            };
            half_of(value, Rounding::$rounding).into()
        }
    )* };
}

conversions! {
    Nearest: ptx_cvt_rn_f16_f32 ptx_cvt_rn_f16_f64 ptx_cvt_rn_f16_s16 ptx_cvt_rn_f16_u16 ptx_cvt_rn_f16_s32 ptx_cvt_rn_f16_u32 ptx_cvt_rn_f16_s64 ptx_cvt_rn_f16_u64,
        ptx_cvt_rn_f32_f16 ptx_cvt_rn_f32_f64 ptx_cvt_rn_f32_s16 ptx_cvt_rn_f32_u16 ptx_cvt_rn_f32_s32 ptx_cvt_rn_f32_u32 ptx_cvt_rn_f32_s64 ptx_cvt_rn_f32_u64,
        ptx_cvt_rn_f64_f16 ptx_cvt_rn_f64_f32 ptx_cvt_rn_f64_s16 ptx_cvt_rn_f64_u16 ptx_cvt_rn_f64_s32 ptx_cvt_rn_f64_u32 ptx_cvt_rn_f64_s64 ptx_cvt_rn_f64_u64;
    Zero: ptx_cvt_rz_f16_f32 ptx_cvt_rz_f16_f64 ptx_cvt_rz_f16_s16 ptx_cvt_rz_f16_u16 ptx_cvt_rz_f16_s32 ptx_cvt_rz_f16_u32 ptx_cvt_rz_f16_s64 ptx_cvt_rz_f16_u64,
        ptx_cvt_rz_f32_f16 ptx_cvt_rz_f32_f64 ptx_cvt_rz_f32_s16 ptx_cvt_rz_f32_u16 ptx_cvt_rz_f32_s32 ptx_cvt_rz_f32_u32 ptx_cvt_rz_f32_s64 ptx_cvt_rz_f32_u64,
        ptx_cvt_rz_f64_f16 ptx_cvt_rz_f64_f32 ptx_cvt_rz_f64_s16 ptx_cvt_rz_f64_u16 ptx_cvt_rz_f64_s32 ptx_cvt_rz_f64_u32 ptx_cvt_rz_f64_s64 ptx_cvt_rz_f64_u64;
    Up: ptx_cvt_rp_f16_f32 ptx_cvt_rp_f16_f64 ptx_cvt_rp_f16_s16 ptx_cvt_rp_f16_u16 ptx_cvt_rp_f16_s32 ptx_cvt_rp_f16_u32 ptx_cvt_rp_f16_s64 ptx_cvt_rp_f16_u64,
        ptx_cvt_rp_f32_f16 ptx_cvt_rp_f32_f64 ptx_cvt_rp_f32_s16 ptx_cvt_rp_f32_u16 ptx_cvt_rp_f32_s32 ptx_cvt_rp_f32_u32 ptx_cvt_rp_f32_s64 ptx_cvt_rp_f32_u64,
        ptx_cvt_rp_f64_f16 ptx_cvt_rp_f64_f32 ptx_cvt_rp_f64_s16 ptx_cvt_rp_f64_u16 ptx_cvt_rp_f64_s32 ptx_cvt_rp_f64_u32 ptx_cvt_rp_f64_s64 ptx_cvt_rp_f64_u64;
    Down: ptx_cvt_rm_f16_f32 ptx_cvt_rm_f16_f64 ptx_cvt_rm_f16_s16 ptx_cvt_rm_f16_u16 ptx_cvt_rm_f16_s32 ptx_cvt_rm_f16_u32 ptx_cvt_rm_f16_s64 ptx_cvt_rm_f16_u64,
        ptx_cvt_rm_f32_f16 ptx_cvt_rm_f32_f64 ptx_cvt_rm_f32_s16 ptx_cvt_rm_f32_u16 ptx_cvt_rm_f32_s32 ptx_cvt_rm_f32_u32 ptx_cvt_rm_f32_s64 ptx_cvt_rm_f32_u64,
        ptx_cvt_rm_f64_f16 ptx_cvt_rm_f64_f32 ptx_cvt_rm_f64_s16 ptx_cvt_rm_f64_u16 ptx_cvt_rm_f64_s32 ptx_cvt_rm_f64_u32 ptx_cvt_rm_f64_s64 ptx_cvt_rm_f64_u64;
}
