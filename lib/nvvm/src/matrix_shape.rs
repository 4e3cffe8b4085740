//! The shape of a cooperative matrix, and what of it a work-item holds.

use sycl_pi_image::spirv::CooperativeMatrixUse;

use crate::subgroup_size::SubgroupSize;

/// The rows and columns of a cooperative matrix, and which operand of a product it is.
///
/// The columns go round the sub-group: the work-item in lane `l` holds the columns `l`, `l + size`, and so on, whole. Its
/// components are numbered along the rows: first those of row 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MatrixShape {
    pub(crate) rows: u32,
    pub(crate) columns: u32,
    pub(crate) usage: CooperativeMatrixUse,
}

impl MatrixShape {
    /// How many columns a work-item holds.
    pub(crate) fn own_columns(self, size: SubgroupSize) -> u32 {
        self.columns.div_ceil(size.items())
    }

    /// How many components a work-item holds.
    pub(crate) fn own_components(self, size: SubgroupSize) -> u32 {
        self.rows * self.own_columns(size)
    }
}
