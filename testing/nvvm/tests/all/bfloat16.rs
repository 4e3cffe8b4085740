//! Conversions from and to `bfloat16`, as instructions and as functions of DPC++'s device library; and pointers that modules type
//! in different ways.

use sycl_pi_nvvm::Options;
use testing_nvvm::{Arg, HostGpu, Launch, assemble, bytes, elementwise, kernel, numbers};

/// The nearest number of 8 bits of precision; of two, the one whose last bit is 0. Found among the neighbours, not by rounding.
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
#[ignore = "needs clang-14"]
fn floats_round_to_the_nearest_bfloat16() {
    let expected: Vec<u16> = floats().into_iter().map(nearest).collect();
    let instruction =
        elementwise("", &["%float"], "%ushort", "%r = OpConvertFToBF16INTEL %ushort %v0").unwrap();
    assert_eq!(converted(&instruction), expected);
    // The type of SPV_KHR_bfloat16: loaded, stored and converted as any other.
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

#[test]
#[ignore = "needs clang-14"]
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

/// The library's function takes `float*` and `ushort*`; the program imports it with pointers to structures.
#[test]
#[ignore = "needs clang-14"]
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
