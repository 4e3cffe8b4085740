//! CUDA's `__assertfail`.

use std::ffi::{CStr, c_char};
use std::io::Write;

use crate::{Code, faults};

const ASSERT: Code = 710;

/// Prints a failed assertion to the error output, and makes all later calls fail. Unlike on a GPU, the work-item continues.
///
/// # Safety
///
/// The texts are NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn assertfail_of_gpu(
    expression: *const c_char,
    file: *const c_char,
    line: u32,
    function: *const c_char,
    _size_of_char: usize,
) {
    // SAFETY: guaranteed by the caller.
    let text = |text: *const c_char| unsafe { CStr::from_ptr(text) }.to_string_lossy();
    let text =
        format!("{}:{line}: {}: Assertion `{}` failed.\n", text(file), text(function), text(expression));
    let _ = std::io::stderr().write_all(text.as_bytes());
    faults::lose(ASSERT);
}
