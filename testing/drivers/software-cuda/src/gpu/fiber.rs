//! Stacks for work-items, and switching between them.

use std::ffi::c_void;
use std::ptr::null_mut;

/// A work-item's stack. A GPU's has at most 512 KiB.
const STACK: usize = 512 << 10;
const PAGE: usize = 4096;

/// The position at which a suspended stack continues.
pub(super) type Place = *mut c_void;

/// A separate stack.
pub(super) struct Stack {
    start: *mut u8,
}

impl Stack {
    /// Creates a stack, whose memory is allocated when it is touched. The page below it is inaccessible.
    pub(super) fn new() -> Option<Self> {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        let start =
            // SAFETY: new memory.
            unsafe { libc::mmap(null_mut(), STACK, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0) };
        if start == libc::MAP_FAILED {
            return None;
        }
        // SAFETY: the lowest page of the new memory.
        unsafe { libc::mprotect(start, PAGE, libc::PROT_NONE) };
        Some(Self { start: start.cast() })
    }

    pub(super) fn contains(&self, address: usize) -> bool {
        (self.start.addr()..self.start.addr() + STACK).contains(&address)
    }

    /// Returns a place at which `work` starts when it is switched to. It never returns.
    pub(super) fn begin(&self, work: unsafe extern "C" fn() -> !) -> Place {
        // Six registers, the return address, and a word with which the stack is aligned as after a call.
        // SAFETY: these are the highest words of the stack.
        unsafe {
            let top = self.start.add(STACK).cast::<usize>();
            let place = top.sub(8);
            place.write_bytes(0, 8);
            place.add(6).write(work as usize);
            place.cast()
        }
    }
}

/// Suspends this stack, writes its place to `from`, and continues at `to`.
///
/// # Safety
///
/// `to` is a suspended place that was not resumed, or a stack's beginning.
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
