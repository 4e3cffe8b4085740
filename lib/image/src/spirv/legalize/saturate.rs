//! Calls OpenCL.std's saturating instructions in place of LLVM's intrinsics.
//!
//! llvm-spirv of 2025 translates `llvm.usub.sat.i32` to an import of that name. PoCL resolves it, because it compiles
//! with LLVM; rusticl refuses the module.

use std::collections::HashMap;

use rspirv::spirv::{Decoration, LinkageType, Op, OpenclStd100Op as CLOp};

use super::draft::Draft;
use super::line::Line;
use crate::spirv::SpirvError;

/// LLVM's intrinsics, which end in a type such as `i32` or `v4i16`.
const INTRINSICS: [(&str, CLOp); 4] = [
    ("llvm.sadd.sat.", CLOp::s_add_sat),
    ("llvm.uadd.sat.", CLOp::u_add_sat),
    ("llvm.ssub.sat.", CLOp::s_sub_sat),
    ("llvm.usub.sat.", CLOp::u_sub_sat),
];

/// Replaces the calls and drops the imports.
pub(super) fn rewrite(draft: &mut Draft) -> Result<(), SpirvError> {
    let imports: HashMap<u32, CLOp> = draft.globals.iter().filter_map(intrinsic).collect();
    if imports.is_empty() {
        return Ok(());
    }
    let set = draft.opencl()?;
    draft.functions.retain(|function| !imports.contains_key(&function.id()));
    draft.retain_globals(|line| !line.annotated().is_some_and(|id| imports.contains_key(&id)));
    draft.rewrite(|_, line, code| {
        code.push(match imports.get(&line.operand(2)).filter(|_| line.opcode() == Op::FunctionCall) {
            Some(instruction) => {
                let mut operands = line.operands;
                operands.splice(2..3, [set, *instruction as u32]);
                Line::new(Op::ExtInst, &operands)
            }
            None => line,
        });
        Ok(())
    })
}

/// Returns the id under which an intrinsic is imported, with its counterpart.
fn intrinsic(line: &Line) -> Option<(u32, CLOp)> {
    if !line.decorates(Decoration::LinkageAttributes) {
        return None;
    }
    let (name, after) = line.inst().text(2)?;
    if line.operand(after) != LinkageType::Import as u32 {
        return None;
    }
    let (_, instruction) = INTRINSICS.iter().find(|(start, _)| name.starts_with(start))?;
    Some((line.operand(0), *instruction))
}
