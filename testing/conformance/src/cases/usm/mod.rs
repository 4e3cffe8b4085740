//! Unified shared memory.

mod advise;
mod alloc;
mod alloc_info;
mod fill_2d;
mod memcpy;
mod memset;
mod peer;

use crate::case::Case;

pub(super) const CASES: &[&[Case]] = &[
    alloc::CASES,
    alloc_info::CASES,
    memcpy::CASES,
    memset::CASES,
    fill_2d::CASES,
    advise::CASES,
    peer::CASES,
];
