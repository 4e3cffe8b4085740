//! Which of some ids a kernel uses.

use std::collections::BTreeSet;

use crate::spirv::op;
use crate::spirv::{EntryPoint, Index, Reflection};

/// Those of the ids that a kernel, or a function that it reaches, names in its code.
pub(super) fn of_entry(
    index: &Index<'_>,
    reflection: &Reflection,
    entry: &EntryPoint,
    ids: &BTreeSet<u32>,
) -> BTreeSet<u32> {
    let mut used = BTreeSet::new();
    if ids.is_empty() {
        return used;
    }
    for function in reflection.call_graph.reachable(entry.id) {
        let Some(function) = index.function(function) else { continue };
        for inst in index.module.range(function.first, function.end) {
            // What the grammar does not know uses nothing that is known.
            let _ = index.ids(&inst, |_, id| {
                if ids.contains(&id) {
                    used.insert(id);
                }
            });
        }
    }
    used
}

/// Ids of all specialization constants.
pub(super) fn spec_constants(index: &Index<'_>) -> BTreeSet<u32> {
    let constants =
        index.globals().filter(|inst| (op::OpSpecConstantTrue..=op::OpSpecConstantOp).contains(&inst.opcode));
    constants.map(|inst| inst.operand(1)).collect()
}
