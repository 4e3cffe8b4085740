//! A cached binary is code: what others may have written is not loaded.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;
use crate::store::{OsFs, Problem, fs::Fs};

#[test]
fn files_that_others_may_write_are_not_loaded() {
    let bed = Bed::new();
    let store = bed.store();
    for kind in [ItemFile::Src, ItemFile::Bin] {
        for (mode, loaded) in [(0o620, false), (0o602, false), (0o666, false), (0o644, true), (0o400, true)] {
            get(&store, "a");
            let path = bed.file(&key("a"), 0, kind);
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(store.load(&key("a")).is_some(), loaded, "{kind:?} {mode:o}");
        }
        // The item is written anew, with its own permissions.
        fs::set_permissions(bed.file(&key("a"), 0, kind), fs::Permissions::from_mode(0o666)).unwrap();
        assert_eq!(get(&store, "a").1, ProgramSource::Build);
        assert_eq!(get(&store, "a").1, ProgramSource::Disk);
    }
}

#[test]
fn links_and_other_things_are_not_loaded() {
    let bed = Bed::new();
    let store = bed.store();
    get(&store, "a");
    let path = bed.file(&key("a"), 0, ItemFile::Bin);
    let elsewhere = bed.home.path().join("elsewhere");
    fs::rename(&path, &elsewhere).unwrap();
    symlink(&elsewhere, &path).unwrap();
    assert_eq!(store.load(&key("a")), None);
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert_eq!(store.load(&key("a")), None);
    assert_eq!(get(&store, "a").0, binary("a"));
    fs::remove_dir(&path).unwrap();
    // A pipe that nobody writes into must not be waited for.
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    assert_eq!(store.load(&key("a")), None);
    assert_eq!(get(&bed.store(), "a").0, binary("a"));
}

#[test]
fn another_users_files_are_not_loaded() {
    let bed = Bed::new();
    let store = bed.store();
    get(&store, "a");
    let info = OsFs.info_at(&bed.file(&key("a"), 0, ItemFile::Bin)).unwrap();
    assert!(store.inner.trust(&info).is_ok());
    let others = crate::store::FileInfo { owner: info.owner.wrapping_add(1), ..info };
    assert!(matches!(store.inner.trust(&others), Err(Problem::Untrusted(_))));
}
