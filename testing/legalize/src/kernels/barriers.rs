//! Kernels with barriers in blocks to which not every path leads.

use crate::program::{PLAIN, Text};

/// Declares an array in local memory, and more.
macro_rules! shared_numbers {
    ($more:literal) => {
        concat!(
            "%u_64 = OpConstant %uint 64
             %l_63 = OpConstant %ulong 63
             %numbers = OpTypeArray %uint %u_64
             %p_numbers = OpTypePointer Workgroup %numbers
             %w_uint = OpTypePointer Workgroup %uint
             %shared = OpVariable %p_numbers Workgroup
             ",
            $more
        )
    };
}

pub(super) const BARRIERS: [Text; 10] =
    [LONE, SWITCHED, LOOPED, COUNTED, SINGLE, STORED, SHIFTED, LEFT, UNUSED, RACED];

const LONE: Text = Text {
    name: "lone",
    declarations: shared_numbers!(
        "OpDecorate %global BuiltIn GlobalInvocationId
         %global = OpVariable %p_v3ulong Input"
    ),
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
};

const SWITCHED: Text = Text {
    name: "switched",
    declarations: shared_numbers!("%places = OpVariable %p_numbers Workgroup"),
    parameters: ", %uint %argument",
    // Each work-item takes the number of another one. Then they go one of three ways, of which only one has barriers.
    code: "%own = OpInBoundsAccessChain %w_uint %shared %l
           %place = OpInBoundsAccessChain %w_uint %places %l
           OpStore %own %n Aligned 4
           OpControlBarrier %group %group %seq_cst
           %opposite = OpISub %ulong %l_63 %l
           %other = OpInBoundsAccessChain %w_uint %shared %opposite
           %taken = OpLoad %uint %other Aligned 4
           OpSwitch %argument %stores 0 %end 3 %waits
           %waits = OpLabel
           OpControlBarrier %group %group %seq_cst
           OpStore %place %taken Aligned 4
           OpControlBarrier %group %group %seq_cst
           OpBranch %end
           %stores = OpLabel
           OpStore %place %argument Aligned 4
           OpBranch %end
           %end = OpLabel
           %result = OpIAdd %uint %taken %argument",
    arguments: &["07000000"],
    result: |item| 64 - item + 7,
    ..PLAIN
};

const LOOPED: Text = Text {
    name: "looped",
    declarations: shared_numbers!(""),
    parameters: ", %uint %argument",
    // Each work-item takes the number of its opposite one, seven times. Then some of them add to it.
    code: "%own_number = OpInBoundsAccessChain %w_uint %shared %l
           %opposite = OpISub %ulong %l_63 %l
           %other = OpInBoundsAccessChain %w_uint %shared %opposite
           %may_run = OpUGreaterThan %bool %argument %u_1
           OpBranchConditional %may_run %outer %end
           %outer = OpLabel
           %runs = OpUGreaterThan %bool %argument %u_4
           OpBranchConditional %runs %before %joins
           %before = OpLabel
           OpBranch %head
           %head = OpLabel
           %i = OpPhi %uint %u_0 %before %i_next %body
           %v = OpPhi %uint %n %before %v_next %body
           %more = OpULessThan %bool %i %argument
           OpBranchConditional %more %body %after
           %body = OpLabel
           OpStore %own_number %v Aligned 4
           OpControlBarrier %group %group %seq_cst
           %v_next = OpLoad %uint %other Aligned 4
           OpControlBarrier %group %group %seq_cst
           %i_next = OpIAdd %uint %i %u_1
           OpBranch %head
           %after = OpLabel
           %is_small = OpULessThan %bool %n %u_7
           OpBranchConditional %is_small %joins %adds
           %adds = OpLabel
           %much = OpIAdd %uint %v %u_31
           OpStore %own_number %much Aligned 4
           OpBranch %joins
           %joins = OpLabel
           %joined = OpPhi %uint %n %outer %v %after %much %adds
           OpStore %own_number %joined Aligned 4
           OpBranch %end
           %end = OpLabel
           %last = OpPhi %uint %n %entry %joined %joins
           %result = OpIAdd %uint %last %u_7",
    arguments: &["07000000"],
    result: |item| 71 - item + if item + 1 < 7 { 0 } else { 31 },
    ..PLAIN
};

const COUNTED: Text = Text {
    name: "counted",
    parameters: ", %uint %argument",
    // Adds as many numbers as the argument says, in one of three ways.
    code: "OpSwitch %argument %before 0 %end 3 %other
           %other = OpLabel
           %more_than = OpIAdd %uint %n %u_31
           OpBranch %end
           %before = OpLabel
           OpBranch %head
           %head = OpLabel
           %i = OpPhi %uint %u_0 %before %i_next %body
           %v = OpPhi %uint %n %before %v_next %body
           %more = OpULessThan %bool %i %argument
           OpBranchConditional %more %body %after
           %body = OpLabel
           %at = OpUConvert %ulong %i
           %next = OpInBoundsPtrAccessChain %p_uint %in %at
           %more_number = OpLoad %uint %next Aligned 4
           %v_next = OpIAdd %uint %v %more_number
           %i_next = OpIAdd %uint %i %u_1
           OpBranch %head
           %after = OpLabel
           OpBranch %end
           %end = OpLabel
           %last = OpPhi %uint %n %entry %more_than %other %v %after
           %result = OpIAdd %uint %last %u_7",
    arguments: &["07000000"],
    result: |item| item + 1 + 28 + 7,
    ..PLAIN
};

const SINGLE: Text = Text {
    name: "single",
    parameters: ", %uint %argument",
    // Adds 16 to the first number in a conditional block, before a loop in another one.
    code: "%is_small = OpULessThan %bool %argument %u_7
           OpBranchConditional %is_small %then %end
           %then = OpLabel
           %old = OpLoad %uint %in Aligned 4
           %new = OpIAdd %uint %old %u_16
           OpStore %in %new Aligned 4
           %is_none = OpIEqual %bool %argument %u_0
           OpBranchConditional %is_none %join %before
           %before = OpLabel
           OpBranch %head
           %head = OpLabel
           %i = OpPhi %uint %u_0 %before %i_next %head
           %hash = OpPhi %uint %u_0 %before %hash_next %head
           %product = OpIMul %uint %hash %u_31
           %hash_next = OpBitwiseXor %uint %product %new
           OpStore %out %hash_next Aligned 4
           %i_next = OpIAdd %uint %i %u_1
           %more = OpULessThan %bool %i_next %argument
           OpBranchConditional %more %head %after
           %after = OpLabel
           OpBranch %join
           %join = OpLabel
           OpBranch %end
           %end = OpLabel
           %result = OpLoad %uint %in Aligned 4",
    items: 1,
    arguments: &["03000000"],
    result: |item| item + 1 + 16,
    ..PLAIN
};

const STORED: Text = Text {
    name: "stored",
    declarations: "%p_f_float = OpTypePointer Function %float
                   %p_f_uint = OpTypePointer Function %uint
                   %g_float = OpTypePointer Generic %float
                   %parts.type = OpTypeFunction %void %g_float %float",
    parameters: ", %uint %argument",
    // The sum of the fraction and the exponent of 3 * 2^18, and then those of the sum.
    code: "%first = OpVariable %p_f_float Function
           %second = OpVariable %p_f_float Function
           %whole = OpConvertUToF %float %argument
           %first.generic = OpPtrCastToGeneric %g_float %first
           %none.1 = OpFunctionCall %void %parts %first.generic %whole
           %sum = OpLoad %float %first Aligned 4
           %second.generic = OpPtrCastToGeneric %g_float %second
           %none.2 = OpFunctionCall %void %parts %second.generic %sum
           %last = OpLoad %float %second Aligned 4
           %largest = OpGroupFMax %float %group ExclusiveScan %sum
           %bits = OpBitcast %uint %last
           %result = OpIAdd %uint %bits %n",
    functions: "%parts = OpFunction %void None %parts.type
                %parts.to = OpFunctionParameter %g_float
                %parts.of = OpFunctionParameter %float
                %parts.entry = OpLabel
                %exponent = OpVariable %p_f_uint Function
                %fraction = OpExtInst %float %cl frexp %parts.of %exponent
                %power = OpLoad %uint %exponent
                %power.float = OpConvertSToF %float %power
                %parts.sum = OpFAdd %float %fraction %power.float
                OpStore %parts.to %parts.sum Aligned 4
                OpReturn
                OpFunctionEnd",
    arguments: &["00000c00"],
    // 0.75 * 2^20, and 20.75 is 0.6484375 * 2^5.
    result: |item| 5.648_437_5_f32.to_bits() + item + 1,
    ..PLAIN
};

const SHIFTED: Text = Text {
    name: "shifted",
    declarations: "%u_64 = OpConstant %uint 64
                   %table.type = OpTypeArray %uint %u_64
                   %p_table = OpTypePointer Workgroup %table.type
                   %w_uint = OpTypePointer Workgroup %uint
                   %table = OpVariable %p_table Workgroup",
    // Takes the number of the item before, which stores another one behind a barrier.
    code: "%own = OpInBoundsAccessChain %w_uint %table %x
           OpStore %own %n Aligned 4
           OpControlBarrier %group %group %seq_cst
           %u_63 = OpConstant %uint 63
           %before = OpIAdd %uint %x %u_63
           %other = OpBitwiseAnd %uint %before %u_63
           %to_other = OpInBoundsAccessChain %w_uint %table %other
           %number = OpLoad %uint %to_other Aligned 4
           OpControlBarrier %group %group %seq_cst
           OpStore %own %u_7 Aligned 4
           OpControlBarrier %group %group %seq_cst
           %result = OpCopyObject %uint %number",
    result: |item| if item == 0 { 64 } else { item },
    ..PLAIN
};

const LEFT: Text = Text {
    name: "left",
    parameters: ", %uint %argument",
    // Odd numbers leave the loop in its first round, and even ones at its end. All but the last round set 5.
    code: "%odd = OpBitwiseAnd %uint %n %u_1
           %is_odd = OpINotEqual %bool %odd %u_0
           OpBranch %head
           %head = OpLabel
           %five = OpPhi %uint %u_0 %entry %u_5 %head
           %i = OpPhi %uint %u_0 %entry %i_next %head
           %is_last = OpUGreaterThanEqual %bool %i %argument
           %is_done = OpSelect %bool %is_last %true %is_odd
           %i_next = OpIAdd %uint %i %u_1
           OpBranchConditional %is_done %behind %head
           %behind = OpLabel
           %u_5 = OpConstant %uint 5
           OpControlBarrier %group %group %seq_cst
           %u_4096 = OpConstant %uint 4096
           %shifted = OpShiftLeftLogical %uint %u_16 %five
           %more = OpSelect %uint %is_last %shifted %u_4096
           %result = OpIAdd %uint %n %more",
    arguments: &["02000000"],
    result: |item| item + 1 + if item % 2 == 0 { 4096 } else { 16 << 5 },
    ..PLAIN
};

const UNUSED: Text = Text {
    name: "unused",
    declarations: "%f_1 = OpConstant %float 1",
    // A function whose result is not used, behind a barrier.
    code: "OpControlBarrier %group %group %seq_cst
           %unused = OpExtInst %float %cl erf %f_1
           %result = OpCopyObject %uint %n",
    ..PLAIN
};

const RACED: Text = Text {
    name: "raced",
    declarations: shared_numbers!(
        "%sum = OpVariable %w_uint Workgroup
         %l_0 = OpConstant %ulong 0
         %l_1 = OpConstant %ulong 1"
    ),
    // The first work-item adds numbers that others write, with no barrier between. OpenCL leaves open what it reads.
    code: "%own = OpInBoundsAccessChain %w_uint %shared %l
           OpStore %own %n Aligned 4
           %is_first = OpIEqual %bool %l %l_0
           OpBranchConditional %is_first %add %wait
           %add = OpLabel
           %second = OpInBoundsAccessChain %w_uint %shared %l_1
           %last = OpInBoundsAccessChain %w_uint %shared %l_63
           %a = OpLoad %uint %second Aligned 4
           %b = OpLoad %uint %last Aligned 4
           %both = OpIAdd %uint %a %b
           OpStore %sum %both Aligned 4
           OpBranch %wait
           %wait = OpLabel
           OpControlBarrier %group %group %seq_cst
           %result = OpLoad %uint %sum Aligned 4",
    result: |_| 2 + 64,
    ..PLAIN
};
