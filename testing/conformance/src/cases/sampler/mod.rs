//! Samplers.

mod create;

use crate::case::Case;

pub(super) const CASES: &[&[Case]] = &[create::CASES];
