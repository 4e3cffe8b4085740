//! The control-flow graph of a function, and its reconvergence points.

use std::collections::HashMap;

use sycl_pi_image::spirv::{FunctionSpan, Op};

use crate::code::edges::targets;
use crate::program::Program;

/// A block.
#[derive(Debug, Default)]
pub(crate) struct Block {
    pub(crate) label: u32,
    /// The range of its instructions' numbers: from the first after the label to the one after the last.
    pub(crate) instructions: (u32, u32),
    /// Its successors, each once.
    pub(crate) next: Vec<usize>,
    /// The value that selects the successor.
    pub(crate) selector: Option<u32>,
    /// The successors if the selector is a truth value: for true, and for false.
    pub(crate) either: Option<[usize; 2]>,
    /// Whether the block only ends the function.
    only_ends: bool,
    /// Whether it ends with `OpUnreachable`.
    ends_unreachable: bool,
}

/// The blocks of a function, in the module's order.
#[derive(Debug, Default)]
pub(crate) struct Flow {
    pub(crate) blocks: Vec<Block>,
    /// The index of the block with each label.
    places: HashMap<u32, usize>,
}

impl Flow {
    /// Builds the graph of a function.
    pub(crate) fn of_function(program: &Program<'_>, span: FunctionSpan) -> Self {
        let (mut blocks, mut ends): (Vec<Block>, Vec<Vec<u32>>) = (Vec::new(), Vec::new());
        let mut conditional = HashMap::new();
        let mut places = HashMap::new();
        for inst in program.index.module.range(span.first, span.end) {
            if inst.opcode == Op::Label {
                places.insert(inst.operand(0), blocks.len());
                let first = inst.number + 1;
                blocks.push(Block {
                    label: inst.operand(0),
                    instructions: (first, first),
                    only_ends: true,
                    ..Block::default()
                });
                ends.push(Vec::new());
            }
            let (Some(block), Some(end)) = (blocks.last_mut(), ends.last_mut()) else { continue };
            match inst.opcode {
                Op::Label | Op::Line | Op::NoLine | Op::Return | Op::ReturnValue | Op::Unreachable => {}
                _ => block.only_ends = false,
            }
            block.ends_unreachable = inst.opcode == Op::Unreachable;
            if matches!(inst.opcode, Op::BranchConditional | Op::Switch) {
                block.selector = Some(inst.operand(0));
            }
            if inst.opcode == Op::BranchConditional {
                conditional.insert(block.label, [inst.operand(1), inst.operand(2)]);
            }
            end.extend(targets(program, &inst));
            block.instructions.1 = inst.number + 1;
        }
        for (block, mut labels) in blocks.iter_mut().zip(ends) {
            labels.sort_unstable();
            labels.dedup();
            block.next = labels.iter().filter_map(|label| places.get(label).copied()).collect();
            block.either = conditional
                .get(&block.label)
                .and_then(|[yes, no]| Some([places.get(yes).copied()?, places.get(no).copied()?]));
        }
        Self { blocks, places }
    }

    /// Returns the index of the block with this label, if the function has it.
    pub(crate) fn place(&self, label: u32) -> Option<usize> {
        self.places.get(&label).copied()
    }

    /// Returns the reconvergence point of each block, if there is one: the nearest post-dominator, which all work-items
    /// that leave the block together reach. Work-items that end the function in a separate branch do not count.
    pub(crate) fn reconvergence_points(&self) -> Vec<Option<usize>> {
        self.post_dominators(|at| self.next_that_counts(at))
    }

    /// Returns the reconvergence points, counting also the work-items that end the function.
    pub(crate) fn strict_reconvergence_points(&self) -> Vec<Option<usize>> {
        let exit = vec![self.blocks.len()];
        self.post_dominators(|at| match &self.blocks[at].next {
            next if next.is_empty() => exit.clone(),
            next => next.clone(),
        })
    }

    fn post_dominators(&self, next: impl Fn(usize) -> Vec<usize>) -> Vec<Option<usize>> {
        let exit = self.blocks.len();
        let mut before = vec![Vec::new(); exit + 1];
        // If no work-item reaches the end of a block, none is waited for after it.
        for at in (0..exit).filter(|&at| !self.blocks[at].ends_unreachable) {
            next(at).into_iter().for_each(|to| before[to].push(at));
        }
        let mut nearest = dominators(exit, &before);
        nearest.truncate(exit);
        nearest.into_iter().map(|at| at.filter(|&at| at != exit)).collect()
    }

    /// Returns the successors of a block, or the exit, whose index follows the last block. An edge to a block that only
    /// ends the function counts only if there is no other.
    fn next_that_counts(&self, at: usize) -> Vec<usize> {
        let all = &self.blocks[at].next;
        let go_on: Vec<usize> = all.iter().copied().filter(|&to| !self.blocks[to].only_ends).collect();
        match (go_on.is_empty(), all.is_empty()) {
            (false, _) => go_on,
            (true, false) => all.clone(),
            (true, true) => vec![self.blocks.len()],
        }
    }
}

/// Returns the nearest dominator of each node that is reachable from `start`; that of `start` is itself.
pub(crate) fn dominators(start: usize, next: &[Vec<usize>]) -> Vec<Option<usize>> {
    let mut before = vec![Vec::new(); next.len()];
    for (at, all) in next.iter().enumerate() {
        all.iter().for_each(|&to| before[to].push(at));
    }
    let order = order_from(start, next);
    let mut rank = vec![usize::MAX; next.len()];
    order.iter().enumerate().for_each(|(number, &at)| rank[at] = number);
    let mut nearest: Vec<Option<usize>> = vec![None; next.len()];
    nearest[start] = Some(start);
    let mut changed = true;
    while changed {
        changed = false;
        for &at in order.iter().skip(1) {
            let known = before[at].iter().copied().filter(|&from| nearest[from].is_some());
            let found = known.reduce(|a, b| common(&nearest, &rank, a, b));
            changed |= nearest[at] != found;
            nearest[at] = found;
        }
    }
    nearest
}

/// Returns the nodes reachable from a node, in an order in which each precedes those that are reachable only through
/// it.
pub(crate) fn order_from(start: usize, next: &[Vec<usize>]) -> Vec<usize> {
    let mut seen = vec![false; next.len()];
    let (mut order, mut waiting) = (Vec::new(), vec![(start, 0)]);
    seen[start] = true;
    while let Some((at, done)) = waiting.pop() {
        match next[at].get(done) {
            None => order.push(at),
            Some(&to) => {
                waiting.push((at, done + 1));
                if !std::mem::replace(&mut seen[to], true) {
                    waiting.push((to, 0));
                }
            }
        }
    }
    order.reverse();
    order
}

/// Returns the first common node on the paths of two nodes to the exit.
fn common(nearest: &[Option<usize>], rank: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        let far = if rank[a] > rank[b] { &mut a } else { &mut b };
        match nearest[*far] {
            Some(to) => *far = to,
            None => return a.min(b),
        }
    }
    a
}
