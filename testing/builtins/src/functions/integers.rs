//! Tests of the functions of OpenCL.std on integers. Each is computed with unbounded integers, and truncated to its
//! type.

use dashu_int::IBig;

use super::entry::{Amount, Entry};
use crate::case::{Case, Code, Elements, call};
use crate::expected::Expected;
use crate::inputs;
use crate::types::{Scalar, integers};

/// The types that a function takes. Its name shows whether they are signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Types {
    All,
    /// Operands with numbers of 24 bits.
    Of24Bits,
    /// Types for which a type of twice the width exists.
    Halves,
}

/// Computes the result, or `None` if OpenCL leaves it open.
type Of = fn(&[IBig], Scalar) -> Option<IBig>;

/// A function.
struct Row {
    name: &'static str,
    operands: usize,
    signs: &'static [bool],
    types: Types,
    of: Of,
}

const fn row(name: &'static str, operands: usize, signs: &'static [bool], of: Of) -> Row {
    Row { name, operands, signs, types: Types::All, of }
}

const SIGNED: &[bool] = &[true];
const UNSIGNED: &[bool] = &[false];
const BOTH: &[bool] = &[false, true];

const ROWS: &[Row] = &[
    row("s_abs", 1, SIGNED, |x, _| Some(size(&x[0]))),
    row("u_abs", 1, UNSIGNED, |x, _| Some(x[0].clone())),
    row("s_abs_diff", 2, SIGNED, |x, _| Some(size(&(&x[0] - &x[1])))),
    row("u_abs_diff", 2, UNSIGNED, |x, _| Some(size(&(&x[0] - &x[1])))),
    row("s_add_sat", 2, SIGNED, |x, ty| Some(saturated(&x[0] + &x[1], ty))),
    row("u_add_sat", 2, UNSIGNED, |x, ty| Some(saturated(&x[0] + &x[1], ty))),
    row("s_sub_sat", 2, SIGNED, |x, ty| Some(saturated(&x[0] - &x[1], ty))),
    row("u_sub_sat", 2, UNSIGNED, |x, ty| Some(saturated(&x[0] - &x[1], ty))),
    row("s_hadd", 2, SIGNED, |x, _| Some((&x[0] + &x[1]) >> 1)),
    row("u_hadd", 2, UNSIGNED, |x, _| Some((&x[0] + &x[1]) >> 1)),
    row("s_rhadd", 2, SIGNED, |x, _| Some((&x[0] + &x[1] + IBig::ONE) >> 1)),
    row("u_rhadd", 2, UNSIGNED, |x, _| Some((&x[0] + &x[1] + IBig::ONE) >> 1)),
    row("s_mul_hi", 2, SIGNED, |x, ty| Some((&x[0] * &x[1]) >> ty.bits())),
    row("u_mul_hi", 2, UNSIGNED, |x, ty| Some((&x[0] * &x[1]) >> ty.bits())),
    row("s_mad_hi", 3, SIGNED, |x, ty| Some(((&x[0] * &x[1]) >> ty.bits()) + &x[2])),
    row("u_mad_hi", 3, UNSIGNED, |x, ty| Some(((&x[0] * &x[1]) >> ty.bits()) + &x[2])),
    row("s_mad_sat", 3, SIGNED, |x, ty| Some(saturated(&x[0] * &x[1] + &x[2], ty))),
    row("u_mad_sat", 3, UNSIGNED, |x, ty| Some(saturated(&x[0] * &x[1] + &x[2], ty))),
    row("s_max", 2, SIGNED, |x, _| x.iter().max().cloned()),
    row("u_max", 2, UNSIGNED, |x, _| x.iter().max().cloned()),
    row("s_min", 2, SIGNED, |x, _| x.iter().min().cloned()),
    row("u_min", 2, UNSIGNED, |x, _| x.iter().min().cloned()),
    row("s_clamp", 3, SIGNED, |x, _| clamped(x)),
    row("u_clamp", 3, UNSIGNED, |x, _| clamped(x)),
    row("clz", 1, BOTH, |x, ty| Some(zeros(x, ty, |bits, unused| bits.leading_zeros() - unused))),
    row("ctz", 1, BOTH, |x, ty| Some(zeros(x, ty, |bits, _| bits.trailing_zeros()))),
    row("popcount", 1, BOTH, |x, ty| Some(raw(&x[0], ty).count_ones().into())),
    row("rotate", 2, BOTH, |x, ty| Some(rotated(x, ty))),
    row("bitselect", 3, BOTH, |x, ty| {
        let [a, b, mask] = [0, 1, 2].map(|at| raw(&x[at], ty));
        Some((a & !mask | b & mask).into())
    }),
    Row { types: Types::Halves, ..row("u_upsample", 2, UNSIGNED, |x, ty| Some(upsampled(x, ty))) },
    Row { types: Types::Halves, ..row("s_upsample", 2, SIGNED, |x, ty| Some(upsampled(x, ty))) },
    Row { types: Types::Of24Bits, ..row("s_mul24", 2, SIGNED, |x, ty| of_24(x, ty).then(|| &x[0] * &x[1])) },
    Row {
        types: Types::Of24Bits,
        ..row("u_mul24", 2, UNSIGNED, |x, ty| of_24(x, ty).then(|| &x[0] * &x[1]))
    },
    Row {
        types: Types::Of24Bits,
        ..row("s_mad24", 3, SIGNED, |x, ty| of_24(x, ty).then(|| &x[0] * &x[1] + &x[2]))
    },
    Row {
        types: Types::Of24Bits,
        ..row("u_mad24", 3, UNSIGNED, |x, ty| of_24(x, ty).then(|| &x[0] * &x[1] + &x[2]))
    },
];

fn size(x: &IBig) -> IBig {
    if *x < IBig::ZERO { -x } else { x.clone() }
}

fn saturated(x: IBig, ty: Scalar) -> IBig {
    let (least, greatest) = ty.range();
    x.clamp(least.into(), greatest.into())
}

/// Returns `None` if the least limit is above the greatest.
fn clamped(x: &[IBig]) -> Option<IBig> {
    (x[1] <= x[2]).then(|| x[0].clone().clamp(x[1].clone(), x[2].clone()))
}

/// Returns the bits of a number of a type.
fn raw(x: &IBig, ty: Scalar) -> u64 {
    cut(x, ty.bits())
}

/// Returns the low bits of an integer.
pub(crate) fn cut(x: &IBig, bits: usize) -> u64 {
    let modulus = IBig::ONE << bits;
    let rest = x % &modulus;
    let rest = if rest < IBig::ZERO { rest + modulus } else { rest };
    u64::try_from(rest).unwrap_or_default()
}

fn zeros(x: &[IBig], ty: Scalar, of: impl Fn(u64, u32) -> u32) -> IBig {
    let bits = raw(&x[0], ty);
    let unused = 64 - ty.bits() as u32;
    if bits == 0 { ty.bits().into() } else { of(bits, unused).into() }
}

/// OpenCL C specification, rotate: bits shifted out on the left come in on the right. The number of bits is taken
/// modulo the width.
fn rotated(x: &[IBig], ty: Scalar) -> IBig {
    let (bits, width) = (raw(&x[0], ty), ty.bits());
    let by = cut(&x[1], width) as usize % width;
    let wide = u128::from(bits) << by;
    (wide as u64 & ty.mask() | (wide >> width) as u64 & ty.mask()).into()
}

fn upsampled(x: &[IBig], ty: Scalar) -> IBig {
    (&x[0] << ty.bits()) + IBig::from(raw(&x[1], ty))
}

/// Returns whether the factors have 24 bits. Otherwise OpenCL leaves the result open.
fn of_24(x: &[IBig], ty: Scalar) -> bool {
    let range = if ty.is_signed() { -(1 << 23)..1 << 23 } else { 0..1_i64 << 24 };
    x[..2].iter().all(|x| i64::try_from(x).is_ok_and(|x| range.contains(&x)))
}

pub(crate) fn entries() -> impl Iterator<Item = Entry> {
    let functions = ROWS.iter().enumerate();
    let functions =
        functions.map(|(number, row)| Entry::new(row.name, move |amount| cases(row, number, amount)));
    functions.chain([Entry::new("select", super::select::cases)])
}

fn cases(row: &'static Row, number: usize, amount: Amount) -> Vec<Case> {
    let fits = |ty: &Scalar| {
        row.signs.contains(&ty.is_signed())
            && match row.types {
                Types::All => true,
                Types::Of24Bits => ty.bits() == 32,
                Types::Halves => ty.bits() < 64,
            }
    };
    let types = integers().filter(fits).enumerate();
    types.flat_map(|(at, ty)| of_type(row, ty, amount, &amount.widths(number + at))).collect()
}

fn of_type(row: &Row, ty: Scalar, amount: Amount, widths: &[usize]) -> Vec<Case> {
    let types = vec![ty; row.operands];
    let mut columns = inputs::columns(&types, &[], amount.count, amount.seed);
    if row.types == Types::Of24Bits {
        // Most of the random numbers have too many bits.
        for column in columns.iter_mut().take(2) {
            for (at, bits) in column.iter_mut().enumerate().filter(|(at, _)| at % 3 > 0) {
                let low = *bits & 0xff_ffff;
                *bits = if ty.is_signed() && at % 2 == 0 {
                    low.wrapping_sub(0x80_0000) & ty.mask()
                } else {
                    low >> 1
                };
            }
        }
    }
    let result = match row.types {
        Types::Halves => Scalar::Int { bits: 2 * ty.bits(), signed: ty.is_signed() },
        _ => ty,
    };
    let rows = columns.first().map_or(0, Vec::len);
    let expected = |at: usize| {
        let x: Vec<IBig> = columns.iter().map(|column| IBig::from(ty.integer(column[at]))).collect();
        (row.of)(&x, ty).map_or(Expected::Any, |value| Expected::Bits(cut(&value, result.bits())))
    };
    let expected = (0..rows).map(expected).collect();
    let elements = Elements {
        function: row.name.to_owned(),
        ty: ty.name().to_owned(),
        inputs: columns.iter().map(|column| (ty, column.clone())).collect(),
        outputs: vec![(result, expected)],
        bound: Some(0.0),
    };
    elements.cases(widths, |lanes| Code::plain(call(row.name, result, lanes, row.operands)))
}
