//! Descriptors that the process was started with.

use std::ffi::c_int;
use std::fs;

/// The first descriptor that is no standard stream.
const FIRST: c_int = 3;
/// Where the system tells nothing: more descriptors than most programs may have.
const MANY: c_int = 1 << 16;

/// Closes all descriptors but the three standard ones: the program's files and locks are the program's. To be called before anything
/// in this process has a file.
pub(super) fn close_all_but_standard() {
    // SAFETY: takes numbers, and nothing of this process has a file.
    if unsafe { libc::syscall(libc::SYS_close_range, FIRST, c_int::MAX, 0) } == 0 {
        return;
    }
    // Linux before 5.9 lacks the call. One of the numbers is of the folder itself, which is closed by then.
    let numbers = fs::read_dir("/proc/self/fd").map(|entries| {
        let names = entries.flatten().map(|entry| entry.file_name());
        names.filter_map(|name| name.to_str()?.parse().ok()).collect::<Vec<c_int>>()
    });
    let numbers = numbers.unwrap_or_else(|_| (FIRST..most_descriptors()).collect());
    for number in numbers.into_iter().filter(|number| *number >= FIRST) {
        // SAFETY: as above.
        unsafe { libc::close(number) };
    }
}

/// One more than the highest number that a descriptor may have.
fn most_descriptors() -> c_int {
    // SAFETY: takes a number.
    let most = unsafe { libc::sysconf(libc::_SC_OPEN_MAX) };
    c_int::try_from(most).unwrap_or(MANY).clamp(FIRST, MANY)
}
