//! Barriers through which all ways of a branch lead.

use std::borrow::Cow;
use std::collections::HashMap;

use sycl_pi_image::spirv::{Module, Needs, Op, legalize};

use crate::common::{NONE, count, kernel, made, of};

const NEEDS: Needs = Needs { no_hints: true, shared_barriers: true, whole_interfaces: true, ..NONE };
const BARRIER: &str = "OpControlBarrier %group %group %seq_cst";

/// The blocks of a module: to which labels each leads.
struct Graph {
    next: HashMap<u32, Vec<u32>>,
    /// The opcodes of each block, without the label.
    code: HashMap<u32, Vec<Op>>,
    /// The labels, and where work-items return.
    labels: Vec<u32>,
}

impl Graph {
    fn of(module: &Module) -> Self {
        let mut graph = Self { next: HashMap::new(), code: HashMap::new(), labels: Vec::new() };
        for inst in module.instructions() {
            let next = match inst.opcode {
                Op::Label => {
                    graph.labels.push(inst.operand(0));
                    graph.code.insert(inst.operand(0), Vec::new());
                    continue;
                }
                Op::Branch => inst.operands.to_vec(),
                Op::BranchConditional => inst.operands[1..3].to_vec(),
                Op::Switch => inst.operands[1..].iter().copied().step_by(2).collect(),
                _ => Vec::new(),
            };
            let Some(label) = graph.labels.last() else { continue };
            graph.code.get_mut(label).unwrap().push(inst.opcode);
            if !next.is_empty() {
                graph.next.insert(*label, next);
            }
        }
        graph
    }

    /// Returns the labels of the blocks with this opcode.
    fn with(&self, opcode: Op) -> Vec<u32> {
        self.labels.iter().copied().filter(|label| self.code[label].contains(&opcode)).collect()
    }

    /// Returns whether work-items can return without passing through a block.
    fn is_avoidable(&self, block: u32) -> bool {
        let (mut open, mut seen) = (vec![self.labels[0]], vec![block]);
        while let Some(label) = open.pop() {
            if seen.contains(&label) {
                continue;
            }
            seen.push(label);
            match self.next.get(&label) {
                Some(next) => open.extend(next),
                None => return true,
            }
        }
        false
    }
}

/// Checks that this code has a barrier which some ways avoid, and that after the rewrite none does.
#[track_caller]
fn check_shared(code: &str) -> Module {
    let before = kernel("OpCapability Groups", code);
    let barriers = |module: &Module| {
        let graph = Graph::of(module);
        let blocks = [Op::ControlBarrier, Op::GroupIAdd, Op::GroupBroadcast].map(|opcode| graph.with(opcode));
        blocks.concat().into_iter().map(|block| graph.is_avoidable(block)).collect::<Vec<bool>>()
    };
    assert!(barriers(&Module::parse(&before).unwrap()).contains(&true));
    let after = made(&before, &NEEDS);
    assert!(!barriers(&after).contains(&true), "{:?}", barriers(&after));
    after
}

#[track_caller]
fn check_nothing(code: &str) {
    let module = kernel("OpCapability Groups", code);
    let needs = Needs { shared_barriers: true, ..NONE };
    assert!(matches!(legalize(&module, &needs).unwrap().module, Cow::Borrowed(_)));
}

/// Code in a block that is not always reached.
fn conditional(code: &str) -> String {
    format!(
        "%c = OpULessThan %bool %x %u_7
         %first = OpLoad %uint %in Aligned 4
         %is_small = OpULessThan %bool %first %u_7
         OpBranchConditional %is_small %then %end
         %then = OpLabel
         {code}
         OpBranch %end
         %end = OpLabel"
    )
}

#[test]
fn work_items_past_a_barrier_come_to_it_too() {
    let code = conditional(&format!("OpStore %in %u_3 Aligned 4\n{BARRIER}\nOpStore %out %u_3 Aligned 4"));
    let after = check_shared(&code);
    // It orders the same memory, and only those that came through the branch store behind it.
    assert_eq!(count(&after, Op::ControlBarrier), 1);
    assert_eq!(of(&after, Op::ControlBarrier).len(), 1);
    let graph = Graph::of(&after);
    let [barrier] = graph.with(Op::ControlBarrier).try_into().unwrap();
    assert!(!graph.code[&barrier].contains(&Op::Store));
    let [phi] = of(&after, Op::Phi).try_into().unwrap();
    let [_, branch]: [Vec<u32>; 2] = of(&after, Op::BranchConditional).try_into().unwrap();
    assert_eq!(graph.next[&barrier], branch[1..3]);
    assert!(of(&after, Op::IEqual).iter().any(|words| words[1] == branch[0] && words[2] == phi[1]));
}

#[test]
fn a_barrier_that_all_reach_stays_as_it_is() {
    check_nothing(&format!("{BARRIER}\n{}", conditional("OpStore %out %u_3 Aligned 4")));
    let both = conditional("OpStore %out %u_3 Aligned 4");
    check_nothing(&format!("{both}\n{BARRIER}"));
    // Work-items leave a loop with a barrier together.
    check_nothing(&looped(BARRIER));
}

#[test]
fn operations_of_groups_are_barriers() {
    for operation in [
        "%sum = OpGroupIAdd %uint %group Reduce %x",
        "%sum = OpGroupBroadcast %uint %group %x %l",
        "%twice = OpIAdd %uint %x %x\n%sum = OpGroupIAdd %uint %group Reduce %twice",
    ] {
        let code = conditional(&format!("{operation}\nOpStore %out %sum Aligned 4"));
        let after = check_shared(&code);
        assert_eq!(count(&after, Op::GroupIAdd) + count(&after, Op::GroupBroadcast), 1);
    }
    check_nothing(&conditional("%sum = OpIAdd %uint %x %x"));
}

/// `%more` no longer exists on all ways to the barrier.
#[test]
fn values_from_before_the_barrier_pass_through_it() {
    let code = conditional(&format!(
        "%more = OpIAdd %uint %x %u_7
         {BARRIER}
         %most = OpIAdd %uint %more %first
         OpStore %out %most Aligned 4"
    ));
    let after = check_shared(&code);
    let sums: Vec<u32> = of(&after, Op::IAdd).into_iter().map(|words| words[1]).collect();
    let phis = of(&after, Op::Phi);
    // The one for the way that has none is null.
    let null = of(&after, Op::ConstantNull)[0][1];
    let values: Vec<&Vec<u32>> = phis.iter().filter(|words| words[2] == sums[0]).collect();
    let [value] = values.try_into().unwrap();
    assert_eq!(value[4], null);
    assert_eq!(of(&after, Op::IAdd)[1][2], value[1]);
}

#[test]
fn values_of_the_ways_are_chosen_where_they_meet() {
    let code = conditional(&format!("%more = OpIAdd %uint %x %u_7\n{BARRIER}")).replace(
        "%end = OpLabel",
        "%end = OpLabel\n%value = OpPhi %uint %first %entry %more %then\nOpStore %out %value Aligned 4",
    );
    check_shared(&code);
}

/// One of the ways leads to code that is reached from behind the barrier, too.
#[test]
fn ways_go_on_to_different_places() {
    let code = conditional(&format!(
        "OpSwitch %first %other 1 %wait 2 %join
         %wait = OpLabel
         {BARRIER}
         OpStore %in %u_3 Aligned 4
         OpBranchConditional %c %join %other
         %join = OpLabel
         OpStore %out %u_3 Aligned 4
         OpBranch %other
         %other = OpLabel"
    ));
    let after = check_shared(&code);
    let [_, last]: [Vec<u32>; 2] = of(&after, Op::Switch).try_into().unwrap();
    assert_eq!((last.len(), last[2], last[4]), (6, 1, 2));
}

#[test]
fn an_inner_branch_leads_its_ways_through_the_barrier_first() {
    let code = conditional(&format!(
        "%inner = OpULessThan %bool %first %u_3
         OpBranchConditional %inner %wait %join
         %wait = OpLabel
         {BARRIER}
         OpBranchConditional %c %store %join
         %store = OpLabel
         OpStore %out %u_7 Aligned 4
         OpBranch %join
         %join = OpLabel
         OpStore %in %u_3 Aligned 4"
    ));
    check_shared(&code);
    let two = code.replace("OpStore %out", &format!("{BARRIER}\nOpStore %out"));
    assert_eq!(count(&check_shared(&two), Op::ControlBarrier), 2);
}

/// A loop whose body has this code.
fn looped(code: &str) -> String {
    format!(
        "OpBranch %before
         %before = OpLabel
         OpBranch %head
         %head = OpLabel
         %i = OpPhi %uint %u_0 %before %i_next %next
         %more = OpULessThan %bool %i %u_3
         OpBranchConditional %more %body %after
         %body = OpLabel
         {code}
         OpBranch %next
         %next = OpLabel
         %i_next = OpIAdd %uint %i %u_1
         OpBranch %head
         %after = OpLabel"
    )
}

/// Work-items past the loop come to one barrier before it and one behind it, where they meet those of the loop.
#[test]
fn a_loop_with_a_barrier_starts_and_ends_with_one() {
    let code = conditional(&format!(
        "{}
         OpBranchConditional %c %store %end
         %store = OpLabel
         OpStore %out %u_7 Aligned 4",
        looped(BARRIER)
    ));
    let after = made(&kernel("", &code), &NEEDS);
    let graph = Graph::of(&after);
    let avoidable: Vec<bool> =
        graph.with(Op::ControlBarrier).into_iter().map(|block| graph.is_avoidable(block)).collect();
    assert_eq!(avoidable, [false, true, false]);
    // Those that were added order no memory.
    let value = |id: &u32| of(&after, Op::Constant).into_iter().find(|words| words[1] == *id).unwrap()[2];
    for at in [0, 2] {
        assert_eq!(of(&after, Op::ControlBarrier)[at].iter().map(value).collect::<Vec<_>>(), [2, 2, 0]);
    }
}

#[test]
fn ways_within_a_round_of_a_loop_lead_through_the_barrier() {
    let code = looped(&format!(
        "%odd = OpBitwiseAnd %uint %i %u_1
         %is_odd = OpIEqual %bool %odd %u_1
         OpBranchConditional %is_odd %wait %next
         %wait = OpLabel
         {BARRIER}"
    ));
    let after = made(&kernel("", &code), &NEEDS);
    let graph = Graph::of(&after);
    let [barrier] = graph.with(Op::ControlBarrier).try_into().unwrap();
    // Without the way into the loop's body, the barrier is on all ways back to its head.
    let arrivals =
        graph.labels.iter().filter(|label| graph.next.get(label).is_some_and(|next| next.contains(&barrier)));
    assert_eq!(arrivals.count(), 2);
}

#[test]
fn returns_are_ways_past_a_barrier() {
    let code = format!(
        "%first = OpLoad %uint %in Aligned 4
         %is_small = OpULessThan %bool %first %u_7
         OpBranchConditional %is_small %then %end
         %then = OpLabel
         OpReturn
         %end = OpLabel
         {BARRIER}"
    );
    assert_eq!(count(&check_shared(&code), Op::Return), 1);
}

#[test]
fn functions_are_inlined_in_modules_with_barriers() {
    let functions = format!(
        "{}
         OpReturn
         OpFunctionEnd
         %outer = OpFunction %void None %nothing
         %outer.entry = OpLabel
         %call.again = OpFunctionCall %void %waits
         OpReturn
         OpFunctionEnd
         %waits = OpFunction %void None %nothing
         %waits.entry = OpLabel
         {BARRIER}
         OpReturn
         OpFunctionEnd
         %does_not = OpFunction %void None %nothing
         %does_not.entry = OpLabel
         OpReturn
         OpFunctionEnd",
        conditional("%call = OpFunctionCall %void %outer\n%none = OpFunctionCall %void %does_not")
    );
    let after = made(&kernel("%nothing = OpTypeFunction %void", &functions), &NEEDS);
    let graph = Graph::of(&after);
    assert!(!graph.is_avoidable(graph.with(Op::ControlBarrier)[0]));
    assert_eq!(count(&after, Op::FunctionCall), 0);
    let without = kernel("%nothing = OpTypeFunction %void", &functions.replace(BARRIER, ""));
    let needs = Needs { shared_barriers: true, ..NONE };
    assert!(matches!(legalize(&without, &needs).unwrap().module, Cow::Borrowed(_)));
}

#[test]
fn a_function_with_too_many_barriers_in_branches_is_refused() {
    let barriers = format!("{BARRIER}\n").repeat(257);
    let error = legalize(&kernel("", &conditional(&barriers)), &NEEDS).unwrap_err().to_string();
    assert_eq!(error, "kernel k is refused: it has too many barriers in branches for this driver's rewrite");
}
