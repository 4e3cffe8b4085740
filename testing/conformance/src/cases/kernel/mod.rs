//! Kernels.

mod create;
mod exec_info;
mod get_info;
mod native;
mod set_arg;

use crate::case::Case;

pub(super) const CASES: &[&[Case]] =
    &[create::CASES, get_info::CASES, set_arg::CASES, exec_info::CASES, native::CASES];
