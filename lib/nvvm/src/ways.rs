//! Determines which work-items of a sub-group are in a block, by the branches that they took.
//!
//! A GPU may keep work-items apart for longer than the program requires, and lets those that leave a loop first run
//! ahead, so the work-items that run together are not necessarily those that should take part. Instead, where control
//! flow diverges, the work-items on each edge are recorded while all of them are still together, and a variable keeps
//! the mask for the target block. At a reconvergence point, the mask of the block where they diverged applies again.

use std::collections::{HashMap, HashSet};

use crate::flow::{Flow, dominators, order_from};
use crate::masks::{Mask, Masks, Variable, Way, WayVote};
use crate::meetings::{Meeting, apart};

/// Adds the masks of a function. `divergent` marks its divergent blocks, `is_given` is whether its callers pass the
/// active mask, `parts` returns whether work-items diverge after a block, and `asks` returns whether a block has group
/// operations.
pub(crate) fn add_masks(
    all: &mut Masks,
    flow: &Flow,
    (divergent, is_given): (&[bool], bool),
    parts: impl Fn(usize) -> bool,
    asks: impl Fn(usize) -> bool,
) {
    if !(0..divergent.len()).any(|at| divergent[at] && asks(at)) {
        return;
    }
    let ways = Ways::new(flow, (divergent, is_given), parts);
    let masks = ways.masks();
    let label = |at: usize| flow.blocks[at].label;
    for (at, origin) in masks.iter().enumerate().filter(|(at, _)| divergent[*at]) {
        all.divergent.insert(label(at), origin.map_or(Mask::Unknown, |origin| origin.mask(label)));
    }
    // Only what is asked for is written, and what that is computed from.
    let mut waiting: Vec<MaskSource> =
        (0..masks.len()).filter(|&at| asks(at)).filter_map(|at| masks[at]).collect();
    while let Some(origin) = waiting.pop() {
        let (Mask::Kept(variable), Some(to)) = (origin.mask(label), origin.block()) else { continue };
        if !all.kept.insert(variable) {
            continue;
        }
        if let Some(Meeting { above, ways, .. }) = ways.meetings.get(&to) {
            let Some(origin) = masks[*above] else { continue };
            for &(from, end) in ways {
                let vote = WayVote { variable, among: origin.mask(label), comes: end == to };
                all.votes.entry((label(from), label(end))).or_default().push(vote);
            }
            waiting.push(origin);
            continue;
        }
        for &from in ways.before[to]
            .iter()
            .filter(|from| origin == MaskSource::Here(to) || !ways.goes_round(**from, to))
        {
            let Some(way) = ways.way(from, to) else { continue };
            all.writes.entry(label(from)).or_default().push((variable, way));
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
    Here(usize),
    /// The variable of the loop that starts with this block.
    Loop(usize),
}

impl MaskSource {
    /// Returns the mask of the work-items that entered the loop starting with a block, given the source of that block's
    /// mask.
    fn of_loop(self, first: usize) -> Self {
        if self == Self::Here(first) { Self::Loop(first) } else { self }
    }

    fn block(self) -> Option<usize> {
        match self {
            Self::Whole | Self::Given => None,
            Self::Here(at) | Self::Loop(at) => Some(at),
        }
    }

    fn mask(self, label: impl Fn(usize) -> u32) -> Mask {
        match self {
            Self::Whole => Mask::Whole,
            Self::Given => Mask::Given,
            Self::Here(at) => Mask::Kept(Variable::Here(label(at))),
            Self::Loop(at) => Mask::Kept(Variable::Loop(label(at))),
        }
    }
}

/// The control-flow paths of a function.
struct Ways<'f, P> {
    flow: &'f Flow,
    divergent: &'f [bool],
    is_given: bool,
    /// Returns whether work-items diverge after a block.
    parts: P,
    /// The predecessors of each block.
    before: Vec<Vec<usize>>,
    /// The blocks in an order in which each follows its dominators.
    order: Vec<usize>,
    dominators: Vec<Option<usize>>,
    meeting_places: Vec<Option<usize>>,
    /// The blocks that some work-items reach along several paths.
    meetings: HashMap<usize, Meeting>,
    /// The blocks of each loop, by its first block. `None` if several edges lead back to it.
    loops: HashMap<usize, Option<HashSet<usize>>>,
}

impl<'f, P: Fn(usize) -> bool> Ways<'f, P> {
    fn new(flow: &'f Flow, (divergent, is_given): (&'f [bool], bool), parts: P) -> Self {
        let next: Vec<Vec<usize>> = flow.blocks.iter().map(|block| block.next.clone()).collect();
        let order = order_from(0, &next);
        let mut before = vec![Vec::new(); next.len()];
        for &at in &order {
            next[at].iter().for_each(|&to| before[to].push(at));
        }
        let dominators = dominators(0, &next);
        let meeting_places = flow.strict_meeting_places();
        let mut loops = HashMap::new();
        for &last in &order {
            for &first in next[last].iter().filter(|&&first| is_on_chain(&dominators, last, first)) {
                let blocks = (!loops.contains_key(&first)).then(|| blocks_of_loop(&before, first, last));
                loops.insert(first, blocks);
            }
        }
        let meetings = HashMap::new();
        let mut ways = Self {
            flow,
            divergent,
            is_given,
            parts,
            before,
            order,
            dominators,
            meeting_places,
            meetings,
            loops,
        };
        let meetings = ways.order.iter().filter_map(|&at| Some((at, ways.meeting(at)?))).collect();
        ways.meetings = apart(meetings).into_iter().collect();
        ways
    }

    /// Returns the reconvergence data of a block that some work-items reach along several paths.
    fn meeting(&self, at: usize) -> Option<Meeting> {
        if !self.divergent[at] || self.loops.contains_key(&at) || self.before[at].len() < 2 {
            return None;
        }
        let above = self.dominators[at].filter(|&above| above != at)?;
        if self.loop_left(above, at)?.is_some() || is_on_chain(&self.meeting_places, above, at) {
            return None;
        }
        Some(Meeting::new(self.flow, &self.before, above, at))
    }

    /// Returns the work-items of a block that take the edge to another one, if the branch determines them.
    fn way(&self, from: usize, to: usize) -> Option<Way> {
        if !(self.parts)(from) {
            return Some(Way::All);
        }
        match self.flow.blocks[from].either? {
            [yes, no] if yes == no => Some(Way::All),
            [yes, _] if yes == to => Some(Way::IfTrue),
            _ => Some(Way::IfFalse),
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
                masks[at] = if unknown.contains(&at) { None } else { self.origin(at, &masks) };
            }
            let lacks = |at: usize, from: usize| match self.meetings.get(&at) {
                Some(meeting) => masks[meeting.above].is_none(),
                None => masks[from].is_none() || self.way(from, at).is_none(),
            };
            let incomplete: Vec<usize> = (0..masks.len())
                .filter(|&at| masks[at] == Some(MaskSource::Here(at)))
                .filter(|&at| self.before[at].iter().any(|&from| lacks(at, from)))
                .collect();
            if incomplete.is_empty() {
                return masks;
            }
            unknown.extend(incomplete);
        }
    }

    fn origin(&self, at: usize, masks: &[Option<MaskSource>]) -> Option<MaskSource> {
        if !self.divergent[at] {
            return Some(MaskSource::Whole);
        }
        if at == 0 {
            return self.is_given.then_some(MaskSource::Given);
        }
        if let Some(blocks) = self.loops.get(&at) {
            let outside = self.before[at].iter().filter(|&&from| !self.goes_round(from, at));
            return (blocks.is_some() && outside.count() == 1).then_some(MaskSource::Here(at));
        }
        let above = self.dominators[at].filter(|&above| above != at)?;
        let meets = |above: usize| is_on_chain(&self.meeting_places, above, at);
        let left = self.loop_left(above, at)?;
        match self.before[at][..] {
            // All work-items that entered a loop reconverge after it.
            _ if left.is_some_and(meets) => left.and_then(|first| Some(masks[first]?.of_loop(first))),
            [from] if self.way(from, at) == Some(Way::All) => masks[from],
            [_] => Some(MaskSource::Here(at)),
            _ if self.meetings.contains_key(&at) => Some(MaskSource::Here(at)),
            // All work-items that reached the dominator reconverge here.
            _ => masks[above].filter(|_| left.is_none() && meets(above)),
        }
    }

    /// Returns whether a block leads back to the first block of its loop.
    fn goes_round(&self, from: usize, first: usize) -> bool {
        self.loops.get(&first).is_some_and(|blocks| blocks.as_ref().is_none_or(|all| all.contains(&from)))
    }

    /// Returns the first block of the outermost loop that contains one block but not the other, which comes later.
    /// Returns `None` if a loop has several edges back.
    fn loop_left(&self, inside: usize, behind: usize) -> Option<Option<usize>> {
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
