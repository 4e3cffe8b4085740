//! Adds to each entry point the variables that it reaches.
//!
//! From SPIR-V 1.4 on, an entry point lists all of these variables; earlier versions list only built-ins. DPC++ lists
//! only built-ins in modules of 1.4 as well, and rusticl refuses these modules. The variables that other rewrites add
//! are listed here, too.

use std::collections::HashMap;

use rspirv::spirv::{Op, StorageClass};

use super::draft::Draft;
use super::reach;
use crate::room::reserve;
use crate::spirv::SpirvError;

/// The version from which on the interface lists all variables.
const ALL_VARIABLES: u32 = 0x0001_0400;

/// Adds the missing variables.
pub(super) fn rewrite(draft: &mut Draft) -> Result<(), SpirvError> {
    let lists_all = draft.header.first().is_some_and(|&version| version >= ALL_VARIABLES);
    let mut reached = reach::variables(draft);
    let variables = draft.globals.iter().filter(|line| line.opcode() == Op::Variable);
    // In the module's order, so that the same module gives the same bytes.
    let variables: HashMap<u32, (usize, Option<StorageClass>)> = variables
        .enumerate()
        .map(|(at, line)| (line.operand(1), (at, line.inst().storage_class())))
        .collect();
    for line in draft.globals.iter_mut().filter(|line| line.opcode() == Op::EntryPoint) {
        let Some((_, first)) = line.inst().text(2) else { continue };
        let Some(reached) = reached.get_mut(&line.operand(1)) else { continue };
        for listed in line.operands.iter().skip(first) {
            reached.remove(listed);
        }
        let mut missing: Vec<(usize, u32)> = reached
            .iter()
            .filter_map(|id| variables.get(id).map(|&(at, class)| (at, class, *id)))
            .filter(|(_, class, _)| {
                lists_all || matches!(class, Some(StorageClass::Input | StorageClass::Output))
            })
            .map(|(at, _, id)| (at, id))
            .collect();
        missing.sort_unstable();
        reserve(&mut line.operands, missing.len())?;
        line.operands.extend(missing.into_iter().map(|(_, id)| id));
    }
    Ok(())
}
