//! A cached binary is code, so files that other users may have written are not loaded.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, lchown, symlink};
use std::time::Instant;

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
        // The item is written again, with its own permissions.
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
    // A pipe without a writer must not be waited for.
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    assert_eq!(store.load(&key("a")), None);
    assert_eq!(get(&bed.store(), "a").0, binary("a"));
}

#[test]
fn another_users_files_are_not_loaded() {
    let bed = Bed::new();
    let store = bed.store();
    get(&store, "a");
    let info = OsFs::new(&bed.root()).info_at(&bed.file(&key("a"), 0, ItemFile::Bin)).unwrap();
    assert!(store.inner.trust(&info).is_ok());
    let others = crate::store::FileInfo { owner: info.owner.wrapping_add(1), ..info };
    assert!(matches!(store.inner.trust(&others), Err(Problem::Untrusted(_))));
}

/// Another user, given that root runs this test.
const ANOTHER: u32 = 12_345;

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// Returns whether files can be given to another user, which only root can do.
fn can_give_away(bed: &Bed) -> bool {
    let can = fs::metadata(bed.home.path()).unwrap().uid() == 0;
    if !can {
        eprintln!("skipped: only root can give a file to another user");
    }
    can
}

/// Runs a program with a cache that another user made. Each run builds immediately, and nothing is read, written or
/// locked.
fn does_without(bed: &Bed, what: &str) {
    let picture = |folder: &Path| -> Vec<(PathBuf, Vec<u8>, u64)> {
        let about =
            |path: PathBuf| (path.clone(), fs::read(&path).unwrap(), fs::metadata(&path).unwrap().ino());
        files(folder).into_iter().map(about).collect()
    };
    let before = picture(bed.home.path());
    let store = Store::open(&Config { wait: Duration::from_secs(60), ..bed.config() });
    let started = Instant::now();
    for _ in 0..2 {
        assert_eq!(get(&store, "a"), (binary("a"), ProgramSource::Build), "{what}");
        assert_eq!(get(&store, "b"), (binary("b"), ProgramSource::Build), "{what}");
    }
    assert!(started.elapsed() < Duration::from_secs(10), "{what}: {:?}", started.elapsed());
    assert_eq!(store.stats().saved, 0, "{what}");
    store.shut_down();
    assert!(picture(bed.home.path()) == before, "{what}: a file was changed");
}

/// Returns the folders of an item, starting at the root.
fn levels(bed: &Bed) -> Vec<PathBuf> {
    let item = bed.folder(&key("a"));
    let mut levels: Vec<PathBuf> = item.ancestors().take(layout::LEVELS + 1).map(Path::to_path_buf).collect();
    levels.reverse();
    assert_eq!(levels[0], bed.root());
    levels
}

#[test]
fn folders_that_others_may_write_are_not_used() {
    for level in 0..=layout::LEVELS {
        let bed = Bed::new();
        get(&bed.store(), "a");
        let folder = &levels(&bed)[level];
        for mode in [0o770, 0o707, 0o1777] {
            set_mode(folder, mode);
            does_without(&bed, &format!("level {level}, mode {mode:o}"));
        }
        // The stored item is found again once the folder's mode is restored.
        set_mode(folder, 0o700);
        assert_eq!(get(&bed.store(), "a").1, ProgramSource::Disk);
    }
}

#[test]
fn links_in_the_place_of_folders_are_not_followed() {
    for level in 0..=layout::LEVELS {
        let bed = Bed::new();
        get(&bed.store(), "a");
        let folder = levels(&bed)[level].clone();
        // The victim's folder has a file with the name of a lock.
        let victim = bed.home.path().join("victim");
        fs::rename(&folder, &victim).unwrap();
        fs::write(victim.join("lock"), "precious data").unwrap();
        symlink(&victim, &folder).unwrap();
        does_without(&bed, &format!("a link at level {level}"));
    }
}

#[test]
fn another_users_folders_are_not_used() {
    for level in 0..=layout::LEVELS {
        let bed = Bed::new();
        if !can_give_away(&bed) {
            return;
        }
        get(&bed.store(), "a");
        chown(&levels(&bed)[level], Some(ANOTHER), None).unwrap();
        does_without(&bed, &format!("another's folder at level {level}"));
    }
}

/// As with `sudo -E`, which gives root the home of the user who typed it.
#[test]
fn nothing_is_made_in_another_users_home() {
    let bed = Bed::new();
    if !can_give_away(&bed) {
        return;
    }
    chown(bed.home.path(), Some(ANOTHER), None).unwrap();
    does_without(&bed, "another's home");
    assert!(!bed.root().exists());
    chown(bed.home.path(), Some(0), None).unwrap();
    let link = bed.home.path().join("link");
    fs::create_dir(bed.home.path().join("real")).unwrap();
    symlink("real", &link).unwrap();
    let config = Config { root: Some(link.join("cache")), ..bed.config() };
    assert_eq!(get(&Store::open(&config), "a").1, ProgramSource::Build);
    assert_eq!(get(&Store::open(&config), "a").1, ProgramSource::Disk, "the user's own link above the root");
    lchown(&link, Some(ANOTHER), None).unwrap();
    assert_eq!(get(&Store::open(&config), "a").1, ProgramSource::Build, "another's link");
}

#[test]
fn a_folder_among_those_of_all_users_works() {
    let bed = Bed::new();
    for (mode, kept) in [(0o1777, true), (0o777, false)] {
        set_mode(bed.home.path(), mode);
        get(&bed.store(), "a");
        assert_eq!(get(&bed.store(), "a").1 == ProgramSource::Disk, kept, "{mode:o}");
    }
}

#[test]
fn a_lock_of_others_is_not_waited_for() {
    let bed = Bed::new();
    get(&bed.store(), "a");
    let lock = bed.folder(&key("a")).join("lock");
    fs::remove_file(bed.file(&key("a"), 0, ItemFile::Src)).unwrap();
    let held = fs::File::open(&lock).unwrap();
    rustix::fs::flock(&held, rustix::fs::FlockOperation::LockExclusive).unwrap();
    for mode in [0o666, 0o660, 0o606] {
        set_mode(&lock, mode);
        let store = Store::open(&Config { wait: Duration::from_secs(60), ..bed.config() });
        let started = Instant::now();
        assert_eq!(get(&store, "a").1, ProgramSource::Build);
        assert!(started.elapsed() < Duration::from_secs(10), "{mode:o}: {:?}", started.elapsed());
        assert_eq!(store.stats().saved, 0);
    }
    // A link in its place is not followed.
    let victim = bed.home.path().join("victim");
    fs::write(&victim, "precious data").unwrap();
    fs::remove_file(&lock).unwrap();
    symlink(&victim, &lock).unwrap();
    assert_eq!(get(&bed.store(), "a").1, ProgramSource::Build);
    assert_eq!(fs::read(&victim).unwrap(), b"precious data");
}
