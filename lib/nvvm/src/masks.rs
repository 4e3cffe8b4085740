//! The masks of those work-items of a sub-group that are in a block, as `ways.rs` finds them.

use std::collections::{HashMap, HashSet};
use std::fmt;

/// Who takes part in a block's group operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mask {
    /// All of the sub-group.
    Whole,
    /// Those that the function was called for, as its caller tells.
    Given,
    /// Those that a variable tells.
    Kept(Variable),
    /// Those that run together: the ways to the block do not tell.
    Unknown,
}

/// A variable for a mask, by the label of the block that it belongs to. The predecessors of that block write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Variable {
    /// Who came to the block.
    Here(u32),
    /// Who came into the loop that begins with the block: those that go round again do not change it.
    Loop(u32),
}

impl fmt::Display for Variable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Here(label) => write!(out, "%m{label}"),
            Self::Loop(label) => write!(out, "%m{label}.loop"),
        }
    }
}

/// For which work-items of a block a mask is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// All of them.
    All,
    /// Those for which the branch's condition holds.
    IfTrue,
    /// The others.
    IfFalse,
}

/// A vote among the work-items of a mask, on the way from one block to another: whether those on it come to the block of a variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WayVote {
    pub(crate) variable: Variable,
    pub(crate) among: Mask,
    pub(crate) comes: bool,
}

/// The masks of all functions, by labels of blocks.
#[derive(Debug, Default)]
pub(crate) struct Masks {
    /// Of blocks that some work-items of a sub-group may reach without the others.
    pub(crate) divergent: HashMap<u32, Mask>,
    /// What a block writes where it ends.
    pub(crate) writes: HashMap<u32, Vec<(Variable, Way)>>,
    /// The votes between two blocks.
    pub(crate) votes: HashMap<(u32, u32), Vec<WayVote>>,
    pub(crate) kept: HashSet<Variable>,
    /// The functions whose callers tell who calls, by a parameter of the name [`GIVEN`].
    pub(crate) given: HashSet<u32>,
}

/// The parameter for the mask of those for which a function is called.
pub(crate) const GIVEN: &str = "%there";

impl Masks {
    /// Who takes part in the block of a label.
    pub(crate) fn of_block(&self, label: u32) -> Mask {
        self.divergent.get(&label).copied().unwrap_or(Mask::Whole)
    }

    /// The masks that a block writes where it ends.
    pub(crate) fn written_by(&self, label: u32) -> &[(Variable, Way)] {
        self.writes.get(&label).map_or(&[], Vec::as_slice)
    }

    /// The votes on the way from one block to another.
    pub(crate) fn votes_between(&self, from: u32, to: u32) -> &[WayVote] {
        self.votes.get(&(from, to)).map_or(&[], Vec::as_slice)
    }

    /// The variables that belong to a block.
    pub(crate) fn variables(&self, label: u32) -> impl Iterator<Item = Variable> {
        [Variable::Here(label), Variable::Loop(label)]
            .into_iter()
            .filter(|variable| self.kept.contains(variable))
    }
}
