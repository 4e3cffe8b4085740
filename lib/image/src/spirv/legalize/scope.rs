//! The scopes of operations and barriers.

use rspirv::spirv::{Op, Scope};

use super::draft::Draft;

/// Returns whether an operand is a constant of this scope.
pub(super) fn is(draft: &Draft, operand: u32, scope: Scope) -> bool {
    draft.number(operand) == Some(u64::from(scope as u32))
}

/// Returns whether an instruction is an operation of a group, whose scope follows its result.
pub(super) fn is_group_operation(opcode: Op) -> bool {
    (Op::GroupAll..=Op::GroupSMax).contains(&opcode)
        || (Op::GroupNonUniformElect..=Op::GroupNonUniformQuadSwap).contains(&opcode)
        || (Op::GroupIMulKHR..=Op::GroupLogicalXorKHR).contains(&opcode)
        || opcode == Op::GroupNonUniformRotateKHR
}
