//! The file that contains the running code.
#![expect(unsafe_code, reason = "libraries that are opened, and their functions")]

use std::ffi::{CStr, OsStr, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// Returns the shared library or program that contains this function, under the name with which it was opened if that
/// was absolute. Returns `None` if the system does not report it.
pub fn own_file() -> Option<PathBuf> {
    let mut info = std::mem::MaybeUninit::<libc::Dl_info>::zeroed();
    // SAFETY: `info` has room for the answer, and any address may be queried.
    let found = unsafe { libc::dladdr(own_file as *const c_void, info.as_mut_ptr()) };
    // SAFETY: the structure is zeroed and possibly filled, which is valid in either case.
    let info = unsafe { info.assume_init() };
    if found == 0 || info.dli_fname.is_null() {
        return None;
    }
    // SAFETY: this is the system's own NUL-terminated path, which lives as long as the library.
    let path = unsafe { CStr::from_ptr(info.dli_fname) };
    let path = PathBuf::from(OsStr::from_bytes(path.to_bytes()));
    // A relative name referred to the working directory at that time.
    if path.is_absolute() { Some(path) } else { mapped_file(own_file as *const () as usize) }
}

/// Returns the file that is mapped at an address.
fn mapped_file(address: usize) -> Option<PathBuf> {
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    let is_there = |line: &&str| {
        let range = line.split(' ').next().and_then(|range| range.split_once('-'));
        let number = |text| usize::from_str_radix(text, 16).ok();
        range
            .and_then(|(start, end)| Some(number(start)?..number(end)?))
            .is_some_and(|range| range.contains(&address))
    };
    let line = maps.lines().find(is_there)?;
    line.get(line.find('/')?..).map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_finds_its_own_file() {
        let own = own_file().unwrap().canonicalize().unwrap();
        assert_eq!(own, std::env::current_exe().unwrap().canonicalize().unwrap());
    }

    const MOVED: &str = "PI_DYNLOAD_TEST_MOVED";

    #[test]
    fn a_program_started_by_a_relative_path_finds_its_own_file_from_elsewhere() {
        let own = std::env::current_exe().unwrap();
        if std::env::var_os(MOVED).is_some() {
            std::env::set_current_dir("/").unwrap();
            assert_eq!(own_file(), Some(own));
            return;
        }
        let name = std::path::Path::new(".").join(own.file_name().unwrap());
        let test = "own_file::tests::a_program_started_by_a_relative_path_finds_its_own_file_from_elsewhere";
        let mut child = std::process::Command::new(name);
        child.args(["--exact", test]).env(MOVED, "1").current_dir(own.parent().unwrap());
        let output = child.output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("1 passed"), "{text}");
    }
}
