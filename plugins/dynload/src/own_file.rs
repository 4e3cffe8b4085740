//! Where the code at hand lies.

use std::ffi::{CStr, OsStr, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// The shared library or program that contains this function, under the name with which it was opened. None if the system does not
/// tell.
pub fn own_file() -> Option<PathBuf> {
    let mut info = std::mem::MaybeUninit::<libc::Dl_info>::zeroed();
    // SAFETY: `info` is room for the answer; any address may be asked for.
    let found = unsafe { libc::dladdr(own_file as *const c_void, info.as_mut_ptr()) };
    // SAFETY: zeroed, then possibly filled: valid either way.
    let info = unsafe { info.assume_init() };
    if found == 0 || info.dli_fname.is_null() {
        return None;
    }
    // SAFETY: the system's own NUL-terminated path, which stays as long as the library.
    let path = unsafe { CStr::from_ptr(info.dli_fname) };
    Some(PathBuf::from(OsStr::from_bytes(path.to_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_finds_its_own_file() {
        let own = own_file().unwrap().canonicalize().unwrap();
        assert_eq!(own, std::env::current_exe().unwrap().canonicalize().unwrap());
    }
}
