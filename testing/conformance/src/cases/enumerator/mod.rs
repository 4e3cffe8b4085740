//! Every enumerator of `pi.h`, in every parameter of its enumeration, and numbers past the last one.

mod arguments;
mod list;
mod queries;
mod structures;

use crate::case::Case;

pub(super) const CASES: &[&[Case]] = &[queries::CASES, arguments::CASES, structures::CASES];
