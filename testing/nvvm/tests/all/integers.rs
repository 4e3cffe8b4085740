//! Operations on integers of every width, from SPIR-V and OpenCL.std.

use sycl_pi_nvvm::Options;
use testing_nvvm::{bytes, elementwise, kernel};

use crate::gpu::{Arg, HostGpu, Launch, compute};

const TYPES: [(&str, u32); 4] = [("%uchar", 8), ("%ushort", 16), ("%uint", 32), ("%ulong", 64)];

/// Returns numbers of a width for which something may go wrong.
fn interesting(bits: u32) -> Vec<u64> {
    let (mask, sign) = (u64::MAX >> (64 - bits), 1 << (bits - 1));
    [
        0,
        1,
        2,
        3,
        7,
        100,
        sign - 1,
        sign,
        sign + 1,
        mask - 1,
        mask,
        0x5555_5555_5555_5555 & mask,
        0x0123_4567_89ab_cdef & mask,
    ]
    .to_vec()
}

/// The expected result of an instruction for two numbers of a width.
type Expected = fn(u64, u64, u32) -> Option<u64>;

fn signed(value: u64, bits: u32) -> i128 {
    i128::from((value << (64 - bits)).cast_signed() >> (64 - bits))
}

fn clamp_signed(value: i128, bits: u32) -> u64 {
    value.clamp(-(1 << (bits - 1)), (1 << (bits - 1)) - 1) as u64
}

fn clamp_unsigned(value: i128, bits: u32) -> u64 {
    value.clamp(0, (1_i128 << bits) - 1) as u64
}

const BINARY: &[(&str, Expected)] = &[
    ("OpIAdd", |a, b, _| Some(a.wrapping_add(b))),
    ("OpISub", |a, b, _| Some(a.wrapping_sub(b))),
    ("OpIMul", |a, b, _| Some(a.wrapping_mul(b))),
    ("OpUDiv", |a, b, _| a.checked_div(b)),
    ("OpUMod", |a, b, _| a.checked_rem(b)),
    ("OpSDiv", |a, b, n| divide(a, b, n).map(|(quotient, _)| quotient)),
    ("OpSRem", |a, b, n| divide(a, b, n).map(|(_, rest)| rest)),
    ("OpSMod", |a, b, n| {
        divide(a, b, n)?;
        let (a, b) = (signed(a, n), signed(b, n));
        // The result has the sign of the divisor.
        let rest = a.rem_euclid(b.abs());
        Some(if b < 0 && rest != 0 { rest + b } else { rest } as u64)
    }),
    ("OpShiftLeftLogical", |a, b, n| (b < n.into()).then(|| a << b)),
    ("OpShiftRightLogical", |a, b, n| (b < n.into()).then(|| a >> b)),
    ("OpShiftRightArithmetic", |a, b, n| (b < n.into()).then(|| (signed(a, n) >> b) as u64)),
    ("OpBitwiseAnd", |a, b, _| Some(a & b)),
    ("OpBitwiseOr", |a, b, _| Some(a | b)),
    ("OpBitwiseXor", |a, b, _| Some(a ^ b)),
    ("s_add_sat", |a, b, n| Some(clamp_signed(signed(a, n) + signed(b, n), n))),
    ("u_add_sat", |a, b, n| Some(clamp_unsigned(i128::from(a) + i128::from(b), n))),
    ("s_sub_sat", |a, b, n| Some(clamp_signed(signed(a, n) - signed(b, n), n))),
    ("u_sub_sat", |a, b, n| Some(clamp_unsigned(i128::from(a) - i128::from(b), n))),
    ("s_hadd", |a, b, n| Some(((signed(a, n) + signed(b, n)) >> 1) as u64)),
    ("u_hadd", |a, b, _| Some(((u128::from(a) + u128::from(b)) >> 1) as u64)),
    ("s_rhadd", |a, b, n| Some(((signed(a, n) + signed(b, n) + 1) >> 1) as u64)),
    ("u_rhadd", |a, b, _| Some(((u128::from(a) + u128::from(b) + 1) >> 1) as u64)),
    ("s_max", |a, b, n| Some(signed(a, n).max(signed(b, n)) as u64)),
    ("u_max", |a, b, _| Some(a.max(b))),
    ("s_min", |a, b, n| Some(signed(a, n).min(signed(b, n)) as u64)),
    ("u_min", |a, b, _| Some(a.min(b))),
    ("s_mul_hi", |a, b, n| Some(((signed(a, n) * signed(b, n)) >> n) as u64)),
    ("u_mul_hi", |a, b, n| Some(((u128::from(a) * u128::from(b)) >> n) as u64)),
    ("s_abs_diff", |a, b, n| Some((signed(a, n) - signed(b, n)).unsigned_abs() as u64)),
    ("u_abs_diff", |a, b, _| Some(a.abs_diff(b))),
    ("rotate", |a, b, n| {
        let by = (b % u64::from(n)) as u32;
        Some(if by == 0 { a } else { a << by | a >> (n - by) })
    }),
];

/// Returns the quotient towards zero and the remainder, or `None` if it is undefined.
fn divide(a: u64, b: u64, bits: u32) -> Option<(u64, u64)> {
    let (a, b) = (signed(a, bits), signed(b, bits));
    let fits = b != 0 && (b != -1 || a != -(1 << (bits - 1)));
    fits.then(|| ((a / b) as u64, (a % b) as u64))
}

fn column(values: impl Iterator<Item = u64>, bits: u32) -> Vec<u8> {
    values.flat_map(|value| value.to_le_bytes().into_iter().take(bits as usize / 8)).collect()
}

/// Runs a module on columns of numbers of a width, and returns numbers of another one.
fn run(module: &[u8], columns: &[Vec<u64>], bits: u32, out: u32) -> Vec<u64> {
    let rows = columns[0].len();
    let columns: Vec<Vec<u8>> = columns.iter().map(|values| column(values.iter().copied(), bits)).collect();
    match out {
        8 => compute::<u8>(module, &columns, rows).unwrap().into_iter().map(u64::from).collect(),
        16 => compute::<u16>(module, &columns, rows).unwrap().into_iter().map(u64::from).collect(),
        32 => compute::<u32>(module, &columns, rows).unwrap().into_iter().map(u64::from).collect(),
        _ => compute::<u64>(module, &columns, rows).unwrap(),
    }
}

fn instruction(name: &str, ty: &str, operands: &str) -> String {
    match name.starts_with("Op") {
        true => format!("{name} {ty} {operands}"),
        false => format!("OpExtInst {ty} %cl {name} {operands}"),
    }
}

/// The number of rows for each instruction of a batch.
const ROWS: usize = 256;

/// Assembles a module that computes many instructions on two numbers, each on separate rows, because one kernel for
/// each would take long to compile.
fn batch(ty: &str, instructions: &[&str]) -> Vec<u8> {
    let pointer = ty.replacen('%', "%p_", 1);
    let (mut declarations, mut code) = (String::new(), String::new());
    for (at, name) in instructions.iter().enumerate() {
        declarations += &format!("%first{at} = OpConstant %ulong {}\n", at * ROWS);
        code += &format!("%i{at} = OpIAdd %ulong %l %first{at}\n");
        for operand in ["a", "b"] {
            code += &format!("%{operand}{at}.at = OpPtrAccessChain {pointer} %{operand} %i{at}\n");
            code += &format!("%{operand}{at} = OpLoad {ty} %{operand}{at}.at\n");
        }
        code += &format!("%r{at} = {}\n", instruction(name, ty, &format!("%a{at} %b{at}")));
        code += &format!("%r{at}.at = OpPtrAccessChain {pointer} %out %i{at}\nOpStore %r{at}.at %r{at}\n");
    }
    kernel(&declarations, &format!("{pointer} %out, {pointer} %a, {pointer} %b"), &code).unwrap()
}

#[test]
#[ignore = "needs LLVM 14"]
fn operations_on_two_numbers() {
    for (ty, bits) in TYPES {
        let values = interesting(bits);
        let all: Vec<(u64, u64)> = values.iter().flat_map(|a| values.iter().map(|b| (*a, *b))).collect();
        assert!(all.len() <= ROWS);
        // Pairs for which an instruction is not defined are replaced. A division by zero would end the program.
        let pairs: Vec<(u64, u64)> = BINARY
            .iter()
            .flat_map(|(_, expected)| {
                let padded = all.iter().copied().chain(std::iter::repeat((1, 1))).take(ROWS);
                padded.map(|(a, b)| if expected(a, b, bits).is_some() { (a, b) } else { (1, 1) })
            })
            .collect();
        let names: Vec<&str> = BINARY.iter().map(|(name, _)| *name).collect();
        let gpu = HostGpu::new(&[&batch(ty, &names)], &Options::default()).unwrap();
        let size = bits as usize / 8;
        let columns = [
            vec![0; pairs.len() * size],
            column(pairs.iter().map(|pair| pair.0), bits),
            column(pairs.iter().map(|pair| pair.1), bits),
        ];
        let out = gpu.run(Launch::group(ROWS as u64), &columns.map(Arg::Buffer)).unwrap();
        for (row, ((a, b), found)) in pairs.iter().zip(out[0].chunks(size)).enumerate() {
            let (name, expected) = &BINARY[row / ROWS];
            let expected = expected(*a, *b, bits).unwrap() & (u64::MAX >> (64 - bits));
            assert_eq!(found, &expected.to_le_bytes()[..size], "{name} of {bits} bits: {a:#x}, {b:#x}");
        }
    }
}

#[test]
#[ignore = "needs LLVM 14"]
fn operations_on_one_number() {
    type One = fn(u64, u32) -> u64;
    let cases: [(&str, One); 8] = [
        ("OpSNegate", |a, _| a.wrapping_neg()),
        ("OpNot", |a, _| !a),
        ("OpBitReverse", |a, n| a.reverse_bits() >> (64 - n)),
        ("OpBitCount", |a, _| a.count_ones().into()),
        ("s_abs", |a, n| signed(a, n).unsigned_abs() as u64),
        ("clz", |a, n| u64::from(a.leading_zeros() - (64 - n))),
        ("ctz", |a, n| u64::from(a.trailing_zeros().min(n))),
        ("popcount", |a, _| a.count_ones().into()),
    ];
    for (ty, bits) in TYPES {
        let values = interesting(bits);
        for (name, expected) in cases {
            let code = format!("%r = {}", instruction(name, ty, "%v0"));
            let module = elementwise("", &[ty], ty, &code).unwrap();
            for (a, found) in values.iter().zip(run(&module, std::slice::from_ref(&values), bits, bits)) {
                assert_eq!(
                    found,
                    expected(*a, bits) & (u64::MAX >> (64 - bits)),
                    "{name} of {bits} bits: {a:#x}"
                );
            }
        }
    }
}

#[test]
#[ignore = "needs LLVM 14"]
fn operations_on_three_numbers() {
    type Three = fn(u64, u64, u64, u32) -> u64;
    let cases: [(&str, Three); 7] = [
        ("s_clamp", |a, b, c, n| signed(a, n).max(signed(b, n)).min(signed(c, n)) as u64),
        ("u_clamp", |a, b, c, _| a.max(b).min(c)),
        ("s_mad_hi", |a, b, c, n| (((signed(a, n) * signed(b, n)) >> n) as u64).wrapping_add(c)),
        ("u_mad_hi", |a, b, c, n| (((u128::from(a) * u128::from(b)) >> n) as u64).wrapping_add(c)),
        ("s_mad_sat", |a, b, c, n| clamp_signed(signed(a, n) * signed(b, n) + signed(c, n), n)),
        ("u_mad_sat", |a, b, c, n| {
            let most = (1_u128 << n) - 1;
            (u128::from(a) * u128::from(b)).saturating_add(u128::from(c)).min(most) as u64
        }),
        ("bitselect", |a, b, c, _| a & !c | b & c),
    ];
    for (ty, bits) in TYPES {
        let values = interesting(bits);
        let rows: Vec<[u64; 3]> = values
            .iter()
            .flat_map(|a| values.iter().map(move |b| (*a, *b)))
            .flat_map(|(a, b)| [1, 5, 9].map(|c| [a, b, values[c]]))
            .collect();
        for (name, expected) in cases {
            let rows: Vec<[u64; 3]> = rows
                .iter()
                .filter(|[_, b, c]| match name {
                    // A range with ordered limits.
                    "s_clamp" => signed(*b, bits) <= signed(*c, bits),
                    "u_clamp" => b <= c,
                    _ => true,
                })
                .copied()
                .collect();
            let code = format!("%r = {}", instruction(name, ty, "%v0 %v1 %v2"));
            let module = elementwise("", &[ty, ty, ty], ty, &code).unwrap();
            let columns = [0, 1, 2].map(|at| rows.iter().map(|row| row[at]).collect::<Vec<u64>>());
            for ([a, b, c], found) in rows.iter().zip(run(&module, &columns, bits, bits)) {
                let expected = expected(*a, *b, *c, bits) & (u64::MAX >> (64 - bits));
                assert_eq!(found, expected, "{name} of {bits} bits: {a:#x}, {b:#x}, {c:#x}");
            }
        }
    }
}

#[test]
#[ignore = "needs LLVM 14"]
fn comparisons_know_signs() {
    type Compare = fn(u64, u64, u32) -> bool;
    let cases: [(&str, Compare); 10] = [
        ("OpIEqual", |a, b, _| a == b),
        ("OpINotEqual", |a, b, _| a != b),
        ("OpUGreaterThan", |a, b, _| a > b),
        ("OpUGreaterThanEqual", |a, b, _| a >= b),
        ("OpULessThan", |a, b, _| a < b),
        ("OpULessThanEqual", |a, b, _| a <= b),
        ("OpSGreaterThan", |a, b, n| signed(a, n) > signed(b, n)),
        ("OpSGreaterThanEqual", |a, b, n| signed(a, n) >= signed(b, n)),
        ("OpSLessThan", |a, b, n| signed(a, n) < signed(b, n)),
        ("OpSLessThanEqual", |a, b, n| signed(a, n) <= signed(b, n)),
    ];
    for (ty, bits) in [TYPES[0], TYPES[3]] {
        let values = interesting(bits);
        let pairs: Vec<(u64, u64)> = values.iter().flat_map(|a| values.iter().map(|b| (*a, *b))).collect();
        for (name, expected) in cases {
            let code = format!("%is = {name} %bool %v0 %v1\n%r = OpSelect %uint %is %u_1 %u_0");
            let module = elementwise("", &[ty, ty], "%uint", &code).unwrap();
            let columns =
                [pairs.iter().map(|pair| pair.0).collect(), pairs.iter().map(|pair| pair.1).collect()];
            for ((a, b), found) in pairs.iter().zip(run(&module, &columns, bits, 32)) {
                assert_eq!(found == 1, expected(*a, *b, bits), "{name} of {bits} bits: {a:#x}, {b:#x}");
            }
        }
    }
}

#[test]
#[ignore = "needs LLVM 14"]
fn carries_borrows_and_products_of_twice_the_width() {
    type Wide = fn(u64, u64) -> u128;
    let cases: [(&str, Wide); 4] = [
        ("OpIAddCarry", |a, b| u128::from(a) + u128::from(b)),
        ("OpISubBorrow", |a, b| u128::from(a.wrapping_sub(b)) | u128::from(a < b) << 64),
        ("OpUMulExtended", |a, b| u128::from(a) * u128::from(b)),
        ("OpSMulExtended", |a, b| (signed(a, 64) * signed(b, 64)).cast_unsigned()),
    ];
    let values = interesting(64);
    let pairs: Vec<(u64, u64)> = values.iter().flat_map(|a| values.iter().map(|b| (*a, *b))).collect();
    for (name, expected) in cases {
        for (part, shift) in [(0, 0), (1, 64)] {
            let code = format!("%both = {name} %two %v0 %v1\n%r = OpCompositeExtract %ulong %both {part}");
            let module =
                elementwise("%two = OpTypeStruct %ulong %ulong", &["%ulong", "%ulong"], "%ulong", &code)
                    .unwrap();
            let columns =
                [pairs.iter().map(|pair| pair.0).collect(), pairs.iter().map(|pair| pair.1).collect()];
            for ((a, b), found) in pairs.iter().zip(run(&module, &columns, 64, 64)) {
                assert_eq!(found, (expected(*a, *b) >> shift) as u64, "{name} part {part}: {a:#x}, {b:#x}");
            }
        }
    }
}

/// Compilers leave this function of LLVM to the translator.
#[test]
#[ignore = "needs LLVM 14"]
fn a_saturating_difference_of_llvm_ends_at_zero() {
    let declarations = "
        %of_two = OpTypeFunction %uint %uint %uint
        OpDecorate %difference LinkageAttributes \"llvm.usub.sat.i32\" Import";
    let code = "
        %a.at = OpPtrAccessChain %p_uint %a %l
        %a.value = OpLoad %uint %a.at
        %b.at = OpPtrAccessChain %p_uint %b %l
        %b.value = OpLoad %uint %b.at
        %r = OpFunctionCall %uint %difference %a.value %b.value
        %r.at = OpPtrAccessChain %p_uint %out %l
        OpStore %r.at %r
        OpReturn
        OpFunctionEnd
        %difference = OpFunction %uint None %of_two
        %p0 = OpFunctionParameter %uint
        %p1 = OpFunctionParameter %uint
        OpFunctionEnd";
    let module = kernel(declarations, "%p_uint %out, %p_uint %a, %p_uint %b", code).unwrap();
    let numbers = interesting(32);
    let pairs: Vec<[u32; 2]> =
        numbers.iter().flat_map(|a| numbers.iter().map(|b| [*a as u32, *b as u32])).collect();
    let column = |at: usize| bytes(&pairs.iter().map(|pair| pair[at]).collect::<Vec<_>>());
    let found = compute::<u32>(&module, &[column(0), column(1)], pairs.len()).unwrap();
    for ([a, b], found) in pairs.into_iter().zip(found) {
        assert_eq!(found, a.saturating_sub(b), "{a} - {b}");
    }
}
