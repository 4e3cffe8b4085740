//! The texts of the kernels.

mod arithmetic;
mod barriers;
mod numbers;
mod pointers;
mod vectors;

use crate::program::{PLAIN, Text};

/// The code of a kernel that continues, with the numbers below 7, in a block behind a barrier in two conditional blocks,
/// which all items run. There, 16 has been added. The other items go on at `%join`, and `%end` is behind the outer block.
macro_rules! behind_a_barrier {
    ($rest:literal) => {
        concat!(
            "%own = OpInBoundsPtrAccessChain %p_uint %out %l
               %one = OpLoad %uint %in Aligned 4
               %outer = OpULessThan %bool %one %u_7
               OpBranchConditional %outer %some %end
               %some = OpLabel
               %inner = OpULessThan %bool %one %u_3
               OpBranchConditional %inner %wait %join
               %wait = OpLabel
               OpControlBarrier %group %group %seq_cst
               %small = OpULessThan %bool %n %u_7
               OpBranchConditional %small %add %join
               %add = OpLabel
               %more = OpIAdd %uint %n %u_16
               OpStore %own %more Aligned 4\n",
            $rest
        )
    };
}

const OTHERS: [Text; 23] = [
    Text { name: "interface", code: "%result = OpCopyObject %uint %n", ..PLAIN },
    Text {
        name: "nameless",
        declarations: "%pick.type = OpTypeFunction %uint %uint",
        code: "%result = OpFunctionCall %uint %pick %n",
        functions: "%pick = OpFunction %uint None %pick.type
                    %p.n = OpFunctionParameter %uint
                    %p.entry = OpLabel
                    %p.is = OpUGreaterThan %bool %p.n %u_7
                    OpBranchConditional %p.is %p.then %p.end
                    %p.then = OpLabel
                    %p.more = OpIAdd %uint %p.n %u_7
                    OpBranch %p.end
                    %p.end = OpLabel
                    %p.result = OpPhi %uint %p.n %p.entry %p.more %p.then
                    OpReturnValue %p.result
                    OpFunctionEnd",
        result: |item| if item + 1 > 7 { item + 8 } else { item + 1 },
        ..PLAIN
    },
    Text {
        name: "order",
        // Adds n to twice n, which a block computes that stands behind this one.
        code: "OpBranch %first
               %second = OpLabel
               %result = OpIAdd %uint %double %n
               OpBranch %third
               %first = OpLabel
               %double = OpIAdd %uint %n %n
               OpBranch %second
               %third = OpLabel",
        result: |item| 3 * (item + 1),
        ..PLAIN
    },
    Text {
        name: "hints",
        declarations: r#"OpCapability MemoryAccessAliasingINTEL
                         OpExtension "SPV_INTEL_memory_access_aliasing"
                         %domain = OpAliasDomainDeclINTEL
                         %scope = OpAliasScopeDeclINTEL %domain
                         %scopes = OpAliasScopeListDeclINTEL %scope"#,
        // Adds n to itself three times, in a loop whose merge does not stand before its branch.
        code: "%again = OpLoad %uint %from 0x10002 4 %scopes
               OpBranch %head
               %head = OpLabel
               %i = OpPhi %uint %u_0 %entry %i_next %body
               %sum = OpPhi %uint %again %entry %sum_next %body
               OpLoopMerge %end %body None
               %more = OpULessThan %bool %i %u_3
               OpBranchConditional %more %body %end
               %body = OpLabel
               %sum_next = OpIAdd %uint %sum %n
               %i_next = OpIAdd %uint %i %u_1
               OpBranch %head
               %end = OpLabel
               %result = OpCopyObject %uint %sum",
        result: |item| 4 * (item + 1),
        ..PLAIN
    },
    Text {
        name: "repeated",
        declarations: "OpDecorate %result NoUnsignedWrap
                       OpDecorate %result NoUnsignedWrap",
        code: "%result = OpIAdd %uint %n %u_7",
        result: |item| item + 8,
        ..PLAIN
    },
    Text {
        name: "late",
        declarations: "%f_uint = OpTypePointer Function %uint",
        code: "%place = OpVariable %f_uint Function
               OpStore %place %n Aligned 4
               %result = OpLoad %uint %place Aligned 4",
        ..PLAIN
    },
    Text {
        name: "unrolled",
        declarations: "%l_2 = OpConstant %ulong 2
                       %l_3 = OpConstant %ulong 3
                       %l_1 = OpConstant %ulong 1
                       %l_63 = OpConstant %ulong 63
                       %u_1024 = OpConstant %uint 1024",
        // Adds the upper half of the numbers to the lower half, until four are left, and adds these. Compilers write
        // such a loop for a reduction. It goes over all sizes, and each but the largest halves the rest.
        code: "%own = OpInBoundsPtrAccessChain %p_uint %out %l
               OpStore %own %n Aligned 4
               %last = OpInBoundsPtrAccessChain %p_uint %in %l_63
               %all = OpLoad %uint %last Aligned 4
               OpControlBarrier %group %group %seq_cst
               OpBranch %head
               %head = OpLabel
               %size = OpPhi %uint %u_1024 %entry %size_next %next
               %left = OpPhi %uint %all %entry %left_next %next
               %more = OpUGreaterThan %bool %size %u_7
               OpLoopMerge %end %next 1
               OpBranchConditional %more %compare %end
               %compare = OpLabel
               %fewer = OpULessThan %bool %left %size
               OpBranchConditional %fewer %next %halve
               %halve = OpLabel
               %half = OpShiftRightLogical %uint %left %u_1
               %lower = OpUGreaterThan %bool %half %x
               OpBranchConditional %lower %add %meet
               %add = OpLabel
               %other.n = OpIAdd %uint %half %x
               %other.l = OpUConvert %ulong %other.n
               %other = OpInBoundsPtrAccessChain %p_uint %out %other.l
               %one = OpLoad %uint %own Aligned 4
               %two = OpLoad %uint %other Aligned 4
               %both = OpIAdd %uint %one %two
               OpStore %own %both Aligned 4
               OpBranch %meet
               %meet = OpLabel
               OpControlBarrier %group %group %seq_cst
               OpBranch %next
               %next = OpLabel
               %left_next = OpPhi %uint %left %compare %half %meet
               %size_next = OpShiftRightLogical %uint %size %u_1
               OpBranch %head
               %end = OpLabel
               %at_1 = OpInBoundsPtrAccessChain %p_uint %out %l_1
               %at_2 = OpInBoundsPtrAccessChain %p_uint %out %l_2
               %at_3 = OpInBoundsPtrAccessChain %p_uint %out %l_3
               %a = OpLoad %uint %out Aligned 4
               %b = OpLoad %uint %at_1 Aligned 4
               %c = OpLoad %uint %at_2 Aligned 4
               %d = OpLoad %uint %at_3 Aligned 4
               %ab = OpIAdd %uint %a %b
               %abc = OpIAdd %uint %ab %c
               %result = OpIAdd %uint %abc %d
               OpControlBarrier %group %group %seq_cst",
        result: |_| 64 * 65 / 2,
        ..PLAIN
    },
    Text {
        name: "joined",
        // Adds 16 to numbers below 7, behind a barrier in two conditional blocks, which all items run.
        code: behind_a_barrier!(
            "OpBranch %join
               %join = OpLabel
               OpStore %from %u_7 Aligned 4
               OpBranch %end
               %end = OpLabel
               %result = OpLoad %uint %own Aligned 4"
        ),
        result: |item| if item + 1 < 7 { item + 17 } else { item + 1 },
        ..PLAIN
    },
    Text {
        name: "returned",
        // Adds 16 to numbers below 7, whose items return then, and 38 to the others.
        code: behind_a_barrier!(
            "OpReturn
               %join = OpLabel
               %much = OpIAdd %uint %n %u_31
               OpStore %own %much Aligned 4
               OpBranch %end
               %end = OpLabel
               %last = OpLoad %uint %own Aligned 4
               %result = OpIAdd %uint %last %u_7"
        ),
        result: |item| item + if item + 1 < 7 { 17 } else { 39 },
        ..PLAIN
    },
    Text {
        name: "parted",
        // Adds 23 to numbers below 7, whose items leave out a block, and 38 to the others.
        code: behind_a_barrier!(
            "OpBranch %end
               %join = OpLabel
               %much = OpIAdd %uint %n %u_31
               OpStore %own %much Aligned 4
               OpBranch %end
               %end = OpLabel
               %last = OpLoad %uint %own Aligned 4
               %result = OpIAdd %uint %last %u_7"
        ),
        result: |item| item + if item + 1 < 7 { 24 } else { 39 },
        ..PLAIN
    },
    Text {
        name: "list",
        declarations: "%null = OpConstantNull %p_uint
                       %l_0 = OpConstant %ulong 0
                       %l_1 = OpConstant %ulong 1",
        // The sum of the first four numbers, whose loop ends when there is no further one.
        code: "OpBranch %head
               %head = OpLabel
               %node = OpPhi %p_uint %in %entry %node_next %body
               %i = OpPhi %uint %u_0 %entry %i_next %body
               %sum = OpPhi %uint %u_0 %entry %sum_next %body
               %address = OpConvertPtrToU %ulong %node
               %is_end = OpIEqual %bool %address %l_0
               OpBranchConditional %is_end %end %body
               %body = OpLabel
               %number = OpLoad %uint %node Aligned 4
               %sum_next = OpIAdd %uint %sum %number
               %i_next = OpIAdd %uint %i %u_1
               %more = OpULessThan %bool %i_next %u_4
               %after = OpInBoundsPtrAccessChain %p_uint %node %l_1
               %node_next = OpSelect %p_uint %more %after %null
               OpBranch %head
               %end = OpLabel
               %result = OpCopyObject %uint %sum",
        result: |_| 10,
        ..PLAIN
    },
    Text {
        name: "guarded",
        declarations: "%null = OpConstantNull %p_uint
                       %l_2 = OpConstant %ulong 2",
        // Adds two numbers to n if there are any, which is not so.
        code: "%third = OpInBoundsPtrAccessChain %p_uint %in %l_2
               %three = OpLoad %uint %third Aligned 4
               %has = OpIEqual %bool %three %u_7
               %maybe = OpSelect %p_uint %has %in %null
               %many = OpUGreaterThan %bool %three %u_16
               OpBranchConditional %many %one %join
               %one = OpLabel
               %first = OpLoad %uint %maybe Aligned 4
               %one_more = OpIAdd %uint %u_0 %first
               OpBranch %join
               %join = OpLabel
               %sum = OpPhi %uint %u_0 %entry %one_more %one
               %exact = OpIEqual %bool %three %u_31
               OpBranchConditional %exact %two %end
               %two = OpLabel
               %later = OpInBoundsPtrAccessChain %p_uint %maybe %l_2
               %second = OpLoad %uint %later Aligned 4
               %two_more = OpIAdd %uint %sum %second
               OpBranch %end
               %end = OpLabel
               %both = OpPhi %uint %sum %join %two_more %two
               %result = OpIAdd %uint %n %both",
        ..PLAIN
    },
    Text {
        name: "packed",
        declarations: "%four = OpTypeStruct %ulong %ulong %ulong %ulong
                       OpDecorate %four CPacked
                       %p_four = OpTypePointer Function %four
                       %f_ulong = OpTypePointer Function %ulong
                       OpDecorate %value FuncParamAttr ByVal
                       OpDecorate %value Alignment 8",
        parameters: ", %uint %seven, %p_four %value",
        // 7 + 22 + 1000 * 44
        code: "%at_1 = OpInBoundsPtrAccessChain %f_ulong %value %u_0 %u_1
               %at_3 = OpInBoundsPtrAccessChain %f_ulong %value %u_0 %u_3
               %member_1 = OpLoad %ulong %at_1 Aligned 8
               %member_3 = OpLoad %ulong %at_3 Aligned 8
               %one = OpUConvert %uint %member_1
               %three = OpUConvert %uint %member_3
               %u_1000 = OpConstant %uint 1000
               %scaled = OpIMul %uint %three %u_1000
               %both = OpIAdd %uint %one %scaled
               %result = OpIAdd %uint %both %seven",
        arguments: &["07000000", "0b00000000000000160000000000000021000000000000002c00000000000000"],
        result: |_| 44_029,
        ..PLAIN
    },
    Text {
        name: "unaligned",
        declarations: "%pair = OpTypeStruct %uchar %uint
                       OpDecorate %pair CPacked
                       %p_pair = OpTypePointer Function %pair
                       %f_uint = OpTypePointer Function %uint
                       OpDecorate %value FuncParamAttr ByVal
                       OpDecorate %value Alignment 1",
        parameters: ", %p_pair %value",
        code: "%at_1 = OpInBoundsPtrAccessChain %f_uint %value %u_0 %u_1
               %result = OpLoad %uint %at_1 Aligned 1",
        arguments: &["0b16000000"],
        result: |_| 0x16,
        ..PLAIN
    },
    Text {
        name: "halves",
        declarations: "OpCapability Float16
                       %half = OpTypeFloat 16
                       %v2half = OpTypeVector %half 2
                       %h_quarter = OpConstant %half 0x3400",
        code: "%h = OpConvertUToF %half %n
               %h.both = OpCompositeConstruct %v2half %h %h
               %h.parts = OpVectorTimesScalar %v2half %h.both %h_quarter
               %h.floors = OpExtInst %v2half %cl floor %h.parts
               %h.floor = OpCompositeExtract %half %h.floors 1
               %result = OpConvertFToU %uint %h.floor",
        result: |item| (item + 1) / 4,
        ..PLAIN
    },
    Text {
        name: "saturate",
        declarations: r#"OpDecorate %difference LinkageAttributes "llvm.usub.sat.i32" Import
                         %difference.type = OpTypeFunction %uint %uint %uint"#,
        code: "%result = OpFunctionCall %uint %difference %n %u_7",
        functions: "%difference = OpFunction %uint None %difference.type
                    %difference.a = OpFunctionParameter %uint
                    %difference.b = OpFunctionParameter %uint
                    OpFunctionEnd",
        result: |item| (item + 1).saturating_sub(7),
        ..PLAIN
    },
    Text {
        name: "variables",
        declarations: r#"%table.type = OpTypeArray %uint %u_3
                         %table.value = OpConstantComposite %table.type %u_7 %u_16 %u_31
                         %p_table = OpTypePointer CrossWorkgroup %table.type
                         %table = OpVariable %p_table CrossWorkgroup %table.value
                         OpDecorate %table Constant"#,
        code: "%third = OpUMod %uint %x %u_3
               %entry_at = OpInBoundsPtrAccessChain %p_uint %table %u_0 %third
               %result = OpLoad %uint %entry_at Aligned 4",
        result: |item| [7, 16, 31][item as usize % 3],
        ..PLAIN
    },
    Text {
        name: "all",
        declarations: "OpCapability Groups",
        // Adds 16, because all numbers are greater than 0, but not 31, because not all are greater than 7.
        code: "%positive = OpUGreaterThan %bool %n %u_0
               %large = OpUGreaterThan %bool %n %u_7
               %yes = OpGroupAll %bool %group %positive
               %no = OpGroupAll %bool %group %large
               %one = OpSelect %uint %yes %u_16 %u_0
               %other = OpSelect %uint %no %u_31 %u_0
               %both = OpIAdd %uint %one %other
               %result = OpIAdd %uint %n %both",
        result: |item| item + 1 + 16,
        ..PLAIN
    },
    Text {
        name: "sums",
        declarations: "OpCapability Groups",
        // The sum up to this item, and 4096 times the value of item 16.
        code: "%sum = OpGroupIAdd %uint %group InclusiveScan %n
               %other = OpGroupBroadcast %uint %group %n %l_16
               %u_4096 = OpConstant %uint 4096
               %l_16 = OpConstant %ulong 16
               %scaled = OpIMul %uint %other %u_4096
               %result = OpIAdd %uint %sum %scaled",
        result: |item| (item + 1) * (item + 2) / 2 + 17 * 4096,
        ..PLAIN
    },
    Text {
        name: "pair",
        declarations: "OpCapability Groups",
        code: "%result = OpGroupIAdd %uint %group Reduce %n",
        items: 2,
        result: |_| 1 + 2,
        ..PLAIN
    },
    Text {
        name: "least",
        declarations: "OpCapability Groups
                       %nan = OpConstant %float 0x7fc00000",
        // All items but the last two have their number, and these have no number: fmin and fmax return the other one.
        code: "%number = OpConvertUToF %float %n
               %u_62 = OpConstant %uint 62
               %has = OpULessThanEqual %bool %n %u_62
               %maybe = OpSelect %float %has %number %nan
               %least = OpGroupFMin %float %group Reduce %maybe
               %most = OpGroupFMax %float %group InclusiveScan %maybe
               %least.word = OpConvertFToU %uint %least
               %most.word = OpConvertFToU %uint %most
               %scaled = OpIMul %uint %most.word %u_1000
               %u_1000 = OpConstant %uint 1000
               %result = OpIAdd %uint %least.word %scaled",
        result: |item| 1 + 1000 * (item + 1).min(62),
        ..PLAIN
    },
    Text {
        name: "products",
        declarations: r#"OpCapability Groups
                         OpCapability GroupUniformArithmeticKHR
                         OpExtension "SPV_KHR_uniform_group_instructions""#,
        // The product of the numbers up to 4, and 1 for all others.
        code: "%small = OpULessThanEqual %bool %n %u_4
               %factor = OpSelect %uint %small %n %u_1
               %result = OpGroupIMulKHR %uint %group ExclusiveScan %factor",
        result: |item| [1, 1, 2, 6].get(item as usize).copied().unwrap_or(24),
        ..PLAIN
    },
    Text {
        name: "sub_groups",
        declarations: r#"OpCapability Groups
                         OpCapability SubgroupDispatch
                         OpCapability GroupNonUniformBallot
                         OpCapability SubgroupShuffleINTEL
                         OpCapability SubgroupBufferBlockIOINTEL
                         OpExtension "SPV_INTEL_subgroups"
                         %lane = OpVariable %p_in_uint Input
                         OpDecorate %lane BuiltIn SubgroupLocalInvocationId
                         %size = OpVariable %p_in_uint Input
                         OpDecorate %size BuiltIn SubgroupSize
                         %number = OpVariable %p_in_uint Input
                         OpDecorate %number BuiltIn SubgroupId
                         %count = OpVariable %p_in_uint Input
                         OpDecorate %count BuiltIn NumSubgroups"#,
        // Bits 0 to 7: the item's number, through a block read at its own place. From bit 8 on: the size. From 12 on:
        // the sum of n before the item. From 14 on: the votes. From 16 on: the number of sub-groups. From 24 on: that
        // of its own.
        code: "%block = OpSubgroupBlockReadINTEL %uint %from
               %shuffled = OpSubgroupShuffleINTEL %uint %block %u_0
               OpControlBarrier %subgroup %subgroup %seq_cst
               %size.value = OpLoad %uint %size Aligned 4
               %before = OpGroupIAdd %uint %subgroup ExclusiveScan %n
               %votes = OpGroupNonUniformBallot %v4uint %subgroup %true
               %vote = OpCompositeExtract %uint %votes 0
               %count.value = OpLoad %uint %count Aligned 4
               %number.value = OpLoad %uint %number Aligned 4
               %u_8 = OpConstant %uint 8
               %u_12 = OpConstant %uint 12
               %u_14 = OpConstant %uint 14
               %u_24 = OpConstant %uint 24
               %a = OpShiftLeftLogical %uint %size.value %u_8
               %b = OpShiftLeftLogical %uint %before %u_12
               %c = OpShiftLeftLogical %uint %vote %u_14
               %d = OpShiftLeftLogical %uint %count.value %u_16
               %e = OpShiftLeftLogical %uint %number.value %u_24
               %ab = OpIAdd %uint %a %b
               %abc = OpIAdd %uint %ab %c
               %abcd = OpIAdd %uint %abc %d
               %abcde = OpIAdd %uint %abcd %e
               %lane.value = OpLoad %uint %lane Aligned 4
               %f = OpIAdd %uint %shuffled %lane.value
               %result = OpIAdd %uint %abcde %f",
        result: |item| (item + 1) + (1 << 8) + (1 << 14) + (64 << 16) + (item << 24),
        ..PLAIN
    },
];

/// Returns all of them.
pub(crate) fn all() -> impl Iterator<Item = &'static Text> {
    OTHERS
        .iter()
        .chain(&numbers::NUMBERS)
        .chain(&arithmetic::ARITHMETIC)
        .chain(&pointers::POINTERS)
        .chain(&vectors::VECTORS)
        .chain(&barriers::BARRIERS)
}
