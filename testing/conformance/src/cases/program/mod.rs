//! Programs.

mod binary;
mod build;
mod build_info;
mod create;
mod cuda;
mod get_info;
mod link;
mod native;
mod spec_constant;

use crate::case::Case;

pub(super) const CASES: &[&[Case]] = &[
    create::CASES,
    binary::CASES,
    build::CASES,
    link::CASES,
    get_info::CASES,
    build_info::CASES,
    spec_constant::CASES,
    native::CASES,
    cuda::CASES,
];
