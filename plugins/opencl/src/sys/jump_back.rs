//! Functions of the driver that wait, as jumps, also where a turn has to be given back after them.
//!
//! A thread that comes back from the system has lost the processor's predictions of returns, so each return on its way costs 10
//! to 20 ns there: one in a hundred of what `clFinish` takes on an idle queue. Jumps are predicted by other means and cost
//! nothing (`benches/programs/frames.c`, also for callers deep down in a program). So what is here leaves by one, but for
//! `clWaitForEvents`, which need not enter the system: its caller's next returns are predicted only if it returns.

use std::ffi::c_void;

use opencl_sys::*;

use super::driver::Driver;
use super::jump::likely;

/// The functions: the driver's table, the arguments, how many of them have no register, and by what the way back is left.
macro_rules! for_each_function {
    ($then:ident) => {
        $then! {
            cl.clFinish(cl_command_queue) 0 jump;
            cl.clWaitForEvents(cl_uint, *const cl_event) 0 return;
            cl.clEnqueueReadBuffer(cl_command_queue, cl_mem, cl_bool, usize, usize, *mut c_void, cl_uint, *const cl_event,
                *mut cl_event) 3 jump;
            cl.clEnqueueWriteBuffer(cl_command_queue, cl_mem, cl_bool, usize, usize, *const c_void, cl_uint,
                *const cl_event, *mut cl_event) 3 jump;
            ext.clEnqueueMemcpyINTEL(cl_command_queue, cl_bool, *mut c_void, *const c_void, usize, cl_uint,
                *const cl_event, *mut cl_event) 2 jump;
        }
    };
}

/// Whether a driver has the functions of a table. Of the second one those for USM are called here.
macro_rules! has {
    (cl $driver:ident) => {
        true
    };
    (ext $driver:ident) => {
        $driver.has_usm()
    };
}

macro_rules! ways {
    ($($table:ident.$cl:ident($($ty:ty),*) $words:tt $leave:tt;)*) => { $(
        /// The driver's function, if this call of it does not wait or the driver needs no turns. Else one that gives back the turn
        /// that is taken here, and so has to be called; none if this thread cannot have a turn without a word (see
        /// [`super::waits`]).
        #[inline(always)]
        #[allow(non_snake_case, clippy::type_complexity)]
        pub(super) fn $cl(driver: &Driver, waits: bool) -> Option<unsafe extern "C" fn($($ty),*) -> cl_int> {
            if !has!($table driver) {
                None
            } else if waits && likely(imp::is_known(driver)) {
                imp::$cl()
            } else if waits && driver.needs_turns {
                None
            } else {
                Some(driver.$table.$cl)
            }
        }
    )* };
}

for_each_function!(ways);

pub(super) use imp::learn;

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod imp {
    use std::arch::naked_asm;
    use std::ffi::c_void;
    use std::ptr::null_mut;
    use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

    use opencl_sys::*;

    use crate::sys::driver::Driver;
    use crate::sys::turns::Turns;
    use crate::sys::waits::TURNS;

    /// Whether [`learn`] was called.
    static IS_TAKEN: AtomicBool = AtomicBool::new(false);
    /// The driver whose functions the ones below call; null before the first.
    static KNOWN: AtomicPtr<Driver> = AtomicPtr::new(null_mut());

    /// Whether [`learn`] was called for that driver before any other.
    #[inline(always)]
    pub(super) fn is_known(driver: &Driver) -> bool {
        std::ptr::eq(KNOWN.load(Ordering::Acquire), driver)
    }

    /// Output for the arguments that have no register, and what copies them there: the stack is a multiple of 16 bytes after it.
    macro_rules! push {
        (0) => { "sub rsp, 8\n.cfi_adjust_cfa_offset 8" };
        (2) => {
            "sub rsp, 8\n.cfi_adjust_cfa_offset 8\npush qword ptr [rsp + 24]\n.cfi_adjust_cfa_offset 8\n\
             push qword ptr [rsp + 24]\n.cfi_adjust_cfa_offset 8"
        };
        (3) => {
            "push qword ptr [rsp + 24]\n.cfi_adjust_cfa_offset 8\npush qword ptr [rsp + 24]\n.cfi_adjust_cfa_offset 8\n\
             push qword ptr [rsp + 24]\n.cfi_adjust_cfa_offset 8"
        };
    }

    /// Takes the room back.
    macro_rules! pop {
        (0) => {
            "add rsp, 8\n.cfi_adjust_cfa_offset -8"
        };
        ($words:tt) => {
            "add rsp, 24\n.cfi_adjust_cfa_offset -24"
        };
    }

    /// The way to the caller.
    macro_rules! leave {
        (jump) => {
            "pop rcx\n.cfi_adjust_cfa_offset -8\n.cfi_register rip, rcx\njmp rcx"
        };
        (return) => {
            "ret"
        };
    }

    /// For each function one that calls it, gives the turn back as [`Turns::leave_as_owner`] does, and leaves.
    macro_rules! functions {
        ($($table:ident.$cl:ident($($ty:ty),*) $words:tt $leave:tt;)*) => {
            /// The first driver that is waited for in turns. Calls of a second one go the longer way.
            pub(in crate::sys) fn learn(driver: &'static Driver) {
                if !IS_TAKEN.swap(true, Ordering::Relaxed) {
                    $($cl::FUNCTION.store(driver.$table.$cl as *mut (), Ordering::Relaxed);)*
                    KNOWN.store(std::ptr::from_ref(driver).cast_mut(), Ordering::Release);
                }
            }
            $(
                #[inline(always)]
                #[allow(non_snake_case, clippy::type_complexity)]
                pub(super) fn $cl() -> Option<unsafe extern "C" fn($($ty),*) -> cl_int> {
                    TURNS.enter_as_owner().then_some($cl::in_turn as _)
                }

                #[allow(non_snake_case)]
                mod $cl {
                    use super::*;

                    /// The function that [`in_turn`] calls.
                    pub(super) static FUNCTION: AtomicPtr<()> = AtomicPtr::new(null_mut());

                    /// # Safety
                    /// As of the function; this thread has a turn as owner, and [`FUNCTION`] is set.
                    // SAFETY: the arguments are where they were, in registers and from the stack's end on; the stack is a multiple
                    // of 16 bytes at the call and as it was at the end; the answer stays in its register, and the other registers
                    // that are written are the callee's (System V ABI). A word that only this thread writes needs no lock, and a
                    // store is a release on this processor. A system with shadow stacks does not load a library that is not marked
                    // for them, as this one is not.
                    #[unsafe(naked)]
                    pub(super) unsafe extern "C" fn in_turn($(_: $ty),*) -> cl_int {
                        naked_asm!(
                            ".cfi_startproc",
                            push!($words),
                            "call qword ptr [rip + {function}]",
                            "dec dword ptr [rip + {turns} + {inside}]",
                            pop!($words),
                            leave!($leave),
                            ".cfi_endproc",
                            function = sym FUNCTION,
                            turns = sym TURNS,
                            inside = const Turns::INSIDE,
                        )
                    }
                }
            )*
        };
    }

    for_each_function!(functions);
}

#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
mod imp {
    use std::ffi::c_void;

    use opencl_sys::*;

    use crate::sys::driver::Driver;

    pub(in crate::sys) fn learn(_driver: &'static Driver) {}

    pub(super) fn is_known(_driver: &Driver) -> bool {
        false
    }

    macro_rules! functions {
        ($($table:ident.$cl:ident($($ty:ty),*) $words:tt $leave:tt;)*) => { $(
            /// On this processor the longer way is the only one.
            #[allow(non_snake_case, clippy::type_complexity)]
            pub(super) fn $cl() -> Option<unsafe extern "C" fn($($ty),*) -> cl_int> {
                None
            }
        )* };
    }

    for_each_function!(functions);
}
