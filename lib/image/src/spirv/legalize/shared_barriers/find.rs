//! The search for a barrier that only some ways of a branch lead to.

use rspirv::spirv::Op;

use crate::room::filled;
use crate::spirv::SpirvError;
use crate::spirv::legalize::barriers;
use crate::spirv::legalize::draft::Draft;
use crate::spirv::legalize::flow::{self, Block, Dominators};
use crate::spirv::legalize::line::Line;
use crate::spirv::legalize::loops::Loops;

/// A barrier, and the ways that do not lead to it.
pub(super) struct SharedBarrier {
    pub(super) blocks: Vec<Block>,
    pub(super) dominators: Dominators,
    /// The block of the barrier.
    pub(super) block: usize,
    /// The place of the barrier, or the one for it.
    pub(super) place: usize,
    pub(super) is_there: bool,
    pub(super) ways: Ways,
}

/// The ways from a branch to a barrier, and past it.
pub(super) struct Ways {
    /// Which blocks are on them.
    pub(super) blocks: Vec<bool>,
    /// Where those past the barrier end: from which block, and to which one.
    pub(super) ends: Vec<(usize, usize)>,
}

/// The graph of a function.
struct Graph<'l> {
    lines: &'l [Line],
    blocks: Vec<Block>,
    dominators: Dominators,
    /// The dominators of the reversed graph. Its first block is the end of the function; the numbers of the others are
    /// one more.
    after: Dominators,
    loops: Loops,
}

/// Returns the first barrier that needs other ways, if there is one.
pub(super) fn find(draft: &Draft, lines: &[Line]) -> Result<Option<SharedBarrier>, SpirvError> {
    let blocks = flow::blocks(draft, lines)?;
    let mut places = filled(None, blocks.len())?;
    for (place, block) in places.iter_mut().zip(&blocks) {
        let code = lines.get(block.lines.clone()).unwrap_or_default();
        let found = code.iter().position(|line| barriers::is_barrier(line.opcode()));
        *place = found.map(|found| block.lines.start + found);
    }
    let dominators = Dominators::of(&blocks)?;
    let after = Dominators::of(&flow::reversed(lines, &blocks)?)?;
    let loops = Loops::of(&blocks, &dominators, |at| places.get(at).is_some_and(Option::is_some))?;
    let graph = Graph { lines, blocks, dominators, after, loops };
    for block in graph.dominators.order.iter().copied() {
        let Some(place) = places.get(block).copied().flatten() else { continue };
        let Some(split) = graph.split(block) else { continue };
        let (block, place, is_there) = match graph.loops.outermost_without(block, split) {
            None => (block, place, true),
            Some(around) => match graph.before_loop(around).or_else(|| graph.behind_loop(around)) {
                Some((block, place)) => (block, place, false),
                None => continue,
            },
        };
        let Some(ways) = graph.ways(block, split)? else { continue };
        let Graph { blocks, dominators, .. } = graph;
        return Ok(Some(SharedBarrier { blocks, dominators, block, place, is_there, ways }));
    }
    Ok(None)
}

impl Graph<'_> {
    fn next(&self, block: usize) -> &[usize] {
        self.blocks.get(block).map(|block| block.next.as_slice()).unwrap_or_default()
    }

    /// Returns the nearest branch that decides whether a block is reached, or the loop around it. One by which all
    /// work-items leave a loop does not.
    fn split(&self, block: usize) -> Option<usize> {
        let mut reached = block;
        let above = std::iter::successors(self.dominators.nearest(block), |&at| self.dominators.nearest(at));
        for at in above.filter(|&at| self.next(at).len() > 1) {
            if self.after.dominates(reached + 1, at + 1) {
                continue;
            }
            if !self.next(at).iter().any(|&to| self.loops.is_left_together(at, to)) {
                return Some(at);
            }
            reached = at;
        }
        None
    }

    /// Returns the block that leads to a loop with barriers, and the place at its end for one more barrier, unless there is
    /// one already.
    fn before_loop(&self, around: usize) -> Option<(usize, usize)> {
        let is_inside = |at: usize| self.loops.contains(around, at);
        let before = |at: usize| self.dominators.before.get(at).map(Vec::as_slice).unwrap_or_default();
        let from_outside = |at: usize| before(at).iter().copied().filter(|&from| !is_inside(from));
        let mut entries = (0..self.blocks.len()).filter(|&at| is_inside(at)).flat_map(from_outside);
        let entry = entries.next().filter(|&entry| self.next(entry).len() == 1)?;
        if entries.next().is_some() {
            return None;
        }
        let mut at = entry;
        for _ in 0..self.blocks.len() {
            let code = self.blocks.get(at).and_then(|block| self.lines.get(block.lines.clone()))?;
            if code.iter().any(|line| barriers::is_barrier(line.opcode())) {
                return None;
            }
            let &[from] = before(at) else { break };
            if flow::has_effect(code) {
                break;
            }
            at = from;
        }
        let range = self.blocks.get(entry)?.lines.clone();
        let branch = self.lines.get(range.clone())?.iter().position(flow::is_branch)?;
        Some((entry, range.start + branch))
    }

    /// Returns the block to which a loop with barriers leads, and the place in it for one more barrier, unless that block
    /// leads straight to one.
    fn behind_loop(&self, around: usize) -> Option<(usize, usize)> {
        let is_inside = |&at: &usize| self.loops.contains(around, at);
        let left = (0..self.blocks.len()).filter(is_inside).flat_map(|from| self.next(from)).copied();
        let mut left = left.filter(|to| !is_inside(to));
        let exit = left.next()?;
        if !left.all(|to| to == exit) || !self.dominators.before.get(exit)?.iter().all(is_inside) {
            return None;
        }
        let (mut block, mut seen) = (exit, 0);
        while seen < self.blocks.len() {
            let line = self.lines.get(self.first(block)?)?;
            if line.opcode() != Op::Branch {
                return (!barriers::is_barrier(line.opcode())).then_some((exit, self.first(exit)?));
            }
            block = *self.next(block).first()?;
            seen += 1;
        }
        None
    }

    /// Returns the place of the first instruction of a block that does something.
    fn first(&self, block: usize) -> Option<usize> {
        let range = self.blocks.get(block)?.lines.clone();
        let code = self.lines.get(range.clone())?;
        let place = code.iter().position(|line| !matches!(line.opcode(), Op::Label | Op::Phi))?;
        Some(range.start + place)
    }

    /// Returns the ways from a branch to a block, and past it to where they meet, if they stay in one loop.
    fn ways(&self, block: usize, split: usize) -> Result<Option<Ways>, SpirvError> {
        let meet = self.after.nearest(split + 1).and_then(|meet| meet.checked_sub(1));
        let Some(meet) = meet else { return Ok(None) };
        let mut blocks = self.reachable(self.next(split), meet, block)?;
        let behind = self.reachable(self.next(block), meet, block)?;
        for (is_before, &is_behind) in blocks.iter_mut().zip(&behind) {
            *is_before &= !is_behind;
        }
        let is = |set: &[bool], at: usize| set.get(at).copied().unwrap_or(false);
        let is_in_loop = |at: usize| self.loops.innermost(at) == self.loops.innermost(split);
        let is_below = |at: usize| !is(&blocks, at) || (at != split && self.dominators.dominates(split, at));
        let is_again = is(&behind, split) || is(&behind, block);
        if is_again || ![block, meet].into_iter().all(is_in_loop) || !(0..blocks.len()).all(is_below) {
            return Ok(None);
        }
        let from = (0..blocks.len()).filter(|&at| at != block && (at == split || is(&blocks, at)));
        let ends = from.flat_map(|from| self.next(from).iter().map(move |&to| (from, to)));
        let ends: Vec<(usize, usize)> = ends.filter(|&(_, to)| to == meet || is(&behind, to)).collect();
        Ok((!ends.is_empty()).then_some(Ways { blocks, ends }))
    }

    /// Returns which blocks can be reached without passing through these two. `last` itself may be reached.
    fn reachable(&self, from: &[usize], meet: usize, last: usize) -> Result<Vec<bool>, SpirvError> {
        let mut reached = filled(false, self.blocks.len())?;
        let mut open: Vec<usize> = from.to_vec();
        while let Some(at) = open.pop() {
            let is_new = reached.get(at).is_some_and(|is_reached| !is_reached);
            if is_new && at != meet {
                reached.get_mut(at).into_iter().for_each(|is_reached| *is_reached = true);
                open.extend(self.next(at).iter().filter(|_| at != last));
            }
        }
        Ok(reached)
    }
}
