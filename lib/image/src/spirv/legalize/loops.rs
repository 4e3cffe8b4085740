//! The loops of a function, and which of them contain barriers.

use super::flow::{Block, Dominators};
use crate::room::{filled, reserve};
use crate::spirv::SpirvError;

struct Loop {
    head: usize,
    /// The loop around it.
    around: Option<usize>,
    has_barrier: bool,
}

/// The loops of a function.
pub(super) struct Loops {
    loops: Vec<Loop>,
    /// The innermost loop of each block.
    innermost: Vec<Option<usize>>,
}

impl Loops {
    /// Finds the loops. `has_barrier` returns whether a block contains a barrier.
    pub(super) fn of(
        blocks: &[Block],
        dominators: &Dominators,
        has_barrier: impl Fn(usize) -> bool,
    ) -> Result<Self, SpirvError> {
        let before = dominators.before.as_slice();
        let mut found = Self { loops: Vec::new(), innermost: filled(None, blocks.len())? };
        // Inner loops come before those around them.
        for &head in dominators.order.iter().rev() {
            let from = before.get(head).into_iter().flatten().copied();
            let open: Vec<usize> = from.filter(|&from| dominators.dominates(head, from)).collect();
            if !open.is_empty() {
                found.add(head, open, before)?;
            }
        }
        for block in dominators.order.iter().copied().filter(|&block| has_barrier(block)) {
            let mut at = found.innermost(block);
            while let Some(one) = at.and_then(|at| found.loops.get_mut(at)).filter(|one| !one.has_barrier) {
                one.has_barrier = true;
                at = one.around;
            }
        }
        Ok(found)
    }

    /// Adds a loop whose last blocks are these.
    fn add(&mut self, head: usize, mut open: Vec<usize>, before: &[Vec<usize>]) -> Result<(), SpirvError> {
        let id = self.loops.len();
        reserve(&mut self.loops, 1)?;
        self.loops.push(Loop { head, around: None, has_barrier: false });
        while let Some(block) = open.pop() {
            let first = match self.outermost(block) {
                Some(inner) if inner == id => continue,
                Some(inner) => {
                    let Some(inner) = self.loops.get_mut(inner) else { continue };
                    inner.around = Some(id);
                    inner.head
                }
                None => {
                    self.innermost.get_mut(block).into_iter().for_each(|innermost| *innermost = Some(id));
                    block
                }
            };
            if first != head {
                open.extend(before.get(first).into_iter().flatten());
            }
        }
        Ok(())
    }

    /// Returns the number of the innermost loop of a block.
    pub(super) fn innermost(&self, block: usize) -> Option<usize> {
        self.innermost.get(block).copied().flatten()
    }

    /// Returns the loops that contain a block, from the innermost on.
    fn around(&self, block: usize) -> impl Iterator<Item = usize> {
        let around = |&at: &usize| self.loops.get(at).and_then(|one| one.around);
        std::iter::successors(self.innermost(block), around)
    }

    /// Returns the outermost loop that contains a block, but not another one.
    pub(super) fn outermost_without(&self, block: usize, other: usize) -> Option<usize> {
        let others: Vec<usize> = self.around(other).collect();
        self.around(block).take_while(|at| !others.contains(at)).last()
    }

    pub(super) fn contains(&self, id: usize, block: usize) -> bool {
        self.around(block).any(|at| at == id)
    }

    fn outermost(&self, block: usize) -> Option<usize> {
        self.around(block).last()
    }

    /// Returns whether a branch leaves a loop with barriers. All work-items do so together.
    pub(super) fn is_left_together(&self, from: usize, to: usize) -> bool {
        let stays: Vec<usize> = self.around(to).collect();
        let mut left = self.around(from).take_while(|at| !stays.contains(at));
        left.any(|at| self.loops.get(at).is_some_and(|one| one.has_barrier))
    }
}
