//! Counts the edges between blocks.

use std::collections::HashMap;

use sycl_pi_image::spirv::{FunctionSpan, Inst, Op, grammar};

use crate::program::Program;
use crate::types::TypeKind;

/// Pairs of blocks with more than one edge from the first to the second.
#[derive(Debug, Default)]
pub(crate) struct Edges {
    several: HashMap<(u32, u32), u32>,
}

impl Edges {
    /// Collects the edges of a function's branches.
    pub(crate) fn between_blocks(program: &Program<'_>, span: FunctionSpan) -> Self {
        let mut several = HashMap::new();
        let mut block = 0;
        for inst in program.index.module.range(span.first, span.end) {
            if inst.opcode == Op::Label {
                block = inst.operand(0);
            }
            let mut targets = targets(program, &inst);
            targets.sort_unstable();
            for same in targets.chunk_by(|a, b| a == b).filter(|same| same.len() > 1) {
                if let Some(&target) = same.first() {
                    several.insert((block, target), same.len() as u32);
                }
            }
        }
        Self { several }
    }

    /// Returns the number of edges from one block to another, given that there is one.
    pub(crate) fn count(&self, from: u32, to: u32) -> u32 {
        self.several.get(&(from, to)).copied().unwrap_or(1)
    }
}

/// Returns the blocks to which a branch leads, once for each edge.
pub(crate) fn targets(program: &Program<'_>, inst: &Inst<'_>) -> Vec<u32> {
    match inst.opcode {
        Op::Branch => vec![inst.operand(0)],
        Op::BranchConditional => inst.operands.get(1..3).unwrap_or_default().to_vec(),
        Op::Switch => {
            let cases = grammar::switch_cases(inst, is_wide(program, inst.operand(0)));
            std::iter::once(inst.operand(1)).chain(cases.flatten().map(|case| case.target)).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns whether a selector has more than 32 bits.
fn is_wide(program: &Program<'_>, selector: u32) -> bool {
    let ty = program.index.definition(selector).and_then(|inst| grammar::result_type(&inst));
    matches!(ty.and_then(|ty| program.types.kind(ty).ok()), Some(TypeKind::Int(33..)))
}
