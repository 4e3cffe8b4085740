//! Names functions.
//!
//! rusticl 25.0 on a CPU keeps functions with several blocks, and crashes at one that has no `OpName`.

use std::collections::HashSet;

use rspirv::spirv::Op;

use super::draft::{Draft, Function};
use crate::spirv::SpirvError;

/// Names each function that has no name after its id.
pub(super) fn rewrite(draft: &mut Draft) -> Result<(), SpirvError> {
    let names = draft.globals.iter().filter(|line| line.opcode() == Op::Name && !line.text(1).is_empty());
    let named: HashSet<u32> = names.map(|line| line.operand(0)).collect();
    let nameless: Vec<u32> =
        draft.functions.iter().map(Function::id).filter(|id| !named.contains(id)).collect();
    for id in nameless {
        draft.add_name(id, &format!("function_{id}"))?;
    }
    Ok(())
}
