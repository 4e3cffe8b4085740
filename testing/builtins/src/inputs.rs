//! Operands of functions: corner values of a type, and random ones.

use std::f64::consts::{E, FRAC_PI_2, FRAC_PI_4, PI};

use testing_nvvm::Random;

use crate::number::{Format, Real, Rounding};
use crate::types::Scalar;

/// A number of scalars that vectors of every width divide.
pub(crate) const STEP: usize = 48;

/// Converts a finite `double` to a type.
fn bits_of(format: Format, value: f64) -> u64 {
    let negative = value.is_sign_negative();
    Real::try_from(value).map_or(format.nan(), |real| format.rounded(&real, negative, Rounding::NearestEven))
}

/// Returns corner values of both signs: zeros, the least and greatest numbers, neighbors of 1, halves, infinities
/// and NaN.
fn corners(format: Format) -> Vec<u64> {
    let one = bits_of(format, 1.0);
    let normal = 1 << (format.digits - 1);
    let last = 2_f64.powi(format.digits as i32 - 1);
    let mut sizes = vec![
        0,
        1,
        2,
        normal - 1,
        normal,
        normal + 1,
        one - 1,
        one,
        one + 1,
        format.greatest(),
        format.greatest() - 1,
        format.infinity(false),
        format.nan(),
    ];
    let values = [
        0.1,
        0.25,
        0.5,
        FRAC_PI_4,
        1.5,
        FRAC_PI_2,
        2.0,
        2.5,
        E,
        3.0,
        PI,
        3.5,
        5.5,
        7.0,
        10.0,
        100.0,
        127.0,
        127.5,
        128.0,
        255.5,
        256.0,
        1000.0,
        32767.5,
        32768.0,
        65535.5,
        65536.0,
        1e-3,
        1e-7,
        1e-20,
        88.5,
        709.5,
        171.0,
        1e10,
        2147483647.5,
        2147483648.0,
        4294967295.5,
        4294967296.0,
        9.223372036854775e18,
        9.223_372_036_854_776e18,
        1.8446744073709552e19,
        1e30,
        1e38,
        1e300,
    ];
    sizes.extend(
        values
            .iter()
            .chain(&[last, last - 0.5, last + 1.0, last * 2.0, last / 2.0 + 0.5])
            .map(|value| bits_of(format, *value)),
    );
    both_signs(format, sizes)
}

/// Returns the few corner values that are combined with each other.
fn few_corners(format: Format) -> Vec<u64> {
    let normal = 1 << (format.digits - 1);
    let mut sizes = vec![0, 1, normal - 1, normal, format.greatest(), format.infinity(false), format.nan()];
    sizes.extend([0.5, 1.0, 1.5, 2.0, 3.0, 7.0, 100.0].map(|value| bits_of(format, value)));
    both_signs(format, sizes)
}

fn both_signs(format: Format, sizes: Vec<u64>) -> Vec<u64> {
    sizes.into_iter().flat_map(|size| [size, size | format.zero(true)]).collect()
}

/// Returns a random number: with any bits, up to 100, or up to 1.5.
fn random_float(format: Format, random: &mut Random) -> u64 {
    let kind = random.number() % 4;
    let part = (random.number() >> 11) as f64 / (1_u64 << 53) as f64 * 2.0 - 1.0;
    match kind {
        0 | 1 => random.number() >> (64 - format.bits),
        2 => bits_of(format, part * 100.0),
        _ => bits_of(format, part * 1.5),
    }
}

/// Returns corner values of integers: a few, or all powers of two and their neighbors.
fn integer_corners(ty: Scalar, few: bool) -> Vec<u64> {
    let mut all =
        vec![0, 1, 2, 3, 5, 7, ty.mask(), ty.mask() - 1, ty.mask() / 2, ty.mask() / 2 + 1, ty.mask() / 2 + 2];
    if !few {
        all.extend(
            (2..ty.bits()).flat_map(|bit| [(1_u64 << bit) - 1, 1 << bit, (1 << bit) + 1, !(1_u64 << bit)]),
        );
    }
    all.into_iter().map(|bits| bits & ty.mask()).collect()
}

/// Returns the exponents of `ldexp` and `pown`, and the degrees of `rootn`.
pub(crate) fn exponents() -> Vec<u64> {
    let numbers =
        [0, 1, 2, 3, 4, 5, 7, 10, 24, 31, 64, 126, 127, 128, 149, 150, 1000, 1023, 1074, 2000, i32::MAX];
    let both = numbers.iter().flat_map(|number| [*number, -*number]);
    both.chain([i32::MIN]).map(|number| u64::from(number.cast_unsigned())).collect()
}

/// Returns the corner values of a type. Only a few if they are combined.
fn corners_of(ty: Scalar, operands: usize) -> Vec<u64> {
    match ty {
        Scalar::Float(format) if operands == 1 => corners(format),
        Scalar::Float(format) => few_corners(format),
        Scalar::Int { .. } => integer_corners(ty, operands > 1),
    }
}

fn random_of(ty: Scalar, random: &mut Random) -> u64 {
    match ty {
        Scalar::Float(format) => random_float(format, random),
        // Half of them have few bits.
        Scalar::Int { bits, .. } => {
            let (number, cut) = (random.number(), random.number());
            (if cut.is_multiple_of(2) { number } else { number >> (64 - bits) >> ((cut >> 8) % bits as u64) })
                & ty.mask()
        }
    }
}

/// Returns columns of operands: all combinations of corner values, and this number of random ones. Returns all
/// operands of a function of one `half`, unless few are requested.
pub(crate) fn columns(types: &[Scalar], corners: &[Vec<u64>], count: usize, seed: u64) -> Vec<Vec<u64>> {
    let mut random = Random::new(seed);
    let mut rows: Vec<Vec<u64>> = vec![Vec::new()];
    for (at, ty) in types.iter().enumerate() {
        let own = match corners.get(at).filter(|own| !own.is_empty()) {
            Some(own) => own.clone(),
            None => corners_of(*ty, types.len()),
        };
        // All combinations of three corner values are too many.
        let own: Vec<u64> = if types.len() > 2 { thinned(own, 12) } else { own };
        rows = rows
            .into_iter()
            .flat_map(|row| own.iter().map(move |bits| [row.as_slice(), &[*bits]].concat()))
            .collect();
    }
    if count < 100 && types.len() > 1 {
        rows = thinned(rows, 240);
    }
    if types.len() == 1 && types[0].bits() <= 16 && count >= 100 {
        rows = (0..1_u64 << types[0].bits()).map(|bits| vec![bits]).collect();
    } else {
        for _ in 0..count {
            rows.push(types.iter().map(|ty| random_of(*ty, &mut random)).collect());
        }
    }
    let wanted = rows.len().next_multiple_of(STEP);
    let rows: Vec<Vec<u64>> = rows.iter().cycle().take(wanted).cloned().collect();
    (0..types.len()).map(|at| rows.iter().map(|row| row[at]).collect()).collect()
}

/// Returns up to `most` items, evenly spread over a list.
fn thinned<T>(all: Vec<T>, most: usize) -> Vec<T> {
    let (length, mut at) = (all.len(), 0);
    if length <= most {
        return all;
    }
    all.into_iter()
        .filter(|_| {
            at += 1;
            at * most / length != (at - 1) * most / length
        })
        .collect()
}
