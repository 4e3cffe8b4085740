//! Kernels whose work-items diverge, with the expected result of each work-item from the numbers of its sub-group.
//!
//! The translator's tests run them on the software GPU, `pi-cuda-spirv` on a real one.

use anyhow::Result;

use crate::kernel;

/// A kernel `k` that takes numbers, and the expected results.
#[derive(Debug)]
pub struct Parted {
    code: &'static str,
    /// Functions that the code calls, of the type `%function`: from a number to another.
    functions: &'static str,
    expected: fn(&[u32], usize) -> u32,
}

impl Parted {
    /// Assembles the module, for sub-groups of a size. The kernel's arguments are memory for the results and the
    /// numbers.
    ///
    /// # Errors
    ///
    /// Fails if the code cannot be assembled.
    pub fn module(&self, width: usize) -> Result<Vec<u8>> {
        let declarations = format!(
            "OpExecutionMode %k SubgroupSizeMode {width}
             %function = OpTypeFunction %uint %uint"
        );
        let code = format!(
            "%v0.at = OpPtrAccessChain %p_uint %in %l
             %v0 = OpLoad %uint %v0.at
             {}
             %r.at = OpPtrAccessChain %p_uint %out %l
             OpStore %r.at %r
             OpReturn
             OpFunctionEnd
             {}",
            self.code, self.functions
        );
        kernel(&declarations, "%p_uint %out, %p_uint %in", &code)
    }

    /// Returns the result of a work-group with these numbers.
    #[must_use]
    pub fn expected(&self, numbers: &[u32], width: usize) -> Vec<u32> {
        each(numbers, width, self.expected)
    }
}

/// Computes a value for each work-item from its sub-group's column and its own lane.
#[must_use]
pub fn each(column: &[u32], width: usize, of: impl Fn(&[u32], usize) -> u32) -> Vec<u32> {
    column.chunks(width).flat_map(|group| (0..group.len()).map(|lane| of(group, lane))).collect()
}

/// Returns `size` unordered numbers.
#[must_use]
pub fn mixed(size: u64) -> Vec<u32> {
    (0..size as u32).map(|at| at.wrapping_mul(2_654_435_761) >> 7).collect()
}

fn sum(group: &[u32]) -> u32 {
    group.iter().fold(0, |sum, value| sum.wrapping_add(*value))
}

/// Returns the number of work-items that reach a round of a loop, if the last two bits of each number determine the
/// rounds.
fn still_there(group: &[u32], round: u32) -> u32 {
    group.iter().filter(|value| **value & 3 > round).count() as u32
}

/// As in oneDAL's maximum: a few work-items of a sub-group reduce, while the others wait for the work-group.
pub const A_FEW_REDUCE: Parted = Parted {
    code: "
        %own.lane = OpLoad %uint %lane
        %few = OpULessThan %bool %own.lane %u_3
        OpSelectionMerge %end None
        OpBranchConditional %few %work %end
        %work = OpLabel
        %sum = OpGroupIAdd %uint %subgroup Reduce %v0
        %first = OpGroupBroadcast %uint %subgroup %v0 %u_0
        %both = OpIAdd %uint %sum %first
        OpBranch %end
        %end = OpLabel
        %r = OpPhi %uint %u_0 %entry %both %work
        OpControlBarrier %group %group %acq_rel",
    functions: "",
    expected: |group, lane| match lane {
        0..3 => sum(group.get(..3).unwrap_or(group)).wrapping_add(group[0]),
        _ => 0,
    },
};

/// Each work-item repeats a loop according to its number, and reduces in it, as in oneDAL's sorting.
pub const LEAVE_A_LOOP: Parted = Parted {
    code: "
        %rounds = OpBitwiseAnd %uint %v0 %u_3
        OpBranch %head
        %head = OpLabel
        %at = OpPhi %uint %u_0 %entry %at.next %body
        %sum = OpPhi %uint %u_0 %entry %sum.next %body
        %more = OpULessThan %bool %at %rounds
        OpLoopMerge %end %body None
        OpBranchConditional %more %body %end
        %body = OpLabel
        %together = OpGroupIAdd %uint %subgroup Reduce %u_1
        %sum.next = OpIAdd %uint %sum %together
        %at.next = OpIAdd %uint %at %u_1
        OpBranch %head
        %end = OpLabel
        OpControlBarrier %group %group %acq_rel
        %r = OpCopyObject %uint %sum",
    functions: "",
    expected: |group, lane| (0..group[lane] & 3).map(|round| still_there(group, round)).sum(),
};

/// As in oneDAL's sorting of rows into tree nodes: work-items leave an inner loop one after the other, reconverge
/// after it, and repeat. The number of repetitions is the same for all, which the translator cannot know.
pub const LEAVE_AN_INNER_LOOP: Parted = Parted {
    code: "
        %own.lane = OpLoad %uint %lane
        %zero = OpBitwiseAnd %uint %own.lane %u_0
        %all.rounds = OpIAdd %uint %zero %u_3
        %bits = OpBitwiseAnd %uint %v0 %u_3
        OpBranch %head
        %head = OpLabel
        %round = OpPhi %uint %u_0 %entry %round.next %meet
        %total = OpPhi %uint %u_0 %entry %total.next %meet
        %again = OpULessThan %bool %round %all.rounds
        OpLoopMerge %end %meet None
        OpBranchConditional %again %inner %end
        %inner = OpLabel
        %at = OpPhi %uint %u_0 %head %at.next %body
        %sum = OpPhi %uint %total %head %sum.next %body
        %more = OpULessThan %bool %at %bits
        OpLoopMerge %meet %body None
        OpBranchConditional %more %body %meet
        %body = OpLabel
        %together = OpGroupIAdd %uint %subgroup Reduce %u_1
        %sum.next = OpIAdd %uint %sum %together
        %at.next = OpIAdd %uint %at %u_1
        OpBranch %inner
        %meet = OpLabel
        %first = OpGroupBroadcast %uint %subgroup %sum %u_0
        %total.next = OpIAdd %uint %sum %first
        %round.next = OpIAdd %uint %round %u_1
        OpBranch %head
        %end = OpLabel
        %r = OpCopyObject %uint %total",
    functions: "",
    expected: |group, lane| {
        let inner = |lane: usize| (0..group[lane] & 3).map(|round| still_there(group, round)).sum::<u32>();
        let (mut own, mut first) = (0, 0);
        for _ in 0..3 {
            (own, first) = (own + inner(lane), first + inner(0));
            (own, first) = (own + first, first + first);
        }
        own
    },
};

/// Work-items that return early from a function continue in its caller, and are not waited for.
pub const RETURN_EARLY: Parted = Parted {
    code: "
        %sum = OpFunctionCall %uint %add %v0
        %again = OpGroupIAdd %uint %subgroup Reduce %sum
        %r = OpCopyObject %uint %again",
    functions: "
        %add = OpFunction %uint None %function
        %of = OpFunctionParameter %uint
        %add.entry = OpLabel
        %own.lane = OpLoad %uint %lane
        %few = OpULessThan %bool %own.lane %u_3
        OpSelectionMerge %more None
        OpBranchConditional %few %done %more
        %done = OpLabel
        OpReturnValue %of
        %more = OpLabel
        %all = OpGroupIAdd %uint %subgroup Reduce %of
        OpReturnValue %all
        OpFunctionEnd",
    expected: |group, _| {
        let (few, rest) = group.split_at(group.len().min(3));
        sum(few).wrapping_add(sum(rest).wrapping_mul(rest.len() as u32))
    },
};

/// Work-items that have left a loop one after the other call a function. Its sum includes all that call it, and no
/// others.
pub const CALL_A_FUNCTION: Parted = Parted {
    code: "
        %own.lane = OpLoad %uint %lane
        %some = OpULessThan %bool %u_2 %own.lane
        %rounds = OpBitwiseAnd %uint %v0 %u_3
        OpSelectionMerge %end None
        OpBranchConditional %some %head %end
        %head = OpLabel
        %at = OpPhi %uint %u_0 %entry %at.next %body
        %more = OpULessThan %bool %at %rounds
        OpLoopMerge %work %body None
        OpBranchConditional %more %body %work
        %body = OpLabel
        %at.next = OpIAdd %uint %at %u_1
        OpBranch %head
        %work = OpLabel
        %sum = OpFunctionCall %uint %add %v0
        OpBranch %end
        %end = OpLabel
        %both = OpPhi %uint %u_0 %entry %sum %work
        %r = OpCopyObject %uint %both",
    functions: "
        %add = OpFunction %uint None %function
        %of = OpFunctionParameter %uint
        %add.entry = OpLabel
        %once = OpGroupIAdd %uint %subgroup Reduce %of
        %twice = OpGroupIAdd %uint %subgroup Reduce %once
        OpReturnValue %twice
        OpFunctionEnd",
    expected: |group, lane| match lane {
        0..3 => 0,
        _ => sum(&group[3..]).wrapping_mul(group.len() as u32 - 3),
    },
};

/// As assertions are compiled: a branch that no work-item takes does not prevent reconvergence after it.
pub const NOBODY_TAKES_A_WAY: Parted = Parted {
    code: "
        %own.lane = OpLoad %uint %lane
        %some = OpULessThan %bool %u_2 %own.lane
        %odd.bit = OpBitwiseAnd %uint %own.lane %u_1
        %odd = OpIEqual %bool %odd.bit %u_1
        %never = OpULessThan %bool %v0 %u_0
        OpSelectionMerge %end None
        OpBranchConditional %some %work %end
        %work = OpLabel
        OpBranchConditional %odd %one %other
        %one = OpLabel
        OpBranchConditional %never %fails %meet
        %other = OpLabel
        OpBranchConditional %never %fails %meet
        %fails = OpLabel
        OpUnreachable
        %meet = OpLabel
        %sum = OpGroupIAdd %uint %subgroup Reduce %v0
        OpBranch %end
        %end = OpLabel
        %r = OpPhi %uint %u_0 %entry %sum %meet",
    functions: "",
    expected: |group, lane| match lane {
        0..3 => 0,
        _ => sum(&group[3..]),
    },
};

/// After two conditions joined by `or`, work-items arrive from different branches, in each round of a loop.
pub const COME_ON_SEVERAL_WAYS: Parted = Parted {
    code: "
        %own.lane = OpLoad %uint %lane
        OpBranch %head
        %head = OpLabel
        %round = OpPhi %uint %u_0 %entry %next %behind
        %sum = OpPhi %uint %u_0 %entry %sum.next %behind
        %again = OpULessThan %bool %round %u_3
        OpLoopMerge %end %behind None
        OpBranchConditional %again %body %end
        %body = OpLabel
        %bit.at = OpShiftRightLogical %uint %own.lane %round
        %bit = OpBitwiseAnd %uint %bit.at %u_1
        %one = OpIEqual %bool %bit %u_1
        OpBranchConditional %one %meet %or
        %or = OpLabel
        %other.bits = OpBitwiseAnd %uint %v0 %u_3
        %other = OpIEqual %bool %other.bits %round
        OpBranchConditional %other %meet %behind
        %meet = OpLabel
        %way = OpPhi %uint %u_1 %body %u_0 %or
        %together = OpGroupIAdd %uint %subgroup Reduce %v0
        %both = OpIAdd %uint %together %way
        OpBranch %behind
        %behind = OpLabel
        %more = OpPhi %uint %both %meet %u_0 %or
        %sum.next = OpIAdd %uint %sum %more
        %next = OpIAdd %uint %round %u_1
        OpBranch %head
        %end = OpLabel
        %r = OpCopyObject %uint %sum",
    functions: "",
    expected: |group, lane| {
        let is_first = |lane: usize, round: u32| lane >> round & 1 == 1;
        let comes = |lane: usize, round: u32| is_first(lane, round) || group[lane] & 3 == round;
        let of_round = |round| {
            let all: Vec<u32> =
                (0..group.len()).filter(|&lane| comes(lane, round)).map(|lane| group[lane]).collect();
            sum(&all).wrapping_add(is_first(lane, round).into())
        };
        let rounds: Vec<u32> = (0..3).filter(|&round| comes(lane, round)).map(of_round).collect();
        sum(&rounds)
    },
};

/// A loop with an exit in its middle: the work-items that repeat it arrive on two edges.
pub const GO_ROUND_ON_SEVERAL_WAYS: Parted = Parted {
    code: "
        %own.lane = OpLoad %uint %lane
        %odd = OpBitwiseAnd %uint %own.lane %u_1
        %is.odd = OpIEqual %bool %odd %u_1
        %rounds = OpBitwiseAnd %uint %v0 %u_3
        OpBranch %head
        %head = OpLabel
        %round = OpPhi %uint %u_0 %entry %next %go.on
        %sum = OpPhi %uint %u_0 %entry %sum.next %go.on
        %again = OpULessThan %bool %round %u_3
        OpLoopMerge %end %go.on None
        OpBranchConditional %again %body %end
        %body = OpLabel
        %together = OpGroupIAdd %uint %subgroup Reduce %u_1
        %sum.next = OpIAdd %uint %sum %together
        OpBranchConditional %is.odd %go.on %ask
        %ask = OpLabel
        %enough = OpULessThanEqual %bool %rounds %round
        OpBranchConditional %enough %end %go.on
        %go.on = OpLabel
        %next = OpIAdd %uint %round %u_1
        OpBranch %head
        %end = OpLabel
        %r = OpPhi %uint %sum %head %sum.next %ask",
    functions: "",
    expected: |group, lane| {
        let is_in = |lane: usize, round: u32| lane % 2 == 1 || group[lane] & 3 >= round;
        let count = |round| (0..group.len()).filter(|&lane| is_in(lane, round)).count() as u32;
        (0..3).filter(|&round| is_in(lane, round)).map(count).sum()
    },
};
