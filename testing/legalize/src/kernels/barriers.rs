//! Kernels with barriers in conditional blocks that have nothing else.

use crate::program::{PLAIN, Text};

pub(super) const BARRIERS: [Text; 1] = [Text {
    name: "lone",
    declarations: "%u_64 = OpConstant %uint 64
                   %l_63 = OpConstant %ulong 63
                   %numbers = OpTypeArray %uint %u_64
                   %p_numbers = OpTypePointer Workgroup %numbers
                   %w_uint = OpTypePointer Workgroup %uint
                   %shared = OpVariable %p_numbers Workgroup
                   OpDecorate %global BuiltIn GlobalInvocationId
                   %global = OpVariable %p_v3ulong Input",
    parameters: ", %uint %argument",
    // Each work-item takes the number of another one, before a barrier that no work-item reaches.
    code: "%own = OpInBoundsAccessChain %w_uint %shared %l
           OpStore %own %n Aligned 4
           OpControlBarrier %group %group %seq_cst
           %opposite = OpISub %ulong %l_63 %l
           %other = OpInBoundsAccessChain %w_uint %shared %opposite
           %taken = OpLoad %uint %other Aligned 4
           %ids = OpLoad %v3ulong %global Aligned 32
           %g = OpCompositeExtract %ulong %ids 0
           %large = OpUGreaterThan %bool %argument %u_7
           OpBranchConditional %large %wait %end
           %wait = OpLabel
           OpControlBarrier %group %group %seq_cst
           OpBranch %end
           %end = OpLabel
           %before = OpISub %ulong %g %l
           %none = OpUConvert %uint %before
           %result = OpIAdd %uint %taken %none",
    arguments: &["01000000"],
    result: |item| 64 - item,
    ..PLAIN
}];
