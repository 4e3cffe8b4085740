//! Switches around loops.

use std::borrow::Cow;

use sycl_pi_image::spirv::{Module, Needs, Op, legalize};

use crate::common::{NONE, count, kernel, made, of, program};

const NEEDS: Needs = Needs { no_hints: true, no_switches_around_loops: true, whole_interfaces: true, ..NONE };

const LOOP: &str = "OpBranch %head
                    %head = OpLabel
                    %i = OpPhi %uint %u_0 %two %i_next %body
                    %more = OpULessThan %bool %i %u_3
                    OpBranchConditional %more %body %end
                    %body = OpLabel
                    %i_next = OpIAdd %uint %i %u_1
                    OpBranch %head";

/// A switch with this number, these cases, and this code for `%two`.
fn switch(number: &str, cases: &str, two: &str) -> Vec<u8> {
    let code = format!(
        "OpSelectionMerge %end None
         OpSwitch {number} %other {cases}
         %one = OpLabel
         OpStore %out %u_1 Aligned 4
         OpBranch %end
         %two = OpLabel
         {two}
         %other = OpLabel
         OpBranch %end
         %end = OpLabel"
    );
    kernel("", &code)
}

/// Returns the values of the constants with which numbers are compared, in order.
fn compared(module: &Module) -> Vec<Vec<u32>> {
    let constants = of(module, Op::Constant);
    let value = |id: u32| constants.iter().find(|words| words[1] == id).unwrap()[2..].to_vec();
    of(module, Op::IEqual).into_iter().map(|words| value(words[3])).collect()
}

#[test]
fn a_switch_around_a_loop_becomes_branches_to_one_target_after_the_other() {
    let after = made(&switch("%x", "5 %one 9 %two 6 %one 7 %other", LOOP), &NEEDS);
    assert_eq!((count(&after, Op::Switch), count(&after, Op::SelectionMerge)), (0, 0));
    assert_eq!(compared(&after), [[5], [6], [9]]);
    let labels: Vec<u32> = of(&after, Op::Label).into_iter().map(|words| words[0]).collect();
    let [first, second, _]: [Vec<u32>; 3] = of(&after, Op::BranchConditional).try_into().unwrap();
    // The entry, the block that was added, `one`, `two`, the loop's and `other`.
    let [_, added, one, two, _, _, other, _]: [u32; 8] = labels.try_into().unwrap();
    assert_eq!((&first[1..], &second[1..]), (&[one, added][..], &[two, other][..]));
}

/// Otherwise a compiler would make a switch of the branches.
#[test]
fn the_number_is_loaded_for_each_target() {
    let after = made(&switch("%x", "5 %one 9 %two", LOOP), &NEEDS);
    let volatile = |opcode: Op, at: usize| {
        of(&after, opcode).into_iter().filter(|words| words.get(at) == Some(&1)).count()
    };
    assert_eq!((volatile(Op::Store, 2), volatile(Op::Load, 3)), (1, 2));
}

#[test]
fn numbers_of_64_bits_take_two_words() {
    let after = made(&switch("%l", "1 5 %one 9 0 %two", LOOP), &NEEDS);
    assert_eq!(compared(&after), [[1, 5], [9, 0]]);
}

#[test]
fn values_come_from_the_blocks_that_were_added() {
    let after = made(&program("counted"), &NEEDS);
    assert_eq!(count(&after, Op::Switch), 0);
    // spirv-val checks that each value comes from a block before its own.
    assert!(of(&after, Op::Phi).iter().any(|words| words.len() == 8));
}

#[test]
fn a_switch_that_leads_to_nothing_but_its_default_is_a_branch() {
    let code =
        "OpSwitch %x %head 1 %head\n%head = OpLabel\nOpBranchConditional %true %head %end\n%end = OpLabel";
    let after = made(&kernel("", code), &NEEDS);
    assert_eq!((count(&after, Op::Switch), count(&after, Op::IEqual)), (0, 0));
}

#[test]
fn a_switch_without_a_loop_stays_unless_a_function_may_have_one() {
    let without = switch("%x", "5 %one 9 %two", "OpStore %out %u_3 Aligned 4\nOpBranch %end");
    let needs = Needs { no_switches_around_loops: true, ..NONE };
    assert!(matches!(legalize(&without, &needs).unwrap().module, Cow::Borrowed(_)));
    let code = "OpSwitch %x %end 1 %calls
                %calls = OpLabel
                %called = OpFunctionCall %void %nothing
                OpBranch %end
                %end = OpLabel
                OpReturn
                OpFunctionEnd
                %nothing = OpFunction %void None %does
                %nothing.entry = OpLabel
                OpReturn
                OpFunctionEnd";
    let after = made(&kernel("%does = OpTypeFunction %void", code), &NEEDS);
    assert_eq!(count(&after, Op::Switch), 0);
}
