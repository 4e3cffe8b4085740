//! Branches around loops.

use std::borrow::Cow;

use sycl_pi_image::spirv::{Module, Needs, Op, legalize};

use crate::common::{NONE, count, kernel, made, of, program};

const NEEDS: Needs = Needs { no_hints: true, varying_branches: true, whole_interfaces: true, ..NONE };

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
    let needs = Needs { varying_branches: true, ..NONE };
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
fn a_branch_to_a_loop_is_varied_and_the_test_for_its_first_round_is_not() {
    stays(LOOP);
    let after = made(&kernel("", &outer(LOOP)), &NEEDS);
    assert_eq!(varied(&after), (1, 0));
    // The condition is compared with one that is never true.
    let [comparison]: [Vec<u32>; 1] = of(&after, Op::LogicalNotEqual).try_into().unwrap();
    assert!(of(&after, Op::BranchConditional).iter().any(|words| words[0] == comparison[1]));
    assert!(of(&after, Op::IEqual).iter().any(|words| words[1] == comparison[3]));
}

#[test]
fn a_return_before_a_loop_is_a_branch_around_it() {
    let code = format!(
        "%outer = OpULessThan %bool %y %u_3
         OpBranchConditional %outer %on %over
         %over = OpLabel
         OpReturn
         %on = OpLabel
         {LOOP}"
    );
    assert_eq!(varied(&made(&kernel("", &code), &NEEDS)), (1, 0));
}

#[test]
fn a_branch_whose_ways_all_lead_to_the_loop_stays() {
    let code = format!(
        "%first = OpULessThan %bool %y %u_3
         OpBranchConditional %first %one %join
         %one = OpLabel
         OpBranch %join
         %join = OpLabel
         {LOOP}"
    );
    stays(&code);
}

#[test]
fn a_branch_inside_a_loop_or_out_of_it_stays() {
    stays(
        "OpBranch %head
         %head = OpLabel
         %i = OpPhi %uint %u_0 %entry %i_next %last
         %is_end = OpIEqual %bool %i %y
         OpBranchConditional %is_end %done %body
         %body = OpLabel
         %is_three = OpIEqual %bool %i %u_3
         OpBranchConditional %is_three %skip %last
         %skip = OpLabel
         OpBranch %last
         %last = OpLabel
         %i_next = OpIAdd %uint %i %u_1
         OpBranch %head
         %done = OpLabel",
    );
}

#[test]
fn the_number_of_a_switch_is_varied_even_if_it_is_the_last_branch_before_a_loop() {
    for (number, kind) in [("%x", "%uint"), ("%l", "%ulong")] {
        let words = if kind == "%uint" { "5" } else { "5 0" };
        let code = format!(
            "OpSelectionMerge %end None
             OpSwitch {number} %end {words} %one
             %one = OpLabel
             OpBranch %head
             %head = OpLabel
             %i = OpPhi %uint %u_0 %one %i_next %head
             %i_next = OpIAdd %uint %i %u_1
             %more = OpULessThan %bool %i_next %y
             OpBranchConditional %more %head %end
             %end = OpLabel"
        );
        let after = made(&kernel("", &code), &NEEDS);
        assert_eq!(varied(&after), (0, 1));
        let [switch]: [Vec<u32>; 1] = of(&after, Op::Switch).try_into().unwrap();
        assert!(of(&after, Op::IAdd).iter().any(|words| words[1] == switch[0]));
    }
}

#[test]
fn a_function_that_is_called_may_have_a_loop() {
    let code = format!(
        "{}
         OpReturn
         OpFunctionEnd
         %nothing = OpFunction %void None %does
         %nothing.entry = OpLabel
         OpReturn
         OpFunctionEnd",
        outer("%called = OpFunctionCall %void %nothing")
    );
    let after = made(&kernel("%does = OpTypeFunction %void", &code), &NEEDS);
    assert_eq!(varied(&after), (1, 0));
}

#[test]
fn a_switch_without_a_loop_stays() {
    stays("OpSwitch %x %end 1 %one\n%one = OpLabel\nOpBranch %end\n%end = OpLabel");
}

#[test]
fn small_kernels_stay_valid() {
    assert_eq!(varied(&made(&program("counted"), &NEEDS)), (0, 1));
    assert_eq!(varied(&made(&program("single"), &NEEDS)), (1, 0));
}
