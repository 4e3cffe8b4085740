//! Blocks that some work-items come to on several ways, and others not at all, as behind conditions that are joined by `or`.
//!
//! Who comes there first cannot know who else will. So all that were at the block's dominator vote: each as soon as its way
//! decides whether it comes, and it waits until all have voted.

use std::collections::HashSet;

use crate::flow::Flow;

/// A block to which some come on several ways.
#[derive(Debug)]
pub(crate) struct Meeting {
    /// Its dominator, where all that may come are together.
    pub(crate) above: usize,
    /// From where to where ways decide who comes: one of them for each that was at the dominator.
    pub(crate) ways: Vec<(usize, usize)>,
    /// The blocks in between, with the dominator.
    between: HashSet<usize>,
}

impl Meeting {
    /// Looks for the ways from `above` that decide who comes to `at`.
    pub(crate) fn new(flow: &Flow, before: &[Vec<usize>], above: usize, at: usize) -> Self {
        let (mut between, mut waiting) = (HashSet::from([above]), vec![at]);
        while let Some(to) = waiting.pop() {
            waiting.extend(before[to].iter().copied().filter(|&from| from != at && between.insert(from)));
        }
        let mut ways: Vec<(usize, usize)> = between
            .iter()
            .flat_map(|&from| flow.blocks[from].next.iter().map(move |&to| (from, to)))
            .filter(|&(_, to)| to == at || to == above || !between.contains(&to))
            .collect();
        ways.sort_unstable();
        Self { above, ways, between }
    }
}

/// The meetings that do not come in each other's way: of two with a block in common, whose work-items might vote in different orders, the
/// one with fewer blocks.
pub(crate) fn apart(mut all: Vec<(usize, Meeting)>) -> Vec<(usize, Meeting)> {
    all.sort_by_key(|(at, meeting)| (meeting.between.len(), *at));
    let mut taken = HashSet::new();
    all.retain(|(_, meeting)| {
        let is_free = meeting.between.is_disjoint(&taken);
        if is_free {
            taken.extend(&meeting.between);
        }
        is_free
    });
    all
}
