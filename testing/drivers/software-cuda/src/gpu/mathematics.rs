//! Functions of libdevice that the processor's math library does not have. `software-nvvm/src/host_ir.rs` reads
//! this file to find their names. testing/cuda/ulp/reference.c contains exact ones.

use std::f64::consts::PI;

unsafe extern "C" {
    fn hypot(x: f64, y: f64) -> f64;
}

/// Returns the sine of `x` times pi. Multiples of a half are exact.
#[unsafe(no_mangle)]
pub extern "C" fn __nv_sinpi(x: f64) -> f64 {
    let (quarter, rest) = quarter_turns(x);
    match quarter {
        // Zero keeps its sign.
        0 | 2 if rest == 0.0 => 0.0_f64.copysign(x),
        0 => (rest * PI).sin(),
        1 => (rest * PI).cos(),
        2 => -(rest * PI).sin(),
        _ => -(rest * PI).cos(),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn __nv_cospi(x: f64) -> f64 {
    let (quarter, rest) = quarter_turns(x.abs());
    match quarter {
        1 | 3 if rest == 0.0 => 0.0,
        0 => (rest * PI).cos(),
        1 => -(rest * PI).sin(),
        2 => -(rest * PI).cos(),
        _ => (rest * PI).sin(),
    }
}

/// Splits a number of half turns into the nearest multiple of a quarter turn, 0 to 3, and the rest, which is exact.
/// The smaller the rest is, the smaller is the rounding error of its product with pi.
fn quarter_turns(x: f64) -> (i64, f64) {
    let turn = x % 2.0;
    let quarter = (turn * 2.0).round();
    ((quarter as i64).rem_euclid(4), turn - quarter / 2.0)
}

#[unsafe(no_mangle)]
pub extern "C" fn __nv_rsqrt(x: f64) -> f64 {
    1.0 / x.sqrt()
}

/// Uses the processor's function, corrected by a step of Newton's method. glibc's function differs by more than the
/// two units in the last place that OpenCL permits.
#[unsafe(no_mangle)]
pub extern "C" fn __nv_cbrt(x: f64) -> f64 {
    // The cube of small numbers has too few digits.
    let (x, scale) = if x.abs() < 1e-200 { (x * 600_f64.exp2(), (-200_f64).exp2()) } else { (x, 1.0) };
    let root = x.cbrt();
    if !root.is_normal() {
        return root * scale;
    }
    let square = root * root;
    let lost = root.mul_add(root, -square);
    let rest = square.mul_add(root, -x) + lost * root;
    (root - rest / (3.0 * square)) * scale
}

#[unsafe(no_mangle)]
pub extern "C" fn __nv_norm3d(x: f64, y: f64, z: f64) -> f64 {
    // SAFETY: takes numbers.
    unsafe { hypot(hypot(x, y), z) }
}

#[unsafe(no_mangle)]
pub extern "C" fn __nv_norm4d(x: f64, y: f64, z: f64, w: f64) -> f64 {
    // SAFETY: takes numbers.
    unsafe { hypot(hypot(x, y), hypot(z, w)) }
}

#[unsafe(no_mangle)]
pub extern "C" fn __nv_sinpif(x: f32) -> f32 {
    __nv_sinpi(x.into()) as f32
}

#[unsafe(no_mangle)]
pub extern "C" fn __nv_cospif(x: f32) -> f32 {
    __nv_cospi(x.into()) as f32
}

#[unsafe(no_mangle)]
pub extern "C" fn __nv_rsqrtf(x: f32) -> f32 {
    __nv_rsqrt(x.into()) as f32
}

#[unsafe(no_mangle)]
pub extern "C" fn __nv_norm3df(x: f32, y: f32, z: f32) -> f32 {
    __nv_norm3d(x.into(), y.into(), z.into()) as f32
}

#[unsafe(no_mangle)]
pub extern "C" fn __nv_norm4df(x: f32, y: f32, z: f32, w: f32) -> f32 {
    __nv_norm4d(x.into(), y.into(), z.into(), w.into()) as f32
}
