//! Leads all ways of a branch through the barrier of one of them.
//!
//! PoCL runs the code between two barriers for one work-item after the other, and copies what follows a barrier to which
//! only one way leads. That works for one branch into two ways. At a switch, or at a branch inside another one, 7.1
//! aborts or computes with other values. Where all ways lead through the barrier, there is nothing to copy: work-items
//! go back to their own way after it.
//!
//! This does not change what a program means. If one work-item comes to a barrier, all do. If none does, all of them
//! may wait at another one.

mod exits;
mod find;
mod insert;

use super::barriers;
use super::draft::Draft;
use super::order;
use crate::spirv::SpirvError;

/// The most barriers of a function through which other ways are led.
const MOST_BARRIERS: usize = 256;

/// Leads other ways through the barriers of each function.
pub(super) fn rewrite(draft: &mut Draft) -> Result<(), SpirvError> {
    draft.each_function(|draft, function| {
        if !barriers::waits(function) {
            return Ok(());
        }
        exits::unite(draft, &mut function.lines)?;
        let mut left = MOST_BARRIERS;
        while let Some(found) = find::find(draft, &function.lines)? {
            if left == 0 {
                draft.refuse(function.id(), "it has too many barriers in branches for this driver's rewrite");
                break;
            }
            left -= 1;
            insert::insert(draft, &mut function.lines, &found)?;
            order::sort(draft, &mut function.lines)?;
        }
        Ok(())
    })
}
