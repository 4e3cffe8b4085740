//! Barriers that a program lacks between writing to local memory and reading it.

use sycl_pi_image::spirv::{Needs, Op};

use crate::common::{NONE, kernel, made, program};

const NEEDS: Needs =
    Needs { missing_barriers: true, no_hints: true, whole_interfaces: true, ordered_blocks: true, ..NONE };
const WRITE: &str = "OpStore %place %x Aligned 4\n";
const BARRIER: &str = "OpControlBarrier %group %group %seq_cst\n";
const DECLARATIONS: &str = "%numbers = OpTypeArray %uint %u_16
                            %p_numbers = OpTypePointer Workgroup %numbers
                            %w_uint = OpTypePointer Workgroup %uint
                            %shared = OpVariable %p_numbers Workgroup
                            %place = OpVariable %w_uint Workgroup";

/// Returns a read of local memory with this result.
fn read(result: &str) -> String {
    format!("%{result} = OpLoad %uint %place Aligned 4\n")
}

/// Returns code that one of the work-items runs.
fn alone(code: &str) -> String {
    format!(
        "%is_first = OpIEqual %bool %x %u_0
         OpSelectionMerge %end None
         OpBranchConditional %is_first %first %end
         %first = OpLabel
         {code}OpBranch %end
         %end = OpLabel\n"
    )
}

/// Returns a loop around code. Work-items repeat it `%x` times.
fn repeated(code: &str) -> String {
    format!(
        "OpBranch %head
         %head = OpLabel
         %round = OpPhi %uint %u_0 %entry %next %body
         %more = OpULessThan %bool %round %x
         OpLoopMerge %left %body None
         OpBranchConditional %more %body %left
         %body = OpLabel
         {code}%next = OpIAdd %uint %round %u_1
         OpBranch %head
         %left = OpLabel\n"
    )
}

/// Returns the reads, writes and barriers of the rewritten kernel, with `|` for each label but the first.
fn trace(code: &str) -> String {
    trace_of(&kernel(DECLARATIONS, code))
}

fn trace_of(module: &[u8]) -> String {
    let after = made(module, &NEEDS);
    // The first load is that of the work-item's number.
    let code = after.instructions().skip_while(|inst| inst.opcode != Op::Load).skip(1);
    let letters = code.filter_map(|inst| match inst.opcode {
        Op::Load => Some('r'),
        Op::Store => Some('w'),
        Op::ControlBarrier => Some('b'),
        Op::Label => Some('|'),
        opcode if (Op::AtomicLoad..=Op::AtomicXor).contains(&opcode) => Some('a'),
        _ => None,
    });
    letters.collect()
}

#[test]
fn a_read_after_a_write_waits() {
    assert_eq!(trace(&format!("{BARRIER}{WRITE}{}", read("a"))), "bwbr");
    assert_eq!(trace(&format!("{BARRIER}{WRITE}{}{}", read("a"), read("b"))), "bwbrr", "once for all reads");
    assert_eq!(trace(&format!("{WRITE}{}{WRITE}{}{BARRIER}", read("a"), read("b"))), "wbrwbrb");
}

#[test]
fn work_items_wait_before_the_one_that_reads() {
    assert_eq!(trace(&format!("{WRITE}{}{BARRIER}", alone(&read("a")))), "wb|r|b");
    // This kernel reads its number first, and writes its result last.
    assert_eq!(trace_of(&program("raced")), "rwb|rrw|brw");
}

#[test]
fn what_a_loop_writes_is_waited_for_behind_it() {
    let code = format!("{}{}{BARRIER}", repeated(WRITE), alone(&read("a")));
    assert_eq!(trace(&code), "||w|b|r|b");
}

#[test]
fn work_items_wait_before_a_loop_that_reads() {
    let code = format!("{WRITE}{}{BARRIER}", repeated(&read("a")));
    assert_eq!(trace(&code), "wb||r|b");
}

#[test]
fn atomic_reads_wait_too_and_do_not_wait_for_each_other() {
    let atomic = |name: &str| format!("%{name} = OpAtomicIAdd %uint %place %group %seq_cst %u_1\n");
    assert_eq!(trace(&format!("{BARRIER}{WRITE}{}{}", atomic("a"), atomic("b"))), "bwbaa");
}

#[test]
fn reads_that_wait_already_stay() {
    let waits = [
        (format!("{WRITE}{BARRIER}{}", read("a")), "wbr"),
        (format!("{WRITE}{BARRIER}{}", alone(&read("a"))), "wb|r|"),
        (format!("{}{BARRIER}{}", repeated(WRITE), read("a")), "||w|br"),
        // Its own barrier is somewhere in it.
        (format!("{WRITE}{}{BARRIER}", repeated(&format!("{BARRIER}{}", read("a")))), "w||br|b"),
        (format!("{WRITE}{}{}{BARRIER}", repeated(BARRIER), read("a")), "w||b|rb"),
        // Nothing is written before.
        (format!("{}{WRITE}{BARRIER}", read("a")), "rwb"),
    ];
    for (code, expected) in waits {
        assert_eq!(trace(&code), expected, "{code}");
    }
}

#[test]
fn a_loop_or_a_branch_gets_no_barrier() {
    let both = format!("{WRITE}{}", read("a"));
    assert_eq!(trace(&format!("{BARRIER}{}", repeated(&both))), "b||wr|");
    assert_eq!(trace(&format!("{BARRIER}{}", alone(&both))), "b|wr|");
}

#[test]
fn a_function_that_some_work_items_may_not_enter_gets_no_barrier() {
    let both = format!("{WRITE}{}", read("a"));
    assert_eq!(trace(&both), "wr", "without a barrier of its own");
    assert_eq!(trace(&format!("{}{both}", alone(BARRIER))), "|b|wr", "with one that some may not reach");
    let of_sub_groups = BARRIER.replacen("%group", "%subgroup", 1);
    assert_eq!(trace(&format!("{of_sub_groups}{both}")), "bwr", "with one of sub-groups");
}

#[test]
fn code_after_an_early_return_gets_no_barrier() {
    let code = format!(
        "{BARRIER}%is_first = OpIEqual %bool %x %u_0
         OpSelectionMerge %end None
         OpBranchConditional %is_first %first %end
         %first = OpLabel
         OpReturn
         %end = OpLabel
         {WRITE}{}",
        read("a")
    );
    assert_eq!(trace(&code), "b||wr");
}

#[test]
fn a_loop_with_two_entries_gets_no_barrier() {
    let code = format!(
        "{BARRIER}%is_first = OpIEqual %bool %x %u_0
         OpBranchConditional %is_first %one %other
         %one = OpLabel
         OpBranch %common
         %other = OpLabel
         OpBranch %common
         %common = OpLabel
         {WRITE}{}%more = OpULessThan %bool %x %y
         OpBranchConditional %more %other %end
         %end = OpLabel",
        read("a")
    );
    assert_eq!(trace(&code), "b|||wr|");
}
