//! Links of files in the folder of a libsycl.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;

/// The number of links that Linux follows.
const MOST_LINKS: usize = 40;

/// Returns whether the file is a symbolic link.
pub fn is_link(file: &Path) -> bool {
    fs::symlink_metadata(file).is_ok_and(|data| data.is_symlink())
}

/// Follows links from one name of the folder to another, and returns the last name. A link that leaves the folder
/// is not followed.
pub fn last_name(folder: &Path, name: &OsStr) -> OsString {
    let mut name = name.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(target) = fs::read_link(folder.join(&name)) else { break };
        let way = target.parent().unwrap_or(Path::new(""));
        let stays = way == Path::new("") || folder.join(way).canonicalize().is_ok_and(|way| way == folder);
        match target.file_name().filter(|_| stays) {
            Some(next) => name = next.to_owned(),
            None => break,
        }
    }
    name
}
