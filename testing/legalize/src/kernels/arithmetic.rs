//! Kernels that add, multiply, divide and convert numbers.

use crate::program::{PLAIN, Text};

pub(super) const ARITHMETIC: [Text; 6] = [
    Text {
        name: "summed",
        declarations: "%f_1 = OpConstant %float 1
                       %f_large = OpConstant %float 0x5d800000",
        // The sum of 1 and a multiple of 2^60 is that multiple.
        code: "%number = OpConvertUToF %float %n
               %multiple = OpFMul %float %number %f_large
               %sum = OpFAdd %float %f_1 %multiple
               %rest = OpFSub %float %sum %multiple
               %bits = OpBitcast %uint %rest
               %result = OpIAdd %uint %bits %n",
        ..PLAIN
    },
    Text {
        name: "dot",
        declarations: "%f_0 = OpConstant %float 0
                       %f_1 = OpConstant %float 1
                       %u_infinity = OpConstant %uint 0x7f800000",
        // Adds 16 to even numbers, for which the product of infinity and 0 is not a number.
        code: "%even = OpBitwiseAnd %uint %n %u_1
               %is_even = OpIEqual %bool %even %u_0
               %infinity = OpBitcast %float %u_infinity
               %part = OpSelect %float %is_even %infinity %f_1
               %vector = OpCompositeConstruct %v2float %part %f_1
               %other = OpCompositeConstruct %v2float %f_0 %f_1
               %product = OpDot %float %vector %other
               %is_nan = OpIsNan %bool %product
               %more = OpSelect %uint %is_nan %u_16 %u_0
               %result = OpIAdd %uint %n %more",
        result: |item| item + if item % 2 == 1 { 17 } else { 1 },
        ..PLAIN
    },
    Text {
        name: "float_remainders",
        declarations: "%f_3 = OpConstant %float 0x40400000
                       %f_large = OpConstant %float 0x5d800000",
        // The remainder of n * 2^60, which is that of n, because 2^60 is one more than a multiple of 3.
        code: "%number = OpConvertUToF %float %n
               %multiple = OpFMul %float %number %f_large
               %rest = OpFRem %float %multiple %f_3
               %result = OpConvertFToU %uint %rest",
        result: |item| (item + 1) % 3,
        ..PLAIN
    },
    Text {
        name: "divided",
        declarations: "%f_0 = OpConstant %float 0
                       %u_sign = OpConstant %uint 0x80000000",
        // Infinity, and 16 for the NaN of 0 / 0, or 7 for the -0 of 0 / -n, and the number of the work-item.
        code: "%number = OpConvertUToF %float %n
               %quotient = OpFDiv %float %number %f_0
               %bits = OpBitcast %uint %quotient
               %even = OpBitwiseAnd %uint %n %u_1
               %is_even = OpIEqual %bool %even %u_0
               %negative = OpFNegate %float %number
               %divisor = OpSelect %float %is_even %f_0 %negative
               %none = OpFDiv %float %f_0 %divisor
               %is_nan = OpIsNan %bool %none
               %none_bits = OpBitcast %uint %none
               %is_minus = OpIEqual %bool %none_bits %u_sign
               %seven = OpSelect %uint %is_minus %u_7 %u_0
               %more = OpSelect %uint %is_nan %u_16 %seven
               %sum = OpIAdd %uint %bits %more
               %result = OpIAdd %uint %sum %n",
        result: |item| f32::INFINITY.to_bits() + item + if item % 2 == 1 { 17 } else { 8 },
        ..PLAIN
    },
    Text {
        name: "small",
        declarations: "OpCapability Int16
                       %ushort = OpTypeInt 16 0
                       %f_64 = OpConstant %float 0x42800000",
        // The numbers up to 7, and 64 in place of others.
        code: "%word = OpUConvert %ushort %n
               %is_small = OpULessThanEqual %bool %n %u_7
               OpBranchConditional %is_small %convert %take
               %convert = OpLabel
               %converted = OpConvertUToF %float %word
               OpBranch %join
               %take = OpLabel
               OpBranch %join
               %join = OpLabel
               %number = OpPhi %float %converted %convert %f_64 %take
               %result = OpConvertFToU %uint %number",
        result: |item| if item < 7 { item + 1 } else { 64 },
        ..PLAIN
    },
    Text {
        name: "zero",
        declarations: "%f_0 = OpConstant %float 0
                       %u_nan = OpConstant %uint 0x7fc00000",
        // Adds 16 to numbers above 7, whose product is NaN.
        code: "%is = OpUGreaterThan %bool %n %u_7
               %bits = OpSelect %uint %is %u_nan %n
               %factor = OpBitcast %float %bits
               %product = OpFMul %float %factor %f_0
               %is_nan = OpIsNan %bool %product
               %more = OpSelect %uint %is_nan %u_16 %u_0
               %result = OpIAdd %uint %n %more",
        result: |item| item + if item + 1 > 7 { 17 } else { 1 },
        ..PLAIN
    },
];
