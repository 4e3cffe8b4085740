//! The order of blocks.

use std::borrow::Cow;

use sycl_pi_image::spirv::{Module, Needs, Op, legalize};

use crate::common::{NONE, kernel, made, of, program};

const ORDERED: Needs = Needs { no_hints: true, ordered_blocks: true, whole_interfaces: true, ..NONE };

fn labels(module: &Module) -> Vec<u32> {
    of(module, Op::Label).into_iter().map(|words| words[0]).collect()
}

/// Checks that the blocks, which are numbered as they stand, come in this order.
#[track_caller]
fn check(module: &[u8], order: &[usize]) {
    let before = labels(&Module::parse(module).unwrap());
    let wanted: Vec<u32> = order.iter().map(|block| before[*block]).collect();
    assert_eq!(labels(&made(module, &ORDERED)), wanted);
}

#[test]
fn a_block_moves_behind_the_one_that_dominates_it() {
    let module = program("order");
    check(&module, &[0, 2, 1, 3]);
    // The code moves with it.
    let after = made(&module, &ORDERED);
    let [double, sum] = of(&after, Op::IAdd).try_into().unwrap();
    assert_eq!(sum[2], double[1]);
}

#[test]
fn blocks_in_order_stay_the_same_bytes() {
    let needs = Needs { ordered_blocks: true, ..NONE };
    for name in ["hints", "unrolled", "interface"] {
        assert!(matches!(legalize(&program(name), &needs).unwrap().module, Cow::Borrowed(_)), "{name}");
    }
}

#[test]
fn a_variable_moves_to_the_start_of_its_function() {
    let module = program("late");
    let opcodes = |module: &Module| -> Vec<Op> {
        let code = module.instructions().skip_while(|inst| inst.opcode != Op::Label).skip(1);
        code.map(|inst| inst.opcode).collect()
    };
    let mut wanted = opcodes(&Module::parse(&module).unwrap());
    let at = wanted.iter().position(|opcode| *opcode == Op::Variable).unwrap();
    assert!(at > 0);
    let variable = wanted.remove(at);
    wanted.insert(0, variable);
    assert_eq!(opcodes(&made(&module, &ORDERED)), wanted);
}

/// The block behind a loop stands before the loop, which dominates it.
#[test]
fn what_follows_a_loop_comes_after_it() {
    let code = "OpBranch %head
                %end = OpLabel
                OpReturn
                %head = OpLabel
                %more = OpULessThan %bool %x %u_3
                OpBranchConditional %more %body %end
                %body = OpLabel
                OpBranch %head
                OpFunctionEnd";
    check(&kernel("", code), &[0, 2, 1, 3]);
}

/// The default of a switch by 64-bit numbers, whose literals take two words, stands last and leads back to the second.
#[test]
fn the_blocks_of_a_switch_are_found() {
    let code = "OpBranch %choice
                %end = OpLabel
                OpReturn
                %one = OpLabel
                OpBranch %end
                %choice = OpLabel
                OpSwitch %l %other 1 0 %one
                %other = OpLabel
                OpBranch %end
                OpFunctionEnd";
    check(&kernel("", code), &[0, 3, 2, 1, 4]);
}

#[test]
fn a_block_that_nothing_reaches_is_last() {
    let code = "OpBranch %end
                %lost = OpLabel
                OpBranch %end
                %end = OpLabel";
    check(&kernel("", code), &[0, 2, 1]);
}
