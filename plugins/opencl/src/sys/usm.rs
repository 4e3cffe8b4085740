//! Unified shared memory of a driver that cannot stand two threads at it.
//!
//! Intel's CPU runtime of 2023.2.4 keeps a list of its blocks that `clMemBlockingFreeINTEL` changes under other threads' hands: two frees
//! at once, or a free and an allocation, end in "double free or corruption" or in `CL_INVALID_VALUE` for a live block
//! (`testing/robustness/programs/opencl_alone.c`).

use std::time::Duration;

use super::driver::Driver;
use super::turns::Turns;

static TURNS: Turns = Turns::new();

/// Runs a call that allocates, frees or asks for a block, in a turn where the driver needs that.
///
/// `call` is copied where it goes out of line, so that its arguments stay in registers where it does not.
#[inline(always)]
pub(crate) fn in_turn<T>(driver: &Driver, call: impl Fn() -> T + Copy) -> T {
    if !driver.needs_turns {
        return call();
    }
    match TURNS.as_owner(call) {
        Some(value) => value,
        None => {
            let copy = call;
            out_of_line(&copy)
        }
    }
}

#[cold]
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "called from this file only")]
extern "C" fn out_of_line<T>(call: &dyn Fn() -> T) -> T {
    /// For a free, which waits for commands that use the block: those may wait for this very thread.
    const PATIENCE: Duration = Duration::from_millis(100);
    let _turn = TURNS.take_within(PATIENCE);
    call()
}
