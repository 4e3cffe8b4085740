//! Buffers and their parts.

mod create;
mod host_ptr;
mod native;
mod objects;
mod partition;

use crate::case::Case;

pub(super) const CASES: &[&[Case]] =
    &[create::CASES, host_ptr::CASES, objects::CASES, partition::CASES, native::CASES];
