//! The shape of a cooperative matrix, and the part that a work-item holds.

use sycl_pi_image::spirv::CooperativeMatrixUse;

use crate::subgroup_size::SubgroupSize;

/// The rows and columns of a cooperative matrix, and its role in a product.
///
/// The columns are distributed cyclically over the sub-group: the work-item in lane `l` holds all of the columns `l`,
/// `l + size`, and so on. Its components are numbered along the rows, starting with row 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MatrixShape {
    pub(crate) rows: u32,
    pub(crate) columns: u32,
    pub(crate) usage: CooperativeMatrixUse,
}

impl MatrixShape {
    /// Returns the number of columns that a work-item holds.
    pub(crate) fn own_columns(self, size: SubgroupSize) -> u32 {
        self.columns.div_ceil(size.items())
    }

    /// Returns the number of components that a work-item holds.
    pub(crate) fn own_components(self, size: SubgroupSize) -> u32 {
        self.rows * self.own_columns(size)
    }
}
