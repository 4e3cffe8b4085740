//! Loads whose values are needed behind barriers and in loops.

use std::borrow::Cow;

use sycl_pi_image::spirv::{Module, Needs, Op, legalize};

use crate::common::{NONE, kernel, made, of};

// Variables may stand behind other code.
const NEEDS: Needs =
    Needs { no_hints: true, lasting_loads: true, ordered_blocks: true, whole_interfaces: true, ..NONE };

const BARRIER: &str = "OpControlBarrier %group %group %seq_cst";

/// Returns how many loads are volatile.
fn volatile(module: &Module) -> usize {
    of(module, Op::Load).iter().filter(|words| words.get(3).is_some_and(|access| access & 1 != 0)).count()
}

fn volatile_in(code: &str) -> usize {
    volatile(&made(&kernel("", code), &NEEDS))
}

#[test]
fn a_load_that_is_used_behind_a_barrier_is_volatile() {
    let code =
        |barrier: &str| format!("%v = OpLoad %uint %in Aligned 4\n{barrier}\nOpStore %out %v Aligned 4");
    assert_eq!(volatile_in(&code(BARRIER)), 1);
    let needs = Needs { lasting_loads: true, ..NONE };
    let without = kernel("", &code(""));
    assert!(matches!(legalize(&without, &needs).unwrap().module, Cow::Borrowed(_)));
}

#[test]
fn what_is_computed_from_loads_makes_them_volatile() {
    let code = format!(
        "%v = OpLoad %uint %in Aligned 4
         %w = OpLoad %uint %out
         %sum = OpIAdd %uint %v %w
         %twice = OpIAdd %uint %sum %sum
         %unused = OpLoad %uint %in Aligned 4
         {BARRIER}
         OpStore %out %twice Aligned 4"
    );
    assert_eq!(volatile_in(&code), 2);
}

#[test]
fn loads_from_memory_that_does_not_change_stay() {
    let code = format!(
        "{BARRIER}
         %number = OpIAdd %ulong %l %l
         {BARRIER}
         %to = OpInBoundsPtrAccessChain %p_uint %out %number
         OpStore %to %x Aligned 4"
    );
    // The number of the work-item is loaded in the first part and used in the last one.
    assert_eq!(volatile_in(&code), 0);
}

/// A sum of all numbers, whose first one is loaded before the loop, and this much behind it.
fn sum(behind: &str) -> String {
    format!(
        "%first = OpLoad %uint %in Aligned 4
         OpBranch %head
         %head = OpLabel
         %i = OpPhi %uint %u_0 %entry %i_next %head
         %sum = OpPhi %uint %first %entry %sum_next %head
         %at = OpUConvert %ulong %i
         %from = OpInBoundsPtrAccessChain %p_uint %in %at
         %number = OpLoad %uint %from Aligned 4
         %sum_next = OpIAdd %uint %sum %number
         %i_next = OpIAdd %uint %i %u_1
         %more = OpULessThan %bool %i_next %u_7
         OpBranchConditional %more %head %end
         %end = OpLabel
         {behind}"
    )
}

#[test]
fn a_value_that_goes_around_in_a_loop_is_kept_by_the_driver() {
    assert_eq!(volatile_in(&sum("OpStore %out %sum Aligned 4")), 0);
}

#[test]
fn a_load_before_a_loop_or_in_it_that_is_used_behind_the_loop_is_volatile() {
    assert_eq!(volatile_in(&sum("OpStore %out %first Aligned 4")), 1);
    assert_eq!(volatile_in(&sum("OpStore %out %number Aligned 4")), 1);
}

#[test]
fn a_load_that_is_used_in_another_block_without_a_barrier_between_stays() {
    let blocks = |then: &str| {
        format!(
            "%v = OpLoad %uint %in Aligned 4
             %is = OpULessThan %bool %x %u_3
             OpBranchConditional %is %then %end
             %then = OpLabel
             {then}
             OpBranch %end
             %end = OpLabel
             OpStore %out %v Aligned 4
             {BARRIER}"
        )
    };
    assert_eq!(volatile_in(&blocks("OpStore %out %v Aligned 4")), 0);
    assert_eq!(volatile_in(&blocks(BARRIER)), 1);
}

/// The function may have loops, and its code becomes that of the caller.
#[test]
fn a_load_before_a_call_or_for_one_is_volatile() {
    let code = |argument: &str, after: &str| {
        format!(
            "%v = OpLoad %uint %in Aligned 4
             %w = OpFunctionCall %uint %same {argument}
             OpStore %out {after} Aligned 4
             OpReturn
             OpFunctionEnd
             %same = OpFunction %uint None %same.type
             %same.n = OpFunctionParameter %uint
             %same.entry = OpLabel
             OpReturnValue %same.n
             OpFunctionEnd"
        )
    };
    for (argument, after, count) in [("%v", "%w", 1), ("%u_1", "%v", 1), ("%u_1", "%w", 0)] {
        let module = kernel("%same.type = OpTypeFunction %uint %uint", &code(argument, after));
        assert_eq!(volatile(&made(&module, &NEEDS)), count, "{argument} {after}");
    }
}

#[test]
fn a_load_that_a_function_returns_is_volatile() {
    let code = "%w = OpFunctionCall %uint %first %in
                OpStore %out %w Aligned 4
                OpReturn
                OpFunctionEnd
                %first = OpFunction %uint None %first.type
                %first.from = OpFunctionParameter %p_uint
                %first.entry = OpLabel
                %first.v = OpLoad %uint %first.from Aligned 4
                OpReturnValue %first.v
                OpFunctionEnd";
    let module = kernel("%first.type = OpTypeFunction %uint %p_uint", code);
    assert_eq!(volatile(&made(&module, &NEEDS)), 1);
}
