//! Requests to Callgrind, Valgrind's profiler. They do nothing in a process that runs without it.

use std::arch::asm;
use std::ffi::CStr;

/// The numbers of `valgrind/callgrind.h`.
const DUMP_STATS_AT: usize = 0x4354_0003;
const START_INSTRUMENTATION: usize = 0x4354_0004;
const STOP_INSTRUMENTATION: usize = 0x4354_0005;

/// Counts the instructions and calls of `operation`, and writes them to a separate file with a name in it.
pub(crate) fn count(name: &CStr, operation: impl FnOnce()) {
    request(START_INSTRUMENTATION, 0);
    operation();
    request(STOP_INSTRUMENTATION, 0);
    request(DUMP_STATS_AT, name.as_ptr() as usize);
}

fn request(number: usize, argument: usize) {
    let words = [number, argument, 0, 0, 0, 0];
    // Valgrind recognizes the sequence, and reads the words.
    // SAFETY: the rotations add up to 128 bits, so they leave `rdi` unchanged.
    unsafe {
        asm!(
            "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
            in("rax") words.as_ptr(),
            inout("rdx") 0_usize => _,
            options(nostack)
        );
    }
}
