//! `bfloat16`: arithmetic, conversions by instructions and by functions of DPC++'s device library, and pointers
//! that modules type differently.

use sycl_pi_nvvm::Options;
use testing_nvvm::{assemble, bytes, elementwise, kernel, numbers};

use crate::gpu::{Arg, HostGpu, Launch, compute};

/// Returns the nearest number with 8 bits of precision, or the one whose last bit is 0 if two are equally near.
/// Searches among the neighbours instead of rounding.
fn nearest(value: f32) -> u16 {
    let below = (value.to_bits() >> 16) as u16;
    let wide = |bits: u16| match f32::from_bits(u32::from(bits) << 16) {
        // As far as the next number would be.
        infinity if infinity.is_infinite() => 2_f64.powi(128).copysign(infinity.into()),
        number => f64::from(number),
    };
    let above = below.wrapping_add(1);
    let [far, near] = [above, below].map(|bits| (wide(bits) - f64::from(value)).abs());
    if value.is_infinite() || near < far || (near == far && below.is_multiple_of(2)) { below } else { above }
}

fn floats() -> Vec<f32> {
    let ties = [
        0x3f80_8000,
        0x3f81_8000,
        0x3f80_8001,
        0x3f80_7fff,
        0x7f7f_7fff,
        0x7f7f_8000,
        0x0000_8000,
        0x0001_8000,
    ];
    let signs = ties.iter().flat_map(|bits| [*bits, bits | 0x8000_0000]).map(f32::from_bits);
    signs.chain([0.0, -0.0, 1.0, 2.7, -1e-40, 1e38, f32::MAX, f32::INFINITY, f32::NEG_INFINITY]).collect()
}

fn converted(module: &[u8]) -> Vec<u16> {
    let column = floats();
    let gpu = HostGpu::new(&[module], &Options::default()).unwrap();
    let args = [Arg::Buffer(vec![0; column.len() * 2]), Arg::Buffer(bytes(&column))];
    numbers(&gpu.run(Launch::group(column.len() as u64), &args).unwrap()[0])
}

const LIBRARY: &str = "
    %g_float = OpTypePointer Generic %float
    %g_ushort = OpTypePointer Generic %ushort
    %to.type = OpTypeFunction %ushort %g_float
    %from.type = OpTypeFunction %float %g_ushort
    OpDecorate %to LinkageAttributes \"__devicelib_ConvertFToBF16INTEL\" Import
    OpDecorate %from LinkageAttributes \"__devicelib_ConvertBF16ToFINTEL\" Import";

#[test]
#[ignore = "needs LLVM 14"]
fn floats_round_to_the_nearest_bfloat16() {
    let expected: Vec<u16> = floats().into_iter().map(nearest).collect();
    let instruction =
        elementwise("", &["%float"], "%ushort", "%r = OpConvertFToBF16INTEL %ushort %v0").unwrap();
    assert_eq!(converted(&instruction), expected);
    // The type of SPV_KHR_bfloat16, loaded, stored and converted like any other.
    let declarations = "
        %bf = OpTypeFloat 16 0
        %p_bf = OpTypePointer CrossWorkgroup %bf
        %one = OpConstant %bf 0x3f80";
    let module = elementwise(declarations, &["%float"], "%bf", "%r = OpFConvert %bf %v0").unwrap();
    assert_eq!(converted(&module), expected);
    let code = "%f = OpFConvert %float %one\n%s = OpFMul %float %v0 %f\n%r = OpFConvert %bf %s";
    assert_eq!(converted(&elementwise(declarations, &["%float"], "%bf", code).unwrap()), expected);
    let call = "
        %from.at = OpPtrAccessChain %p_float %in %l
        %generic = OpPtrCastToGeneric %g_float %from.at
        %r = OpFunctionCall %ushort %to %generic
        %to.at = OpPtrAccessChain %p_ushort %out %l
        OpStore %to.at %r
        OpReturn
        OpFunctionEnd
        %to = OpFunction %ushort None %to.type
        %to.x = OpFunctionParameter %g_float
        OpFunctionEnd
        %from = OpFunction %float None %from.type
        %from.x = OpFunctionParameter %g_ushort
        OpFunctionEnd";
    assert_eq!(converted(&kernel(LIBRARY, "%p_ushort %out, %p_float %in", call).unwrap()), expected);
}

/// Returns the nearest number with 8 bits of precision for a number that `double` represents exactly.
fn nearest_of_double(value: f64) -> u16 {
    let wide = |bits: u16| f64::from(f32::from_bits(u32::from(bits) << 16));
    // One of the neighbours of the nearest `float`.
    let near = ((value as f32).to_bits() >> 16) as u16;
    let candidates =
        [near.wrapping_sub(1), near, near.wrapping_add(1)].into_iter().filter(|bits| wide(*bits).is_finite());
    let far = |bits: &u16| (wide(*bits) - value).abs();
    let least = candidates.clone().map(|bits| far(&bits)).fold(f64::INFINITY, f64::min);
    let closest: Vec<u16> = candidates.filter(|bits| far(bits) == least).collect();
    *closest.iter().find(|bits| closest.len() == 1 || bits.is_multiple_of(2)).unwrap()
}

const TYPE: &str = "
    %bf = OpTypeFloat 16 0
    %p_bf = OpTypePointer CrossWorkgroup %bf";

/// Returns pairs of numbers as bits, including ties and numbers far apart.
fn pairs() -> (Vec<u16>, Vec<u16>) {
    let some = [0x3f80, 0x3f81, 0xbf83, 0x4049, 0x3c01, 0x3b80, 0x477f, 0x0080, 0xc2f7, 0x7e00, 0x3f7f];
    some.iter().flat_map(|a| some.iter().map(move |b| (*a, *b))).unzip()
}

fn single(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16)
}

#[test]
#[ignore = "needs LLVM 14"]
fn bfloat16_is_computed_with_and_rounded_once() {
    let (a, b) = pairs();
    type Exact = fn(f64, f64) -> f64;
    let cases: [(&str, Exact); 5] = [
        ("%r = OpFAdd %bf %v0 %v1", |a, b| a + b),
        ("%r = OpFSub %bf %v0 %v1", |a, b| a - b),
        ("%r = OpFMul %bf %v0 %v1", |a, b| a * b),
        // The quotient of numbers with 8 bits is no tie, and so far from one that `double` is precise enough.
        ("%r = OpFDiv %bf %v0 %v1", |a, b| a / b),
        ("%n = OpFNegate %bf %v1\n%r = OpExtInst %bf %cl fmax %v0 %n", |a, b| a.max(-b)),
    ];
    for (code, exact) in cases {
        let module = elementwise(TYPE, &["%bf", "%bf"], "%bf", code).unwrap();
        let columns = [bytes(&a), bytes(&b)];
        let out: Vec<u16> = compute(&module, &columns, a.len()).unwrap();
        for (at, (a, b)) in a.iter().zip(&b).enumerate() {
            let value = exact(single(*a).into(), single(*b).into());
            // Numbers below `float`'s normal ones or above all are not tested here.
            if value.abs() < 1e-36 || value.abs() > 1e38 {
                continue;
            }
            assert_eq!(out[at], nearest_of_double(value), "{code}: {a:#x} {b:#x}");
        }
    }
}

#[test]
#[ignore = "needs LLVM 14"]
fn bfloat16_is_compared_and_converted_like_other_numbers() {
    let (a, b) = pairs();
    let columns = [bytes(&a), bytes(&b)];
    let code = "
        %less = OpFOrdLessThan %bool %v0 %v1
        %none = OpIsNan %bool %v0
        %is = OpLogicalOr %bool %less %none
        %r = OpSelect %uint %is %u_1 %u_0";
    let module = elementwise(TYPE, &["%bf", "%bf"], "%uint", code).unwrap();
    let out: Vec<u32> = compute(&module, &columns, a.len()).unwrap();
    let expected = a.iter().zip(&b).map(|(a, b)| u32::from(single(*a) < single(*b)));
    assert_eq!(out, expected.collect::<Vec<_>>());
    // Integers and doubles close to a tie, which rounding to `float` first must not turn into one.
    let integers = [
        0_u64,
        1,
        257,
        0x8080_0000_0000_0001,
        0x8080_0000_0000_0000,
        0x8180_0000_0000_0000,
        0x80_8000_0001,
        u64::MAX >> 1,
    ];
    let module = elementwise(TYPE, &["%ulong"], "%bf", "%r = OpConvertUToF %bf %v0").unwrap();
    let out: Vec<u16> = compute(&module, &[bytes(&integers)], integers.len()).unwrap();
    assert_eq!(out, [0, 0x3f80, 0x4380, 0x5f01, 0x5f00, 0x5f02, 0x5301, 0x5f00]);
    let doubles =
        [1.0_f64, 1.003_906_25, 1.003_906_250_000_000_2, 1.011_718_75, 1.011_718_749_999_999_8, -3.5, 1e300];
    let module = elementwise(TYPE, &["%double"], "%bf", "%r = OpFConvert %bf %v0").unwrap();
    let out: Vec<u16> = compute(&module, &[bytes(&doubles)], doubles.len()).unwrap();
    assert_eq!(out, [0x3f80, 0x3f80, 0x3f81, 0x3f82, 0x3f81, 0xc060, 0x7f80]);
    let module = elementwise(TYPE, &["%bf"], "%uint", "%r = OpConvertFToS %uint %v0").unwrap();
    let numbers = [0x4049_u16, 0xc2f7, 0x3f7f];
    let out: Vec<u32> = compute(&module, &[bytes(&numbers)], 3).unwrap();
    assert_eq!(out, [3, (-123_i32).cast_unsigned(), 0]);
}

#[test]
#[ignore = "needs LLVM 14"]
fn no_number_stays_none_and_bfloat16_widens_exactly() {
    let code = "%b = OpConvertFToBF16INTEL %ushort %v0\n%r = OpConvertBF16ToFINTEL %float %b";
    let module = elementwise("", &["%float"], "%float", code).unwrap();
    let gpu = HostGpu::new(&[&module], &Options::default()).unwrap();
    let column = [0x7f80_0001_u32, 0xffff_ffff, 0x7fc0_0000, 0x4049_0fdb, 0x0001_0000];
    let args = [Arg::Buffer(vec![0; 20]), Arg::Buffer(bytes(&column))];
    let out = numbers::<u32>(&gpu.run(Launch::group(5), &args).unwrap()[0]);
    assert!(out[..3].iter().all(|bits| f32::from_bits(*bits).is_nan()), "{out:x?}");
    assert_eq!(out[3..], [0x4049_0000, 0x0001_0000]);
}

/// The library's function takes `float*` and `ushort*`. The program imports it with pointers to structures.
#[test]
#[ignore = "needs LLVM 14"]
fn pointers_into_one_address_space_are_of_one_type() {
    let declarations = "
        %box = OpTypeStruct %float
        %p_box = OpTypePointer CrossWorkgroup %box
        %p_void = OpTypePointer CrossWorkgroup %uchar
        %twice.type = OpTypeFunction %p_uchar %p_box %p_void
        OpDecorate %twice LinkageAttributes \"twice\" Import";
    let code = "
        %from.at = OpPtrAccessChain %p_float %in %l
        %from.box = OpBitcast %p_box %from.at
        %to.at = OpPtrAccessChain %p_float %out %l
        %to.void = OpBitcast %p_void %to.at
        %where = OpFunctionCall %p_uchar %twice %from.box %to.void
        %same = OpPtrEqual %bool %where %to.void
        OpReturn
        OpFunctionEnd
        %twice = OpFunction %p_uchar None %twice.type
        %twice.from = OpFunctionParameter %p_box
        %twice.to = OpFunctionParameter %p_void
        OpFunctionEnd";
    let client = kernel(declarations, "%p_float %out, %p_float %in", code).unwrap();
    let library = assemble(
        "OpCapability Addresses\nOpCapability Linkage\nOpCapability Kernel\nOpMemoryModel Physical64 OpenCL
        %float = OpTypeFloat 32
        %p_float = OpTypePointer CrossWorkgroup %float
        %twice.type = OpTypeFunction %p_float %p_float %p_float
        OpDecorate %twice LinkageAttributes \"twice\" Export
        %twice = OpFunction %p_float None %twice.type
        %from = OpFunctionParameter %p_float
        %to = OpFunctionParameter %p_float
        %entry = OpLabel
        %x = OpLoad %float %from
        %sum = OpFAdd %float %x %x
        OpStore %to %sum
        OpReturnValue %to
        OpFunctionEnd",
    )
    .unwrap();
    let gpu = HostGpu::new(&[&client, &library], &Options::default()).unwrap();
    let column = [1.5_f32, -2.0, 8.0];
    let out = gpu.run(Launch::group(3), &[Arg::Buffer(vec![0; 12]), Arg::Buffer(bytes(&column))]).unwrap();
    assert_eq!(numbers::<f32>(&out[0]), [3.0, -4.0, 16.0]);
}
