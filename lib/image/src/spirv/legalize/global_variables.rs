//! Refuses variables in global memory.
//!
//! rusticl does not support them on llvmpipe. An initial value aborts the process (25.0) or fails the build (26.1), and
//! a variable without one crashes the process when a kernel is compiled. Replacing them would take a buffer that every
//! launch passes.

use std::collections::HashSet;

use rspirv::spirv::{Op, StorageClass};

use super::draft::Draft;
use super::line::Line;
use super::refusal::roots;
use crate::spirv::Index;
use crate::spirv::SpirvError;
use crate::spirv::references::References;

/// Refuses the variables in global memory that a kernel or an exported function reaches, except for built-ins, and
/// drops the initial values of the others. No other module can need the others, because its own kernels would be
/// refused.
pub(super) fn check(index: &Index<'_>, draft: &mut Draft) -> Result<(), SpirvError> {
    let built_ins: HashSet<u32> = draft.built_ins().map(|(id, _)| id).collect();
    let is_global = |line: &Line| {
        line.opcode() == Op::Variable
            && line.inst().storage_class() == Some(StorageClass::CrossWorkgroup)
            && !built_ins.contains(&line.operand(1))
    };
    let globals: Vec<u32> =
        draft.globals.iter().filter(|line| is_global(line)).map(|line| line.operand(1)).collect();
    if globals.is_empty() {
        return Ok(());
    }
    let reached = References::from_index(index)?.marked(roots(index).iter().map(|root| root.id))?;
    for id in globals.into_iter().filter(|&id| reached.get(id as usize).copied().unwrap_or(false)) {
        let name = index.name(id).unwrap_or_else(|| format!("%{id}"));
        draft.refuse(
            id,
            format!(
                "it uses variable {name} in global memory (device_global), and this driver has no such variables: \
                 pass a buffer or USM instead"
            ),
        );
    }
    draft.globals.iter_mut().filter(|line| is_global(line)).for_each(|line| line.operands.truncate(3));
    Ok(())
}
