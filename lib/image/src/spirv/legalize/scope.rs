//! The scopes of operations and barriers.

use rspirv::spirv::{Op, Scope};

use super::draft::Draft;
use super::line::Line;
use crate::spirv::SpirvError;
use crate::spirv::grammar;

/// Returns whether an operand is a constant of this scope.
pub(super) fn is(draft: &Draft, operand: u32, scope: Scope) -> bool {
    draft.number(operand) == Some(scope as u32)
}

/// Returns whether an instruction is a group operation, whose scope follows its result.
pub(super) fn is_group_operation(opcode: Op) -> bool {
    is_uniform_operation(opcode)
        || (Op::GroupNonUniformElect..=Op::GroupNonUniformQuadSwap).contains(&opcode)
        || opcode == Op::GroupNonUniformRotateKHR
}

/// Returns whether an instruction is a group operation for which all work-items of the group meet.
pub(super) fn is_uniform_operation(opcode: Op) -> bool {
    (Op::GroupAll..=Op::GroupSMax).contains(&opcode)
        || (Op::GroupIMulKHR..=Op::GroupLogicalXorKHR).contains(&opcode)
}

/// Refuses a group operation or barrier if the module does not determine its group. A specialization constant gets its
/// value later.
pub(super) fn check(draft: &Draft, line: &Line) -> Result<(), SpirvError> {
    let operand = match line.opcode() {
        Op::ControlBarrier => 0,
        opcode if is_group_operation(opcode) => 2,
        _ => return Ok(()),
    };
    if draft.number(line.operand(operand)).is_some() {
        return Ok(());
    }
    let name = grammar::name(line.inst().raw_opcode).unwrap_or_default();
    Err(SpirvError::whole(format!(
        "Op{name} has a scope that is not a constant of the module, so that it cannot be rewritten for this driver"
    )))
}
