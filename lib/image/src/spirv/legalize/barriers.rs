//! Where work-items wait for each other.

use rspirv::spirv::Op;

use super::draft::Function;

/// Returns whether work-items wait for each other in a function itself.
pub(super) fn waits(function: &Function) -> bool {
    function.lines.iter().any(|line| is_barrier(line.opcode()))
}

/// Returns whether PoCL has barriers for an instruction: for operations of work-groups and of sub-groups, except for a
/// few that need no other work-item.
pub(super) fn is_barrier(opcode: Op) -> bool {
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
