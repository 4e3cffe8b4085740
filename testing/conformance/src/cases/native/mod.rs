//! Native handles of contexts, queues and events, and their ownership.

mod objects;
mod queue;

use crate::case::Case;

pub(super) const CASES: &[&[Case]] = &[objects::CASES, queue::CASES];
