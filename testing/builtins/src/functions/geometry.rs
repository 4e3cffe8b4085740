//! Tests of lengths, distances and directions, which combine all scalars of a vector.

use std::rc::Rc;

use dashu_base::Abs;

use super::entry::{Amount, Entry};
use crate::case::{Case, Input, Output, call};
use crate::expected::Expected;
use crate::inputs;
use crate::number::{PRECISION, Real, exact, is_zero, power_of_two, whole, with_digits};
use crate::types::{FLOATS, Scalar};

/// The bounds of `half`, `float` and `double` for vectors of n scalars. Infinite if OpenCL leaves the bound open.
type Bounds = fn(f64) -> [f64; 3];

struct Row {
    name: &'static str,
    /// 2 for a distance.
    operands: usize,
    is_direction: bool,
    bounds: Bounds,
}

const NOT: f64 = f64::NAN;

const ROWS: &[Row] = &[
    Row {
        name: "length",
        operands: 1,
        is_direction: false,
        bounds: |n| [0.5 + 0.5 * (0.5 * n + 0.5 * (n - 1.0)), 2.75 + 0.5 * n, 5.5 + n],
    },
    Row {
        name: "distance",
        operands: 2,
        is_direction: false,
        bounds: |n| [0.5 + 1.5 * n + 0.5 * (n - 1.0), 2.5 + 2.0 * n, 5.5 + 2.0 * n],
    },
    Row {
        name: "normalize",
        operands: 1,
        is_direction: true,
        bounds: |n| [1.5 + 0.5 * n + 0.5 * (n - 1.0), 2.0 + n, 4.5 + n],
    },
    Row { name: "fast_length", operands: 1, is_direction: false, bounds: |n| [NOT, 8191.5 + n, NOT] },
    Row { name: "fast_distance", operands: 2, is_direction: false, bounds: |n| [NOT, 8191.5 + 2.0 * n, NOT] },
    Row { name: "fast_normalize", operands: 1, is_direction: true, bounds: |n| [NOT, 8192.0 + n, NOT] },
];

pub(crate) fn entries() -> impl Iterator<Item = Entry> {
    let cross = Entry::new("cross", crosses);
    ROWS.iter().map(|row| Entry::new(row.name, move |amount| cases(row, amount))).chain([cross])
}

fn cases(row: &'static Row, amount: Amount) -> Vec<Case> {
    let widths = 1..=4;
    widths
        .flat_map(|lanes| {
            let types = FLOATS.into_iter().zip((row.bounds)(lanes as f64));
            types.filter(|(_, ulps)| !ulps.is_nan()).map(move |(ty, ulps)| case(row, ty, lanes, ulps, amount))
        })
        .collect()
}

/// Returns finite numbers. For the fast functions, their squares are neither too large nor too small.
fn numbers(ty: Scalar, is_fast: bool, count: usize, seed: u64) -> Vec<u64> {
    let Some(format) = ty.format() else { return Vec::new() };
    let columns = inputs::columns(&[ty, ty], &[], count, seed);
    let edge = format.greatest_exponent() / 2 - 4;
    let fits = |bits: &u64| {
        let value = format.value(*bits);
        let Some(real) = value.real() else { return false };
        let size = exact(real).abs();
        !is_fast || is_zero(real) || size < power_of_two(edge) && size > power_of_two(-edge)
    };
    let kept: Vec<u64> = columns.concat().into_iter().filter(fits).collect();
    let wanted = kept.len().next_multiple_of(inputs::STEP);
    kept.iter().cycle().take(wanted).copied().collect()
}

fn case(row: &Row, ty: Scalar, lanes: usize, ulps: f64, amount: Amount) -> Case {
    let is_fast = row.name.starts_with("fast");
    let columns: Vec<Vec<u64>> = (0..row.operands)
        .map(|at| {
            let mut all = numbers(ty, is_fast, amount.count, amount.seed);
            // Both operands have the same numbers at different positions.
            all.rotate_left(at * 5);
            all
        })
        .collect();
    let Some(format) = ty.format() else { unreachable!("the types are floating-point ones") };
    let value = |bits: u64| format.value(bits).real().map(exact).unwrap_or(Real::ZERO);
    let near = |real: Real| Expected::Near { real, ulps };
    let mut expected = Vec::new();
    for item in 0..columns[0].len() / lanes {
        let point: Vec<Real> = (item * lanes..(item + 1) * lanes)
            .map(|at| match columns.get(1) {
                Some(other) => value(columns[0][at]) - value(other[at]),
                None => value(columns[0][at]),
            })
            .collect();
        let square = point.iter().fold(Real::ZERO, |sum, x| sum + x * x);
        let length = if is_zero(&square) { Real::ZERO } else { with_digits(&square, PRECISION).sqrt() };
        // A length that exceeds the range of a fast sum of squares only.
        let beyond = is_fast && length > power_of_two(format.greatest_exponent() / 2 - 1);
        match row.is_direction {
            _ if beyond => expected.extend(vec![Expected::Any; if row.is_direction { lanes } else { 1 }]),
            false => expected.push(near(length)),
            // A zero vector has no direction, and stays zero.
            true if is_zero(&length) => expected.extend(vec![near(whole(0)); lanes]),
            true => expected.extend(point.iter().map(|x| near(with_digits(x, PRECISION) / &length))),
        }
    }
    let result = if row.is_direction { lanes } else { 1 };
    Case {
        function: row.name.to_owned(),
        ty: ty.name().to_owned(),
        inputs: columns.into_iter().map(|bits| Input { ty, lanes, bits: Rc::new(bits) }).collect(),
        outputs: vec![Output { ty, lanes: result, expected: Rc::new(expected), by_code: false }],
        declarations: String::new(),
        variables: String::new(),
        code: call(row.name, ty, result, row.operands),
        group: None,
        bound: Some(ulps),
    }
}

/// Tests cross products of vectors of three or four scalars. The fourth result is 0.
fn crosses(amount: Amount) -> Vec<Case> {
    let all = FLOATS.into_iter().flat_map(|ty| [3, 4].map(|lanes| (ty, lanes)));
    all.map(|(ty, lanes)| cross(ty, lanes, amount)).collect()
}

fn cross(ty: Scalar, lanes: usize, amount: Amount) -> Case {
    let first = numbers(ty, true, amount.count, amount.seed);
    let mut second = first.clone();
    second.rotate_left(7);
    let Some(format) = ty.format() else { unreachable!("the types are floating-point ones") };
    let value = |bits: u64| format.value(bits).real().map(exact).unwrap_or(Real::ZERO);
    let mut expected = Vec::new();
    for item in 0..first.len() / lanes {
        let [a, b] = [&first, &second].map(|all| [0, 1, 2].map(|at| value(all[item * lanes + at])));
        let greatest = a.iter().chain(&b).map(|x| x.clone().abs()).max().unwrap_or(Real::ZERO);
        // Three times the distance from 1 to the next number, plus the loss below the least number.
        let tolerance = &greatest * &greatest * whole(3) * power_of_two(1 - format.digits as isize)
            + power_of_two(format.least_unit() + 2);
        for [i, j] in [[1, 2], [2, 0], [0, 1]] {
            let real = &a[i] * &b[j] - &a[j] * &b[i];
            expected.push(Expected::Within { real, tolerance: tolerance.clone() });
        }
        expected.extend(vec![Expected::Bits(0); lanes - 3]);
    }
    Case {
        function: "cross".to_owned(),
        ty: ty.name().to_owned(),
        inputs: [first, second].into_iter().map(|bits| Input { ty, lanes, bits: Rc::new(bits) }).collect(),
        outputs: vec![Output { ty, lanes, expected: Rc::new(expected), by_code: false }],
        declarations: String::new(),
        variables: String::new(),
        code: call("cross", ty, lanes, 2),
        group: None,
        bound: None,
    }
}
