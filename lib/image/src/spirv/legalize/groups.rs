//! Drops the declarations that group operations need once none of these operations is left.

use rspirv::spirv::{Capability, Op};

use super::draft::Draft;
use super::line::Line;

/// Drops the declarations that no instruction needs.
pub(super) fn drop_unused(draft: &mut Draft) {
    let used = |from: Op, to: Op| {
        let lines = draft.functions.iter().flat_map(|function| &function.lines);
        lines.map(Line::opcode).any(|opcode| (from..=to).contains(&opcode))
    };
    let uniform = used(Op::GroupIMulKHR, Op::GroupLogicalXorKHR);
    let groups = uniform || used(Op::GroupAsyncCopy, Op::GroupSMax);
    draft.retain_globals(|line| match line.opcode() {
        Op::Capability if line.operand(0) == Capability::Groups as u32 => groups,
        Op::Capability if line.operand(0) == Capability::GroupUniformArithmeticKHR as u32 => uniform,
        Op::Extension if line.text(0) == "SPV_KHR_uniform_group_instructions" => uniform,
        _ => true,
    });
}
