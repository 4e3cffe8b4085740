//! Commands: common rules, buffers, kernel launches.

mod common;
mod copy;
mod fill;
mod kernel_launch;
mod launch_sizes;
mod map;
mod ranges;
mod read_write;
mod rect;
mod waits;

use crate::case::Case;

pub(super) const CASES: &[&[Case]] = &[
    common::CASES,
    waits::CASES,
    ranges::CASES,
    read_write::CASES,
    copy::CASES,
    rect::CASES,
    fill::CASES,
    map::CASES,
    kernel_launch::CASES,
    launch_sizes::CASES,
];
