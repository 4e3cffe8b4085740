//! Barriers where work-items that have passed one meet again.

use std::borrow::Cow;

use sycl_pi_image::spirv::{Module, Needs, Op, legalize};

use crate::common::{NONE, kernel, made, of, program};

pub(crate) const JOINED: Needs =
    Needs { no_hints: true, barriers_at_joins: true, whole_interfaces: true, ..NONE };

/// A function's blocks: their labels, the opcodes of their code, and the labels that their last instruction names.
pub(crate) struct Blocks(Vec<(u32, Vec<Op>, Vec<u32>)>);

impl Blocks {
    pub(crate) fn of(module: &Module) -> Self {
        let mut blocks: Vec<(u32, Vec<Op>, Vec<u32>)> = Vec::new();
        for inst in module.instructions() {
            match inst.opcode {
                Op::Label => blocks.push((inst.operand(0), Vec::new(), Vec::new())),
                opcode => blocks.last_mut().into_iter().for_each(|block| {
                    block.1.push(opcode);
                    match opcode {
                        Op::Branch => block.2 = inst.operands.to_vec(),
                        Op::BranchConditional => block.2 = inst.operands[1..3].to_vec(),
                        Op::Switch => block.2 = inst.operands[1..].iter().copied().step_by(2).collect(),
                        _ => {}
                    }
                }),
            }
        }
        Self(blocks)
    }

    /// The blocks that only wait, by their number.
    pub(crate) fn waits(&self) -> Vec<usize> {
        let is_wait = |code: &[Op]| {
            let code = code.iter().copied();
            let rest: Vec<Op> = code.filter(|opcode| !matches!(opcode, Op::Phi | Op::Store)).collect();
            rest == [Op::ControlBarrier, Op::Branch]
        };
        (0..self.0.len()).filter(|&at| is_wait(&self.0[at].1)).collect()
    }

    /// The numbers of the blocks that a block may lead to.
    pub(crate) fn next(&self, at: usize) -> Vec<usize> {
        let place = |label: &u32| self.0.iter().position(|block| block.0 == *label).unwrap();
        self.0[at].2.iter().map(place).collect()
    }
}

/// Checks that there is one barrier more, on these ways: from which blocks, and to which one. All blocks are numbered as
/// they stand after the rewrite.
#[track_caller]
fn check(code: &str, at: usize, from: &[usize], to: usize) -> Module {
    let module = made(&kernel("OpCapability Groups", code), &JOINED);
    let blocks = Blocks::of(&module);
    assert_eq!(blocks.waits(), [at]);
    assert_eq!(blocks.next(at), [to]);
    let before: Vec<usize> = (0..blocks.0.len()).filter(|&one| blocks.next(one).contains(&at)).collect();
    assert_eq!(before, from);
    module
}

#[track_caller]
pub(crate) fn check_nothing(code: &str) {
    let module = kernel("OpCapability Groups", code);
    let needs = Needs { barriers_at_joins: true, ..NONE };
    assert!(matches!(legalize(&module, &needs).unwrap().module, Cow::Borrowed(_)));
}

/// `wait`, which is not always run, and what follows it, up to `join`, which is not the end of the kernel.
pub(crate) fn conditional(wait: &str) -> String {
    format!(
        "%c = OpULessThan %bool %x %u_7
         %zero = OpLoad %uint %in Aligned 4
         %outer = OpULessThan %bool %zero %u_7
         OpBranchConditional %outer %some %end
         %some = OpLabel
         %inner = OpULessThan %bool %zero %u_3
         OpBranchConditional %inner %wait %join
         %wait = OpLabel
         {wait}
         %join = OpLabel
         OpStore %out %u_3 Aligned 4
         OpBranch %end
         %end = OpLabel"
    )
}

pub(crate) const BARRIER: &str = "OpControlBarrier %group %group %seq_cst";

fn divergent(barrier: &str) -> String {
    conditional(&format!(
        "{barrier}
         OpBranchConditional %c %then %join
         %then = OpLabel
         OpStore %out %u_7 Aligned 4
         OpBranch %join"
    ))
}

#[test]
fn ways_that_part_behind_a_barrier_meet_at_another_one() {
    let module = made(&program("joined"), &JOINED);
    let blocks = Blocks::of(&module);
    assert_eq!(blocks.waits(), [4]);
    check(&divergent(BARRIER), 4, &[2, 3], 5);
    // That of the module, and the one that was added, which orders no memory.
    let [_, added] = of(&module, Op::ControlBarrier).try_into().unwrap();
    let value = |id: u32| of(&module, Op::Constant).into_iter().find(|words| words[1] == id).unwrap()[2];
    assert_eq!(added.into_iter().map(value).collect::<Vec<_>>(), [2, 2, 0]);
}

#[test]
fn operations_of_groups_are_barriers() {
    for operation in [
        "%sum = OpGroupIAdd %uint %subgroup Reduce %x",
        "%sum = OpGroupBroadcast %uint %group %x %l",
        "OpControlBarrier %subgroup %subgroup %seq_cst",
    ] {
        check(&divergent(operation), 4, &[2, 3], 5);
    }
    check_nothing(&divergent("%one = OpIAdd %uint %x %x"));
}

/// The values that depend on the way are chosen before the barrier, and so is the only value of the ways that meet.
#[test]
fn values_are_chosen_where_the_ways_meet() {
    let code = conditional(&format!(
        "{BARRIER}
         OpBranchConditional %c %then %join
         %then = OpLabel
         %more = OpIAdd %uint %x %u_7
         OpBranch %join"
    ));
    let phis = "%join = OpLabel
                %sum = OpPhi %uint %u_0 %some %x %wait %more %then
                %same = OpPhi %uint %u_0 %some %x %wait %x %then
                %both = OpIAdd %uint %sum %same";
    let module = check(&code.replace("%join = OpLabel", phis), 4, &[2, 3], 5);
    let [chosen, sum, same] = of(&module, Op::Phi).try_into().unwrap();
    let labels: Vec<u32> = of(&module, Op::Label).iter().map(|words| words[0]).collect();
    let [_, some, wait, then, added, ..] = labels[..] else { panic!("{labels:?}") };
    assert_eq!([chosen[3], chosen[5]], [wait, then]);
    let x = chosen[2];
    assert_eq!(sum[3..], [some, chosen[1], added]);
    assert_eq!(same[3..], [some, x, added]);
}

/// All work-items leave the loop together, but not what follows it.
#[test]
fn a_loop_with_a_barrier_is_a_barrier() {
    let code = conditional(&format!(
        "OpBranch %head
         %head = OpLabel
         %i = OpPhi %uint %u_0 %wait %i_next %body
         %more = OpULessThan %bool %i %u_3
         OpBranchConditional %more %body %after
         %body = OpLabel
         {BARRIER}
         %i_next = OpIAdd %uint %i %u_1
         OpBranch %head
         %after = OpLabel
         OpBranchConditional %c %then %join
         %then = OpLabel
         OpStore %out %u_7 Aligned 4
         OpBranch %join"
    ));
    check(&code, 7, &[5, 6], 8);
    check_nothing(&code.replace("OpBranchConditional %c %then %join", "OpBranch %then"));
    // The empty block behind the loop has one way to it.
    let empty = code.replace("OpBranchConditional %c %then %join", "OpBranch %join").replace(
        "%then = OpLabel
         OpStore %out %u_7 Aligned 4
         OpBranch %join",
        "",
    );
    check_nothing(&empty);
}

/// The last block of a loop is reached past the barrier too.
#[test]
fn the_next_round_of_a_loop_is_a_join() {
    let code = format!(
        "%c = OpULessThan %bool %x %u_7
         OpBranch %head
         %head = OpLabel
         %i = OpPhi %uint %u_0 %entry %i_next %next
         %more = OpULessThan %bool %i %u_7
         OpBranchConditional %more %body %end
         %body = OpLabel
         %odd = OpBitwiseAnd %uint %i %u_1
         %is_odd = OpIEqual %bool %odd %u_1
         OpBranchConditional %is_odd %wait %next
         %wait = OpLabel
         {BARRIER}
         OpBranchConditional %c %then %next
         %then = OpLabel
         OpStore %out %u_7 Aligned 4
         OpBranch %next
         %next = OpLabel
         %i_next = OpIAdd %uint %i %u_1
         OpBranch %head
         %end = OpLabel"
    );
    check(&code, 5, &[3, 4], 6);
    // Without a way past it, and with two ways back to the start.
    check_nothing(&code.replace("OpBranchConditional %is_odd %wait %next", "OpBranch %wait"));
}

/// An inner barrier's ways meet first, and then they are one of the ways of the outer one.
#[test]
fn ways_of_an_inner_barrier_meet_first() {
    let code = conditional(&format!(
        "{BARRIER}
         %second = OpULessThan %bool %zero %u_1
         OpBranchConditional %second %wait_again %join
         %wait_again = OpLabel
         {BARRIER}
         OpBranchConditional %c %then %join
         %then = OpLabel
         OpStore %out %u_7 Aligned 4
         OpBranch %join"
    ));
    let blocks = Blocks::of(&made(&kernel("", &code), &JOINED));
    assert_eq!(blocks.waits(), [5, 6]);
    assert_eq!((blocks.next(5), blocks.next(6)), (vec![6], vec![7]));
    assert_eq!((blocks.next(2), blocks.next(3), blocks.next(4)), (vec![3, 6], vec![4, 5], vec![5]));
}

/// A compiler would make one barrier of two that lead to the same block. It cannot make one store of two to different
/// variables that have to be written.
#[test]
fn barriers_that_lead_to_one_block_stay_apart() {
    let stores = |module: &Module| -> Vec<u32> {
        let stores = of(module, Op::Store).into_iter().filter(|words| words.get(2) == Some(&1));
        stores.map(|words| words[0]).collect()
    };
    assert!(stores(&made(&program("joined"), &JOINED)).is_empty());
    let other = |last: &str| {
        divergent(BARRIER)
            .replace("OpBranchConditional %inner %wait %join", "OpBranchConditional %inner %wait %else")
            + "\nOpReturn\n%else = OpLabel\n"
            + last
            + "\nOpBranch %join\nOpFunctionEnd"
    };
    assert_eq!(stores(&made(&kernel("", &other(BARRIER)), &JOINED)).len(), 1);
    let stored = kernel("", &other(&format!("{BARRIER}\nOpStore %out %u_7 Aligned 4")));
    assert!(stores(&made(&stored, &JOINED)).is_empty());
    // Through a block that does nothing.
    let empty = kernel("", &other(&format!("{BARRIER}\nOpBranch %empty\n%empty = OpLabel")));
    assert_eq!(stores(&made(&empty, &JOINED)).len(), 1);
    let two = other(&format!(
        "{BARRIER}
         OpBranchConditional %c %else_then %join
         %else_then = OpLabel
         OpStore %out %u_16 Aligned 4"
    ));
    let [one, another] = stores(&made(&kernel("", &two), &JOINED)).try_into().unwrap();
    assert_ne!(one, another);
}

#[test]
fn one_way_needs_no_barrier_if_the_driver_cannot_make_several_of_it() {
    let code = |end: &str| {
        conditional(&format!(
            "{BARRIER}
             OpBranchConditional %c %then %last
             %then = OpLabel
             OpStore %out %u_7 Aligned 4
             OpBranch %last
             %last = OpLabel
             {end}
             OpBranch %join"
        ))
    };
    check_nothing(&code("OpStore %out %u_16 Aligned 4"));
    check(&code(""), 4, &[2, 3], 5);
    let with_sum = made(&kernel("", &code("%one = OpIAdd %uint %x %x")), &JOINED);
    assert_eq!(Blocks::of(&with_sum).0[4].1, [Op::IAdd, Op::ControlBarrier, Op::Branch]);
    // No barrier between them.
    check_nothing(&conditional(&format!("{BARRIER}\nOpBranch %join")));
}

/// Without a block around both conditional ones.
#[test]
fn the_end_of_a_kernel_is_a_join() {
    let code = divergent(BARRIER)
        .replace("OpBranchConditional %outer %some %end", "OpBranch %some")
        .replace("OpStore %out %u_3 Aligned 4\n         OpBranch %end\n         %end = OpLabel", "");
    check(&code, 4, &[2, 3], 5);
}

/// The code before another barrier is not copied.
#[test]
fn a_block_with_a_barrier_is_no_join() {
    check_nothing(&divergent(BARRIER).replace("OpStore %out %u_3 Aligned 4", BARRIER));
}

/// Only one of two conditional blocks is around the barrier. The end of the kernel is reached through the join alone.
#[test]
fn a_join_may_lead_to_the_end() {
    let code = divergent(BARRIER).replace("OpBranchConditional %outer %some %end", "OpBranch %some").replace(
        "OpBranch %end",
        "OpBranchConditional %outer %more %end
         %more = OpLabel
         OpStore %out %u_16 Aligned 4
         OpBranch %end",
    );
    check(&code, 4, &[2, 3], 5);
}

/// Functions that are called from a kernel, after its end.
fn with_functions(code: &str) -> String {
    format!(
        "{code}
         OpReturn
         OpFunctionEnd
         %waits = OpFunction %void None %nothing
         %waits.entry = OpLabel
         {BARRIER}
         OpReturn
         OpFunctionEnd
         %branches = OpFunction %void None %nothing
         %branches.entry = OpLabel
         OpBranchConditional %true %branches.then %branches.end
         %branches.then = OpLabel
         OpBranch %branches.end
         %branches.end = OpLabel
         OpReturn
         OpFunctionEnd"
    )
}

#[test]
fn what_a_function_does_its_caller_does() {
    let nothing = "%nothing = OpTypeFunction %void";
    let waits = |code: &str| Blocks::of(&made(&kernel(nothing, &with_functions(code)), &JOINED)).waits();
    assert_eq!(waits(&divergent("%none = OpFunctionCall %void %waits")), [4]);
    assert!(waits(&divergent("%none = OpFunctionCall %void %branches")).is_empty());
    // Its branches are those of the block that calls it.
    let called = format!("{BARRIER}\n%none = OpFunctionCall %void %branches");
    let last = Blocks::of(&made(
        &kernel(nothing, &with_functions(&conditional(&format!("{called}\nOpBranch %join")))),
        &JOINED,
    ));
    assert_eq!(last.0[2].1, [Op::ControlBarrier, Op::FunctionCall, Op::ControlBarrier, Op::Branch]);
    assert!(
        waits(&conditional(&format!("{called}\nOpStore %out %u_7 Aligned 4\nOpBranch %join"))).is_empty()
    );
    assert!(
        waits(
            &conditional(&called.replace("%branches", "%waits").replace(BARRIER, ""))
                .replace("%join = OpLabel", "OpBranch %join\n%join = OpLabel")
        )
        .is_empty()
    );
}

/// All work-items may leave the loop for another place.
#[test]
fn a_block_with_a_barrier_is_a_join_if_there_is_another_way_out() {
    let code = conditional(&format!(
        "OpBranch %head
         %head = OpLabel
         %i = OpPhi %uint %u_0 %wait %i_next %next
         %more = OpULessThan %bool %i %u_3
         OpBranchConditional %more %body %after
         %body = OpLabel
         {BARRIER}
         %stop = OpIEqual %bool %zero %i
         OpBranchConditional %stop %end %next
         %next = OpLabel
         %i_next = OpIAdd %uint %i %u_1
         OpBranch %head
         %after = OpLabel
         OpBranchConditional %c %then %join
         %then = OpLabel
         OpStore %out %u_7 Aligned 4
         OpBranch %join"
    ));
    let waiting = format!("{BARRIER}\n%sum = OpIAdd %uint %x %x");
    check(&code.replace("OpStore %out %u_3 Aligned 4", &waiting), 8, &[6, 7], 9);
}

/// Each of these branches leaves what all blocks before its own dominate.
#[test]
fn a_function_with_too_many_branches_is_refused() {
    const BRANCHES: u32 = 6_000;
    let branch = |at: u32| format!("%chain{at} = OpLabel\nOpBranchConditional %c %chain{} %join\n", at + 1);
    let chain: String = (0..BRANCHES).map(branch).collect();
    let code = divergent(&format!("{BARRIER}\nOpBranch %chain0\n{chain}%chain{BRANCHES} = OpLabel"));
    let error = legalize(&kernel("", &code), &JOINED).unwrap_err().to_string();
    assert_eq!(error, "kernel k is refused: it has too many branches for this driver's rewrite");
}
