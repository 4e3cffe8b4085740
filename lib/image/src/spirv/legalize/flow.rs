//! The blocks of a function, and which of them every path to another one passes through.

use std::collections::HashMap;
use std::ops::Range;

use rspirv::spirv::Op;

use super::draft::Draft;
use super::line::Line;
use crate::room::{filled, room};
use crate::spirv::SpirvError;
use crate::spirv::grammar;

/// A block of a function.
#[derive(Debug)]
pub(super) struct Block {
    /// The places of its instructions, from its label on.
    pub(super) lines: Range<usize>,
    /// The blocks that may follow it, each once.
    pub(super) next: Vec<usize>,
}

/// Returns the blocks of a function in the module's order.
pub(super) fn blocks(draft: &Draft, lines: &[Line]) -> Result<Vec<Block>, SpirvError> {
    let is_label = |&at: &usize| lines.get(at).is_some_and(|line| line.opcode() == Op::Label);
    let mut blocks = room((0..lines.len()).filter(is_label).count())?;
    let mut labels = HashMap::new();
    for start in (0..lines.len()).filter(is_label) {
        labels.insert(lines.get(start).map_or(0, |line| line.operand(0)), blocks.len());
        let code = lines.get(start + 1..).unwrap_or_default();
        let length = code.iter().position(|line| matches!(line.opcode(), Op::Label | Op::FunctionEnd));
        blocks.push(Block { lines: start..start + 1 + length.unwrap_or(code.len()), next: Vec::new() });
    }
    for block in &mut blocks {
        let code = lines.get(block.lines.clone()).unwrap_or_default();
        let branch = code.iter().rfind(|line| is_branch(line));
        let ids = branch.map(|line| {
            draft.ids(line).map_err(|unclear| SpirvError::whole(unclear.describe(line.inst().raw_opcode)))
        });
        let ids = ids.transpose()?.unwrap_or_default();
        block.next.extend(ids.iter().filter_map(|id| labels.get(id).copied()));
        block.next.sort_unstable();
        block.next.dedup();
    }
    Ok(blocks)
}

/// Returns the graph with all branches the other way round, and a first block before those that return. The
/// numbers of the others are one more.
pub(super) fn reversed(lines: &[Line], blocks: &[Block]) -> Result<Vec<Block>, SpirvError> {
    let mut reversed = room(blocks.len() + 1)?;
    reversed.extend((0..=blocks.len()).map(|_| Block { lines: 0..0, next: Vec::new() }));
    let mut add =
        |from: usize, to: usize| reversed.get_mut(from).into_iter().for_each(|one| one.next.push(to));
    for (at, block) in blocks.iter().enumerate() {
        block.next.iter().for_each(|&next| add(next + 1, at + 1));
        let code = lines.get(block.lines.clone()).unwrap_or_default();
        if code.iter().any(|line| matches!(line.opcode(), Op::Return | Op::ReturnValue)) {
            add(0, at + 1);
        }
    }
    Ok(reversed)
}

/// Returns whether an instruction leads to other blocks.
pub(super) fn is_branch(line: &Line) -> bool {
    matches!(line.opcode(), Op::Branch | Op::BranchConditional | Op::Switch)
}

/// Returns whether code does something else than compute values and branch.
pub(super) fn has_effect(code: &[Line]) -> bool {
    code.iter().any(|line| match line.opcode() {
        Op::Label | Op::LoopMerge | Op::SelectionMerge => false,
        Op::FunctionCall | Op::ControlBarrier => true,
        _ if is_branch(line) => false,
        opcode => {
            (Op::AtomicLoad..=Op::AtomicXor).contains(&opcode) || grammar::result(&line.inst()).is_none()
        }
    })
}

/// The blocks that can be reached, and their dominators.
#[derive(Debug)]
pub(super) struct Dominators {
    /// The blocks, each before those that can be reached only through it.
    pub(super) order: Vec<usize>,
    /// The nearest dominator of each block, except for the first block and those that cannot be reached.
    nearest: Vec<Option<usize>>,
    /// The blocks that may come before each one.
    pub(super) before: Vec<Vec<usize>>,
    /// For each block, its number in the tree of dominators and the number that follows those of the blocks below it.
    numbers: Vec<Range<usize>>,
}

impl Dominators {
    pub(super) fn of(blocks: &[Block]) -> Result<Self, SpirvError> {
        let order = order(blocks)?;
        let before = before(blocks, &order)?;
        let nearest = nearest(&order, &before)?;
        let numbers = numbers(&order, &nearest)?;
        Ok(Self { order, nearest, before, numbers })
    }

    /// Returns the nearest dominator of a block.
    pub(super) fn nearest(&self, block: usize) -> Option<usize> {
        self.nearest.get(block).copied().flatten()
    }

    /// Returns whether all paths to `block` pass through `first`, which may be the block itself.
    pub(super) fn dominates(&self, first: usize, block: usize) -> bool {
        let number = self.numbers.get(block).map_or(0, |numbers| numbers.start);
        self.numbers.get(first).is_some_and(|numbers| numbers.contains(&number))
    }
}

/// Returns the blocks that can be reached, each before those that can be reached only through it.
fn order(blocks: &[Block]) -> Result<Vec<usize>, SpirvError> {
    let mut seen = filled(false, blocks.len())?;
    let mut order = room(blocks.len())?;
    let mut open = vec![(0, 0)];
    while let Some((at, done)) = open.pop() {
        if done == 0 && seen.get_mut(at).is_none_or(|seen| std::mem::replace(seen, true)) {
            continue;
        }
        match blocks.get(at).and_then(|block| block.next.get(done)) {
            Some(&next) => open.extend([(at, done + 1), (next, 0)]),
            None => order.push(at),
        }
    }
    order.reverse();
    Ok(order)
}

/// Returns the blocks that may come before each block, in the given order.
fn before(blocks: &[Block], order: &[usize]) -> Result<Vec<Vec<usize>>, SpirvError> {
    let mut before: Vec<Vec<usize>> = filled(Vec::new(), blocks.len())?;
    for &at in order {
        for &next in blocks.get(at).into_iter().flat_map(|block| &block.next) {
            before.get_mut(next).into_iter().for_each(|before| before.push(at));
        }
    }
    Ok(before)
}

/// Returns the nearest dominator of each block.
fn nearest(order: &[usize], before: &[Vec<usize>]) -> Result<Vec<Option<usize>>, SpirvError> {
    let mut rank = filled(0, before.len())?;
    for (number, &at) in order.iter().enumerate() {
        rank.get_mut(at).into_iter().for_each(|rank| *rank = number);
    }
    let mut nearest: Vec<Option<usize>> = filled(None, before.len())?;
    let mut is_known = filled(false, before.len())?;
    is_known.first_mut().into_iter().for_each(|is_known| *is_known = true);
    let rank = |at: usize| rank.get(at).copied().unwrap_or(0);
    let mut is_changed = true;
    while is_changed {
        is_changed = false;
        for &at in order.iter().skip(1) {
            let known = before.get(at).into_iter().flatten().copied();
            let known = known.filter(|&from| is_known.get(from).is_some_and(|is_known| *is_known));
            let found = known.reduce(|mut one, mut other| {
                while one != other {
                    let later = if rank(one) > rank(other) { &mut one } else { &mut other };
                    *later = nearest.get(*later).copied().flatten().unwrap_or(0);
                }
                one
            });
            is_known.get_mut(at).into_iter().for_each(|is_known| *is_known = true);
            if let Some(nearest) = nearest.get_mut(at) {
                is_changed |= *nearest != found;
                *nearest = found;
            }
        }
    }
    Ok(nearest)
}

/// Numbers the blocks such that those that a block dominates have the numbers after its own.
fn numbers(order: &[usize], nearest: &[Option<usize>]) -> Result<Vec<Range<usize>>, SpirvError> {
    let parent = |at: usize| nearest.get(at).copied().flatten();
    let mut sizes = filled(1, nearest.len())?;
    for &at in order.iter().rev() {
        let size = sizes.get(at).copied().unwrap_or(0);
        parent(at).and_then(|parent| sizes.get_mut(parent)).into_iter().for_each(|sum| *sum += size);
    }
    let mut numbers = filled(0..0, nearest.len())?;
    let mut free = filled(1, nearest.len())?;
    for &at in order {
        let size = sizes.get(at).copied().unwrap_or(0);
        let start = match parent(at).and_then(|parent| free.get_mut(parent)) {
            Some(free) => std::mem::replace(free, *free + size),
            None => 0,
        };
        numbers.get_mut(at).into_iter().for_each(|numbers| *numbers = start..start + size);
        free.get_mut(at).into_iter().for_each(|free| *free = start + 1);
    }
    Ok(numbers)
}
