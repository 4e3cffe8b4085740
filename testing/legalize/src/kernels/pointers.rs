//! The texts of the kernels about pointers.

use crate::program::{PLAIN, Text};

/// Exchanges the item's own result, which is n, for n + 7. The pointer was in one of two places in memory.
const EXCHANGE: Text = Text {
    declarations: "%p_g_uint = OpTypePointer Function %g_uint
                   %u_2 = OpConstant %uint 2
                   %two = OpTypeArray %g_uint %u_2
                   %p_two = OpTypePointer Function %two
                   %change.type = OpTypeFunction %uint %p_uint %ulong %uint",
    code: "%old = OpFunctionCall %uint %change %out %l %n
           %own = OpInBoundsPtrAccessChain %p_uint %out %l
           %new = OpLoad %uint %own Aligned 4
           %result = OpIAdd %uint %old %new",
    result: |item| 2 * (item + 1) + 7,
    ..PLAIN
};

/// Returns the function that [`EXCHANGE`] calls, in which this code makes `%c.own` of `%kept`.
macro_rules! exchange {
    ($own:literal) => {
        exchange!($own, "OpAtomicCompareExchange %uint %c.own %device %seq_cst %seq_cst %c.new %c.n")
    };
    ($own:literal, $exchange:literal) => {
        concat!(
            "%change = OpFunction %uint None %change.type
                    %c.out = OpFunctionParameter %p_uint
                    %c.at = OpFunctionParameter %ulong
                    %c.n = OpFunctionParameter %uint
                    %c.entry = OpLabel
                    %slots = OpVariable %p_two Function
                    %c.generic = OpPtrCastToGeneric %g_uint %c.out
                    %first = OpInBoundsAccessChain %p_g_uint %slots %u_0
                    OpStore %first %c.generic Aligned 8
                    %second = OpInBoundsAccessChain %p_g_uint %slots %u_1
                    OpStore %second %c.generic Aligned 8
                    %odd = OpBitwiseAnd %uint %c.n %u_1
                    %slot = OpInBoundsAccessChain %p_g_uint %slots %odd
                    %kept = OpLoad %g_uint %slot Aligned 8
                    ",
            $own,
            "
                    %c.new = OpIAdd %uint %c.n %u_7
                    %c.old = ",
            $exchange,
            "
                    OpReturnValue %c.old
                    OpFunctionEnd"
        )
    };
}

pub(super) const POINTERS: [Text; 9] = [
    Text {
        name: "overwritten",
        declarations: "%pair = OpTypeStruct %uint %uint
                       %p_pair = OpTypePointer Function %pair
                       %p_own = OpTypePointer Function %uint
                       %p_byte = OpTypePointer Function %uchar
                       %l_8 = OpConstant %ulong 8",
        // A copy of two numbers, of which the first one is changed afterwards.
        code: "%first = OpVariable %p_pair Function
               %second = OpVariable %p_pair Function
               %first.0 = OpInBoundsAccessChain %p_own %first %u_0
               %first.1 = OpInBoundsAccessChain %p_own %first %u_1
               %second.0 = OpInBoundsAccessChain %p_own %second %u_0
               OpStore %first.0 %n Aligned 4
               OpStore %first.1 %n Aligned 4
               %first.bytes = OpBitcast %p_byte %first
               %second.bytes = OpBitcast %p_byte %second
               OpCopyMemorySized %second.bytes %first.bytes %l_8 Aligned 4
               OpStore %first.0 %u_7 Aligned 4
               %copied = OpLoad %uint %second.0 Aligned 4
               %changed = OpLoad %uint %first.0 Aligned 4
               %result = OpIAdd %uint %copied %changed",
        result: |item| item + 8,
        ..PLAIN
    },
    Text {
        name: "casts",
        // There are two casts, because PoCL compiles one.
        code: "%generic = OpPtrCastToGeneric %g_uint %from
               %first = OpGenericCastToPtrExplicit %p_uint %generic CrossWorkgroup
               %second = OpGenericCastToPtrExplicit %p_uint %generic CrossWorkgroup
               %a = OpLoad %uint %first Aligned 4
               %b = OpLoad %uint %second Aligned 4
               %result = OpIAdd %uint %a %b",
        result: |item| 2 * (item + 1),
        ..PLAIN
    },
    Text {
        name: "computed",
        functions: exchange!(
            "%c.generic.own = OpInBoundsPtrAccessChain %g_uint %kept %c.at
                    %c.own = OpGenericCastToPtr %p_uint %c.generic.own"
        ),
        ..EXCHANGE
    },
    Text {
        name: "checked",
        // The cast returns null for pointers to other memory.
        functions: exchange!(
            "%c.global = OpGenericCastToPtrExplicit %p_uint %kept CrossWorkgroup
                    %c.own = OpInBoundsPtrAccessChain %p_uint %c.global %c.at"
        ),
        ..EXCHANGE
    },
    Text {
        name: "called",
        // The function that is called casts the pointer, and does not know which memory it came from.
        declarations: "%p_g_uint = OpTypePointer Function %g_uint
                   %u_2 = OpConstant %uint 2
                   %two = OpTypeArray %g_uint %u_2
                   %p_two = OpTypePointer Function %two
                   %change.type = OpTypeFunction %uint %p_uint %ulong %uint
                   %swap.type = OpTypeFunction %uint %g_uint %uint %uint",
        functions: concat!(
            exchange!(
                "%c.generic.own = OpInBoundsPtrAccessChain %g_uint %kept %c.at
                    %c.more = OpIAdd %uint %c.n %u_7
                    %c.first = OpFunctionCall %uint %swap %c.generic.own %c.more %c.n
                    OpBranch %c.end
                    %c.end = OpLabel
                    %c.same = OpPhi %uint %c.first %c.entry",
                "OpCopyObject %uint %c.same"
            ),
            "
                    %swap = OpFunction %uint None %swap.type
                    %s.own = OpFunctionParameter %g_uint
                    %s.new = OpFunctionParameter %uint
                    %s.n = OpFunctionParameter %uint
                    %s.entry = OpLabel
                    %s.global = OpGenericCastToPtr %p_uint %s.own
                    %s.old = OpAtomicCompareExchange %uint %s.global %device %seq_cst %seq_cst %s.new %s.n
                    %s.is = OpIEqual %bool %s.old %s.n
                    OpBranchConditional %s.is %s.then %s.else
                    %s.then = OpLabel
                    OpReturnValue %s.old
                    %s.else = OpLabel
                    OpReturnValue %u_0
                    OpFunctionEnd"
        ),
        ..EXCHANGE
    },
    Text {
        name: "component",
        // There is one row of work-groups. Each of four steps adds 7, or nothing, to the item's own result, which is n.
        declarations: "%row = OpVariable %p_v3ulong Input
                       OpDecorate %row BuiltIn WorkgroupId
                       %p_in_uchar = OpTypePointer Input %uchar
                       %p_in_ulong = OpTypePointer Input %ulong
                       %l_8 = OpConstant %ulong 8
                       %sum.type = OpTypeFunction %uint %p_uint %ulong %uint",
        code: "%result = OpFunctionCall %uint %sum %out %l %n",
        functions: "%sum = OpFunction %uint None %sum.type
                    %s.out = OpFunctionParameter %p_uint
                    %s.l = OpFunctionParameter %ulong
                    %s.n = OpFunctionParameter %uint
                    %s.entry = OpLabel
                    %s.bytes = OpBitcast %p_in_uchar %row
                    %s.byte = OpInBoundsPtrAccessChain %p_in_uchar %s.bytes %l_8
                    %s.place = OpBitcast %p_in_ulong %s.byte
                    %s.row = OpLoad %ulong %s.place Aligned 8
                    %s.width = OpUConvert %uint %s.row
                    %s.start = OpIMul %ulong %s.row %s.l
                    %s.first = OpPtrAccessChain %p_uint %s.out %s.start
                    OpBranch %s.head
                    %s.head = OpLabel
                    %s.step = OpPhi %uint %u_0 %s.entry %s.next %s.join
                    %s.goes_on = OpULessThan %bool %s.step %u_4
                    OpBranchConditional %s.goes_on %s.body %s.end
                    %s.body = OpLabel
                    %s.moved = OpIMul %uint %s.step %s.width
                    %s.wide = OpUConvert %ulong %s.moved
                    %s.index = OpIAdd %ulong %s.l %s.wide
                    %s.is = OpUGreaterThan %bool %s.n %s.step
                    OpBranchConditional %s.is %s.join %s.else
                    %s.else = OpLabel
                    OpBranch %s.join
                    %s.join = OpLabel
                    %s.more = OpPhi %uint %u_7 %s.else %u_0 %s.body
                    %s.own = OpPtrAccessChain %p_uint %s.first %s.index
                    %s.old = OpLoad %uint %s.own Aligned 4
                    %s.now = OpIAdd %uint %s.old %s.more
                    OpStore %s.own %s.now Aligned 4
                    %s.next = OpIAdd %uint %s.step %u_1
                    OpBranch %s.head
                    %s.end = OpLabel
                    %s.last = OpInBoundsPtrAccessChain %p_uint %s.out %s.l
                    %s.result = OpLoad %uint %s.last Aligned 4
                    OpReturnValue %s.result
                    OpFunctionEnd",
        result: |item| item + 1 + 7 * 3_u32.saturating_sub(item),
        ..PLAIN
    },
    Text {
        name: "given",
        // The function that is called does not know that the pointer is to private memory.
        declarations: "%f_uint = OpTypePointer Function %uint
                       %add.type = OpTypeFunction %uint %uint
                       %increase.type = OpTypeFunction %void %g_uint",
        code: "%result = OpFunctionCall %uint %add %n",
        functions: "%add = OpFunction %uint None %add.type
                    %a.n = OpFunctionParameter %uint
                    %a.entry = OpLabel
                    %a.own = OpVariable %f_uint Function
                    OpStore %a.own %a.n Aligned 4
                    %a.generic = OpPtrCastToGeneric %g_uint %a.own
                    %a.done = OpFunctionCall %void %increase %a.generic
                    %a.result = OpLoad %uint %a.own Aligned 4
                    OpReturnValue %a.result
                    OpFunctionEnd
                    %increase = OpFunction %void None %increase.type
                    %i.pointer = OpFunctionParameter %g_uint
                    %i.entry = OpLabel
                    %i.old = OpLoad %uint %i.pointer Aligned 4
                    %i.is = OpUGreaterThan %bool %i.old %u_7
                    OpBranchConditional %i.is %i.then %i.end
                    %i.then = OpLabel
                    %i.less = OpIAdd %uint %i.old %u_7
                    OpBranch %i.end
                    %i.end = OpLabel
                    %i.now = OpPhi %uint %i.old %i.entry %i.less %i.then
                    %i.more = OpIAdd %uint %i.now %u_1
                    OpStore %i.pointer %i.more Aligned 4
                    OpReturn
                    OpFunctionEnd",
        result: |item| if item + 1 > 7 { item + 9 } else { item + 2 },
        ..PLAIN
    },
    Text {
        name: "kept",
        declarations: "%u_2 = OpConstant %uint 2
                       %u_64 = OpConstant %uint 64
                       %p_g_uint = OpTypePointer Function %g_uint
                       %two = OpTypeArray %g_uint %u_2
                       %p_two = OpTypePointer Function %two
                       %shared.type = OpTypeArray %uint %u_64
                       %p_shared = OpTypePointer Workgroup %shared.type
                       %w_uint = OpTypePointer Workgroup %uint
                       %shared = OpVariable %p_shared Workgroup
                       %through.type = OpTypeFunction %uint %uint %uint",
        // Reads n from one of two places in local memory, the addresses of which are in private memory.
        code: "%result = OpFunctionCall %uint %through %x %n",
        functions: "%through = OpFunction %uint None %through.type
                    %t.x = OpFunctionParameter %uint
                    %t.n = OpFunctionParameter %uint
                    %t.entry = OpLabel
                    %slots = OpVariable %p_two Function
                    %t.own = OpInBoundsPtrAccessChain %w_uint %shared %u_0 %t.x
                    OpStore %t.own %t.n Aligned 4
                    %t.generic = OpPtrCastToGeneric %g_uint %t.own
                    %first = OpInBoundsPtrAccessChain %p_g_uint %slots %u_0 %u_0
                    OpStore %first %t.generic Aligned 8
                    %second = OpInBoundsPtrAccessChain %p_g_uint %slots %u_0 %u_1
                    OpStore %second %t.generic Aligned 8
                    %odd = OpBitwiseAnd %uint %t.n %u_1
                    %slot = OpInBoundsPtrAccessChain %p_g_uint %slots %u_0 %odd
                    %kept = OpLoad %g_uint %slot Aligned 8
                    %t.value = OpLoad %uint %kept Aligned 4
                    OpReturnValue %t.value
                    OpFunctionEnd",
        result: |item| item + 1,
        ..PLAIN
    },
    Text {
        name: "mixed",
        declarations: "%u_64 = OpConstant %uint 64
                       %shared.type = OpTypeArray %uint %u_64
                       %p_shared = OpTypePointer Workgroup %shared.type
                       %w_uint = OpTypePointer Workgroup %uint
                       %shared = OpVariable %p_shared Workgroup",
        // Reads n from global memory, or n + 7 from local memory if n is odd.
        code: "%own = OpInBoundsPtrAccessChain %w_uint %shared %u_0 %x
               %more = OpIAdd %uint %n %u_7
               OpStore %own %more Aligned 4
               %local = OpPtrCastToGeneric %g_uint %own
               %global = OpPtrCastToGeneric %g_uint %from
               %odd = OpBitwiseAnd %uint %n %u_1
               %is_odd = OpIEqual %bool %odd %u_1
               %either = OpSelect %g_uint %is_odd %local %global
               %result = OpLoad %uint %either Aligned 4",
        result: |item| item + 1 + 7 * ((item + 1) % 2),
        ..PLAIN
    },
];
