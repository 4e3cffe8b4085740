//! The number of work-items in sub-groups.

use std::fmt;

/// The sub-group sizes that kernels can require.
pub const SUB_GROUP_SIZES: [u32; 3] = [8, 16, 32];

/// A sub-group size: a whole warp, or a contiguous part of one.
///
/// Its display form is the suffix that distinguishes helpers and functions for other sizes: empty for a warp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum SubgroupSize {
    Eight,
    Sixteen,
    #[default]
    Warp,
}

impl SubgroupSize {
    /// All sizes, the usual one first.
    pub(crate) const ALL: [Self; 3] = [Self::Warp, Self::Sixteen, Self::Eight];

    /// Returns the size with this number of work-items.
    pub(crate) fn of_items(items: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|size| size.items() == items)
    }

    /// Returns the number of work-items.
    pub(crate) fn items(self) -> u32 {
        1 << self.steps()
    }

    /// Returns how often a sub-group can be halved.
    pub(crate) fn steps(self) -> u32 {
        match self {
            Self::Eight => 3,
            Self::Sixteen => 4,
            Self::Warp => 5,
        }
    }

    /// Returns the mask of all its work-items, as LLVM writes an `i32`.
    pub(crate) fn bits(self) -> String {
        match self {
            Self::Warp => "-1".to_owned(),
            _ => ((1_u32 << self.items()) - 1).to_string(),
        }
    }
}

impl fmt::Display for SubgroupSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Warp => Ok(()),
            _ => write!(f, "{}", self.items()),
        }
    }
}
