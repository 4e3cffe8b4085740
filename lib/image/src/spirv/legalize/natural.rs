//! Drops `CPacked` from structures in which it changes nothing.
//!
//! rusticl reads the members of a packed structure that is passed by value from wrong places. DPC++ declares classes
//! as packed although their members lie where they would without it.

use std::collections::HashSet;

use rspirv::spirv::{Decoration, Op};

use super::draft::Draft;
use crate::spirv::Types;
use crate::spirv::index::Index;

/// Drops the decoration where all members of all types stay where they are.
pub(super) fn rewrite(index: &Index<'_>, draft: &mut Draft) {
    let packed = index.globals().filter(|inst| inst.decoration() == Some(Decoration::CPacked));
    let packed: HashSet<u32> = packed.map(|inst| inst.operand(0)).collect();
    if packed.is_empty() {
        return;
    }
    let needed = needed(index, &packed);
    draft.retain_globals(|line| !line.decorates(Decoration::CPacked) || needed.contains(&line.operand(0)));
}

/// Returns the packed structures that must stay so.
fn needed(index: &Index<'_>, packed: &HashSet<u32>) -> HashSet<u32> {
    let wanted = Types::new(index);
    let mut needed = HashSet::new();
    loop {
        let made = Types::with_packed(index, needed.clone());
        let structures = index.globals().filter(|inst| inst.opcode == Op::TypeStruct);
        let moved: Vec<u32> =
            structures.map(|inst| inst.operand(0)).filter(|&id| moves(id, &wanted, &made)).collect();
        // A structure whose layout is not known keeps its decoration.
        let unknown = packed.iter().copied().filter(|&id| wanted.size(id).is_none());
        let before = needed.len();
        needed.extend(moved.iter().copied().filter(|id| packed.contains(id)).chain(unknown));
        if needed.len() == before {
            // What still moves is not packed itself, but has members that are.
            return if moved.is_empty() { needed } else { packed.clone() };
        }
    }
}

fn moves(id: u32, wanted: &Types<'_>, made: &Types<'_>) -> bool {
    wanted.size(id) != made.size(id) || wanted.offsets(id, usize::MAX) != made.offsets(id, usize::MAX)
}
