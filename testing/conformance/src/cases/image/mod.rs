//! Images.

mod create;
mod get_info;
mod made;
mod transfer;

use crate::case::Case;
pub(super) use made::flat;
pub(super) use transfer::of_another_context;

pub(super) const CASES: &[&[Case]] = &[create::CASES, get_info::CASES, transfer::CASES];
