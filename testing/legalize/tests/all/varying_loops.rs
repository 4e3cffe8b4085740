//! Loops next to branches.

use std::borrow::Cow;

use sycl_pi_image::spirv::{Module, Needs, Op, legalize};

use crate::common::{NONE, count, kernel, made, of, program};

const NEEDS: Needs = Needs { no_hints: true, varying_loops: true, whole_interfaces: true, ..NONE };

/// A loop with a test whether it has a round.
const LOOP: &str = "%is_none = OpIEqual %bool %x %u_0
                    OpBranchConditional %is_none %done %before
                    %before = OpLabel
                    OpBranch %head
                    %head = OpLabel
                    %i = OpPhi %uint %u_0 %before %i_next %head
                    %i_next = OpIAdd %uint %i %u_1
                    %more = OpULessThan %bool %i_next %x
                    OpBranchConditional %more %head %done
                    %done = OpLabel";

/// Returns how many conditions and how many numbers of switches are changed.
fn varied(module: &Module) -> (usize, usize) {
    (count(module, Op::LogicalNotEqual), count(module, Op::Select))
}

fn stays(code: &str) {
    let needs = Needs { varying_loops: true, ..NONE };
    assert!(matches!(legalize(&kernel("", code), &needs).unwrap().module, Cow::Borrowed(_)));
}

fn outer(code: &str) -> String {
    format!(
        "%outer = OpULessThan %bool %y %u_3
         OpSelectionMerge %end None
         OpBranchConditional %outer %then %end
         %then = OpLabel
         {code}
         OpBranch %end
         %end = OpLabel"
    )
}

#[test]
fn a_loop_in_a_branch_is_varied_and_one_with_a_test_for_its_first_round_is_not() {
    stays(LOOP);
    let after = made(&kernel("", &outer(LOOP)), &NEEDS);
    assert_eq!(varied(&after), (1, 0));
    // The condition of the next round is compared with one that is never true.
    let [comparison]: [Vec<u32>; 1] = of(&after, Op::LogicalNotEqual).try_into().unwrap();
    assert!(of(&after, Op::BranchConditional).iter().any(|words| words[0] == comparison[1]));
    assert!(of(&after, Op::IEqual).iter().any(|words| words[1] == comparison[3]));
    assert!(of(&after, Op::ULessThan).iter().any(|words| words[1] == comparison[2]));
}

#[test]
fn a_loop_behind_a_return_or_another_branch_is_varied() {
    for over in ["OpReturn", "OpBranch %on"] {
        let code = format!(
            "%first = OpULessThan %bool %y %u_3
             OpBranchConditional %first %on %over
             %over = OpLabel
             {over}
             %on = OpLabel
             {LOOP}"
        );
        assert_eq!(varied(&made(&kernel("", &code), &NEEDS)), (1, 0), "{over}");
    }
}

#[test]
fn a_loop_before_a_branch_is_varied() {
    let code = format!(
        "{LOOP}
         %last = OpULessThan %bool %y %u_3
         OpBranchConditional %last %then %end
         %then = OpLabel
         OpBranch %end
         %end = OpLabel"
    );
    assert_eq!(varied(&made(&kernel("", &code), &NEEDS)), (1, 0));
}

/// Code between the test and the loop, or behind the loop, would run twice.
#[test]
fn a_test_for_the_first_round_guards_nothing_but_the_loop() {
    let code = |before: &str, behind: &str| {
        format!(
            "%is_none = OpIEqual %bool %x %u_0
             OpBranchConditional %is_none %end %before
             %before = OpLabel
             {before}
             OpBranch %head
             %head = OpLabel
             %i = OpPhi %uint %u_0 %before %i_next %head
             %i_next = OpIAdd %uint %i %u_1
             %more = OpULessThan %bool %i_next %x
             OpBranchConditional %more %head %done
             %done = OpLabel
             {behind}
             OpBranch %end
             %end = OpLabel"
        )
    };
    stays(&code("", ""));
    let store = "OpStore %out %u_1 Aligned 4";
    for (before, behind) in [(store, ""), ("", store)] {
        assert_eq!(varied(&made(&kernel("", &code(before, behind)), &NEEDS)), (1, 0));
    }
}

/// A loop that is left in two places, and this in its last block.
fn left_twice(last: &str) -> String {
    format!(
        "OpBranch %head
         %head = OpLabel
         %i = OpPhi %uint %u_0 %entry %i_next %again
         %is_end = OpIEqual %bool %i %y
         OpBranchConditional %is_end %done %body
         %body = OpLabel
         {last}
         %again = OpLabel
         %i_next = OpIAdd %uint %i %u_1
         OpBranch %head
         %done = OpLabel"
    )
}

#[test]
fn every_way_out_of_a_loop_is_varied_if_there_is_a_branch_in_it() {
    let is_three = "%is_three = OpIEqual %bool %i %u_3";
    let leaves = format!("{is_three}\nOpBranchConditional %is_three %done %again");
    stays(&left_twice(&leaves));
    let inner = format!(
        "{is_three}
         OpBranchConditional %is_three %skip %on
         %skip = OpLabel
         OpBranch %on
         %on = OpLabel
         OpSwitch %i %again 7 %done"
    );
    assert_eq!(varied(&made(&kernel("", &left_twice(&inner)), &NEEDS)), (1, 1));
}

#[test]
fn a_loop_with_a_barrier_stays() {
    let inner = "OpControlBarrier %group %group %seq_cst
                 %is_three = OpIEqual %bool %i %u_3
                 OpBranchConditional %is_three %skip %again
                 %skip = OpLabel
                 OpBranch %again";
    stays(&left_twice(inner));
}

#[test]
fn a_loop_of_a_function_is_varied_if_its_caller_has_a_branch() {
    let code = format!(
        "{}
         OpReturn
         OpFunctionEnd
         %loops = OpFunction %void None %does
         %entry.2 = OpLabel
         OpBranch %head
         %head = OpLabel
         %i = OpPhi %uint %u_0 %entry.2 %i_next %head
         %i_next = OpIAdd %uint %i %u_1
         %more = OpULessThan %bool %i_next %u_7
         OpBranchConditional %more %head %done
         %done = OpLabel
         OpReturn
         OpFunctionEnd",
        outer("%called = OpFunctionCall %void %loops")
    );
    let after = made(&kernel("%does = OpTypeFunction %void", &code), &NEEDS);
    assert_eq!(varied(&after), (1, 0));
}

#[test]
fn a_function_without_loops_stays() {
    stays("OpSwitch %x %end 1 %one\n%one = OpLabel\nOpBranch %end\n%end = OpLabel");
}

#[test]
fn small_kernels_stay_valid() {
    assert_eq!(varied(&made(&program("counted"), &NEEDS)), (1, 0));
    assert_eq!(varied(&made(&program("single"), &NEEDS)), (1, 0));
}
