//! Puts blocks into SPIR-V's order, in which each follows the blocks that dominate it. All paths to a block pass
//! through these.
//!
//! llvm-spirv writes blocks in LLVM's order, which may be any, and variables where LLVM has them. SPIR-V has them at the
//! start of a function.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rspirv::spirv::Op;

use super::draft::Draft;
use super::flow::{self, Block};
use super::line::Line;
use crate::room::{filled, room};
use crate::spirv::SpirvError;

/// Sorts the blocks of each function, and puts its variables first. Code that is already in order is not moved.
pub(super) fn rewrite(draft: &mut Draft) -> Result<(), SpirvError> {
    draft.each_function(|draft, function| {
        sort(draft, &mut function.lines)?;
        if let Some(first) = function.lines.iter().position(|line| line.opcode() == Op::Label) {
            let code = function.lines.get_mut(first + 1..).unwrap_or_default();
            // A stable sort moves nothing else.
            code.sort_by_key(|line| line.opcode() != Op::Variable);
        }
        Ok(())
    })
}

/// Sorts the blocks of a function, if they are not in order.
pub(super) fn sort(draft: &Draft, lines: &mut Vec<Line>) -> Result<(), SpirvError> {
    let blocks = flow::blocks(draft, lines)?;
    let order = order(&blocks)?;
    if !order.is_sorted() {
        *lines = sorted(std::mem::take(lines), &blocks, &order)?;
    }
    Ok(())
}

/// Returns the order of the blocks. The next block is always the first one in the module to which a block before it
/// branches. All paths to a block pass through the blocks that dominate it, so these come earlier. Unreachable blocks
/// are last.
fn order(blocks: &[Block]) -> Result<Vec<usize>, SpirvError> {
    let mut order = room(blocks.len())?;
    let mut seen = filled(false, blocks.len())?;
    let mut open = BinaryHeap::from([Reverse(0)]);
    while let Some(Reverse(at)) = open.pop() {
        if seen.get_mut(at).is_some_and(|seen| !std::mem::replace(seen, true)) {
            order.push(at);
            open.extend(blocks.get(at).into_iter().flat_map(|block| &block.next).copied().map(Reverse));
        }
    }
    order.extend(seen.iter().enumerate().filter(|(_, seen)| !**seen).map(|(block, _)| block));
    Ok(order)
}

/// Returns a function with its blocks in this order.
fn sorted(lines: Vec<Line>, blocks: &[Block], order: &[usize]) -> Result<Vec<Line>, SpirvError> {
    let mut after = room(lines.len())?;
    let mut lines = lines.into_iter();
    after.extend(lines.by_ref().take(blocks.first().map_or(0, |block| block.lines.start)));
    let mut parts: Vec<Vec<Line>> = room(blocks.len())?;
    for block in blocks {
        parts.push(lines.by_ref().take(block.lines.len()).collect());
    }
    for &at in order {
        after.append(&mut parts.get_mut(at).map(std::mem::take).unwrap_or_default());
    }
    after.extend(lines);
    Ok(after)
}
