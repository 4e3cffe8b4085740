//! Names of files and folders below the root.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::Digest;

/// Folders between the root and an item's files: device, image set, spec constants, options.
pub(super) const LEVELS: usize = 4;

/// The prefix of files that are being written. They are renamed when they are complete.
pub(super) const TEMPORARY: &str = "tmp-";

/// The root's file for eviction. It contains the lock, the time of the last run, and the remaining size.
pub(super) const UPKEEP_FILE: &str = "sycl-pi.upkeep";

/// The files of one item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ItemFile {
    /// The complete key.
    Src,
    /// The binary.
    Bin,
    /// One byte for each use; its modification time is that of the last use.
    Use,
}

impl ItemFile {
    pub(super) const ALL: [ItemFile; 3] = [ItemFile::Src, ItemFile::Bin, ItemFile::Use];

    fn extension(self) -> &'static str {
        match self {
            ItemFile::Src => "src",
            ItemFile::Bin => "bin",
            ItemFile::Use => "use",
        }
    }
}

/// Returns `<folder>/<number>.<kind>`.
pub(super) fn file(folder: &Path, number: u64, kind: ItemFile) -> PathBuf {
    // Not with `format!`, because a start from disk builds three such names for each program, and the formatting code
    // is cold each time.
    let mut name = number.to_string();
    name.push('.');
    name.push_str(kind.extension());
    folder.join(name)
}

/// Returns the number and kind in a file's name.
pub(super) fn parse(name: &OsStr) -> Option<(u64, ItemFile)> {
    let (number, extension) = name.to_str()?.split_once('.')?;
    let kind = ItemFile::ALL.into_iter().find(|kind| kind.extension() == extension)?;
    let parsed: u64 = number.parse().ok()?;
    // Each number has a single spelling: neither `+1` nor `01` is valid.
    (parsed.to_string() == number).then_some((parsed, kind))
}

/// Returns the numbers of the items among these files, in order. An item exists if its `.src` does.
pub(super) fn numbers(names: &[OsString]) -> Vec<u64> {
    let items = names.iter().filter_map(|name| parse(name)).filter(|(_, kind)| *kind == ItemFile::Src);
    let mut numbers: Vec<u64> = items.map(|(number, _)| number).collect();
    numbers.sort_unstable();
    numbers
}

/// Returns whether it is an unfinished file, possibly left by a killed process.
pub(super) fn is_temporary(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| name.starts_with(TEMPORARY))
}

/// Returns whether a folder may belong to this cache.
pub(super) fn is_folder_name(name: &OsStr) -> bool {
    name.to_str().is_some_and(Digest::is_name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn names_are_read_back(number: u64, kind in 0..3usize) {
            let path = file(Path::new("/x"), number, ItemFile::ALL[kind]);
            prop_assert_eq!(parse(path.file_name().unwrap()), Some((number, ItemFile::ALL[kind])));
        }

        #[test]
        fn other_names_are_not_ours(name in ".{0,12}") {
            if let Some((number, kind)) = parse(OsStr::new(&name)) {
                let path = file(Path::new("/x"), number, kind);
                prop_assert_eq!(path.file_name().unwrap(), OsStr::new(&name));
            }
        }
    }

    #[test]
    fn one_number_has_one_name() {
        for name in ["01.src", "+1.src", "1.lock", "1.src.bin", ".src", "1.", "18446744073709551616.bin"] {
            assert_eq!(parse(OsStr::new(name)), None, "{name}");
        }
    }
}
