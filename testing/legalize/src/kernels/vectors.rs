//! Kernels that call functions of OpenCL.std on vectors, or with results that overflow.

use crate::program::{PLAIN, Text};

pub(super) const VECTORS: [Text; 6] = [
    Text {
        name: "product",
        declarations: "%u_1025 = OpConstant %uint 1025
                       %u_ffff = OpConstant %uint 0xffff
                       %u_200001 = OpConstant %uint 0x200001",
        // 1025 times 2^21 + 1 is more than 2^31, and all products have 32 bits: as signed numbers, they are negative. A
        // compiler that expects them to fit takes all for positive.
        code: "%more = OpIAdd %uint %x %u_1025
               %positive = OpBitwiseAnd %uint %more %u_ffff
               %product = OpExtInst %uint %cl s_mul24 %positive %u_200001
               %negative = OpSLessThan %bool %product %u_0
               %result = OpSelect %uint %negative %n %u_0",
        ..PLAIN
    },
    Text {
        name: "smallest",
        // The smallest integer if n is odd, or else 0. Its absolute value has the same bits.
        code: "%number = OpShiftLeftLogical %uint %n %u_31
               %absolute = OpExtInst %uint %cl s_abs %number
               %negative = OpSLessThan %bool %absolute %u_0
               %result = OpSelect %uint %negative %n %u_0",
        result: |item| if (item + 1) % 2 == 1 { item + 1 } else { 0 },
        ..PLAIN
    },
    Text {
        name: "sines",
        declarations: "%f_tiny = OpConstant %float 0x1e3ce508
                       %f_2_32 = OpConstant %float 0x4f800000
                       %f_small = OpConstant %float 0x3a83126f",
        // The sine of n times 10^-20, next to the one of n times 2^32.
        code: "%number = OpConvertUToF %float %n
               %tiny = OpFMul %float %number %f_tiny
               %large = OpFMul %float %number %f_2_32
               %both = OpCompositeConstruct %v2float %tiny %large
               %sines = OpExtInst %v2float %cl sin %both
               %sine = OpCompositeExtract %float %sines 0
               %small = OpFOrdLessThan %bool %sine %f_small
               %result = OpSelect %uint %small %n %u_0",
        ..PLAIN
    },
    Text {
        name: "long",
        declarations: "OpCapability Vector16
                       %v16ulong = OpTypeVector %ulong 16",
        // The bits of n, which is in each component.
        code: "%wide = OpUConvert %ulong %n
               %all = OpCompositeConstruct %v16ulong %wide %wide %wide %wide %wide %wide %wide %wide \
               %wide %wide %wide %wide %wide %wide %wide %wide
               %counts = OpExtInst %v16ulong %cl popcount %all
               %count = OpCompositeExtract %ulong %counts 9
               %result = OpUConvert %uint %count",
        result: |item| (item + 1).count_ones(),
        ..PLAIN
    },
    Text {
        name: "shuffled",
        declarations: "OpCapability Vector16
                       %v16ulong = OpTypeVector %ulong 16
                       %f_v16ulong = OpTypePointer Function %v16ulong
                       %f_ulong = OpTypePointer Function %ulong
                       %l_0 = OpConstant %ulong 0
                       %u_9 = OpConstant %uint 9
                       %zeros = OpConstantNull %v16ulong",
        // Component x of the vector is n + 7, and the shuffle takes it to all places.
        code: "%place = OpVariable %f_v16ulong Function
               %more = OpIAdd %uint %n %u_7
               %wide = OpUConvert %ulong %more
               %least = OpCompositeConstruct %v16ulong %l %l %l %l %l %l %l %l %l %l %l %l %l %l %l %l
               %numbers = OpVectorInsertDynamic %v16ulong %zeros %wide %x
               %everywhere = OpExtInst %v16ulong %cl shuffle %numbers %least
               %first = OpInBoundsAccessChain %f_ulong %place %u_0
               %stored = OpExtInst %void %cl vstoren %everywhere %l_0 %first
               %ninth = OpInBoundsAccessChain %f_ulong %place %u_9
               %number = OpLoad %ulong %ninth Aligned 8
               %result = OpUConvert %uint %number",
        items: 16,
        result: |item| item + 8,
        ..PLAIN
    },
    Text {
        name: "swapped",
        declarations: "%four = OpTypeArray %uint %u_4
                       %p_four = OpTypePointer Function %four
                       %f_uint = OpTypePointer Function %uint
                       %u_2 = OpConstant %uint 2
                       %u_10 = OpConstant %uint 10",
        parameters: ", %uint %argument",
        // Swaps the first element of (n, 2n, 3n, 4n) for that with the number in the argument. The digits of the result
        // are the elements in reverse.
        code: "%array = OpVariable %p_four Function
               %a_0 = OpInBoundsAccessChain %f_uint %array %u_0
               %a_1 = OpInBoundsAccessChain %f_uint %array %u_1
               %a_2 = OpInBoundsAccessChain %f_uint %array %u_2
               %a_3 = OpInBoundsAccessChain %f_uint %array %u_3
               %n_2 = OpIMul %uint %n %u_2
               %n_3 = OpIMul %uint %n %u_3
               %n_4 = OpIMul %uint %n %u_4
               OpStore %a_0 %n Aligned 4
               OpStore %a_1 %n_2 Aligned 4
               OpStore %a_2 %n_3 Aligned 4
               OpStore %a_3 %n_4 Aligned 4
               %number = OpBitwiseAnd %uint %argument %u_3
               %chosen = OpInBoundsAccessChain %f_uint %array %number
               %other = OpLoad %uint %chosen Aligned 4
               OpStore %a_0 %other Aligned 4
               OpStore %chosen %n Aligned 4
               %v_0 = OpLoad %uint %a_0 Aligned 4
               %v_1 = OpLoad %uint %a_1 Aligned 4
               %v_2 = OpLoad %uint %a_2 Aligned 4
               %v_3 = OpLoad %uint %a_3 Aligned 4
               %s_3 = OpIMul %uint %v_3 %u_10
               %s_23 = OpIAdd %uint %s_3 %v_2
               %t_23 = OpIMul %uint %s_23 %u_10
               %s_123 = OpIAdd %uint %t_23 %v_1
               %t_123 = OpIMul %uint %s_123 %u_10
               %result = OpIAdd %uint %t_123 %v_0",
        arguments: &["03000000"],
        result: |item| 1324 * (item + 1),
        ..PLAIN
    },
];
