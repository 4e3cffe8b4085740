//! Barriers that are the first in their block.

use sycl_pi_image::spirv::{Module, Needs, Op};

use crate::common::{NONE, count, kernel, made, of, program};

const NEEDS: Needs = Needs { no_hints: true, whole_interfaces: true, no_lone_barriers: true, ..NONE };
const BARRIER: &str = "OpControlBarrier %group %group %seq_cst\n";

/// Returns the opcodes before the barriers of a module.
fn before_barriers(module: &Module) -> Vec<Op> {
    let opcodes: Vec<Op> = module.instructions().map(|inst| inst.opcode).collect();
    opcodes.windows(2).filter(|pair| pair[1] == Op::ControlBarrier).map(|pair| pair[0]).collect()
}

/// A kernel with this code in a block that not all work-items reach.
fn conditional(code: &str) -> Vec<u8> {
    let code = format!(
        "%large = OpUGreaterThan %bool %x %u_7
         OpBranchConditional %large %then %end
         %then = OpLabel
         {code}
         OpBranch %end
         %end = OpLabel"
    );
    kernel("", &code)
}

#[test]
fn a_conditional_block_stores_before_the_barrier_with_which_it_begins() {
    let after = made(&program("lone"), &NEEDS);
    assert_eq!(before_barriers(&after), [Op::Store, Op::Store]);
    let volatile: Vec<_> =
        of(&after, Op::Store).into_iter().filter(|words| words.get(2) == Some(&1)).collect();
    let [store] = volatile.try_into().unwrap();
    let private: Vec<_> = of(&after, Op::Variable).into_iter().filter(|words| words[2] == 7).collect();
    let [variable] = private.try_into().unwrap();
    assert_eq!(store[0], variable[1]);
}

#[test]
fn each_barrier_has_a_variable_of_its_own() {
    let code = format!(
        "%large = OpUGreaterThan %bool %x %u_7
         OpBranchConditional %large %then %else
         %then = OpLabel
         {BARRIER}OpBranch %end
         %else = OpLabel
         {BARRIER}OpBranch %end
         %end = OpLabel"
    );
    let stores = of(&made(&kernel("", &code), &NEEDS), Op::Store);
    let [one, other] = stores.try_into().unwrap();
    assert_ne!(one[0], other[0]);
}

#[test]
fn a_function_stores_before_the_barrier_with_which_it_begins() {
    let code = format!(
        "%called = OpFunctionCall %void %wait
         OpReturn
         OpFunctionEnd
         %wait = OpFunction %void None %wait.type
         %wait.entry = OpLabel
         {BARRIER}OpReturn
         OpFunctionEnd"
    );
    let after = made(&kernel("%wait.type = OpTypeFunction %void", &code), &NEEDS);
    assert_eq!(before_barriers(&after), [Op::Store]);
}

#[test]
fn barriers_behind_other_code_stay_as_they_are() {
    let busy = conditional(&format!("OpStore %in %u_7\n{BARRIER}"));
    assert_eq!(count(&made(&busy, &NEEDS), Op::Store), 1);
    let twice = conditional(&format!("{BARRIER}{BARRIER}"));
    assert_eq!(count(&made(&twice, &NEEDS), Op::Store), 1);
    let always = kernel("", &format!("OpBranch %next\n%next = OpLabel\n{BARRIER}"));
    assert_eq!(count(&made(&always, &NEEDS), Op::Store), 0);
}
