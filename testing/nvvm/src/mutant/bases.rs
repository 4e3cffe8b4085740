//! The modules that are mutated.

use crate::Random;

/// A kernel's code for numbers of one type.
pub(super) struct Base {
    pub(super) ty: &'static str,
    pub(super) declarations: String,
    pub(super) code: String,
}

const INTEGERS: [(&str, u32); 4] = [("uchar", 8), ("ushort", 16), ("uint", 32), ("ulong", 64)];
const FLOATS: [&str; 2] = ["float", "double"];

/// Returns a random base.
pub(super) fn base(random: &mut Random) -> Base {
    let (integer, bits) = INTEGERS.get(random.below(4)).copied().unwrap_or(("uint", 32));
    let float = FLOATS.get(random.below(2)).copied().unwrap_or("float");
    match random.below(4) {
        0 => integers(STRAIGHT, integer, bits),
        1 => integers(BRANCHES, integer, bits),
        2 => floats(float),
        _ => conversions(integer, float),
    }
}

fn integers(code: &str, ty: &'static str, bits: u32) -> Base {
    let declarations = format!(
        "; numbers %{ty}\n%c_a = OpConstant %{ty} 3\n%c_b = OpConstant %{ty} 90\n%pin_most = OpConstant %{ty} {}\n\
         %pin_small = OpConstant %{ty} 31\n%pin_one = OpConstant %{ty} 1\n%pin_zero = OpConstant %{ty} 0\n{EXACT}",
        bits - 1
    );
    Base { ty, declarations, code: code.replace("%T", &format!("%{ty}")) }
}

/// Products and sums remain two operations.
const EXACT: &str = "OpExecutionMode %k ContractionOff\n";

const STRAIGHT: &str = "
%pin_shift = OpBitwiseAnd %T %v2 %pin_most
%pin_low = OpBitwiseAnd %T %v1 %pin_small
%pin_divisor = OpBitwiseOr %T %pin_low %pin_one
%a0 = OpIAdd %T %v0 %v1
%a1 = OpISub %T %a0 %v2
%a2 = OpIMul %T %a1 %c_a
%a3 = OpBitwiseXor %T %a2 %v1
%a4 = OpShiftLeftLogical %T %a3 %pin_shift
%a5 = OpShiftRightArithmetic %T %a3 %pin_shift
%a6 = OpUDiv %T %a5 %pin_divisor
%a7 = OpSRem %T %a4 %pin_divisor
%b0 = OpSGreaterThan %bool %a6 %a7
%b1 = OpULessThan %bool %a3 %v0
%b2 = OpLogicalOr %bool %b0 %b1
%a8 = OpSelect %T %b2 %a6 %a7
%a9 = OpExtInst %T %cl s_max %a8 %a1
%a10 = OpExtInst %T %cl u_sub_sat %a9 %a2
%a11 = OpExtInst %T %cl clz %a10
%a12 = OpExtInst %T %cl bitselect %a11 %a10 %a3
%a13 = OpNot %T %a12
%a14 = OpIAdd %T %a13 %c_b
%r = OpBitwiseXor %T %a14 %a9
";

const BRANCHES: &str = "
%pin_shift = OpBitwiseAnd %T %v1 %pin_most
%b0 = OpUGreaterThan %bool %v0 %v1
%a0 = OpIAdd %T %v1 %c_a
OpBranchConditional %b0 %yes %no
%yes = OpLabel
%y0 = OpIMul %T %v0 %v2
%y1 = OpShiftRightLogical %T %y0 %pin_shift
%y2 = OpISub %T %y1 %a0
OpBranch %join
%no = OpLabel
%n0 = OpExtInst %T %cl rotate %v0 %v2
%n1 = OpBitwiseOr %T %n0 %c_b
OpBranch %join
%join = OpLabel
%j = OpPhi %T %y2 %yes %n1 %no
OpBranch %loop
%loop = OpLabel
%pin_i = OpPhi %T %pin_zero %join %pin_next %loop
%s = OpPhi %T %j %join %s2 %loop
%s0 = OpIMul %T %s %c_a
%s1 = OpBitwiseXor %T %s0 %pin_i
%s2 = OpIAdd %T %s1 %a0
%pin_next = OpIAdd %T %pin_i %pin_one
%pin_more = OpULessThan %bool %pin_next %pin_small
OpBranchConditional %pin_more %loop %after
%after = OpLabel
%e0 = OpSLessThan %bool %s2 %j
%e1 = OpSelect %T %e0 %s2 %a0
%r = OpExtInst %T %cl s_hadd %e1 %s2
";

fn floats(ty: &'static str) -> Base {
    let declarations =
        format!("; numbers %{ty}\n%c_a = OpConstant %{ty} 1.5\n%c_b = OpConstant %{ty} -0.25\n{EXACT}");
    Base { ty, declarations, code: FLOATING.replace("%T", &format!("%{ty}")) }
}

const FLOATING: &str = "
%a0 = OpFAdd %T %v0 %v1
%a1 = OpFMul %T %a0 %c_a
%a2 = OpFSub %T %a1 %v2
%a3 = OpFDiv %T %a2 %v1
%b0 = OpFOrdLessThan %bool %a3 %a1
%b1 = OpFUnordGreaterThan %bool %a2 %v0
%b2 = OpLogicalAnd %bool %b0 %b1
%a4 = OpSelect %T %b2 %a3 %a1
%a5 = OpExtInst %T %cl floor %a4
%a6 = OpExtInst %T %cl fmax %a5 %v2
%a7 = OpFNegate %T %a6
%b3 = OpIsNan %bool %a7
%b4 = OpLogicalOr %bool %b3 %b0
OpBranchConditional %b4 %yes %no
%yes = OpLabel
%y0 = OpFMul %T %a6 %v0
%y1 = OpExtInst %T %cl fabs %y0
OpBranch %join
%no = OpLabel
%n0 = OpFSub %T %a7 %c_b
OpBranch %join
%join = OpLabel
%j = OpPhi %T %y1 %yes %n0 %no
%r = OpFAdd %T %j %a4
";

/// Converts integers to floating-point numbers and other widths. Conversions to integers saturate, because others
/// are undefined out of range. NaN is excluded: on Intel's CPU runtime it becomes 2^31 instead of 0.
fn conversions(ty: &'static str, float: &str) -> Base {
    let other = if ty == "uint" { "ushort" } else { "uint" };
    let declarations = format!(
        "; numbers %{ty}\n%c_a = OpConstant %{ty} 5\n%c_b = OpConstant %{other} 77\n%f_a = OpConstant %{float} 0.75\n\
         OpDecorate %q0 SaturatedConversion\nOpDecorate %q1 SaturatedConversion\n{EXACT}"
    );
    let code = CONVERSIONS.replace("%T", &format!("%{ty}")).replace("%O", &format!("%{other}"));
    Base { ty, declarations, code: code.replace("%F", &format!("%{float}")) }
}

const CONVERSIONS: &str = "
%f0 = OpConvertSToF %F %v0
%f1 = OpConvertUToF %F %v1
%f2 = OpFMul %F %f0 %f_a
%f3 = OpFSub %F %f2 %f1
%f4 = OpExtInst %F %cl rint %f3
%pin_n0 = OpIsNan %bool %f4
%pin_f0 = OpSelect %F %pin_n0 %f_a %f4
%q0 = OpConvertFToS %T %pin_f0
%o0 = OpUConvert %O %v2
%o1 = OpSConvert %O %q0
%o2 = OpIAdd %O %o0 %o1
%o3 = OpExtInst %O %cl u_max %o2 %c_b
%f5 = OpConvertUToF %F %o3
%f6 = OpFDiv %F %f5 %f1
%pin_n1 = OpIsNan %bool %f6
%pin_f1 = OpSelect %F %pin_n1 %f_a %f6
%q1 = OpConvertFToU %T %pin_f1
%t0 = OpSConvert %T %o3
%t1 = OpBitwiseXor %T %t0 %q1
%b0 = OpFOrdGreaterThanEqual %bool %f6 %f3
%t2 = OpSelect %T %b0 %t1 %q0
%r = OpISub %T %t2 %c_a
";
