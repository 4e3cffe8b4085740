//! Functions of floating-point numbers that are more than a call of libdevice: special cases, several results,
//! other widths.

use testing_nvvm::{Scalar, bytes, elementwise, numbers};

use crate::gpu::{Arg, HostGpu, Launch, compute};

const VALUES: [f64; 17] = [
    0.0,
    -0.0,
    0.3,
    -0.3,
    1.0,
    -1.0,
    1.5,
    2.5,
    -2.5,
    7.0,
    -7.9,
    1e10,
    -1e10,
    1e-300,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

/// Returns whether both are NaN, both are equal with the same sign, or they differ by less than a fraction.
fn close(found: f64, expected: f64, part: f64) -> bool {
    if found == expected {
        return found != 0.0 || found.is_sign_negative() == expected.is_sign_negative();
    }
    found.is_nan() && expected.is_nan() || (found - expected).abs() <= expected.abs() * part
}

pub(crate) fn check<const N: usize>(
    name: &str,
    rows: &[[f64; N]],
    part: f64,
    expected: impl Fn([f64; N]) -> f64,
) {
    for (ty, part) in [("%double", part), ("%float", part.max(if part > 0.0 { 1e-6 } else { 0.0 }))] {
        let operands: Vec<String> = (0..N).map(|at| format!("%v{at}")).collect();
        let code = match name.starts_with("Op") {
            true => format!("%r = {name} {ty} {}", operands.join(" ")),
            false => format!("%r = OpExtInst {ty} %cl {name} {}", operands.join(" ")),
        };
        let module = elementwise("", &[ty; N], ty, &code).unwrap();
        let narrow = |value: f64| if ty == "%float" { f64::from(value as f32) } else { value };
        let encode = |value: f64| if ty == "%float" { (value as f32).bytes() } else { value.bytes() };
        let columns: Vec<Vec<u8>> =
            (0..N).map(|at| rows.iter().flat_map(|row| encode(row[at])).collect()).collect();
        let found: Vec<f64> = match ty {
            "%float" => {
                compute::<f32>(&module, &columns, rows.len()).unwrap().into_iter().map(f64::from).collect()
            }
            _ => compute(&module, &columns, rows.len()).unwrap(),
        };
        for (row, found) in rows.iter().zip(found) {
            let expected = narrow(expected(row.map(narrow)));
            assert!(close(found, expected, part), "{name} of {ty} {row:?}: {found:?}, not {expected:?}");
        }
    }
}

fn pairs() -> Vec<[f64; 2]> {
    VALUES.iter().flat_map(|a| VALUES.iter().map(|b| [*a, *b])).collect()
}

#[test]
#[ignore = "needs LLVM 14"]
fn rounding_and_signs() {
    let rows = VALUES.map(|value| [value]);
    check("rint", &rows, 0.0, |[x]| x.round_ties_even());
    check("round", &rows, 0.0, |[x]| x.round());
    check("trunc", &rows, 0.0, |[x]| x.trunc());
    check("ceil", &rows, 0.0, |[x]| x.ceil());
    check("floor", &rows, 0.0, |[x]| x.floor());
    check("fabs", &rows, 0.0, |[x]| x.abs());
    check("OpFNegate", &rows, 0.0, |[x]| -x);
    // The sign of NaN is 0, and that of a zero is the zero.
    check("sign", &rows, 0.0, |[x]| {
        if x.is_nan() {
            0.0
        } else if x == 0.0 {
            x
        } else {
            x.signum()
        }
    });
    check("degrees", &rows, 1e-15, |[x]| x.to_degrees());
    check("radians", &rows, 1e-15, |[x]| x.to_radians());
    check("copysign", &pairs(), 0.0, |[x, y]| x.copysign(y));
}

#[test]
#[ignore = "needs LLVM 14"]
fn least_and_greatest() {
    // The sign of the smaller of two zeros is not defined, so that zeros are left out.
    let rows: Vec<[f64; 2]> = pairs().into_iter().filter(|[a, b]| *a != 0.0 || *b != 0.0).collect();
    check("fmax", &rows, 0.0, |[x, y]| x.max(y));
    check("fmin", &rows, 0.0, |[x, y]| x.min(y));
    let by = |x: f64, y: f64, greater: bool| {
        let (a, b) = (x.abs(), y.abs());
        if greater && a > b || !greater && a < b {
            x
        } else if greater && b > a || !greater && b < a {
            y
        } else if greater {
            x.max(y)
        } else {
            x.min(y)
        }
    };
    check("maxmag", &rows, 0.0, |[x, y]| by(x, y, true));
    check("minmag", &rows, 0.0, |[x, y]| by(x, y, false));
}

#[test]
#[ignore = "needs LLVM 14"]
fn remainders_and_steps() {
    let rows: Vec<[f64; 2]> = pairs().into_iter().filter(|[a, _]| a.abs() < 1e9).collect();
    check("fmod", &rows, 0.0, |[x, y]| x % y);
    check("OpFRem", &rows, 0.0, |[x, y]| x % y);
    let finite: Vec<[f64; 2]> =
        rows.iter().filter(|[_, b]| b.is_finite() && *b != 0.0 && b.abs() > 1e-30).copied().collect();
    check("OpFMod", &finite, 1e-15, |[x, y]| {
        let rest = x % y;
        if rest != 0.0 && (rest < 0.0) != (y < 0.0) { rest + y } else { rest }
    });
    check("step", &rows, 0.0, |[edge, x]| if x < edge { 0.0 } else { 1.0 });
    check("fdim", &rows, 0.0, |[x, y]| {
        if x.is_nan() || y.is_nan() {
            f64::NAN
        } else if x > y {
            x - y
        } else {
            0.0
        }
    });
    let three: Vec<[f64; 3]> = [0.0, 0.25, 0.5, 1.0, 3.0, -1.0].map(|x| [-0.5, 2.0, x]).to_vec();
    check("fclamp", &three.iter().map(|[a, b, x]| [*x, *a, *b]).collect::<Vec<_>>(), 0.0, |[x, a, b]| {
        x.clamp(a, b)
    });
    check("mix", &three, 1e-15, |[a, b, x]| a + (b - a) * x);
    check("smoothstep", &three, 1e-14, |[a, b, x]| {
        let t = ((x - a) / (b - a)).clamp(0.0, 1.0);
        t * t * (3.0 - 2.0 * t)
    });
}

#[test]
#[ignore = "needs LLVM 14"]
fn powers_and_roots() {
    check("pow", &pairs(), 1e-13, |[x, y]| x.powf(y));
    // powr is defined for numbers that are not negative. 1 to the power of infinity, 0 to 0 and infinity to 0 are
    // NaN.
    check("powr", &pairs(), 1e-13, |[x, y]| {
        let odd =
            x == 1.0 && !y.is_finite() || y == 0.0 && (x == 0.0 || !x.is_finite()) || x < 0.0 || x.is_nan();
        if odd { f64::NAN } else { x.abs().powf(y) }
    });
    for ty in ["%double", "%float", "%half"] {
        let powers: [i32; 6] = [0, 1, 2, 3, -3, 30];
        let bases = [2.0_f32, -2.0, 0.5, -1.5, 0.0];
        let rows: Vec<(f32, i32)> =
            bases.iter().flat_map(|base| powers.map(|power| (*base, power))).collect();
        let encode = |value: f32| match ty {
            "%double" => f64::from(value).bytes(),
            "%float" => value.bytes(),
            _ => half_bits(value).bytes(),
        };
        let decode = |bytes: &[u8]| match ty {
            "%double" => f64::read(bytes),
            "%float" => f32::read(bytes).into(),
            _ => half_value(u16::read(bytes)),
        };
        let size = encode(0.0).len();
        let column: Vec<u8> = rows.iter().flat_map(|(base, _)| encode(*base)).collect();
        let exponents = bytes(&rows.iter().map(|(_, power)| *power).collect::<Vec<i32>>());
        for name in ["pown", "rootn"] {
            let code = format!("%r = OpExtInst {ty} %cl {name} %v0 %v1");
            let module = elementwise("", &[ty, "%uint"], ty, &code).unwrap();
            let gpu = HostGpu::new(&[&module], &sycl_pi_nvvm::Options::default()).unwrap();
            let args = [vec![0; rows.len() * size], column.clone(), exponents.clone()].map(Arg::Buffer);
            let out = gpu.run(Launch::group(rows.len() as u64), &args).unwrap();
            for ((base, power), found) in rows.iter().zip(out[0].chunks(size).map(decode)) {
                let x = f64::from(*base);
                let expected = match (name, power) {
                    ("pown", _) => x.powi(*power),
                    (_, 0) => f64::NAN,
                    // Odd roots of negative numbers are negative, even ones are NaN. A root of zero has its sign
                    // only if it is odd.
                    (_, n) if n % 2 != 0 => x.abs().powf(1.0 / f64::from(*n)).copysign(x),
                    (_, n) => {
                        if x < 0.0 {
                            f64::NAN
                        } else {
                            x.abs().powf(1.0 / f64::from(*n))
                        }
                    }
                };
                let part = if ty == "%half" { 1e-3 } else { 2e-7 };
                // The smallest half is 2 to the power of -24.
                let found = if ty == "%half" && expected.abs() < 2_f64.powi(-25) {
                    expected.copysign(found)
                } else {
                    found
                };
                let expected = if ty == "%half" && expected.abs() > 65504.0 {
                    f64::INFINITY.copysign(expected)
                } else {
                    expected
                };
                assert!(
                    close(found, expected, part),
                    "{name} of {ty} {base} {power}: {found}, not {expected}"
                );
            }
        }
    }
}

/// Returns the bits of a half, for numbers that are exactly representable.
fn half_bits(value: f32) -> u16 {
    let bits = value.to_bits();
    if value == 0.0 {
        return (bits >> 16) as u16;
    }
    (bits >> 16 & 0x8000) as u16
        | (((bits >> 23 & 0xff) as u16 + 15 - 127) << 10)
        | (bits >> 13 & 0x3ff) as u16
}

fn half_value(bits: u16) -> f64 {
    let (exponent, mantissa) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    let size = match exponent {
        0 => mantissa * 2_f64.powi(-24),
        31 if mantissa == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1.0 + mantissa / 1024.0) * 2_f64.powi(exponent - 15),
    };
    if bits & 0x8000 == 0 { size } else { -size }
}

/// The sum of such a number and 1 is rounded to 1.
#[test]
#[ignore = "needs LLVM 14"]
fn a_fraction_stays_below_one() {
    let code = "%room = OpVariable %f_ty Function\n%r = OpExtInst %double %cl fract %v0 %room";
    let declarations = "%f_ty = OpTypePointer Function %double";
    let module = elementwise(declarations, &["%double"], "%double", code).unwrap();
    let found = compute::<f64>(&module, &[bytes(&[-1e-300_f64, -1e-20])], 2).unwrap();
    assert_eq!(found, [1.0_f64.next_down(); 2]);
}

#[test]
#[ignore = "needs LLVM 14"]
fn functions_with_two_results() {
    let second = |name: &str, ty: &str, inputs: &[&str]| {
        let declarations = format!("%f_ty = OpTypePointer Function {ty}");
        let operands: Vec<String> = (0..inputs.len()).map(|at| format!("%v{at}")).collect();
        let both = format!(
            "%room = OpVariable %f_ty Function\n%one = OpExtInst %double %cl {name} {} %room\n%two = OpLoad {ty} %room\n",
            operands.join(" ")
        );
        let first =
            elementwise(&declarations, inputs, "%double", &format!("{both}%r = OpCopyObject %double %one"))
                .unwrap();
        let second =
            elementwise(&declarations, inputs, ty, &format!("{both}%r = OpCopyObject {ty} %two")).unwrap();
        (first, second)
    };
    let rows = VALUES.len();
    let column = vec![bytes(&VALUES)];
    let run = |module: &[u8]| compute::<f64>(module, &column, rows).unwrap();

    let (fraction, floor) = second("fract", "%double", &["%double"]);
    let (sine, cosine) = second("sincos", "%double", &["%double"]);
    let (part, whole) = second("modf", "%double", &["%double"]);
    let (mantissa, exponent) = second("frexp", "%uint", &["%double"]);
    let results = [fraction, floor, sine, cosine, part, whole, mantissa].map(|module| run(&module));
    let exponents = compute::<i32>(&exponent, &column, rows).unwrap();
    for (at, x) in VALUES.iter().enumerate() {
        let expected = [
            if x.is_nan() {
                *x
            } else if x.is_infinite() {
                0.0_f64.copysign(*x)
            } else {
                (x - x.floor()).min(1.0_f64.next_down())
            },
            x.floor(),
            x.sin(),
            x.cos(),
            if x.is_infinite() { 0.0_f64.copysign(*x) } else { x.fract().copysign(*x) },
            x.trunc(),
        ];
        let names = ["fract", "its floor", "sine", "cosine", "modf", "its whole"];
        for ((name, expected), found) in names.iter().zip(expected).zip(&results) {
            if *name == "fract" && expected == 0.0 {
                // Table "fract" of the OpenCL C specification: zeros and infinities keep their sign.
                let negative = (*x == 0.0 || x.is_infinite()) && x.is_sign_negative();
                assert_eq!(found[at].is_sign_negative(), negative, "sign of fract of {x}");
            }
            let found = if expected == 0.0 && found[at] == 0.0 { expected } else { found[at] };
            assert!(close(found, expected, 1e-12), "{name} of {x}: {found}, not {expected}");
        }
        if x.is_finite() && *x != 0.0 {
            let (m, e) = (results[6][at], exponents[at]);
            assert!((0.5..1.0).contains(&m.abs()) && m * 2_f64.powi(e) == *x, "frexp of {x}: {m}, {e}");
        }
    }
    let (gamma, sign) = second("lgamma_r", "%uint", &["%double"]);
    // The gamma function of 3 and 5 is 2 and 24.
    for (found, expected) in
        compute::<f64>(&gamma, &[bytes(&[3.0_f64, 5.0])], 2).unwrap().into_iter().zip([2.0_f64, 24.0])
    {
        assert!(close(found, expected.ln(), 1e-12), "{found}");
    }
    let found = compute::<i32>(&sign, &[bytes(&[0.5_f64, -0.5, -1.5, -2.5, 3.0])], 5).unwrap();
    assert_eq!(found, [1, -1, 1, -1, 1]);
    let (rest, quotient) = second("remquo", "%uint", &["%double", "%double"]);
    let columns = [bytes(&[7.0_f64, -7.0, 8.5]), bytes(&[2.0_f64, 2.0, 3.0])];
    assert_eq!(compute::<f64>(&rest, &columns, 3).unwrap(), [-1.0, 1.0, -0.5]);
    // Halves are rounded to the even quotient.
    assert_eq!(compute::<i32>(&quotient, &columns, 3).unwrap(), [4, -4, 3]);
}

#[test]
#[ignore = "needs LLVM 14"]
fn comparisons_with_what_is_no_number() {
    type Compare = fn(f64, f64) -> bool;
    let cases: [(&str, Compare); 15] = [
        ("OpOrdered", |a, b| !(a.is_nan() || b.is_nan())),
        ("OpUnordered", |a, b| a.is_nan() || b.is_nan()),
        ("OpFOrdEqual", |a, b| a == b),
        ("OpFUnordEqual", |a, b| a.is_nan() || b.is_nan() || a == b),
        ("OpFOrdNotEqual", |a, b| a.partial_cmp(&b).is_some_and(|order| order.is_ne())),
        ("OpFUnordNotEqual", |a, b| a != b),
        ("OpLessOrGreater", |a, b| a.partial_cmp(&b).is_some_and(|order| order.is_ne())),
        ("OpFOrdLessThan", |a, b| a < b),
        ("OpFUnordLessThan", |a, b| a.is_nan() || b.is_nan() || a < b),
        ("OpFOrdGreaterThan", |a, b| a > b),
        ("OpFUnordGreaterThan", |a, b| a.is_nan() || b.is_nan() || a > b),
        ("OpFOrdLessThanEqual", |a, b| a <= b),
        ("OpFUnordLessThanEqual", |a, b| a.is_nan() || b.is_nan() || a <= b),
        ("OpFUnordGreaterThanEqual", |a, b| a.is_nan() || b.is_nan() || a >= b),
        ("OpFOrdGreaterThanEqual", |a, b| a >= b),
    ];
    let rows = pairs();
    let columns = [0, 1].map(|at| bytes(&rows.iter().map(|row| row[at]).collect::<Vec<f64>>()));
    for (name, expected) in cases {
        for other in ["%v1", "%v0"] {
            let code = format!("%is = {name} %bool %v0 {other}\n%r = OpSelect %uint %is %u_1 %u_0");
            let module = elementwise("", &["%double", "%double"], "%uint", &code).unwrap();
            let found: Vec<u32> = compute(&module, &columns, rows.len()).unwrap();
            for ([a, b], found) in rows.iter().zip(found) {
                let b = if other == "%v1" { b } else { a };
                assert_eq!(found == 1, expected(*a, *b), "{name} of {a}, {b}");
            }
        }
    }
}

#[test]
#[ignore = "needs LLVM 14"]
fn questions_about_one_number() {
    let smallest = f64::MIN_POSITIVE / 2.0;
    let values: Vec<f64> =
        VALUES.into_iter().chain([smallest, -smallest, f64::MIN_POSITIVE, f64::MAX]).collect();
    type Question = fn(f64) -> bool;
    let cases: [(&str, Question); 5] = [
        ("OpIsNan", f64::is_nan),
        ("OpIsInf", f64::is_infinite),
        ("OpIsFinite", f64::is_finite),
        ("OpIsNormal", f64::is_normal),
        ("OpSignBitSet", f64::is_sign_negative),
    ];
    for (name, expected) in cases {
        let code = format!("%is = {name} %bool %v0\n%r = OpSelect %uint %is %u_1 %u_0");
        let module = elementwise("", &["%double"], "%uint", &code).unwrap();
        let found: Vec<u32> = compute(&module, &[bytes(&values)], values.len()).unwrap();
        for (value, found) in values.iter().zip(found) {
            assert_eq!(found == 1, expected(*value), "{name} of {value}");
        }
    }
    // The largest denormal number, the least and the greatest normal one, 1, infinity and NaN.
    let halves = [0x03ff_u16, 0x0400, 0x7bff, 0x3c00, 0x7c00, 0x7e00];
    for (name, expected) in [
        ("OpIsNormal", [0, 1, 1, 1, 0, 0]),
        ("OpIsFinite", [1, 1, 1, 1, 0, 0]),
        ("OpIsInf", [0, 0, 0, 0, 1, 0]),
        ("OpIsNan", [0, 0, 0, 0, 0, 1]),
    ] {
        let code = format!("%is = {name} %bool %v0\n%r = OpSelect %uint %is %u_1 %u_0");
        let module = elementwise("", &["%half"], "%uint", &code).unwrap();
        assert_eq!(compute::<u32>(&module, &[bytes(&halves)], 6).unwrap(), expected, "{name}");
    }
}

#[test]
#[ignore = "needs LLVM 14"]
fn the_next_number_of_every_width() {
    let check = |ty: &str, columns: &[Vec<u8>], rows: usize| {
        let module =
            elementwise("", &[ty, ty], ty, &format!("%r = OpExtInst {ty} %cl nextafter %v0 %v1")).unwrap();
        let gpu = HostGpu::new(&[&module], &sycl_pi_nvvm::Options::default()).unwrap();
        let mut args = vec![Arg::Buffer(vec![0; columns[0].len()])];
        args.extend(columns.iter().cloned().map(Arg::Buffer));
        gpu.run(Launch::group(rows as u64), &args).unwrap().swap_remove(0)
    };
    // C, nextafter: of two equal numbers, such as zeros, the second.
    let halves = [0x0000_u16, 0x0000, 0x3c00, 0x3c00, 0xbc00, 0x7bff, 0x0001, 0x8001, 0x0000];
    let towards = [0x3c00_u16, 0xbc00, 0x4000, 0x0000, 0x0000, 0x7c00, 0xbc00, 0x3c00, 0x8000];
    let expected = [0x0001_u16, 0x8001, 0x3c01, 0x3bff, 0xbbff, 0x7c00, 0x0000, 0x8000, 0x8000];
    let found = numbers::<u16>(&check("%half", &[bytes(&halves), bytes(&towards)], 9));
    assert_eq!(found, expected);
    let found = numbers::<f64>(&check("%double", &[bytes(&[1.0_f64, -1.0]), bytes(&[2.0_f64, -2.0])], 2));
    assert_eq!(found, [1.0_f64.next_up(), -(1.0_f64.next_up())]);
}

#[test]
#[ignore = "needs LLVM 14"]
fn points_have_lengths_distances_and_directions() {
    let points = [
        [3.0_f32, 4.0, 0.0, 12.0],
        [0.0; 4],
        [-1.0, 2.0, -3.0, 0.5],
        [3e38, 3e38, 0.0, 0.0],
        [f32::INFINITY, -5.0, f32::NEG_INFINITY, 0.0],
        // The smallest numbers, whose length has one digit.
        [1e-45, -1e-45, 0.0, 0.0],
        [f32::NAN, f32::INFINITY, 1.0, 0.0],
    ];
    let others = [
        [1.0_f32, 1.0, 1.0, 1.0],
        [0.0; 4],
        [4.0, 5.0, 6.0, 7.0],
        [-1.0, 0.0, 0.0, 0.0],
        [1.0; 4],
        [1.0; 4],
        [1.0; 4],
    ];
    let columns = [points, others].map(|rows| bytes(&rows.concat()));
    let run = |name: &str, two: bool, scalar: bool| -> Vec<f32> {
        let (ty, operands) =
            (if scalar { "%float" } else { "%v4float" }, if two { "%v0 %v1" } else { "%v0" });
        let code = format!("%r = OpExtInst {ty} %cl {name} {operands}");
        let module = elementwise("", &["%v4float", "%v4float"], ty, &code).unwrap();
        let gpu = HostGpu::new(&[&module], &sycl_pi_nvvm::Options::default()).unwrap();
        let mut args = vec![Arg::Buffer(vec![0; points.len() * if scalar { 4 } else { 16 }])];
        args.extend(columns.iter().cloned().map(Arg::Buffer));
        numbers(&gpu.run(Launch::group(points.len() as u64), &args).unwrap()[0])
    };
    let length = |point: [f32; 4]| point.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt();
    let between = |at: usize| std::array::from_fn(|axis| points[at][axis] - others[at][axis]);
    let (lengths, distances) = (run("length", false, true), run("distance", true, true));
    let (directions, products) = (run("normalize", false, false), run("cross", true, false));
    let fast = (
        run("fast_length", false, true),
        run("fast_distance", true, true),
        run("fast_normalize", false, false),
    );
    // OpenCL C specification, normalize with infinities: what is not infinite is multiplied by 0.
    assert!(directions[24].is_nan());
    for (at, point) in points.into_iter().enumerate().take(6) {
        let near = |found: f32, expected: f64| close(f64::from(found), f64::from(expected as f32), 1e-6);
        assert!(near(lengths[at], length(point)), "{point:?}: {}", lengths[at]);
        assert!(near(distances[at], length(between(at))), "{point:?}: {}", distances[at]);
        let direction = match at {
            1 => [0.0; 4],
            // As if the infinite ones were 1 and the others 0.
            4 => [0.5_f64.sqrt(), -0.0, -0.5_f64.sqrt(), 0.0],
            _ => point.map(|x| f64::from(x) / length(point)),
        };
        for axis in 0..4 {
            let found = directions[at * 4 + axis];
            assert!(near(found, direction[axis]), "{point:?} {axis}: {found}, not {}", direction[axis]);
        }
        // Those that neither overflow nor are infinite.
        if at < 3 {
            assert!(near(fast.0[at], length(point)) && near(fast.1[at], length(between(at))), "{point:?}");
            assert!((0..4).all(|axis| near(fast.2[at * 4 + axis], direction[axis])), "{point:?}");
            let ([a, b, c, _], [d, e, f, _]) = (point, others[at]);
            let product = [b * f - c * e, c * d - a * f, a * e - b * d, 0.0];
            assert_eq!(products[at * 4..at * 4 + 4], product, "{point:?}");
        }
    }
}

/// OpenCL permits 16 units in the last place. A third of a logarithm is not exactly representable, so that its
/// rounding error is multiplied by 700 here.
#[test]
#[ignore = "needs LLVM 14"]
fn roots_of_numbers_far_from_one_are_exact_enough() {
    let rows = [(-1020, 3), (-1020, 5), (-1020, 6), (1022, 7), (-1071, 7), (1020, -3), (-660, 11), (0, 3)];
    let numbers: Vec<f64> = rows.iter().map(|(exponent, _)| f64::from(*exponent).exp2()).collect();
    let degrees: Vec<i32> = rows.iter().map(|(_, degree)| *degree).collect();
    let code = "%r = OpExtInst %double %cl rootn %v0 %v1";
    let module = elementwise("", &["%double", "%uint"], "%double", code).unwrap();
    let roots: Vec<f64> = compute(&module, &[bytes(&numbers), bytes(&degrees)], rows.len()).unwrap();
    for ((exponent, degree), root) in rows.iter().zip(roots) {
        let expected = 2.0_f64.powi(exponent / degree);
        let apart = ((root - expected) / expected / f64::EPSILON).abs();
        assert!(apart <= 16.0, "rootn(2^{exponent}, {degree}) = {root:e}, not {expected:e}");
    }
}
