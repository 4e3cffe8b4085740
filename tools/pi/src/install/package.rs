//! Finds the package that installed a file of a libsycl's folder, from the records of pip (and uv) and conda.
//!
//! A kept file belongs to the vendor as long as its package is installed. After an update or a removal, no package owns
//! it.

use std::fs;
use std::path::{Component, Path, PathBuf};

use super::tree;
use crate::regular;

/// Larger than the record of any package.
const LARGEST: u64 = 64 << 20;

/// Returns the record of the package that installed the file, relative to the folder, or `None` if no record lists
/// it.
pub fn record_of(folder: &Path, name: &str) -> Option<PathBuf> {
    by_pip(folder, name).or_else(|| by_conda(folder, name))
}

/// Returns whether the package of that record was removed or replaced by another version.
pub fn is_gone(folder: &Path, record: &Path) -> bool {
    !folder.join(record).exists()
}

fn by_pip(folder: &Path, name: &str) -> Option<PathBuf> {
    let file = folder.join(name);
    tree::site_packages(folder).into_iter().find_map(|packages| {
        let lists = |record: &PathBuf| {
            let text = regular::read_at_most(record, LARGEST).unwrap_or_default();
            // A line contains the path relative to the folder of packages, the hash and the size, separated by
            // commas.
            String::from_utf8_lossy(&text).lines().any(|line| {
                let path = line.split(',').next().unwrap_or_default().trim_matches('"');
                path.ends_with(name) && without_dots(&packages.join(path)) == file
            })
        };
        let record =
            infos(&packages, ".dist-info").into_iter().map(|info| info.join("RECORD")).find(lists)?;
        Some(record.strip_prefix(folder).map_or_else(|_| record.clone(), Path::to_path_buf))
    })
}

fn by_conda(folder: &Path, name: &str) -> Option<PathBuf> {
    let records = Path::new("../conda-meta");
    let listed = format!("\"{}/{name}\"", folder.file_name()?.to_str()?);
    let lists = |record: &PathBuf| {
        let text = regular::read_at_most(record, LARGEST).unwrap_or_default();
        memchr::memmem::find(&text, listed.as_bytes()).is_some()
    };
    let record = infos(&folder.join(records), ".json").into_iter().find(lists)?;
    Some(records.join(record.file_name()?))
}

/// Returns the entries of a folder whose names have that suffix.
fn infos(folder: &Path, end: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let ends = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().ends_with(end);
    let mut found: Vec<PathBuf> = entries.filter(ends).map(|entry| entry.path()).collect();
    found.sort();
    found
}

/// Resolves each `..` of a path textually, as in the records, ignoring links.
fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_record_of_pip_or_conda_that_lists_the_file_is_found() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let lib = root.join("lib");
        let info = lib.join("python3.12/site-packages/intel_cmplr_lib_ur-2025.3.3.dist-info");
        fs::create_dir_all(&info).unwrap();
        fs::create_dir(root.join("conda-meta")).unwrap();
        let other =
            "lib/xlibur_loader.so.0,sha256=abc,12\n../../../lib/libur_loader.so.0.12.0,sha256=abc,1\n";
        fs::write(info.join("RECORD"), other).unwrap();
        assert_eq!(record_of(&lib, "libur_loader.so.0"), None);
        fs::write(info.join("RECORD"), format!("{other}../../../lib/libur_loader.so.0,sha256=x,12\r\n"))
            .unwrap();
        let record = record_of(&lib, "libur_loader.so.0").unwrap();
        assert_eq!(
            record,
            Path::new("python3.12/site-packages/intel_cmplr_lib_ur-2025.3.3.dist-info/RECORD")
        );
        assert!(!is_gone(&lib, &record));
        fs::remove_dir_all(&info).unwrap();
        assert!(is_gone(&lib, &record));

        let text = r#"{"files": ["bin/x", "lib/libur_loader.so.0"]}"#;
        fs::write(root.join("conda-meta/intel-cmplr-lib-ur-2025.3.3-intel_1.json"), text).unwrap();
        let record = record_of(&lib, "libur_loader.so.0").unwrap();
        assert_eq!(record, Path::new("../conda-meta/intel-cmplr-lib-ur-2025.3.3-intel_1.json"));
        assert_eq!(record_of(&lib, "libur_loader.so"), None);
    }
}
