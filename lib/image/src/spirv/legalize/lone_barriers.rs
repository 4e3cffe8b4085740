//! Gives each conditional block that begins with a barrier something to do before it.
//!
//! PoCL runs the code between two barriers for one work-item after the other. If a conditional block has nothing but a
//! barrier, 7.1 runs the code before it too early for the first work-item: it loads what the others have not stored.

use std::collections::HashSet;

use rspirv::spirv::{MemoryAccess, Op, StorageClass};

use super::draft::Draft;
use super::flow::is_branch;
use super::line::Line;
use crate::spirv::SpirvError;

/// Adds a store to a variable of the work-item, which no compiler drops, before such barriers.
pub(super) fn rewrite(draft: &mut Draft) -> Result<(), SpirvError> {
    let mut functions = std::mem::take(&mut draft.functions);
    for function in &mut functions {
        let places = places(&function.lines);
        let Some(entry) = function.lines.iter().position(|line| line.opcode() == Op::Label) else { continue };
        let mut variables = Vec::new();
        for &place in places.iter().rev() {
            let store = store(draft, &mut variables)?;
            function.lines.insert(place, store);
        }
        function.lines.splice(entry + 1..entry + 1, variables);
    }
    draft.functions = functions;
    Ok(())
}

/// Returns where the barriers are with which a function or one of its conditional blocks begins.
fn places(lines: &[Line]) -> Vec<usize> {
    let branches = lines.iter().filter(|line| is_branch(line) && line.opcode() != Op::Branch);
    let conditional: HashSet<u32> = branches.flat_map(|line| line.operands.iter().copied()).collect();
    let mut is_first_block = true;
    let mut begins = false;
    let mut places = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        match line.opcode() {
            Op::Label => {
                begins = is_first_block || conditional.contains(&line.operand(0));
                is_first_block = false;
            }
            Op::Phi | Op::Variable | Op::Line | Op::NoLine => {}
            Op::ControlBarrier if begins => {
                places.push(at);
                begins = false;
            }
            _ => begins = false,
        }
    }
    places
}

/// Returns a store to a new variable. Each has one of its own, so that a compiler cannot make one of several blocks.
fn store(draft: &mut Draft, variables: &mut Vec<Line>) -> Result<Line, SpirvError> {
    let private = StorageClass::Function as u32;
    let (word, zero) = (draft.int(32)?, draft.word(0)?);
    let pointer = draft.type_of(Op::TypePointer, &[private, word])?;
    let variable = draft.emit(variables, Op::Variable, pointer, &[private])?;
    Ok(Line::new(Op::Store, &[variable, zero, MemoryAccess::VOLATILE.bits()]))
}
