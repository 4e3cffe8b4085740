//! Makes each work-item its own sub-group.
//!
//! PoCL 7.1 has no sub-groups. rusticl's own, of 8 work-items on llvmpipe, compute wrong results in kernels of dpctl.
//! PoCL 6.0 has correct sub-groups.

mod blocks;
mod built_ins;
mod operations;

use std::collections::HashMap;

use rspirv::spirv::{Capability, ExecutionMode, Op, Scope};

use super::draft::Draft;
use super::line::Line;
use super::scope;
use crate::spirv::SpirvError;

/// The capabilities that are no longer needed.
const CAPABILITIES: [Capability; 16] = [
    Capability::SubgroupDispatch,
    Capability::GroupNonUniform,
    Capability::GroupNonUniformVote,
    Capability::GroupNonUniformArithmetic,
    Capability::GroupNonUniformBallot,
    Capability::GroupNonUniformShuffle,
    Capability::GroupNonUniformShuffleRelative,
    Capability::GroupNonUniformClustered,
    Capability::GroupNonUniformQuad,
    Capability::GroupNonUniformRotateKHR,
    Capability::SubgroupShuffleINTEL,
    Capability::SubgroupBufferBlockIOINTEL,
    Capability::SubgroupImageBlockIOINTEL,
    Capability::SubgroupImageMediaBlockIOINTEL,
    Capability::SubgroupBallotKHR,
    Capability::SubgroupVoteKHR,
];
const EXTENSIONS: [&str; 5] = [
    "SPV_INTEL_subgroups",
    "SPV_INTEL_media_block_io",
    "SPV_KHR_subgroup_rotate",
    "SPV_KHR_shader_ballot",
    "SPV_KHR_subgroup_vote",
];

/// Replaces all built-ins, barriers and operations of sub-groups.
///
/// Kernels that require sub-groups of another size are refused, and so are functions with unknown operations.
pub(super) fn rewrite(draft: &mut Draft) -> Result<(), SpirvError> {
    check_sizes(draft);
    draft.retain_globals(|line| {
        let mode = line.operand(1);
        let modes = [ExecutionMode::SubgroupSize as u32, ExecutionMode::SubgroupsPerWorkgroup as u32];
        line.opcode() != Op::ExecutionMode || !modes.contains(&mode)
    });
    let variables = built_ins::variables(draft);
    draft.rewrite(|draft, line, code| {
        scope::check(draft, &line)?;
        if built_ins::load(draft, &line, code, &variables)?
            || barrier(draft, &line, code)?
            || operations::rewrite(draft, &line, code)?
            || blocks::rewrite(draft, &line, code)?
        {
            return Ok(());
        }
        built_ins::check(draft, &line, &variables)?;
        code.push(line);
        Ok(())
    })?;
    drop_declarations(draft, &variables)
}

/// Returns whether a kernel requires sub-groups of more than one work-item.
pub(super) fn is_size_required(draft: &Draft) -> bool {
    required_sizes(draft).next().is_some()
}

/// Returns the kernels that require sub-groups of more than one work-item, with these sizes.
fn required_sizes(draft: &Draft) -> impl Iterator<Item = (u32, u32)> {
    let modes = draft.globals.iter().filter(|line| line.opcode() == Op::ExecutionMode);
    let sized = modes.filter(|line| line.operand(1) == ExecutionMode::SubgroupSize as u32);
    sized.map(|line| (line.operand(0), line.operand(2))).filter(|(_, size)| *size != 1)
}

/// Refuses kernels that require sub-groups of more than one work-item.
fn check_sizes(draft: &mut Draft) {
    for (kernel, size) in required_sizes(draft).collect::<Vec<_>>() {
        draft.refuse(
            kernel,
            format!(
                "it requires sub-groups of {size} work-items, and on this driver each work-item is a sub-group of \
                 its own"
            ),
        );
    }
}

/// Drops a barrier of a sub-group, but keeps its effect on memory that others see too.
fn barrier(draft: &Draft, line: &Line, code: &mut Vec<Line>) -> Result<bool, SpirvError> {
    match line.opcode() {
        Op::ControlBarrier if scope::is(draft, line.operand(0), Scope::Subgroup) => {
            if !scope::is(draft, line.operand(1), Scope::Subgroup) && draft.number(line.operand(2)) != Some(0)
            {
                code.push(Line::new(Op::MemoryBarrier, &[line.operand(1), line.operand(2)]));
            }
            Ok(true)
        }
        Op::MemoryBarrier => Ok(scope::is(draft, line.operand(0), Scope::Subgroup)),
        _ => Ok(false),
    }
}

/// Drops the declarations that are no longer needed.
fn drop_declarations(draft: &mut Draft, variables: &HashMap<u32, u32>) -> Result<(), SpirvError> {
    draft.drop_capabilities(&CAPABILITIES)?;
    draft.retain_globals(|line| match line.opcode() {
        Op::Extension => !EXTENSIONS.contains(&line.text(0).as_str()),
        Op::Variable => !variables.contains_key(&line.operand(1)),
        _ => !line.annotated().is_some_and(|id| variables.contains_key(&id)),
    });
    for line in draft.globals.iter_mut().filter(|line| line.opcode() == Op::EntryPoint) {
        let first = line.inst().text(2).map_or(usize::MAX, |(_, after)| after);
        let mut at = 0;
        line.operands.retain(|operand| {
            at += 1;
            at <= first || !variables.contains_key(operand)
        });
    }
    Ok(())
}
