//! Vectors and composites: parts, orders, and vectors at any scalar's address.

use sycl_pi_nvvm::Options;
use testing_nvvm::{Scalar, bytes, elementwise, kernel, numbers};

use crate::gpu::{Arg, HostGpu, Launch};

fn run(module: &[u8], args: &[Arg]) -> Vec<Vec<u8>> {
    HostGpu::new(&[module], &Options::default()).unwrap().run(Launch::group(1), args).unwrap()
}

#[test]
#[ignore = "needs LLVM 14"]
fn parts_are_taken_put_and_shuffled() {
    let declarations = "
        %inner = OpTypeStruct %uint %v4uint
        %array = OpTypeArray %inner %u_2
        %p_v2uint = OpTypePointer CrossWorkgroup %v2uint";
    let code = "
        %a = OpLoad %v4uint %in
        %in.1 = OpPtrAccessChain %p_v4uint %in %l_1
        %b = OpLoad %v4uint %in.1
        %mixed = OpVectorShuffle %v4uint %a %b 7 0 4 2
        %two = OpVectorShuffle %v2uint %a %b 1 6
        %joined = OpCompositeConstruct %v4uint %two %two
        %first = OpCompositeConstruct %inner %u_7 %mixed
        %second = OpCompositeConstruct %inner %u_31 %joined
        %both = OpCompositeConstruct %array %first %second
        %changed = OpCompositeInsert %array %u_100 %both 1 1 2
        %part = OpCompositeExtract %v4uint %changed 1 1
        %number = OpCompositeExtract %uint %changed 0 0
        %which = OpCompositeExtract %uint %a 3
        %at.run = OpVectorExtractDynamic %uint %b %which
        %put = OpVectorInsertDynamic %v4uint %part %at.run %u_3
        %wide = OpVectorShuffle %v4uint %two %b 0 5 1 2
        OpStore %out %mixed
        %out.1 = OpPtrAccessChain %p_v4uint %out %l_1
        OpStore %out.1 %put
        %out.2 = OpPtrAccessChain %p_v4uint %out %l_2
        OpStore %out.2 %wide
        %out.3 = OpPtrAccessChain %p_v4uint %out %u_3
        %last = OpCompositeConstruct %v4uint %number %at.run %number %at.run
        OpStore %out.3 %last";
    let module = kernel(declarations, "%p_v4uint %out, %p_v4uint %in", code).unwrap();
    let (a, b) = ([10_u32, 11, 12, 2], [20_u32, 21, 22, 23]);
    let out = run(&module, &[Arg::Buffer(vec![0; 64]), Arg::Buffer(bytes(&[a, b].concat()))]);
    let two = [a[1], b[2]];
    let expected = [
        [b[3], a[0], b[0], a[2]],
        [two[0], two[1], 100, b[2]],
        [two[0], b[3], two[1], b[0]],
        [7, b[2], 7, b[2]],
    ];
    assert_eq!(numbers::<u32>(&out[0]), expected.concat());
}

/// OpenCL C specification, select: for vectors the most significant bit decides, for scalars whether there is any.
#[test]
#[ignore = "needs LLVM 14"]
fn the_highest_bit_selects_a_part_of_a_vector() {
    let (a, b, condition) = ([10_u32, 11, 12, 13], [20_u32, 21, 22, 23], [1, 1 << 31, 0, u32::MAX]);
    for (ty, expected) in [("%v4uint", [10, 21, 12, 23]), ("%uint", [20, 21, 12, 23])] {
        let code = format!("%r = OpExtInst {ty} %cl select %v0 %v1 %v2");
        let module = elementwise("", &[ty; 3], ty, &code).unwrap();
        let columns = [a, b, condition].map(|column| Arg::Buffer(bytes(&column)));
        let args = [vec![Arg::Buffer(vec![0; 16])], columns.to_vec()].concat();
        let items = if ty == "%uint" { 4 } else { 1 };
        let gpu = HostGpu::new(&[&module], &Options::default()).unwrap();
        assert_eq!(numbers::<u32>(&gpu.run(Launch::group(items), &args).unwrap()[0]), expected, "{ty}");
    }
}

#[test]
#[ignore = "needs LLVM 14"]
fn vectors_lie_at_any_scalars_address() {
    let code = "
        %third = OpExtInst %v4uint %cl vloadn %l_1 %in 4
        %sum = OpIAdd %v4uint %third %third
        OpExtInst.none";
    let code = code.replace("OpExtInst.none", "%stored = OpExtInst %void %cl vstoren %sum %l_1 %out");
    let module = kernel("", "%p_uint %out, %p_uint %in", &code).unwrap();
    let input: Vec<u32> = (0..10).collect();
    let out = run(&module, &[Arg::Buffer(vec![0; 40]), Arg::Buffer(bytes(&input))]);
    assert_eq!(numbers::<u32>(&out[0]), [0, 0, 0, 0, 8, 10, 12, 14, 0, 0]);
}

#[test]
#[ignore = "needs LLVM 14"]
fn halves_in_memory_are_read_and_rounded_as_asked() {
    let code = "
        %one = OpExtInst %float %cl vload_half %l_1 %in
        %two = OpExtInst %v2float %cl vload_halfn %l_1 %in 2
        %x2 = OpCompositeExtract %float %two 0
        %y2 = OpCompositeExtract %float %two 1
        OpStore %floats %one
        %at.1 = OpPtrAccessChain %p_float %floats %l_1
        OpStore %at.1 %x2
        %at.2 = OpPtrAccessChain %p_float %floats %l_2
        OpStore %at.2 %y2
        %s0 = OpExtInst %void %cl vstore_half %third %l_0 %out
        %s1 = OpExtInst %void %cl vstore_half_r %third %l_1 %out RTZ
        %s2 = OpExtInst %void %cl vstore_half_r %third %l_2 %out RTP
        %s3 = OpExtInst %void %cl vstore_half_r %minus %u_3 %out RTN";
    let declarations = "%third = OpConstant %float 0.333333\n%minus = OpConstant %float -0.333333";
    let module = kernel(declarations, "%p_half %out, %p_half %in, %p_float %floats", code).unwrap();
    let input = [0x3c00_u16, 0x4000, 0x4200, 0xc400];
    let args = [Arg::Buffer(vec![0; 8]), Arg::Buffer(bytes(&input)), Arg::Buffer(vec![0; 12])];
    let out = run(&module, &args);
    // 0.333333 is between 0x3555 and 0x3556, closer to the first.
    assert_eq!(numbers::<u16>(&out[0]), [0x3555, 0x3555, 0x3556, 0xb556]);
    assert_eq!(numbers::<f32>(&out[2]), [2.0, 3.0, -4.0]);
}

#[test]
#[ignore = "needs LLVM 14"]
fn products_of_vectors_and_selections() {
    let code = "
        %scaled = OpVectorTimesScalar %v4float %v0 %factor
        %dot = OpDot %float %v0 %v1
        %less = OpFOrdLessThan %v4bool %v0 %v1
        %any = OpAny %bool %less
        %all = OpAll %bool %less
        %low = OpSelect %v4float %less %v0 %v1
        %a = OpSelect %float %any %one %zero
        %b = OpSelect %float %all %one %zero
        %first = OpCompositeExtract %float %scaled 0
        %lowest = OpCompositeExtract %float %low 1
        %flags = OpFAdd %float %a %b
        %r = OpCompositeConstruct %v4float %first %dot %lowest %flags";
    let declarations = "
        %v4bool = OpTypeVector %bool 4
        %factor = OpConstant %float 2.5
        %one = OpConstant %float 1
        %zero = OpConstant %float 0";
    let module = elementwise(declarations, &["%v4float", "%v4float"], "%v4float", code).unwrap();
    let (a, b) = ([1.0_f32, 2.0, 3.0, 4.0], [0.5_f32, 8.0, -1.0, 2.0]);
    let out = run(&module, &[Arg::Buffer(vec![0; 16]), Arg::Buffer(bytes(&a)), Arg::Buffer(bytes(&b))]);
    assert_eq!(out[0].chunks(4).map(f32::read).collect::<Vec<_>>(), [2.5, 0.5 + 16.0 - 3.0 + 8.0, 2.0, 1.0]);
}

#[test]
#[ignore = "needs LLVM 14"]
fn scalars_are_chosen_by_another_vector() {
    let code = "%s = OpExtInst %v4uint %cl shuffle2 %v0 %v1 %v2\n%t = OpExtInst %v4uint %cl shuffle %v0 %v2\n%r = OpIAdd %v4uint %s %t";
    let module = elementwise("", &["%v4uint", "%v4uint", "%v4uint"], "%v4uint", code).unwrap();
    let (a, b, mask) = ([10_u32, 11, 12, 13], [20_u32, 21, 22, 23], [7_u32, 0, 5, 2]);
    let mut args = vec![Arg::Buffer(vec![0; 16])];
    args.extend([a, b, mask].map(|row| Arg::Buffer(bytes(&row))));
    let both = [a, b].concat();
    let expected = mask.map(|at| both[at as usize & 7] + a[at as usize & 3]);
    assert_eq!(numbers::<u32>(&run(&module, &args)[0]), expected);
}

#[test]
#[ignore = "needs LLVM 14"]
fn memory_is_copied() {
    let code = "
        %to = OpPtrAccessChain %p_uint %out %l_1
        %from = OpPtrAccessChain %p_uint %in %l_2
        %to.bytes = OpBitcast %p_uchar %to
        %from.bytes = OpBitcast %p_uchar %from
        OpCopyMemorySized %to.bytes %from.bytes %size Aligned 0
        OpCopyMemory %out %in Aligned 4
        %far = OpPtrAccessChain %p_uint %in %u_7
        %apart = OpPtrDiff %ulong %far %from
        %near = OpUConvert %uint %apart
        %last = OpPtrAccessChain %p_uint %out %u_7
        OpStore %last %near";
    let module = kernel("%size = OpConstant %ulong 12", "%p_uint %out, %p_uint %in", code).unwrap();
    let input: Vec<u32> = (100..110).collect();
    let out = run(&module, &[Arg::Buffer(vec![0; 32]), Arg::Buffer(bytes(&input))]);
    assert_eq!(numbers::<u32>(&out[0]), [100, 102, 103, 104, 0, 0, 0, 5]);
}

/// Such a part of a shuffle may be anything, and the others are what they are.
#[test]
#[ignore = "needs LLVM 14"]
fn a_shuffle_may_leave_parts_undefined() {
    let code = "
        %a = OpLoad %v4uint %in
        %two = OpVectorShuffle %v2uint %a %a 2 3
        %same = OpVectorShuffle %v4uint %a %a 4294967295 5 4294967295 2
        %other = OpVectorShuffle %v4uint %a %two 4294967295 5 4294967295 1
        OpStore %out %same
        %out.1 = OpPtrAccessChain %p_v4uint %out %l_1
        OpStore %out.1 %other";
    let module = kernel("", "%p_v4uint %out, %p_v4uint %in", code).unwrap();
    let input = [10_u32, 11, 12, 13];
    let out = run(&module, &[Arg::Buffer(vec![0; 32]), Arg::Buffer(bytes(&input))]);
    let out = numbers::<u32>(&out[0]);
    assert_eq!([out[1], out[3], out[5], out[7]], [11, 12, 13, 11]);
}
