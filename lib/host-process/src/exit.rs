//! Work that a library does before its process ends.
#![expect(unsafe_code, reason = "a handler in the C library's list")]

/// Registers a handler that is called when the program calls `exit` or returns from `main`: before the handlers that
/// were registered earlier, and before any library's own shutdown. It is not called after `quick_exit`, `_exit` or a
/// signal. A forked child inherits it. Returns whether there was room for it.
///
/// Use this only in a library that is never unloaded. The handler may run in any thread, after the destructors of that
/// thread's own objects.
pub fn at_exit(handler: extern "C" fn()) -> bool {
    // SAFETY: the function takes no arguments and is in a file that stays loaded.
    unsafe { libc::atexit(handler) == 0 }
}
