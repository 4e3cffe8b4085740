//! What a library does before its process ends.
#![expect(unsafe_code, reason = "a handler in the C library's list")]

/// Has `handler` called when the program calls `exit` or returns from `main`: before the handlers that were registered earlier, and before
/// any library's own end. Not after `quick_exit`, `_exit` or a signal. A forked child inherits it. Whether there was room for it.
///
/// Only for a library that is never unloaded. The handler may run in any thread, after the destructors of that thread's own objects.
pub fn at_exit(handler: extern "C" fn()) -> bool {
    // SAFETY: a function without arguments, in a file that stays loaded.
    unsafe { libc::atexit(handler) == 0 }
}
