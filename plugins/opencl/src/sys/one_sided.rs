//! What [`turns`](super::turns) synchronise with: fences of which one side pays for both, and a number for each thread.
//! `testing/models` puts loom's in its place, and goes through all orders.

pub(super) use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::time::Duration;

/// Keeps what this thread did before it apart from what it does after it, towards a thread that passes [`all_fence`]. The
/// compiler's order is enough, as that one has this thread pass a real fence.
#[inline(always)]
pub(super) fn own_fence() {
    std::sync::atomic::compiler_fence(Ordering::SeqCst);
}

/// A number of the calling thread, of no other that lives, larger than any small one.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
#[inline(always)]
pub(super) fn thread() -> usize {
    let pointer;
    // SAFETY: on this platform the first word of a thread's block holds the block's own address (System V ABI, thread-local
    // storage). One load; cheaper than an address of ours, which a library has to call the loader for.
    unsafe {
        std::arch::asm!("mov {}, fs:0", out(reg) pointer, options(nostack, pure, readonly, preserves_flags));
    }
    pointer
}

/// As above.
#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
pub(super) fn thread() -> usize {
    thread_local! {
        static PLACE: u32 = const { 0 };
    }
    PLACE.with(|place| std::ptr::from_ref(place).addr())
}

/// The other side of [`own_fence`]: has every thread of this process pass a fence. Takes some microseconds.
pub(super) fn all_fence() {
    #[cfg(target_os = "linux")]
    {
        /// As in linux/membarrier.h.
        const PRIVATE_EXPEDITED: libc::c_int = 1 << 3;
        const REGISTER_PRIVATE_EXPEDITED: libc::c_int = 1 << 4;
        let command = |command: libc::c_int| {
            // SAFETY: membarrier(2) takes numbers only.
            unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) == 0 }
        };
        if command(REGISTER_PRIVATE_EXPEDITED) && command(PRIVATE_EXPEDITED) {
            return;
        }
    }
    // A system without that call: what a processor has still to write is written in far less than this.
    std::thread::sleep(Duration::from_millis(1));
}
