//! What the functions of a module do to the work-items that call them.

use std::collections::{HashMap, HashSet};

use rspirv::spirv::Op;

use crate::spirv::legalize::draft::{Draft, Function};
use crate::spirv::legalize::line::Line;

/// What the functions of a module do.
pub(super) struct Calls {
    /// Those that contain a barrier, or call one that does.
    with_barriers: HashSet<u32>,
    /// Those that branch, or call one that does.
    with_branches: HashSet<u32>,
}

impl Calls {
    pub(super) fn of(draft: &Draft) -> Self {
        let mut callers: HashMap<u32, Vec<u32>> = HashMap::new();
        for function in &draft.functions {
            for line in calls(function) {
                callers.entry(line.operand(2)).or_default().push(function.id());
            }
        }
        let with = |wanted: fn(Op) -> bool| {
            let functions = draft.functions.iter();
            let direct = functions.filter(|function| function.lines.iter().any(|line| wanted(line.opcode())));
            with_callers(direct.map(Function::id), &callers)
        };
        Self {
            with_barriers: with(is_barrier),
            with_branches: with(|opcode| matches!(opcode, Op::BranchConditional | Op::Switch)),
        }
    }

    /// Returns whether all work-items that come to an instruction wait for each other there.
    pub(super) fn is_barrier(&self, line: &Line) -> bool {
        let is_call = line.opcode() == Op::FunctionCall;
        is_barrier(line.opcode()) || (is_call && self.with_barriers.contains(&line.operand(2)))
    }

    /// Returns whether an instruction calls a function that branches.
    pub(super) fn branches(&self, line: &Line) -> bool {
        line.opcode() == Op::FunctionCall && self.with_branches.contains(&line.operand(2))
    }
}

/// Returns whether PoCL has barriers for an instruction: for operations of work-groups and of sub-groups, except for a
/// few that need no other work-item.
fn is_barrier(opcode: Op) -> bool {
    (Op::GroupAll..=Op::GroupSMax).contains(&opcode)
        || (Op::GroupIMulKHR..=Op::GroupLogicalXorKHR).contains(&opcode)
        || matches!(
            opcode,
            Op::ControlBarrier
                | Op::SubgroupBallotKHR
                | Op::SubgroupAllKHR
                | Op::SubgroupAnyKHR
                | Op::SubgroupShuffleINTEL
                | Op::SubgroupShuffleDownINTEL
                | Op::SubgroupShuffleUpINTEL
                | Op::SubgroupShuffleXorINTEL
                | Op::GroupNonUniformAll
                | Op::GroupNonUniformAny
                | Op::GroupNonUniformBallot
                | Op::GroupNonUniformBroadcast
                | Op::GroupNonUniformShuffle
                | Op::GroupNonUniformShuffleXor
        )
}

fn calls(function: &Function) -> impl Iterator<Item = &Line> {
    function.lines.iter().filter(|line| line.opcode() == Op::FunctionCall)
}

/// Returns these functions and those that call them, directly or not.
fn with_callers(direct: impl Iterator<Item = u32>, callers: &HashMap<u32, Vec<u32>>) -> HashSet<u32> {
    let mut open: Vec<u32> = direct.collect();
    let mut all: HashSet<u32> = open.iter().copied().collect();
    while let Some(id) = open.pop() {
        let more = callers.get(&id).into_iter().flatten().copied();
        open.extend(more.filter(|&caller| all.insert(caller)));
    }
    all
}
