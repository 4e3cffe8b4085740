//! The search for places at which barriers are missing.

use std::collections::{HashMap, HashSet};

use rspirv::spirv::Op;

use super::calls::Calls;
use super::crossing::Crossing;
use super::loops::Loops;
use super::meet::Join;
use crate::room::{filled, reserve};
use crate::spirv::SpirvError;
use crate::spirv::legalize::draft::Function;
use crate::spirv::legalize::flow::{self, Block, Dominators};
use crate::spirv::legalize::line::Line;

/// The most steps from block to block in a function, each with all branches that leave what the block dominates.
const MOST_STEPS: usize = 1 << 24;

/// What a block does.
#[derive(Clone, Copy, Default)]
struct Effects {
    has_barrier: bool,
    /// It contains a barrier of its own, not that of a function or operation.
    waits: bool,
    /// The last thing that it does is a barrier.
    ends_with_barrier: bool,
    /// Work-items may take different ways in it, or after it.
    branches: bool,
    /// Something happens in it after all its branches.
    settles: bool,
    returns: bool,
    /// Ways to different blocks were led through it.
    crosses: bool,
}

/// A branch out of the blocks that a block dominates.
#[derive(Clone, Copy)]
struct Leaving {
    from: usize,
    to: usize,
    /// The dominator of both ends from which on it is no longer a way out.
    inside: usize,
    /// All work-items take it together.
    together: bool,
}

impl Leaving {
    /// Returns whether it leads back to the start of a loop.
    fn is_back(&self) -> bool {
        self.inside == self.to
    }
}

/// Ways that part behind a barrier and do not meet.
pub(super) enum Parting {
    /// Some of them return.
    Returns,
    Crossing(Crossing),
}

/// The search for places at which barriers are missing.
pub(super) struct Search<'b> {
    blocks: &'b [Block],
    effects: Vec<Effects>,
    /// What the blocks do that each block dominates.
    below: Vec<Effects>,
    dominators: Dominators,
    /// The place of each block in an order in which it follows those that dominate it.
    places: Vec<usize>,
    loops: Loops,
    /// How many branches lead back to each block from blocks that it dominates.
    back: Vec<usize>,
    joins: Vec<Join>,
}

impl<'b> Search<'b> {
    /// `crossings` are the labels of blocks through which ways to different blocks were led.
    pub(super) fn new(
        calls: &Calls,
        function: &Function,
        blocks: &'b [Block],
        crossings: &HashSet<u32>,
    ) -> Result<Self, SpirvError> {
        let dominators = Dominators::of(blocks)?;
        let mut effects = filled(Effects::default(), blocks.len())?;
        for (effects, block) in effects.iter_mut().zip(blocks) {
            let code = function.lines.get(block.lines.clone()).unwrap_or_default();
            *effects = effects_of(calls, block, code);
            effects.crosses = code.first().is_some_and(|label| crossings.contains(&label.operand(0)));
        }
        let mut back = filled(0, blocks.len())?;
        for &from in &dominators.order {
            for &to in blocks.get(from).into_iter().flat_map(|block| &block.next) {
                if dominators.dominates(to, from) {
                    back.get_mut(to).into_iter().for_each(|back| *back += 1);
                }
            }
        }
        let mut places = filled(0, blocks.len())?;
        for (place, &block) in dominators.order.iter().enumerate() {
            places.get_mut(block).into_iter().for_each(|at| *at = place);
        }
        let has_barrier = |at: usize| effects.get(at).is_some_and(|effects| effects.has_barrier);
        let loops = Loops::of(blocks, &dominators, has_barrier)?;
        let below = effects.clone();
        Ok(Self { blocks, effects, below, dominators, places, loops, back, joins: Vec::new() })
    }

    /// Returns the barriers that are missing, the innermost ones first. Returns none if it would take too long.
    pub(super) fn joins(mut self) -> Result<Option<Vec<Join>>, SpirvError> {
        let is_done = self.visit(|search, block, edges| {
            if search.is_barrier(block) {
                search.join(block, edges)?;
            }
            Ok(true)
        })?;
        self.find_others();
        Ok(is_done.then_some(self.joins))
    }

    /// Returns the innermost ways behind a barrier that lead to different blocks, or out of the function.
    pub(super) fn parting(mut self) -> Result<Option<Parting>, SpirvError> {
        let mut found = None;
        self.visit(|search, block, edges| {
            // A compiler adds a barrier before a branch to a block with a barrier. The ways that were led together lead
            // out of what that dominates, too.
            if search.is_barrier(block) || search.below(block).crosses {
                found = search.parting_of(block, edges);
            }
            Ok(found.is_none())
        })?;
        Ok(found)
    }

    /// Visits the blocks, each after those that it dominates, with the branches out of these, until the function returns
    /// false. Returns false if it would take too long.
    fn visit(
        &mut self,
        mut visit: impl FnMut(&mut Self, usize, &mut Vec<Leaving>) -> Result<bool, SpirvError>,
    ) -> Result<bool, SpirvError> {
        let mut leaving: Vec<Vec<Leaving>> = filled(Vec::new(), self.blocks.len())?;
        let mut steps = 0;
        for block in std::mem::take(&mut self.dominators.order).into_iter().rev() {
            let mut edges = leaving.get_mut(block).map(std::mem::take).unwrap_or_default();
            steps += edges.len();
            if steps > MOST_STEPS {
                return Ok(false);
            }
            self.add_own(block, &mut edges)?;
            edges.retain(|edge| edge.inside != block);
            if !visit(self, block, &mut edges)? {
                return Ok(true);
            }
            // What a block dominates is also dominated by those above it.
            let Some(parent) = self.dominators.nearest(block) else { continue };
            let effects = self.below(block);
            if let Some(above) = self.below.get_mut(parent) {
                above.branches |= effects.branches;
                above.returns |= effects.returns;
                above.crosses |= effects.crosses;
            }
            if let Some(above) = leaving.get_mut(parent) {
                reserve(above, edges.len())?;
                above.append(&mut edges);
            }
        }
        Ok(true)
    }

    /// Returns whether all work-items wait for each other in a block, or in the loop that it starts.
    fn is_barrier(&self, block: usize) -> bool {
        self.effects(block).has_barrier || self.loops.starts_with_barriers(block)
    }

    /// Returns the ways out of the blocks that a block dominates which work-items do not take together. Ways back to the
    /// start of a loop are left out if there are no others to it: the driver itself makes one of several.
    fn ways(&self, edges: &[Leaving]) -> (Vec<Leaving>, Vec<Leaving>) {
        let ways_back = |to: usize| edges.iter().filter(|edge| edge.is_back() && edge.to == to).count();
        let only_way = |edge: &Leaving| edge.is_back() && self.back.get(edge.to) == Some(&ways_back(edge.to));
        let all: Vec<Leaving> = edges.iter().filter(|edge| !only_way(edge)).copied().collect();
        let ways = all.iter().filter(|edge| !edge.together).copied().collect();
        (all, ways)
    }

    /// Returns the ways out of the blocks that a block dominates, if they lead to different blocks or if some of them
    /// return.
    fn parting_of(&self, block: usize, edges: &[Leaving]) -> Option<Parting> {
        let (_, ways) = self.ways(edges);
        let first = ways.first()?;
        // The next round of a loop is no block on the way to another one.
        if ways.iter().any(Leaving::is_back) {
            return None;
        }
        if self.below(block).returns {
            return Some(Parting::Returns);
        }
        if ways.iter().all(|edge| edge.to == first.to) {
            return None;
        }
        let targets: HashSet<usize> = ways.iter().map(|edge| edge.to).collect();
        let mut targets: Vec<usize> = targets.into_iter().collect();
        // All of their dominators dominate the block, so that one is below all others.
        let place = |block: usize| self.places.get(block).copied().unwrap_or(0);
        targets
            .sort_by_key(|&to| (std::cmp::Reverse(self.dominators.nearest(to).map_or(0, place)), place(to)));
        let ways = ways.iter().map(|edge| (edge.from, edge.to)).collect();
        Some(Parting::Crossing(Crossing { ways, targets }))
    }

    /// Finds the ways that end with a barrier and lead to the same block.
    fn find_others(&mut self) {
        let blocks = self.blocks.iter().zip(&self.effects).filter(|(_, effects)| effects.ends_with_barrier);
        let blocks = blocks.filter_map(|(block, _)| block.next.first().filter(|_| block.next.len() == 1));
        let mut ways: HashMap<usize, usize> = HashMap::new();
        for to in blocks.copied().chain(self.joins.iter().map(|join| join.to)) {
            *ways.entry(self.first_effect(to)).or_default() += 1;
        }
        let mut joins = std::mem::take(&mut self.joins);
        for join in &mut joins {
            join.is_alone = ways.get(&self.first_effect(join.to)) == Some(&1);
        }
        self.joins = joins;
    }

    /// Returns the first block, from this one on, that does more than to lead to another one.
    fn first_effect(&self, mut block: usize) -> usize {
        for _ in 0..self.blocks.len() {
            match self.blocks.get(block).map(|block| block.next.as_slice()) {
                Some(&[next]) if !self.effects(block).settles => block = next,
                _ => break,
            }
        }
        block
    }

    fn effects(&self, block: usize) -> Effects {
        self.effects.get(block).copied().unwrap_or_default()
    }

    fn below(&self, block: usize) -> Effects {
        self.below.get(block).copied().unwrap_or_default()
    }

    /// Adds the branches of a block to blocks that it does not dominate.
    fn add_own(&self, from: usize, edges: &mut Vec<Leaving>) -> Result<(), SpirvError> {
        let next = self.blocks.get(from).map(|block| block.next.as_slice()).unwrap_or_default();
        reserve(edges, next.len())?;
        for &to in next {
            let is_back = self.dominators.dominates(to, from);
            let inside = if is_back { to } else { self.dominators.nearest(to).unwrap_or(to) };
            if inside != from {
                edges.push(Leaving { from, to, inside, together: self.is_taken_together(from, to) });
            }
        }
        Ok(())
    }

    /// Returns whether all work-items leave a loop with barriers by this branch, or by one that leads only to it.
    fn is_taken_together(&self, mut from: usize, mut to: usize) -> bool {
        loop {
            if self.loops.is_left_together(from, to) {
                return true;
            }
            match self.dominators.before.get(from).map(Vec::as_slice) {
                Some(&[only]) if !self.effects(from).settles && !self.effects(from).branches => {
                    (from, to) = (only, from);
                }
                _ => return false,
            }
        }
    }

    /// Adds a barrier for the ways out of the blocks that a block with a barrier dominates, if they need one.
    fn join(&mut self, block: usize, edges: &mut Vec<Leaving>) -> Result<(), SpirvError> {
        let (all, ways) = self.ways(edges);
        let Some(&first) = ways.first() else { return Ok(()) };
        let do_meet = ways.iter().all(|edge| edge.to == first.to);
        let may_return = self.below(block).returns;
        let is_one_way = ways.len() == 1 && self.is_settled(block, first);
        // The driver itself makes one way of several to a block with a barrier, if there is no other way out.
        let is_known = self.effects(first.to).waits && all.iter().all(|edge| edge.to == first.to);
        if !do_meet || may_return || is_one_way || is_known {
            return Ok(());
        }
        if let Some(back) = self.back.get_mut(first.to).filter(|_| first.is_back()) {
            *back = back.saturating_sub(ways.len() - 1);
        }
        let added = self.blocks.len() + self.joins.len();
        let from: HashSet<usize> = ways.iter().map(|edge| edge.from).collect();
        edges.retain(|edge| edge.to != first.to || !from.contains(&edge.from));
        edges.push(Leaving { from: added, ..first });
        self.joins.push(Join {
            from: ways.iter().map(|edge| edge.from).collect(),
            to: first.to,
            is_alone: true,
        });
        Ok(())
    }

    /// Returns whether the only way out of what `block` dominates stays the only one.
    fn is_settled(&self, block: usize, edge: Leaving) -> bool {
        // A block that is added has a barrier.
        let Some(from) = self.blocks.get(edge.from) else { return true };
        from.next.len() == 1 && (self.effects(edge.from).settles || !self.below(block).branches)
    }
}

fn effects_of(calls: &Calls, block: &Block, code: &[Line]) -> Effects {
    let mut effects = Effects { branches: block.next.len() > 1, ..Effects::default() };
    for line in code {
        effects.has_barrier |= calls.is_barrier(line);
        if !flow::is_branch(line) {
            effects.ends_with_barrier = calls.is_barrier(line);
        }
        effects.waits |= line.opcode() == Op::ControlBarrier;
        effects.branches |= calls.branches(line);
        effects.returns |= matches!(line.opcode(), Op::Return | Op::ReturnValue);
        match line.opcode() {
            Op::FunctionCall => effects.settles = !calls.branches(line),
            opcode => effects.settles |= has_effect(opcode),
        }
    }
    effects
}

/// Returns whether no compiler moves an instruction into the blocks before its own.
fn has_effect(opcode: Op) -> bool {
    matches!(opcode, Op::Store | Op::CopyMemory | Op::CopyMemorySized | Op::ControlBarrier)
        || (Op::AtomicStore..=Op::AtomicXor).contains(&opcode)
}
