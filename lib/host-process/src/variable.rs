//! Variables that name files and programs.
#![expect(unsafe_code, reason = "the variables of the process as C keeps them")]

use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Returns whether the process has more privileges than the user who started it, as a set-user-ID or set-group-ID
/// program or one with capabilities has. Nothing that this user can set may determine the code that it runs or the
/// files that it writes.
pub fn is_privileged() -> bool {
    // SAFETY: the function takes a number, and returns 0 for unknown values.
    unsafe { libc::getauxval(libc::AT_SECURE) != 0 }
}

/// Returns the value of a variable that names a file or a program. Returns `None` if it is unset or empty, and in a
/// process that [is privileged](is_privileged).
pub fn trusted_variable(name: &str) -> Option<OsString> {
    if is_privileged() {
        return None;
    }
    env::var_os(name).filter(|value| !value.is_empty())
}

/// Returns the folders of a list such as `PATH`, without its empty parts. Some programs treat an empty part as the
/// current directory, and it is usually there by mistake.
pub fn folders(list: &OsStr) -> impl Iterator<Item = PathBuf> {
    env::split_paths(list).filter(|folder| !folder.as_os_str().is_empty())
}

/// Returns a value of `LD_LIBRARY_PATH` without its empty parts. The system treats an empty part as the current
/// directory and would load its libraries; `/x:$LD_LIBRARY_PATH` produces one if the variable is unset.
pub fn library_path(list: &OsStr) -> OsString {
    let parts = list.as_bytes().split(|byte| matches!(byte, b':' | b';')).filter(|part| !part.is_empty());
    OsString::from_vec(parts.collect::<Vec<_>>().join(&b':'))
}

/// Returns whether a folder or file belongs to root or to the process's user. Those of other users may contain
/// anything.
pub fn is_own_or_of_root(path: &Path) -> bool {
    let user = rustix::process::geteuid().as_raw();
    path.metadata().is_ok_and(|info| [0, user].contains(&info.uid()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_path_has_no_empty_part() {
        let of = |list: &str| library_path(OsStr::new(list));
        assert_eq!(of("/x:"), "/x");
        assert_eq!(of(":/a b::./sub;;/c;"), "/a b:./sub:/c");
        assert_eq!(of("::;"), "");
    }

    #[test]
    fn a_list_has_no_empty_part() {
        let of = |list: &str| folders(OsStr::new(list)).collect::<Vec<_>>();
        assert_eq!(of("/one::/two:"), [PathBuf::from("/one"), "/two".into()]);
        assert!(of("").is_empty() && of("::").is_empty());
        assert_eq!(of(":."), [PathBuf::from(".")], "the current directory can be asked for");
    }
}
