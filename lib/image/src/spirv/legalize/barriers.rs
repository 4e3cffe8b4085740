//! Where work-items wait for each other.

use rspirv::spirv::{MemorySemantics, Op, Scope};

use super::draft::{Draft, Function};
use super::line::Line;
use super::scope;
use crate::spirv::SpirvError;

/// Returns whether work-items wait for each other in a function itself.
pub(super) fn waits(function: &Function) -> bool {
    function.lines.iter().any(|line| is_barrier(line.opcode()))
}

/// Returns whether PoCL has barriers for an instruction: for operations of work-groups and of sub-groups, except for a
/// few that need no other work-item.
pub(super) fn is_barrier(opcode: Op) -> bool {
    scope::is_uniform_operation(opcode)
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

/// Returns a barrier of the work-group, which orders memory as `semantics` says.
pub(super) fn of_work_group(draft: &mut Draft, semantics: MemorySemantics) -> Result<Line, SpirvError> {
    let (group, semantics) = (draft.word(Scope::Workgroup as u32)?, draft.word(semantics.bits())?);
    Ok(Line::new(Op::ControlBarrier, &[group, group, semantics]))
}

/// Returns a barrier of the work-group that orders its local memory.
pub(super) fn of_local_memory(draft: &mut Draft) -> Result<Line, SpirvError> {
    of_work_group(draft, MemorySemantics::SEQUENTIALLY_CONSISTENT | MemorySemantics::WORKGROUP_MEMORY)
}
