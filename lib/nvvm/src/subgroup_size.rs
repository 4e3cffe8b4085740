//! How many work-items sub-groups have.

use std::fmt;

/// The sizes of sub-groups that kernels can ask for.
pub const SUB_GROUP_SIZES: [u32; 3] = [8, 16, 32];

/// The size of sub-groups: of a whole warp, or of neighbouring parts of one.
///
/// It shows as the part of a name that tells its helpers and functions from those of other sizes: nothing for a warp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum SubgroupSize {
    Eight,
    Sixteen,
    #[default]
    Warp,
}

impl SubgroupSize {
    /// All of them, the usual one first.
    pub(crate) const ALL: [Self; 3] = [Self::Warp, Self::Sixteen, Self::Eight];

    /// The one of so many work-items.
    pub(crate) fn of_items(items: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|size| size.items() == items)
    }

    /// Its work-items.
    pub(crate) fn items(self) -> u32 {
        1 << self.steps()
    }

    /// How often a sub-group can be halved.
    pub(crate) fn steps(self) -> u32 {
        match self {
            Self::Eight => 3,
            Self::Sixteen => 4,
            Self::Warp => 5,
        }
    }

    /// The bits of all its work-items, as LLVM writes an `i32`.
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
