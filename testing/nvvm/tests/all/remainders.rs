//! Remainders with seven bits of their quotients, and exponents of NaN.

use sycl_pi_nvvm::Options;
use testing_nvvm::{Scalar, bytes, elementwise, numbers};

use crate::gpu::{Arg, HostGpu, Launch};

/// Returns the remainders and quotients of `remquo`. `ty` may be a vector of two, for both columns.
fn remquo(ty: &str, integer: &str, columns: &[Vec<u8>; 2], rows: u64, size: usize) -> (Vec<u8>, Vec<i32>) {
    let declarations = format!(
        "%f_q = OpTypePointer Function {integer}
         %p_v2uint = OpTypePointer CrossWorkgroup %v2uint
         %p_v2float = OpTypePointer CrossWorkgroup %v2float"
    );
    let both = format!(
        "%room = OpVariable %f_q Function
         %rest = OpExtInst {ty} %cl remquo %v0 %v1 %room
         %quotient = OpLoad {integer} %room\n"
    );
    let run = |result: &str, code: &str, bytes: usize| {
        let module = elementwise(&declarations, &[ty; 2], result, &format!("{both}{code}")).unwrap();
        let gpu = HostGpu::new(&[&module], &Options::default()).unwrap();
        let args = [vec![0; bytes], columns[0].clone(), columns[1].clone()].map(Arg::Buffer);
        gpu.run(Launch::group(rows), &args).unwrap().swap_remove(0)
    };
    let count = columns[0].len() / size;
    let rest = run(ty, &format!("%r = OpCopyObject {ty} %rest"), count * size);
    let quotient = run(integer, &format!("%r = OpCopyObject {integer} %quotient"), count * 4);
    (rest, numbers(&quotient))
}

/// Returns quarters of numbers, whose remainders are those of integers, without rounding.
fn quarters() -> Vec<(i64, i64)> {
    let divisors = [1, -2, 3, 5, -7, 12, 100, 1999];
    let dividends = [0, 1, 2, -3, 6, 10, -14, 127, 128, 129, 255, -256, 1000, -1023, 1999, -2000];
    divisors.iter().flat_map(|y| dividends.map(|x| (x, *y))).collect()
}

/// Returns the remainder to the nearest multiple, or to the even one of two, and the low bits of the multiple's
/// number with its sign.
fn expected((x, y): (i64, i64)) -> (i64, i32) {
    let (size, divisor) = (x.abs(), y.abs());
    let (mut quotient, mut rest) = (size / divisor, size % divisor);
    if 2 * rest > divisor || 2 * rest == divisor && quotient % 2 == 1 {
        quotient += 1;
        rest -= divisor;
    }
    let low = (quotient % 128) as i32;
    (if x < 0 { -rest } else { rest }, if (x < 0) == (y < 0) { low } else { -low })
}

#[test]
#[ignore = "needs LLVM 14"]
fn remquo_gives_seven_bits_of_the_quotient_with_its_sign() {
    let rows = quarters();
    let column = |encode: &dyn Fn(f64) -> Vec<u8>| -> [Vec<u8>; 2] {
        let encode = |number: i64| encode(number as f64 / 4.0);
        [
            rows.iter().flat_map(|(x, _)| encode(*x)).collect(),
            rows.iter().flat_map(|(_, y)| encode(*y)).collect(),
        ]
    };
    let count = rows.len() as u64;
    let check = |ty: &str, rests: Vec<f64>, quotients: Vec<i32>| {
        for ((row, rest), quotient) in rows.iter().zip(rests).zip(quotients) {
            let (right, bits) = expected(*row);
            assert_eq!((rest * 4.0, quotient), (right as f64, bits), "{ty}: quarters of {row:?}");
        }
    };
    let (rests, quotients) = remquo("%double", "%uint", &column(&|x| x.bytes()), count, 8);
    check("double", numbers(&rests), quotients);
    let (rests, quotients) = remquo("%float", "%uint", &column(&|x| (x as f32).bytes()), count, 4);
    check("float", numbers::<f32>(&rests).into_iter().map(f64::from).collect(), quotients);
    let (rests, quotients) = remquo("%v2float", "%v2uint", &column(&|x| (x as f32).bytes()), count / 2, 4);
    check("float2", numbers::<f32>(&rests).into_iter().map(f64::from).collect(), quotients);
}

/// For a quotient beyond every integer the bits are those of an exact division.
#[test]
#[ignore = "needs LLVM 14"]
fn remquo_of_a_large_quotient_has_its_low_bits() {
    let x = 200_f64.exp2();
    // 2^200 = 3 q + 1 with q = (2^200 - 1) / 3 = 0b0101..01, whose low seven bits are 1010101.
    let columns = [bytes(&[x, -x, x, f64::MAX]), bytes(&[3.0_f64, 3.0, -3.0, f64::MAX])];
    let (rests, quotients) = remquo("%double", "%uint", &columns, 4, 8);
    assert_eq!(numbers::<f64>(&rests), [1.0, -1.0, 1.0, 0.0]);
    assert_eq!(quotients, [0x55, -0x55, -0x55, 1]);
}

#[test]
#[ignore = "needs LLVM 14"]
fn remquo_has_no_quotient_where_there_is_no_remainder() {
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    let rows =
        [(nan, 2.0), (5.0, nan), (inf, 2.0), (-inf, inf), (5.0, 0.0), (0.0, -0.0), (5.0, inf), (-5.0, inf)];
    let columns =
        [0, 1].map(|at| -> Vec<u8> { rows.iter().flat_map(|(x, y)| [*x, *y][at].bytes()).collect() });
    let (rests, quotients) = remquo("%double", "%uint", &columns, rows.len() as u64, 8);
    let rests = numbers::<f64>(&rests);
    assert!(rests[..6].iter().all(|rest| rest.is_nan()), "{rests:?}");
    assert_eq!(rests[6..], [5.0, -5.0]);
    assert_eq!(quotients, [0; 8]);
    let narrow = columns.each_ref().map(|column| -> Vec<u8> {
        numbers::<f64>(column).into_iter().flat_map(|number| (number as f32).bytes()).collect()
    });
    assert_eq!(remquo("%float", "%uint", &narrow, rows.len() as u64, 4).1, [0; 8]);
}

/// The headers of OpenCL C define FP_ILOGBNAN = INT_MAX and FP_ILOGB0 = INT_MIN.
#[test]
#[ignore = "needs LLVM 14"]
fn the_exponent_of_what_is_no_number_is_that_of_the_headers() {
    let code = "%r = OpExtInst %uint %cl ilogb %v0";
    let found = |ty: &str, column: Vec<u8>| -> Vec<i32> {
        crate::gpu::compute(&elementwise("", &[ty], "%uint", code).unwrap(), &[column], 5).unwrap()
    };
    let values = [f64::NAN, f64::INFINITY, 0.0, -0.0, 0.75];
    let right = [i32::MAX, i32::MAX, i32::MIN, i32::MIN, -1];
    assert_eq!(found("%double", bytes(&values)), right);
    assert_eq!(found("%float", bytes(&values.map(|value| value as f32))), right);
    assert_eq!(found("%half", bytes(&[0x7e00_u16, 0x7c00, 0, 0x8000, 0x3a00])), right);
}

/// OpenCL C specification, Additional Requirements Beyond C99 TC2: the second results if the first is not an
/// ordinary number.
#[test]
#[ignore = "needs LLVM 14"]
fn second_results_are_zero_where_there_is_no_number() {
    let second = |name: &str, values: &[f64]| -> Vec<i32> {
        let code = format!(
            "%room = OpVariable %f_uint Function\n%one = OpExtInst %double %cl {name} %v0 %room\n%r = OpLoad %uint %room"
        );
        let module = elementwise("", &["%double"], "%uint", &code).unwrap();
        crate::gpu::compute(&module, &[bytes(values)], values.len()).unwrap()
    };
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    assert_eq!(second("frexp", &[inf, -inf, nan, 0.0, 8.0]), [0, 0, 0, 0, 4]);
    assert_eq!(second("lgamma_r", &[0.0, -0.0, -1.0, -6.0, -0.5, -1.5, 2.0]), [0, 0, 0, 0, -1, 1, 1]);
}
