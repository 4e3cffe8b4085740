//! The masks of the work-items of a sub-group that are in a block, as determined by `active_masks.rs`.

use std::collections::{HashMap, HashSet};
use std::fmt;

/// The work-items that take part in a block's group operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mask {
    /// The whole sub-group.
    Whole,
    /// The work-items for which the function was called, passed by its caller.
    Given,
    /// The mask in a variable.
    Kept(Variable),
    /// The work-items that happen to run together, because the edges to the block do not determine the mask.
    Unknown,
}

/// A variable for a mask, by the label of its block. The predecessors of that block write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Variable {
    /// The work-items that reached the block.
    Block(u32),
    /// The work-items that entered the loop that starts with the block. Further iterations do not change it.
    Loop(u32),
}

impl fmt::Display for Variable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Block(label) => write!(out, "%m{label}"),
            Self::Loop(label) => write!(out, "%m{label}.loop"),
        }
    }
}

/// The work-items of a block that take an edge, for which a mask is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edge {
    /// All of them.
    Always,
    /// The work-items for which the branch's condition holds.
    IfTrue,
    /// The others.
    IfFalse,
}

/// A vote among the work-items of a mask, on the edge from one block to another: whether those on the edge will reach
/// the variable's block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgeVote {
    pub(crate) variable: Variable,
    pub(crate) among: Mask,
    pub(crate) reaches: bool,
}

/// The masks of all functions, by block labels.
#[derive(Debug, Default)]
pub(crate) struct Masks {
    /// The masks of divergent blocks, which some work-items of a sub-group may reach without the others.
    pub(crate) divergent: HashMap<u32, Mask>,
    /// The masks that a block writes at its end.
    pub(crate) writes: HashMap<u32, Vec<(Variable, Edge)>>,
    /// The votes on the edges between two blocks.
    pub(crate) votes: HashMap<(u32, u32), Vec<EdgeVote>>,
    pub(crate) kept: HashSet<Variable>,
    /// The functions whose callers pass the active mask in the parameter [`GIVEN`].
    pub(crate) given: HashSet<u32>,
}

/// The parameter for the mask of the work-items for which a function is called.
pub(crate) const GIVEN: &str = "%there";

impl Masks {
    /// Returns the mask of the block with this label.
    pub(crate) fn of_block(&self, label: u32) -> Mask {
        self.divergent.get(&label).copied().unwrap_or(Mask::Whole)
    }

    /// Returns the masks that a block writes at its end.
    pub(crate) fn written_by(&self, label: u32) -> &[(Variable, Edge)] {
        self.writes.get(&label).map_or(&[], Vec::as_slice)
    }

    /// Returns the votes on the edge from one block to another.
    pub(crate) fn votes_between(&self, from: u32, to: u32) -> &[EdgeVote] {
        self.votes.get(&(from, to)).map_or(&[], Vec::as_slice)
    }

    /// Returns the variables of a block.
    pub(crate) fn variables(&self, label: u32) -> impl Iterator<Item = Variable> {
        [Variable::Block(label), Variable::Loop(label)]
            .into_iter()
            .filter(|variable| self.kept.contains(variable))
    }
}
