//! Command buffers.

mod create;
mod record;

use crate::case::Case;

pub(super) const CASES: &[&[Case]] = &[create::CASES, record::CASES];
