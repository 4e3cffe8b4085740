//! Reconvergence points that some work-items reach along several paths and others not at all, as after conditions
//! joined by `or`.
//!
//! The first work-item to arrive cannot know which others will follow. Therefore all work-items that were at the
//! block's dominator vote. Each votes as soon as its path decides whether it reaches the block, and waits until all
//! have voted.

use std::collections::HashSet;

use crate::flow::Flow;

/// A block that some work-items reach along several paths.
#[derive(Debug)]
pub(crate) struct Reconvergence {
    /// Its dominator, where all work-items that may reach it are together.
    pub(crate) dominator: usize,
    /// The edges that decide who reaches it, as pairs of blocks. Each work-item from the dominator takes one of them.
    pub(crate) edges: Vec<(usize, usize)>,
    /// The blocks in between, including the dominator.
    between: HashSet<usize>,
}

impl Reconvergence {
    /// Finds the edges below `dominator` that decide which work-items reach `at`.
    pub(crate) fn new(flow: &Flow, before: &[Vec<usize>], dominator: usize, at: usize) -> Self {
        let (mut between, mut waiting) = (HashSet::from([dominator]), vec![at]);
        while let Some(to) = waiting.pop() {
            waiting.extend(before[to].iter().copied().filter(|&from| from != at && between.insert(from)));
        }
        let mut edges: Vec<(usize, usize)> = between
            .iter()
            .flat_map(|&from| flow.blocks[from].next.iter().map(move |&to| (from, to)))
            .filter(|&(_, to)| to == at || to == dominator || !between.contains(&to))
            .collect();
        edges.sort_unstable();
        Self { dominator, edges, between }
    }
}

/// Keeps the reconvergence points that do not interfere. Of two that share a block, in which work-items might vote in
/// different orders, it keeps the one with fewer blocks.
pub(crate) fn without_overlap(mut all: Vec<(usize, Reconvergence)>) -> Vec<(usize, Reconvergence)> {
    all.sort_by_key(|(at, point)| (point.between.len(), *at));
    let mut taken = HashSet::new();
    all.retain(|(_, point)| {
        let is_free = point.between.is_disjoint(&taken);
        if is_free {
            taken.extend(&point.between);
        }
        is_free
    });
    all
}
