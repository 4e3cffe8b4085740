//! Determines which work-items of a sub-group are in a block, by the branches that they took.
//!
//! A GPU may keep work-items apart for longer than the program requires, and lets those that leave a loop first run
//! ahead, so the work-items that run together are not necessarily those that should take part. Instead, where control
//! flow diverges, the work-items on each edge are recorded while all of them are still together, and a variable keeps
//! the mask for the target block. At a reconvergence point, the mask of the block where they diverged applies again.

use std::collections::{HashMap, HashSet};

use crate::flow::{Flow, dominators, order_from};
use crate::masks::{Edge, EdgeVote, Mask, Masks, Variable};
use crate::reconvergence::{Reconvergence, without_overlap};

/// Adds the masks of a function. `divergent` marks its divergent blocks, `is_given` is whether its callers pass the
/// active mask. The last two arguments return whether work-items diverge after a block, and whether a block has group
/// operations.
pub(crate) fn add_masks(
    all: &mut Masks,
    flow: &Flow,
    (divergent, is_given): (&[bool], bool),
    diverges_after: impl Fn(usize) -> bool,
    has_group_operations: impl Fn(usize) -> bool,
) {
    if !(0..divergent.len()).any(|at| divergent[at] && has_group_operations(at)) {
        return;
    }
    let analysis = MaskAnalysis::new(flow, (divergent, is_given), diverges_after);
    let masks = analysis.masks();
    let label = |at: usize| flow.blocks[at].label;
    for (at, source) in masks.iter().enumerate().filter(|(at, _)| divergent[*at]) {
        all.divergent.insert(label(at), source.map_or(Mask::Unknown, |source| source.mask(label)));
    }
    // Only the requested masks are written, and those from which they are computed.
    let mut waiting: Vec<MaskSource> =
        (0..masks.len()).filter(|&at| has_group_operations(at)).filter_map(|at| masks[at]).collect();
    while let Some(source) = waiting.pop() {
        let (Mask::Kept(variable), Some(to)) = (source.mask(label), source.block()) else { continue };
        if !all.kept.insert(variable) {
            continue;
        }
        if let Some(Reconvergence { dominator, edges, .. }) = analysis.by_vote.get(&to) {
            let Some(source) = masks[*dominator] else { continue };
            for &(from, end) in edges {
                let vote = EdgeVote { variable, among: source.mask(label), reaches: end == to };
                all.votes.entry((label(from), label(end))).or_default().push(vote);
            }
            waiting.push(source);
            continue;
        }
        for &from in analysis.before[to]
            .iter()
            .filter(|from| source == MaskSource::Block(to) || !analysis.is_in_loop(**from, to))
        {
            let Some(edge) = analysis.edge(from, to) else { continue };
            all.writes.entry(label(from)).or_default().push((variable, edge));
            waiting.extend(masks[from]);
        }
    }
}

/// The source of a block's mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MaskSource {
    Whole,
    /// The mask from the function's caller.
    Given,
    /// The variable of the block with this index.
    Block(usize),
    /// The variable of the loop that starts with this block.
    Loop(usize),
}

impl MaskSource {
    /// Returns the mask of the work-items that entered the loop starting with a block, given the source of that block's
    /// mask.
    fn of_loop(self, first: usize) -> Self {
        if self == Self::Block(first) { Self::Loop(first) } else { self }
    }

    fn block(self) -> Option<usize> {
        match self {
            Self::Whole | Self::Given => None,
            Self::Block(at) | Self::Loop(at) => Some(at),
        }
    }

    fn mask(self, label: impl Fn(usize) -> u32) -> Mask {
        match self {
            Self::Whole => Mask::Whole,
            Self::Given => Mask::Given,
            Self::Block(at) => Mask::Kept(Variable::Block(label(at))),
            Self::Loop(at) => Mask::Kept(Variable::Loop(label(at))),
        }
    }
}

/// The analysis of a function's control flow.
struct MaskAnalysis<'f, P> {
    flow: &'f Flow,
    divergent: &'f [bool],
    is_given: bool,
    /// Returns whether work-items diverge after a block.
    diverges_after: P,
    /// The predecessors of each block.
    before: Vec<Vec<usize>>,
    /// The blocks in an order in which each follows its dominators.
    order: Vec<usize>,
    dominators: Vec<Option<usize>>,
    /// The nearest post-dominator of each block, counting the work-items that end the function.
    post_dominators: Vec<Option<usize>>,
    /// The blocks that some work-items reach along several paths, on whose masks they vote.
    by_vote: HashMap<usize, Reconvergence>,
    /// The blocks of each loop, by its first block. `None` if several edges lead back to it.
    loops: HashMap<usize, Option<HashSet<usize>>>,
}

impl<'f, P: Fn(usize) -> bool> MaskAnalysis<'f, P> {
    fn new(flow: &'f Flow, (divergent, is_given): (&'f [bool], bool), diverges_after: P) -> Self {
        let next: Vec<Vec<usize>> = flow.blocks.iter().map(|block| block.next.clone()).collect();
        let order = order_from(0, &next);
        let mut before = vec![Vec::new(); next.len()];
        for &at in &order {
            next[at].iter().for_each(|&to| before[to].push(at));
        }
        let dominators = dominators(0, &next);
        let post_dominators = flow.strict_reconvergence_points();
        let mut loops = HashMap::new();
        for &last in &order {
            for &first in next[last].iter().filter(|&&first| is_on_chain(&dominators, last, first)) {
                let blocks = (!loops.contains_key(&first)).then(|| blocks_of_loop(&before, first, last));
                loops.insert(first, blocks);
            }
        }
        let by_vote = HashMap::new();
        let mut analysis = Self {
            flow,
            divergent,
            is_given,
            diverges_after,
            before,
            order,
            dominators,
            post_dominators,
            by_vote,
            loops,
        };
        let by_vote =
            analysis.order.iter().filter_map(|&at| Some((at, analysis.reconvergence(at)?))).collect();
        analysis.by_vote = without_overlap(by_vote).into_iter().collect();
        analysis
    }

    /// Returns the reconvergence of a block that some work-items reach along several paths.
    fn reconvergence(&self, at: usize) -> Option<Reconvergence> {
        if !self.divergent[at] || self.loops.contains_key(&at) || self.before[at].len() < 2 {
            return None;
        }
        let dominator = self.dominators[at].filter(|&dominator| dominator != at)?;
        if self.exited_loop(dominator, at)?.is_some() || is_on_chain(&self.post_dominators, dominator, at) {
            return None;
        }
        Some(Reconvergence::new(self.flow, &self.before, dominator, at))
    }

    /// Returns the work-items of a block that take the edge to another one, if the branch determines them.
    fn edge(&self, from: usize, to: usize) -> Option<Edge> {
        if !(self.diverges_after)(from) {
            return Some(Edge::Always);
        }
        match self.flow.blocks[from].either? {
            [yes, no] if yes == no => Some(Edge::Always),
            [yes, _] if yes == to => Some(Edge::IfTrue),
            _ => Some(Edge::IfFalse),
        }
    }

    /// Where each block's mask comes from, if that is known.
    fn masks(&self) -> Vec<Option<MaskSource>> {
        // A loop's first block needs the masks of later blocks, which are assumed to be known until one turns out not
        // to be.
        let mut unknown = HashSet::new();
        loop {
            let mut masks = vec![None; self.before.len()];
            for &at in &self.order {
                masks[at] = if unknown.contains(&at) { None } else { self.source(at, &masks) };
            }
            let lacks = |at: usize, from: usize| match self.by_vote.get(&at) {
                Some(point) => masks[point.dominator].is_none(),
                None => masks[from].is_none() || self.edge(from, at).is_none(),
            };
            let incomplete: Vec<usize> = (0..masks.len())
                .filter(|&at| masks[at] == Some(MaskSource::Block(at)))
                .filter(|&at| self.before[at].iter().any(|&from| lacks(at, from)))
                .collect();
            if incomplete.is_empty() {
                return masks;
            }
            unknown.extend(incomplete);
        }
    }

    fn source(&self, at: usize, masks: &[Option<MaskSource>]) -> Option<MaskSource> {
        if !self.divergent[at] {
            return Some(MaskSource::Whole);
        }
        if at == 0 {
            return self.is_given.then_some(MaskSource::Given);
        }
        if let Some(blocks) = self.loops.get(&at) {
            let outside = self.before[at].iter().filter(|&&from| !self.is_in_loop(from, at));
            return (blocks.is_some() && outside.count() == 1).then_some(MaskSource::Block(at));
        }
        let dominator = self.dominators[at].filter(|&dominator| dominator != at)?;
        let reconverges = |dominator: usize| is_on_chain(&self.post_dominators, dominator, at);
        let left = self.exited_loop(dominator, at)?;
        match self.before[at][..] {
            // All work-items that entered a loop reconverge after it.
            _ if left.is_some_and(reconverges) => left.and_then(|first| Some(masks[first]?.of_loop(first))),
            [from] if self.edge(from, at) == Some(Edge::Always) => masks[from],
            [_] => Some(MaskSource::Block(at)),
            _ if self.by_vote.contains_key(&at) => Some(MaskSource::Block(at)),
            // All work-items that reached the dominator reconverge here.
            _ => masks[dominator].filter(|_| left.is_none() && reconverges(dominator)),
        }
    }

    /// Returns whether a block leads back to the first block of its loop.
    fn is_in_loop(&self, from: usize, first: usize) -> bool {
        self.loops.get(&first).is_some_and(|blocks| blocks.as_ref().is_none_or(|all| all.contains(&from)))
    }

    /// Returns the first block of the outermost loop that contains one block but not the other, which comes later.
    /// Returns `None` if a loop has several edges back.
    fn exited_loop(&self, inside: usize, behind: usize) -> Option<Option<usize>> {
        let mut left: Option<(usize, usize)> = None;
        for (&first, blocks) in &self.loops {
            let blocks = blocks.as_ref()?;
            if blocks.contains(&inside)
                && !blocks.contains(&behind)
                && left.is_none_or(|(_, size)| blocks.len() > size)
            {
                left = Some((first, blocks.len()));
            }
        }
        Some(left.map(|(first, _)| first))
    }
}

/// Returns whether a block is on the chain of nearest dominators, or post-dominators, that starts with another block.
fn is_on_chain(nearest: &[Option<usize>], from: usize, wanted: usize) -> bool {
    let mut at = from;
    while at != wanted {
        match nearest[at] {
            Some(next) if next != at => at = next,
            _ => return false,
        }
    }
    true
}

fn blocks_of_loop(before: &[Vec<usize>], first: usize, last: usize) -> HashSet<usize> {
    let (mut blocks, mut waiting) = (HashSet::from([first]), vec![last]);
    while let Some(at) = waiting.pop() {
        if blocks.insert(at) {
            waiting.extend(&before[at]);
        }
    }
    blocks
}
