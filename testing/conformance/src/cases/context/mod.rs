//! Contexts.

mod create;
mod deleter;
mod get_info;

use crate::case::Case;

pub(super) const CASES: &[&[Case]] = &[create::CASES, get_info::CASES, deleter::CASES];
