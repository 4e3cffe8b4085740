//! Refuses variables in global memory.
//!
//! rusticl has none on llvmpipe: an initial value aborts the process (25.0) or fails the build (26.1), and a variable
//! without one crashes the process when a kernel is compiled. Each would need a buffer that every launch passes.

use std::collections::HashSet;

use rspirv::spirv::{Op, StorageClass};

use super::draft::Draft;
use super::reach;
use crate::spirv::error::SpirvError;

/// Drops the initial values of variables that no kernel reaches.
///
/// # Errors
/// Fails if a kernel reaches a variable in global memory that is no built-in.
pub(super) fn check(draft: &mut Draft) -> Result<(), SpirvError> {
    let built_ins: HashSet<u32> = draft.built_ins().map(|(id, _)| id).collect();
    let is_global = |line: &super::line::Line| {
        line.opcode() == Op::Variable
            && line.inst().storage_class() == Some(StorageClass::CrossWorkgroup)
            && !built_ins.contains(&line.operand(1))
    };
    if !draft.globals.iter().any(is_global) {
        return Ok(());
    }
    let reached = reach::variables(draft);
    for line in draft.globals.iter().filter(|line| is_global(line)) {
        let id = line.operand(1);
        if let Some((kernel, _)) = reached.iter().find(|(_, variables)| variables.contains(&id)) {
            return Err(SpirvError::whole(format!(
                "kernel {} uses variable {} in global memory, and this driver has no such variables",
                draft.entry_name(*kernel),
                draft.name(id)
            )));
        }
    }
    draft.globals.iter_mut().filter(|line| is_global(line)).for_each(|line| line.operands.truncate(3));
    Ok(())
}
