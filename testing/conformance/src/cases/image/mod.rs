//! Images.

mod create;
mod get_info;
mod made;
mod transfer;

use crate::case::Case;
pub(super) use made::flat;

pub(super) const CASES: &[&[Case]] = &[create::CASES, get_info::CASES, transfer::CASES];
