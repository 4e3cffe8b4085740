//! Queues.

mod create;
mod finish;
mod get_info;
mod order;

use crate::case::Case;

pub(super) const CASES: &[&[Case]] = &[create::CASES, get_info::CASES, finish::CASES, order::CASES];
