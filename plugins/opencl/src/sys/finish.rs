//! `clFinish` as a jump, also where a turn has to be given back after it.
//!
//! A thread that comes back from the system has lost the processor's predictions of returns, so each return on its way costs 10
//! to 20 ns there: one in a hundred of what `clFinish` takes on an idle queue. Jumps are predicted by other means and cost
//! nothing (`benches/programs/frames.c`, also for callers deep down in a program). So the function here leaves by one.

use opencl_sys::*;

use super::driver::Driver;

/// The driver's `clFinish`, or what takes a turn for it; none if this thread cannot have one without a word (see [`super::waits`]).
#[inline(always)]
pub(super) fn of_driver(driver: &Driver) -> Option<unsafe extern "C" fn(cl_command_queue) -> cl_int> {
    let finish = driver.cl().clFinish;
    if driver.needs_turns { imp::in_turn(finish) } else { Some(finish) }
}

pub(super) use imp::learn;

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod imp {
    use std::arch::naked_asm;
    use std::ptr::null_mut;
    use std::sync::atomic::{AtomicPtr, Ordering};

    use opencl_sys::*;

    use crate::sys::turns::Turns;
    use crate::sys::waits::TURNS;

    type Finish = unsafe extern "C" fn(cl_command_queue) -> cl_int;

    /// The function that [`jump_back`] calls: of the first driver that needs turns, and then for good. Another one, of a second
    /// such driver, goes the longer way.
    static FINISH: AtomicPtr<()> = AtomicPtr::new(null_mut());

    /// What [`in_turn`] may be asked for from now on.
    pub(in crate::sys) fn learn(finish: Finish) {
        let _ = FINISH.compare_exchange(null_mut(), finish as *mut (), Ordering::Release, Ordering::Relaxed);
    }

    /// Takes a turn; the function that is answered gives it back, and has to be called.
    #[inline(always)]
    pub(super) fn in_turn(finish: Finish) -> Option<Finish> {
        let is_known = FINISH.load(Ordering::Acquire) == finish as *mut ();
        (is_known && TURNS.enter_as_owner()).then_some(jump_back as Finish)
    }

    /// Calls [`FINISH`], gives the turn back as [`Turns::leave_as_owner`] does (a store is a release on this processor), and
    /// returns to its caller by a jump.
    ///
    /// # Safety
    /// As of `clFinish`; this thread has a turn as owner, and `FINISH` is set.
    // SAFETY: the stack is a multiple of 16 bytes at the call and as it was at the end; the answer stays in its register, and the
    // other registers that are written are the callee's (System V ABI). A system with shadow stacks does not load a library
    // that is not marked for them, as this one is not.
    #[unsafe(naked)]
    unsafe extern "C" fn jump_back(queue: cl_command_queue) -> cl_int {
        naked_asm!(
            ".cfi_startproc",
            "sub rsp, 8",
            ".cfi_adjust_cfa_offset 8",
            "call qword ptr [rip + {finish}]",
            "mov byte ptr [rip + {turns} + {inside}], 0",
            "add rsp, 8",
            ".cfi_adjust_cfa_offset -8",
            "pop rcx",
            ".cfi_adjust_cfa_offset -8",
            ".cfi_register rip, rcx",
            "jmp rcx",
            ".cfi_endproc",
            finish = sym FINISH,
            turns = sym TURNS,
            inside = const Turns::INSIDE,
        )
    }
}

#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
mod imp {
    use opencl_sys::*;

    type Finish = unsafe extern "C" fn(cl_command_queue) -> cl_int;

    pub(in crate::sys) fn learn(_finish: Finish) {}

    /// On this processor the longer way is the only one.
    pub(super) fn in_turn(_finish: Finish) -> Option<Finish> {
        None
    }
}
