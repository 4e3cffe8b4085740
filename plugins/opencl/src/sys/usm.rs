//! Unified shared memory of a driver that cannot stand two threads at it.
//!
//! Intel's CPU runtime of 2023.2.4 keeps a list of its blocks that `clMemBlockingFreeINTEL` changes under other threads' hands: two frees
//! at once, or a free and an allocation, end in "double free or corruption" or in `CL_INVALID_VALUE` for a live block
//! (`testing/robustness/programs/opencl_alone.c`).

use std::ffi::c_void;
use std::time::{Duration, Instant};

use super::driver::asked_last;
use super::turns::{Pause, Turn, Turns};

static TURNS: Turns = Turns::new();

/// A turn to allocate or to free, for an object of the driver that was asked last; None where the driver needs none.
#[inline(always)]
pub(crate) fn usm_turn(object: *mut c_void) -> Option<Turn<'static>> {
    if asked_last(object)?.needs_turns { TURNS.take_as_owner().or_else(|| out_of_line()) } else { None }
}

/// None if no turn comes: a free waits for commands that use the block, and those may wait for this very thread.
#[cold]
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "called from this file only")]
extern "C" fn out_of_line() -> Option<Turn<'static>> {
    const PATIENCE: Duration = Duration::from_millis(100);
    let (start, mut pause) = (Instant::now(), Pause::default());
    loop {
        let turn = TURNS.take();
        if turn.is_some() || start.elapsed() > PATIENCE {
            return turn;
        }
        pause.next();
    }
}
