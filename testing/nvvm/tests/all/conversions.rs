//! Conversions: rounding modes and saturation. Expected values are computed here, from the specification.

use testing_nvvm::{Scalar, bytes, elementwise};

use crate::gpu::compute;

const MODES: [&str; 4] = ["RTE", "RTZ", "RTP", "RTN"];

/// The name of a type, and its smallest and largest integer.
const INTEGERS: [(&str, i128, i128); 8] = [
    ("%uchar", 0, u8::MAX as i128),
    ("%ushort", 0, u16::MAX as i128),
    ("%uint", 0, u32::MAX as i128),
    ("%ulong", 0, u64::MAX as i128),
    ("%uchar", i8::MIN as i128, i8::MAX as i128),
    ("%ushort", i16::MIN as i128, i16::MAX as i128),
    ("%uint", i32::MIN as i128, i32::MAX as i128),
    ("%ulong", i64::MIN as i128, i64::MAX as i128),
];

fn rounded(value: f64, mode: &str) -> f64 {
    match mode {
        "RTE" => value.round_ties_even(),
        "RTZ" => value.trunc(),
        "RTP" => value.ceil(),
        _ => value.floor(),
    }
}

/// Returns numbers around every limit, and NaN.
fn floats() -> Vec<f64> {
    let mut all = vec![
        0.0,
        -0.0,
        0.5,
        -0.5,
        1.5,
        -1.5,
        2.5,
        0.3,
        -0.7,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        1e30,
        -1e30,
    ];
    for (_, least, greatest) in INTEGERS {
        for limit in [least as f64, greatest as f64] {
            all.extend([limit, limit + 0.5, limit - 0.5, limit + 1.0, limit - 1.0, limit * 1.001]);
        }
    }
    all
}

/// Returns a kernel that selects the result by the second operand, because one kernel for each mode would take long
/// to compile.
fn by_mode(declarations: &str, result: &str, source: &str, instruction: &str, decoration: &str) -> Vec<u8> {
    let (mut notes, mut code, mut chosen) = (declarations.to_owned(), String::new(), "%m0".to_owned());
    for (at, mode) in MODES.iter().enumerate() {
        notes += &format!(
            "\nOpDecorate %m{at} FPRoundingMode {mode}\n{}",
            decoration.replace("%r", &format!("%m{at}"))
        );
        code += &format!("%m{at} = {instruction} {result} %v0\n");
        if at > 0 {
            code += &format!(
                "%is{at} = OpIEqual %bool %v1 %u_{at}\n%c{at} = OpSelect {result} %is{at} %m{at} {chosen}\n"
            );
            chosen = format!("%c{at}");
        }
    }
    code += &format!("%r = OpCopyObject {result} {chosen}");
    elementwise(&notes, &[source, "%uint"], result, &code).unwrap()
}

/// Runs such a kernel with all values in all modes.
fn in_all_modes<R: Scalar>(module: &[u8], values: &[Vec<u8>]) -> Vec<R> {
    let rows = values.len() * MODES.len();
    let column: Vec<u8> = MODES.iter().flat_map(|_| values.concat()).collect();
    let modes: Vec<u32> = (0..4).flat_map(|mode| vec![mode; values.len()]).collect();
    compute::<R>(module, &[column, bytes(&modes)], rows).unwrap()
}

fn low_bits(value: i128, greatest: i128, least: i128) -> u64 {
    let bits = 128 - (greatest - least).leading_zeros();
    (value as u128 & ((1_u128 << bits) - 1)) as u64
}

fn read(ty: &str, module: &[u8], values: &[Vec<u8>]) -> Vec<u64> {
    match ty {
        "%uchar" => in_all_modes::<u8>(module, values).into_iter().map(u64::from).collect(),
        "%ushort" => in_all_modes::<u16>(module, values).into_iter().map(u64::from).collect(),
        "%uint" => in_all_modes::<u32>(module, values).into_iter().map(u64::from).collect(),
        _ => in_all_modes::<u64>(module, values),
    }
}

fn to_integers(source: &str, values: &[f64], encode: impl Fn(f64) -> Vec<u8>, saturated: bool) {
    for (ty, least, greatest) in INTEGERS {
        let instruction = if least < 0 { "OpConvertFToS" } else { "OpConvertFToU" };
        let decoration = if saturated { "OpDecorate %r SaturatedConversion" } else { "" };
        let module = by_mode("", ty, source, instruction, decoration);
        // Without saturation only values that fit in every mode are defined.
        let fits =
            |value: &&f64| saturated || value.floor() >= least as f64 && value.ceil() <= greatest as f64;
        let fits = |value: &&f64| fits(value) && (saturated || (value.ceil() as i128) <= greatest);
        let values: Vec<f64> = values.iter().filter(fits).copied().collect();
        let found = read(ty, &module, &values.iter().map(|value| encode(*value)).collect::<Vec<_>>());
        for (at, mode) in MODES.iter().enumerate() {
            for (place, value) in values.iter().enumerate() {
                // NaN becomes 0, and a Rust conversion saturates.
                let expected = (rounded(*value, mode) as i128).clamp(least, greatest);
                assert_eq!(
                    found[at * values.len() + place],
                    low_bits(expected, greatest, least),
                    "{source} {value:?} to {ty} from {least}, {mode}, saturated: {saturated}"
                );
            }
        }
    }
}

/// The conversion of a negative number to a small unsigned integer is unspecified. On GPUs it is the same as on a
/// processor, while `cvt.rzi.u32` would return 0.
#[test]
#[ignore = "needs libnvvm"]
fn a_negative_number_wraps_as_a_small_unsigned_integer() {
    for ty in ["%uchar", "%ushort"] {
        let code = format!("%r = OpConvertFToU {ty} %v0");
        let module = testing_nvvm::elementwise("", &["%float"], ty, &code).unwrap();
        let ptx = super::libnvvm::compiled("small", &module);
        assert!(ptx.contains("cvt.rzi.s32.f32") && !ptx.contains("cvt.rzi.u"), "{ptx}");
    }
}

#[test]
#[ignore = "needs LLVM 14"]
fn doubles_become_integers_by_rounding_mode() {
    to_integers("%double", &floats(), |value| value.bytes(), false);
}

#[test]
#[ignore = "needs LLVM 14"]
fn doubles_saturate() {
    to_integers("%double", &floats(), |value| value.bytes(), true);
}

#[test]
#[ignore = "needs LLVM 14"]
fn floats_saturate_by_rounding_mode() {
    let values: Vec<f64> = floats().into_iter().map(|value| f64::from(value as f32)).collect();
    to_integers("%float", &values, |value| (value as f32).bytes(), true);
}

#[test]
#[ignore = "needs LLVM 14"]
fn halves_saturate_by_rounding_mode() {
    let halves = halves();
    let values: Vec<f64> = halves
        .iter()
        .step_by(977)
        .map(|(value, _)| *value)
        .chain([f64::INFINITY, 0.5, -0.5, 65504.0])
        .collect();
    let encode = |value: f64| {
        let bits = halves.iter().find(|(known, _)| *known == value).map_or(0x7c00, |(_, bits)| *bits);
        bits.bytes()
    };
    to_integers("%half", &values, encode, true);
}

/// Returns every finite half with its bits, in order, with a single zero.
fn halves() -> Vec<(f64, u16)> {
    let value = |bits: u16| {
        let (exponent, mantissa) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
        let size = if exponent == 0 {
            mantissa * 2_f64.powi(-24)
        } else {
            (1.0 + mantissa / 1024.0) * 2_f64.powi(exponent - 15)
        };
        if bits & 0x8000 == 0 { size } else { -size }
    };
    let mut all: Vec<(f64, u16)> =
        (0..=0x7bff).chain(0x8001..=0xfbff).map(|bits| (value(bits), bits)).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    all
}

/// Returns the numbers of a type just below and above a value, found by searching.
fn neighbours<T: Copy>(
    value: i128,
    nearest: T,
    exact: impl Fn(T) -> Option<i128>,
    down: impl Fn(T) -> T,
    up: impl Fn(T) -> T,
) -> (T, T) {
    match exact(nearest) {
        Some(found) if found == value => (nearest, nearest),
        Some(found) if found < value => (nearest, up(nearest)),
        _ => (down(nearest), nearest),
    }
}

#[test]
#[ignore = "needs LLVM 14"]
fn integers_become_floats_by_rounding_mode() {
    for (ty, least, greatest) in INTEGERS {
        let values: Vec<i128> = [
            0,
            1,
            3,
            16_777_217,
            16_777_219,
            33_554_435,
            1 << 40 | 1,
            (1 << 53) + 1,
            (1 << 53) + 3,
            (1 << 62) + 1,
        ]
        .into_iter()
        .flat_map(|value: i128| [value, -value])
        .chain([least, greatest, greatest - 1])
        .filter(|value| (least..=greatest).contains(value))
        .collect();
        let signed = least < 0;
        let instruction = if signed { "OpConvertSToF" } else { "OpConvertUToF" };
        let size = match ty {
            "%uchar" => 1,
            "%ushort" => 2,
            "%uint" => 4,
            _ => 8,
        };
        let encoded: Vec<Vec<u8>> = values.iter().map(|value| value.to_le_bytes()[..size].to_vec()).collect();
        let module = by_mode("", "%float", ty, instruction, "");
        let found = in_all_modes::<f32>(&module, &encoded);
        let wide = by_mode("", "%double", ty, instruction, "");
        let found_wide = in_all_modes::<f64>(&wide, &encoded);
        for (at, mode) in MODES.iter().enumerate() {
            for (place, value) in values.iter().enumerate() {
                let what = format!("{value} of {ty} from {least}, {mode}");
                let nearest = *value as f32;
                let exact = |number: f32| Some(number as i128);
                let (below, above) = neighbours(*value, nearest, exact, f32::next_down, f32::next_up);
                let pick = |nearest, below, above| match *mode {
                    "RTE" => nearest,
                    "RTP" => above,
                    "RTZ" if *value < 0 => above,
                    _ => below,
                };
                assert_eq!(found[at * values.len() + place], pick(nearest, below, above), "{what}");
                let nearest = *value as f64;
                let exact = |number: f64| Some(number as i128);
                let (below, above) = neighbours(*value, nearest, exact, f64::next_down, f64::next_up);
                let expected = match *mode {
                    "RTE" => nearest,
                    "RTP" => above,
                    "RTZ" if *value < 0 => above,
                    _ => below,
                };
                assert_eq!(found_wide[at * values.len() + place], expected, "{what} to double");
            }
        }
    }
}

/// Returns the half for a number in a rounding mode, found by searching all halves.
fn half_of(value: f64, mode: &str, halves: &[(f64, u16)]) -> u16 {
    let at = halves.partition_point(|(half, _)| *half <= value);
    let below = at.checked_sub(1).map(|at| halves[at]);
    let above = halves.get(at).copied();
    if below.is_some_and(|(half, _)| half == value) {
        return if value == 0.0 && value.is_sign_negative() { 0x8000 } else { below.unwrap().1 };
    }
    // For rounding, the number after the largest half is 65536, then infinity.
    let (low, low_bits) = below.unwrap_or((-65536.0, 0xfc00));
    let (high, high_bits) = above.unwrap_or((65536.0, 0x7c00));
    let up = match mode {
        "RTE" if value - low == high - value => high_bits & 1 == 0,
        "RTE" => high - value < value - low,
        "RTZ" => value < 0.0,
        "RTP" => true,
        _ => false,
    };
    let bits = if up { high_bits } else { low_bits };
    if bits == 0 && value < 0.0 { 0x8000 } else { bits }
}

#[test]
#[ignore = "needs LLVM 14"]
fn doubles_and_floats_become_halves_by_rounding_mode() {
    let halves = halves();
    let values = [
        0.0,
        -0.0,
        1.0,
        1.0004,
        -1.0004,
        1.00048828125,
        1.00146484375,
        65504.0,
        65519.0,
        65520.0,
        -65519.5,
        -70000.0,
        1e9,
        6e-8,
        3e-8,
        2.9e-8,
        -3.1e-8,
        1e-10,
        -1e-10,
        0.333,
        -1234.5678,
    ];
    let module = by_mode("", "%half", "%double", "OpFConvert", "");
    let found = in_all_modes::<u16>(&module, &values.map(Scalar::bytes));
    let narrow = by_mode("", "%half", "%float", "OpFConvert", "");
    let floats = values.map(|value| value as f32);
    let found_narrow = in_all_modes::<u16>(&narrow, &floats.map(Scalar::bytes));
    for (at, mode) in MODES.iter().enumerate() {
        for (place, value) in values.iter().enumerate() {
            let row = at * values.len() + place;
            assert_eq!(found[row], half_of(*value, mode, &halves), "{value} {mode}");
            let value = f64::from(floats[place]);
            assert_eq!(found_narrow[row], half_of(value, mode, &halves), "float {value} {mode}");
        }
    }
}

#[test]
#[ignore = "needs LLVM 14"]
fn doubles_become_floats_by_rounding_mode() {
    let values =
        [0.1, -0.1, 1.0 + 1e-9, -1.0 - 1e-9, 1e300, -1e300, 1e-50, -1e-50, 16_777_217.0, f64::INFINITY];
    let module = by_mode("", "%float", "%double", "OpFConvert", "");
    let found = in_all_modes::<f32>(&module, &values.map(Scalar::bytes));
    for (at, mode) in MODES.iter().enumerate() {
        for (place, value) in values.iter().enumerate() {
            let nearest = *value as f32;
            let (below, above) = match f64::from(nearest) {
                found if found == *value => (nearest, nearest),
                found if found < *value => (nearest, nearest.next_up()),
                _ => (nearest.next_down(), nearest),
            };
            let expected = match *mode {
                "RTE" => nearest,
                "RTP" => above,
                "RTZ" if *value < 0.0 => above,
                _ => below,
            };
            assert_eq!(found[at * values.len() + place].to_bits(), expected.to_bits(), "{value} {mode}");
        }
    }
}

#[test]
#[ignore = "needs LLVM 14"]
fn integers_widen_narrow_and_saturate() {
    let convert = |instruction: &str, declarations: &str| {
        let code = format!("%r = {instruction} %uchar %v0");
        elementwise(declarations, &["%uint"], "%uchar", &code).unwrap()
    };
    let values =
        [0_u32, 1, 127, 128, 255, 256, 300, 0x7fff_ffff, 0x8000_0000, 0xffff_ff80, 0xffff_ff7f, 0xffff_ffff];
    let run = |module: &[u8]| compute::<u8>(module, &[bytes(&values)], values.len()).unwrap();
    assert_eq!(run(&convert("OpUConvert", "")), values.map(|value| value as u8));
    let saturated = "OpDecorate %r SaturatedConversion";
    assert_eq!(run(&convert("OpUConvert", saturated)), values.map(|value| value.min(255) as u8));
    let signed = |value: u32| value.cast_signed().clamp(-128, 127) as u8;
    assert_eq!(run(&convert("OpSConvert", saturated)), values.map(signed));
    let to_unsigned = |value: u32| value.cast_signed().clamp(0, 255) as u8;
    assert_eq!(run(&convert("OpSatConvertSToU", "")), values.map(to_unsigned));
    assert_eq!(run(&convert("OpSatConvertUToS", "")), values.map(|value| value.min(127) as u8));
    let widen = |instruction: &str| {
        let module =
            elementwise("", &["%uchar"], "%ulong", &format!("%r = {instruction} %ulong %v0")).unwrap();
        compute::<u64>(&module, &[vec![0, 127, 128, 255]], 4).unwrap()
    };
    assert_eq!(widen("OpUConvert"), [0, 127, 128, 255]);
    assert_eq!(widen("OpSConvert"), [0, 127, -128_i64 as u64, -1_i64 as u64]);
}

/// Numbers that a half has stay, others become the nearest that it has, and larger ones are infinite.
#[test]
#[ignore = "needs LLVM 14"]
fn a_float_is_quantized_to_what_a_half_can_be() {
    let module = elementwise("", &["%float"], "%float", "%r = OpQuantizeToF16 %float %v0").unwrap();
    let input = [1.5_f32, -65504.0, 1.0 + 1.0 / 4096.0, 2049.5, 1e6, -1e6];
    let out: Vec<f32> = compute(&module, &[bytes(&input)], input.len()).unwrap();
    assert_eq!(out, [1.5, -65504.0, 1.0, 2050.0, f32::INFINITY, f32::NEG_INFINITY]);
}

/// Any value times 0 is 0.
#[test]
#[ignore = "needs LLVM 14"]
fn an_undefined_value_is_some_value() {
    let code = "%some = OpUndef %uint\n%none = OpIMul %uint %some %u_0\n%r = OpIAdd %uint %none %v0";
    let module = elementwise("", &["%uint"], "%uint", code).unwrap();
    let out: Vec<u32> = compute(&module, &[bytes(&[7_u32, 9])], 2).unwrap();
    assert_eq!(out, [7, 9]);
}
