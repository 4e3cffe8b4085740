//! Closes the descriptors that the process inherited.

use std::ffi::c_int;
use std::fs;

/// The first descriptor that is not a standard stream.
const FIRST: c_int = 3;
/// The limit if the system does not report one: more descriptors than most programs may have.
const MANY: c_int = 1 << 16;

/// Closes all descriptors except the three standard ones, because the program's files and locks belong to the
/// program. Must be called before this process opens a file.
pub(super) fn close_all_but_standard() {
    // SAFETY: takes numbers, and this process has not opened a file.
    if unsafe { libc::syscall(libc::SYS_close_range, FIRST, c_int::MAX, 0) } == 0 {
        return;
    }
    // Linux before 5.9 lacks the call. One of the numbers belongs to the folder itself, which is closed by then.
    let numbers = fs::read_dir("/proc/self/fd").map(|entries| {
        let names = entries.flatten().map(|entry| entry.file_name());
        names.filter_map(|name| name.to_str()?.parse().ok()).collect::<Vec<c_int>>()
    });
    let numbers = numbers.unwrap_or_else(|_| (FIRST..most_descriptors()).collect());
    for number in numbers.into_iter().filter(|number| *number >= FIRST) {
        // SAFETY: the same as above.
        unsafe { libc::close(number) };
    }
}

/// Returns one more than the highest possible descriptor.
fn most_descriptors() -> c_int {
    // SAFETY: takes a number.
    let most = unsafe { libc::sysconf(libc::_SC_OPEN_MAX) };
    c_int::try_from(most).unwrap_or(MANY).clamp(FIRST, MANY)
}
