//! Stacks for work-items, and the switch between them.

use std::ffi::c_void;
use std::ptr::null_mut;

/// A work-item's stack. A GPU's has at most 512 KiB.
const STACK: usize = 512 << 10;
const PAGE: usize = 4096;

/// Where a stack that was left goes on.
pub(super) type Place = *mut c_void;

/// A stack of its own.
pub(super) struct Stack {
    start: *mut u8,
}

impl Stack {
    /// A new stack; memory is taken when it is touched. Below is a page that nobody may touch.
    pub(super) fn new() -> Option<Self> {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: fresh memory.
        let start =
            unsafe { libc::mmap(null_mut(), STACK, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0) };
        if start == libc::MAP_FAILED {
            return None;
        }
        // SAFETY: the lowest page of it.
        unsafe { libc::mprotect(start, PAGE, libc::PROT_NONE) };
        Some(Self { start: start.cast() })
    }

    pub(super) fn contains(&self, address: usize) -> bool {
        (self.start.addr()..self.start.addr() + STACK).contains(&address)
    }

    /// A place at which `work` starts when it is switched to. It never returns.
    pub(super) fn begin(&self, work: unsafe extern "C" fn() -> !) -> Place {
        // SAFETY: the highest words of the stack: six registers, the address to return to, and one that nobody returns to. With it
        // the stack is aligned as after a call.
        unsafe {
            let top = self.start.add(STACK).cast::<usize>();
            let place = top.sub(8);
            place.write_bytes(0, 8);
            place.add(6).write(work as usize);
            place.cast()
        }
    }
}

/// Leaves this stack, whose place is written to `from`, and goes on at `to`.
///
/// # Safety
///
/// `to` is a place that was left and not gone back to, or a stack's beginning.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn switch(from: *mut Place, to: Place) {
    core::arch::naked_asm!(
        "push rbp",
        "push rbx",
        "push r12",
        "push r13",
        "push r14",
        "push r15",
        "mov [rdi], rsp",
        "mov rsp, rsi",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbx",
        "pop rbp",
        "ret",
    )
}
