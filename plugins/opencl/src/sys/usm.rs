//! Unified shared memory of a driver that cannot stand two threads at it.
//!
//! Intel's CPU runtime of 2023.2.4 keeps a list of its blocks that `clMemBlockingFreeINTEL` changes under other threads' hands: two frees
//! at once, or a free and an allocation, end in "double free or corruption" or in `CL_INVALID_VALUE` for a live block
//! (`testing/robustness/programs/opencl_alone.c`).

use std::time::{Duration, Instant};

use super::driver::Driver;
use super::turns::{Pause, Turn, Turns};

static TURNS: Turns = Turns::new();

/// Held while a call allocates, frees or asks for a block.
pub(crate) enum UsmTurn {
    /// The driver needs none, or none came.
    None,
    /// That of the only thread that ever had one.
    Owner,
    /// Another one.
    Shared(#[allow(dead_code, reason = "held, not read")] Turn<'static>),
}

impl UsmTurn {
    /// Waits for a turn where the driver needs that.
    #[inline(always)]
    pub(crate) fn take(driver: &Driver) -> Self {
        if !driver.needs_turns {
            UsmTurn::None
        } else if TURNS.enter_as_owner() {
            UsmTurn::Owner
        } else {
            out_of_line()
        }
    }
}

impl Drop for UsmTurn {
    #[inline(always)]
    fn drop(&mut self) {
        if matches!(self, UsmTurn::Owner) {
            TURNS.leave_as_owner();
        }
    }
}

#[cold]
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "called from this file only")]
extern "C" fn out_of_line() -> UsmTurn {
    /// For a free, which waits for commands that use the block: those may wait for this very thread.
    const PATIENCE: Duration = Duration::from_millis(100);
    let (start, mut pause) = (Instant::now(), Pause::default());
    loop {
        match TURNS.take() {
            Some(turn) => return UsmTurn::Shared(turn),
            None if start.elapsed() > PATIENCE => return UsmTurn::None,
            None => pause.next(),
        }
    }
}
