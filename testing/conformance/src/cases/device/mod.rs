//! Devices.

mod get;
mod get_info;
mod info_table;
mod native;
mod partition;
mod select_binary;
mod timer;

use crate::case::Case;

pub(super) const CASES: &[&[Case]] =
    &[get::CASES, partition::CASES, get_info::CASES, timer::CASES, native::CASES, select_binary::CASES];
