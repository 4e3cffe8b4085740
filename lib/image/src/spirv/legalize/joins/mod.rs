//! Adds a barrier where work-items that have passed a barrier together meet again.
//!
//! PoCL runs a kernel from barrier to barrier, each part for all work-items. Where code is reached both through a barrier
//! and past it, it makes a copy for the paths through the barrier: one for each branch to that code. If work-items
//! branch behind the barrier, there are several copies, each of which ends with a barrier of its own. PoCL takes that
//! for a choice that all work-items make alike, and lets the first one choose for all of them. With a barrier on the
//! way, there is one branch to that code.
//!
//! Work-items that do not meet before such code, because they go to different places, are led to a common block first.
//! Those that return do so at the end of the function, so that this is one of the places.

mod calls;
mod crossing;
mod exits;
mod loops;
mod meet;
mod search;

use std::collections::HashSet;

use super::draft::{Draft, Function};
use super::flow;
use super::order;
use crate::spirv::SpirvError;
use calls::Calls;
use search::{Parting, Search};

/// The most blocks of a function through which ways to different blocks are led.
const MOST_CROSSINGS: usize = 32;

/// Adds the barriers to each function. Refuses functions with too many branches.
pub(super) fn rewrite(draft: &mut Draft) -> Result<(), SpirvError> {
    let calls = Calls::of(draft);
    let mut functions = std::mem::take(&mut draft.functions);
    for function in &mut functions {
        if !function.lines.iter().any(|line| calls.is_barrier(line)) {
            continue;
        }
        let crossings = cross(draft, &calls, function)?;
        let blocks = flow::blocks(draft, &function.lines)?;
        let joins = Search::new(&calls, function, &blocks, &crossings)?.joins()?;
        match joins {
            Some(joins) => meet::insert(draft, &mut function.lines, &blocks, &joins)?,
            None => draft.refuse(function.id(), "it has too many branches for this driver's rewrite"),
        }
    }
    draft.functions = functions;
    Ok(())
}

/// Leads ways to different blocks through a common one. Returns the labels of the blocks that are added.
fn cross(draft: &mut Draft, calls: &Calls, function: &mut Function) -> Result<HashSet<u32>, SpirvError> {
    let (mut crossings, mut has_one_exit) = (HashSet::new(), false);
    for _ in 0..MOST_CROSSINGS {
        let blocks = flow::blocks(draft, &function.lines)?;
        match Search::new(calls, function, &blocks, &crossings)?.parting()? {
            Some(Parting::Returns) if !has_one_exit => {
                exits::unite(draft, &mut function.lines, &blocks)?;
                has_one_exit = true;
            }
            Some(Parting::Crossing(crossing)) => {
                crossings.extend(crossing.insert(draft, &mut function.lines, &blocks)?);
                order::sort(draft, &mut function.lines)?;
            }
            _ => break,
        }
    }
    Ok(crossings)
}
