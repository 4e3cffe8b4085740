//! Functions of half-precision numbers that are computed in another way, for every number. The expected results are
//! computed with integers, which hold all sums and products of such numbers as multiples of 2^-48.

use sycl_pi_image::spirv::Needs;
use testing_legalize::kernel;

use crate::host::Host;
use crate::is_of_the_day;

/// The number of work-items, each of which runs through `1 << 16` divided by as many numbers.
const ITEMS: u32 = 1024;
const FACTOR: u32 = 0x9e37_79b1;
const SIGN: u16 = 0x8000;
const INFINITY: u16 = 0x7c00;
const NAN: u16 = 0x7e00;

const DECLARATIONS: &str = "
    OpCapability Float16
    OpCapability Float64
    OpCapability Int16
    %ushort = OpTypeInt 16 0
    %half = OpTypeFloat 16
    %double = OpTypeFloat 64
    %v3half = OpTypeVector %half 3
    %v3ushort = OpTypeVector %ushort 3
    %p_f_half = OpTypePointer Function %half
    %u_64 = OpConstant %uint 64
    %u_5 = OpConstant %uint 5
    %u_11 = OpConstant %uint 11
    %u_factor = OpConstant %uint 0x9e3779b1
    %s_1 = OpConstant %ushort 1
    %s_0 = OpConstant %ushort 0
    %s_nan = OpConstant %ushort 0x7e00
    %more = OpConstant %double 1.0000152587890625
";

/// A function, its code from the numbers `%h`, `%g` and `%f` to the bits `%r`, and its result.
struct Case {
    name: &'static str,
    declarations: &'static str,
    code: &'static str,
    result: fn([u16; 3]) -> u16,
}

/// How a number is rounded.
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Nearest,
    Up,
    Down,
    Zero,
}

fn is_nan(bits: u16) -> bool {
    bits & !SIGN > INFINITY
}

/// Returns a finite number as a multiple of 2^-24.
fn units(bits: u16) -> i128 {
    let (exponent, fraction) = (bits >> 10 & 31, i128::from(bits & 0x3ff));
    let magnitude = if exponent == 0 { fraction } else { (fraction | 0x400) << (exponent - 1) };
    if bits & SIGN == 0 { magnitude } else { -magnitude }
}

/// Rounds a multiple of 2^-48. A zero has the sign `zero`.
fn rounded(value: i128, mode: Mode, zero: u16) -> u16 {
    let (sign, magnitude) = if value < 0 { (SIGN, value.unsigned_abs()) } else { (0, value.unsigned_abs()) };
    if magnitude == 0 {
        return zero;
    }
    let bits = 128 - magnitude.leading_zeros();
    // The last place of a number below 2^-14 is 2^-24.
    let shift = bits.saturating_sub(11).max(24);
    let (kept, rest) = (magnitude >> shift, magnitude & ((1 << shift) - 1));
    let half = 1 << (shift - 1);
    let goes_out = match mode {
        Mode::Nearest => rest > half || (rest == half && kept % 2 == 1),
        Mode::Up => rest > 0 && sign == 0,
        Mode::Down => rest > 0 && sign != 0,
        Mode::Zero => false,
    };
    // A carry into the next exponent is right as it is.
    let exponent = u128::from(shift - 24);
    let number = (kept + u128::from(goes_out)) + (exponent << 10);
    let stays_finite =
        mode == Mode::Zero || (mode == Mode::Up && sign != 0) || (mode == Mode::Down && sign == 0);
    let most = u128::from(if stays_finite { INFINITY - 1 } else { INFINITY });
    sign | number.min(most) as u16
}

/// Converts a double that is `(1 + 2^-16)` times a number.
fn converted(h: u16, mode: Mode) -> u16 {
    if h & !SIGN >= INFINITY {
        return if is_nan(h) { NAN } else { h };
    }
    rounded((units(h) << 24) + (units(h) << 8), mode, h & SIGN)
}

fn fma([h, g, f]: [u16; 3]) -> u16 {
    let product_sign = (h ^ g) & SIGN;
    let [x, y, z] = [h, g, f].map(|bits| bits & !SIGN);
    if [h, g, f].into_iter().any(is_nan) || (x == INFINITY && y == 0) || (x == 0 && y == INFINITY) {
        return NAN;
    }
    if x == INFINITY || y == INFINITY {
        return if z == INFINITY && f & SIGN != product_sign { NAN } else { product_sign | INFINITY };
    }
    if z == INFINITY {
        return f;
    }
    let product = units(h) * units(g);
    let zero = if product == 0 && z == 0 { product_sign & f } else { 0 };
    rounded(product + (units(f) << 24), Mode::Nearest, zero)
}

fn next([h, g, _]: [u16; 3]) -> u16 {
    if is_nan(h) || is_nan(g) {
        return NAN;
    }
    // As integers in the order of the numbers, with one for both zeros.
    let order = |bits: u16| if bits & SIGN == 0 { i32::from(bits) } else { -i32::from(bits & !SIGN) };
    let of = |order: i32| if order < 0 { SIGN | order.unsigned_abs() as u16 } else { order as u16 };
    match order(h).cmp(&order(g)) {
        std::cmp::Ordering::Equal => g,
        std::cmp::Ordering::Less if order(h) == -1 => SIGN,
        std::cmp::Ordering::Less => of(order(h) + 1),
        std::cmp::Ordering::Greater => of(order(h) - 1),
    }
}

/// Returns both parts of `fract` or `modf`, each rounded.
fn parts(h: u16, below: bool) -> [u16; 2] {
    let sign = h & SIGN;
    if is_nan(h) {
        return [NAN; 2];
    }
    if h & !SIGN == INFINITY {
        return [sign, h];
    }
    let one = 1 << 24;
    let whole = if below { units(h).div_euclid(one) * one } else { units(h) / one * one };
    let rest =
        rounded((units(h) - whole) << 24, Mode::Nearest, if below && h & !SIGN != 0 { 0 } else { sign });
    [
        rest.min(if below && sign != rest & SIGN { 0x3bff } else { u16::MAX }),
        rounded(whole << 24, Mode::Nearest, sign),
    ]
}

fn joined([rest, whole]: [u16; 2]) -> u16 {
    rest.wrapping_mul(31).wrapping_add(whole)
}

const CASES: [Case; 9] = [
    Case { name: "fma", declarations: "", code: "%a = OpExtInst %half %cl fma %h %g %f\n", result: fma },
    Case {
        name: "nextafter",
        declarations: "",
        code: "%a = OpExtInst %half %cl nextafter %h %g\n",
        result: next,
    },
    Case {
        name: "fract",
        declarations: "",
        code: "%b0 = OpExtInst %half %cl fract %h %place\n%b1 = OpLoad %half %place Aligned 2\n",
        result: |[h, _, _]| joined(parts(h, true)),
    },
    Case {
        name: "modf",
        declarations: "",
        code: "%b0 = OpExtInst %half %cl modf %h %place\n%b1 = OpLoad %half %place Aligned 2\n",
        result: |[h, _, _]| joined(parts(h, false)),
    },
    Case {
        name: "OpIsNormal",
        declarations: "",
        code: "%is = OpIsNormal %bool %h\n%r = OpSelect %ushort %is %s_1 %s_0\n",
        result: |[h, _, _]| u16::from((0x400..INFINITY).contains(&(h & !SIGN))),
    },
    Case {
        name: "to the nearest",
        declarations: "OpDecorate %a FPRoundingMode RTE",
        code: "%a = OpFConvert %half %d\n",
        result: |[h, _, _]| converted(h, Mode::Nearest),
    },
    Case {
        name: "upwards",
        declarations: "OpDecorate %a FPRoundingMode RTP",
        code: "%a = OpFConvert %half %d\n",
        result: |[h, _, _]| converted(h, Mode::Up),
    },
    Case {
        name: "downwards",
        declarations: "OpDecorate %a FPRoundingMode RTN",
        code: "%a = OpFConvert %half %d\n",
        result: |[h, _, _]| converted(h, Mode::Down),
    },
    Case {
        name: "toward zero",
        declarations: "OpDecorate %a FPRoundingMode RTZ",
        code: "%a = OpFConvert %half %d\n",
        result: |[h, _, _]| converted(h, Mode::Zero),
    },
];

/// The numbers that a step computes with: all of them, and two others.
fn operands(step: u32) -> [u16; 3] {
    [step as u16, (step.wrapping_mul(FACTOR) >> 5) as u16, (step.wrapping_mul(FACTOR) >> 11) as u16]
}

/// Returns the code that makes `%r` of `%a`, or of `%b0` and `%b1`. All that is no number has the same bits.
fn bits(code: &str) -> String {
    let of = |value: &str, bits: &str| {
        format!(
            "{bits}.n = OpFUnordNotEqual %bool {value} {value}
             {bits}.b = OpBitcast %ushort {value}
             {bits} = OpSelect %ushort {bits}.n %s_nan {bits}.b\n"
        )
    };
    if code.contains("%r =") {
        String::new()
    } else if code.contains("%a =") {
        of("%a", "%r")
    } else {
        of("%b0", "%c0") + &of("%b1", "%c1") + "%c2 = OpIMul %ushort %c0 %s_31\n%r = OpIAdd %ushort %c2 %c1\n"
    }
}

fn module(case: &Case) -> Vec<u8> {
    let declarations = format!("{DECLARATIONS}\n%s_31 = OpConstant %ushort 31\n{}", case.declarations);
    let code = format!(
        "%place = OpVariable %p_f_half Function
         %start = OpIMul %uint %x %u_64
         OpBranch %head
         %head = OpLabel
         %at = OpPhi %uint %u_0 %entry %at.next %body
         %sum = OpPhi %uint %u_0 %entry %sum.next %body
         %is.more = OpULessThan %bool %at %u_64
         OpLoopMerge %end %body None
         OpBranchConditional %is.more %body %end
         %body = OpLabel
         %step = OpIAdd %uint %start %at
         %mixed = OpIMul %uint %step %u_factor
         %mixed.5 = OpShiftRightLogical %uint %mixed %u_5
         %mixed.11 = OpShiftRightLogical %uint %mixed %u_11
         %h.bits = OpUConvert %ushort %step
         %g.bits = OpUConvert %ushort %mixed.5
         %f.bits = OpUConvert %ushort %mixed.11
         %h = OpBitcast %half %h.bits
         %g = OpBitcast %half %g.bits
         %f = OpBitcast %half %f.bits
         %h.wide = OpFConvert %double %h
         %d = OpFMul %double %h.wide %more
         {}{}
         %r.wide = OpUConvert %uint %r
         %sum.more = OpIMul %uint %sum %u_factor
         %sum.next = OpIAdd %uint %sum.more %r.wide
         %at.next = OpIAdd %uint %at %u_1
         OpBranch %head
         %end = OpLabel
         %to = OpInBoundsPtrAccessChain %p_uint %out %l
         OpStore %to %sum Aligned 4",
        case.code,
        bits(case.code)
    );
    kernel(&declarations, "%p_uint %in, %p_uint %out", &code).unwrap()
}

/// A third of them a day. All: PI_TEST_DAY=all.
#[test]
#[ignore = "needs an OpenCL driver: cargo xtask env --driver pocl-7 -- TEST --ignored"]
fn functions_of_every_half_precision_number_are_right() {
    let Some(host) = Host::find() else { return };
    let needs = Needs::of(&host.facts);
    let is_of_others = !needs.is_none() && !needs.halves_as_floats;
    if is_of_others {
        eprintln!("skipped: {} has functions of half-precision numbers", host.facts.platform);
        return;
    }
    let needs = Needs { halves_as_floats: true, ..needs };
    for (_, case) in CASES.iter().enumerate().filter(|(index, _)| is_of_the_day(*index)) {
        let steps = (1 << 16) / ITEMS;
        let of_item = |item: u32| {
            let results = (item * steps..(item + 1) * steps).map(|step| (case.result)(operands(step)));
            results.fold(0_u32, |sum, result| sum.wrapping_mul(FACTOR).wrapping_add(result.into()))
        };
        let expected: Vec<u32> = (0..ITEMS).map(of_item).collect();
        let found = host.results(&module(case), &needs, &ITEMS.to_string(), &[]).unwrap();
        let wrong: Vec<usize> = (0..expected.len()).filter(|&item| found[item] != expected[item]).collect();
        assert!(
            wrong.is_empty(),
            "{}: wrong for {} items, the first ones {:?}",
            case.name,
            wrong.len(),
            wrong.get(..wrong.len().min(8))
        );
    }
}
