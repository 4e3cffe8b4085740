//! Platforms.

mod get;
mod get_backend_option;
mod get_info;

use crate::case::Case;

pub(super) const CASES: &[&[Case]] = &[get::CASES, get_info::CASES, get_backend_option::CASES];
