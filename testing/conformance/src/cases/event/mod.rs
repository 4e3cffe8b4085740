//! Events.

mod barriers;
mod callback;
mod create;
mod get_info;
mod profiling;
mod wait;

use crate::case::Case;

pub(super) const CASES: &[&[Case]] =
    &[create::CASES, get_info::CASES, wait::CASES, barriers::CASES, callback::CASES, profiling::CASES];
