//! Puts blocks into SPIR-V's order, in which each follows the blocks that dominate it. All paths to a block pass
//! through these.
//!
//! llvm-spirv writes blocks in LLVM's order, which may be any, and variables where LLVM has them. SPIR-V has them at the
//! start of a function.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use rspirv::spirv::Op;

use super::draft::Draft;
use super::line::Line;
use crate::room::{filled, room};
use crate::spirv::SpirvError;

/// Sorts the blocks of each function, and puts its variables first. Code that is already in order is not moved.
pub(super) fn rewrite(draft: &mut Draft) -> Result<(), SpirvError> {
    let mut functions = std::mem::take(&mut draft.functions);
    for function in &mut functions {
        let starts = starts(&function.lines)?;
        let order = order(&successors(draft, &function.lines, &starts)?)?;
        if !order.is_sorted() {
            function.lines = sorted(std::mem::take(&mut function.lines), &starts, &order)?;
        }
        if let Some(first) = function.lines.iter().position(|line| line.opcode() == Op::Label) {
            let code = function.lines.get_mut(first + 1..).unwrap_or_default();
            // A stable sort moves nothing else.
            code.sort_by_key(|line| line.opcode() != Op::Variable);
        }
    }
    draft.functions = functions;
    Ok(())
}

/// Returns the index at which each block starts.
fn starts(lines: &[Line]) -> Result<Vec<usize>, SpirvError> {
    let mut starts = room(lines.iter().filter(|line| line.opcode() == Op::Label).count())?;
    starts
        .extend((0..lines.len()).filter(|&at| lines.get(at).is_some_and(|line| line.opcode() == Op::Label)));
    Ok(starts)
}

/// Returns the blocks that may follow each block.
fn successors(draft: &Draft, lines: &[Line], starts: &[usize]) -> Result<Vec<Vec<usize>>, SpirvError> {
    let label = |&start: &usize| lines.get(start).map_or(0, |line| line.operand(0));
    let blocks: HashMap<u32, usize> = starts.iter().map(label).zip(0..).collect();
    let mut all = room(starts.len())?;
    for (block, &start) in starts.iter().enumerate() {
        let end = starts.get(block + 1).copied().unwrap_or(lines.len());
        let mut code = lines.get(start..end).unwrap_or_default().iter().rev();
        let branch =
            code.find(|line| matches!(line.opcode(), Op::Branch | Op::BranchConditional | Op::Switch));
        let ids = branch.map(|line| {
            draft.ids(line).map_err(|unclear| SpirvError::whole(unclear.describe(line.inst().raw_opcode)))
        });
        let ids = ids.transpose()?.unwrap_or_default();
        all.push(ids.iter().filter_map(|id| blocks.get(id).copied()).collect());
    }
    Ok(all)
}

/// Returns the order of the blocks. The next block is always the first one in the module to which a block before it
/// branches. All paths to a block pass through the blocks that dominate it, so these come earlier. Unreachable blocks
/// are last.
fn order(successors: &[Vec<usize>]) -> Result<Vec<usize>, SpirvError> {
    let mut order = room(successors.len())?;
    let mut seen = filled(false, successors.len())?;
    let mut open = BinaryHeap::from([Reverse(0)]);
    while let Some(Reverse(block)) = open.pop() {
        if seen.get_mut(block).is_some_and(|seen| !std::mem::replace(seen, true)) {
            order.push(block);
            open.extend(successors.get(block).into_iter().flatten().copied().map(Reverse));
        }
    }
    order.extend(seen.iter().enumerate().filter(|(_, seen)| !**seen).map(|(block, _)| block));
    Ok(order)
}

/// Returns a function with its blocks in this order.
fn sorted(lines: Vec<Line>, starts: &[usize], order: &[usize]) -> Result<Vec<Line>, SpirvError> {
    let mut after = room(lines.len())?;
    let mut lines = lines.into_iter();
    after.extend(lines.by_ref().take(starts.first().copied().unwrap_or_default()));
    let end = lines.next_back();
    let last = starts.first().copied().unwrap_or_default() + lines.len();
    let mut blocks: Vec<Vec<Line>> = room(starts.len())?;
    for (block, start) in starts.iter().enumerate() {
        let next = starts.get(block + 1).copied().unwrap_or(last);
        blocks.push(lines.by_ref().take(next - start).collect());
    }
    for block in order {
        after.append(&mut blocks.get_mut(*block).map(std::mem::take).unwrap_or_default());
    }
    after.extend(end);
    Ok(after)
}
