//! Folders that are created completely or not at all, with stamps that identify their content.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::process;

const STAMP: &str = ".stamp";

/// Returns whether `folder` was completed with exactly this content.
pub(crate) fn is_stamped(folder: &Path, content: &str) -> bool {
    fs::read_to_string(folder.join(STAMP)).is_ok_and(|found| found.trim() == digest(content))
}

/// Creates `folder`: `build` fills an empty folder next to it, which is then stamped and renamed. An interrupted
/// run leaves no incomplete folder. Threads and processes that need the same folder wait for the first of them, with an
/// advisory lock that is released when its process ends.
pub(crate) fn build_folder(
    folder: &Path,
    content: &str,
    build: impl FnOnce(&Path) -> Result<()>,
) -> Result<()> {
    if is_stamped(folder, content) {
        return Ok(());
    }
    let parent = folder.parent().unwrap_or(folder);
    fs::create_dir_all(parent).with_context(|| format!("cannot create {}", parent.display()))?;
    let lock = lock_file(parent, folder)?;
    lock.lock().with_context(|| format!("cannot lock {}", folder.display()))?;
    if is_stamped(folder, content) {
        return Ok(());
    }
    let partial = tempfile::Builder::new().prefix(".partial-").tempdir_in(parent)?;
    let inside = partial.path().join("new");
    fs::create_dir(&inside)?;
    build(&inside)?;
    fs::write(inside.join(STAMP), digest(content))?;
    if folder.exists() {
        fs::rename(folder, partial.path().join("old"))
            .with_context(|| format!("cannot replace {}", folder.display()))?;
    }
    fs::rename(&inside, folder).with_context(|| format!("cannot put {} in its place", folder.display()))
}

/// Replaces files with the same bytes under `folder` by hard links to one file. Wheels contain copies where an
/// installation has links, and several environments contain the same driver. Such a file may only be replaced, never
/// written to. Does nothing without the program `hardlink`.
pub(crate) fn share_equal_files(folder: &Path) {
    let mut hardlink = Command::new("hardlink");
    process::succeeds(hardlink.args(["--quiet", "--content", "--minimum-size", "1M"]).arg(folder));
}

/// Opens the lock file next to `folder`. It is never removed. Otherwise two builders could each hold a lock.
fn lock_file(parent: &Path, folder: &Path) -> Result<fs::File> {
    let name = folder.file_name().context("a folder without a name")?.to_string_lossy();
    let path = parent.join(format!(".{name}.lock"));
    fs::File::create(&path).with_context(|| format!("cannot create {}", path.display()))
}

/// FNV-1a with 64 bits, which is stable across Rust releases, unlike the standard library's hasher.
fn digest(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_folder_is_built_once_per_content() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("thing");
        let mut built = 0;
        for content in ["one", "one", "two"] {
            build_folder(&folder, content, |inside| {
                built += 1;
                Ok(fs::write(inside.join("content"), content)?)
            })
            .unwrap();
        }
        assert_eq!(built, 2);
        assert_eq!(fs::read_to_string(folder.join("content")).unwrap(), "two");
        let names = fs::read_dir(place.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<_> = names.collect();
        names.sort();
        assert_eq!(names, [".thing.lock", "thing"], "nothing half-made stays behind");
    }

    #[test]
    fn threads_that_want_the_same_folder_build_it_once() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("thing");
        let built = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    build_folder(&folder, "one", |inside| {
                        built.fetch_add(1, Ordering::Relaxed);
                        thread::sleep(Duration::from_millis(20));
                        Ok(fs::write(inside.join("content"), "one")?)
                    })
                    .unwrap();
                    assert_eq!(fs::read_to_string(folder.join("content")).unwrap(), "one");
                });
            }
        });
        assert_eq!(built.into_inner(), 1);
    }

    #[test]
    fn a_failed_build_leaves_the_old_folder() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("thing");
        build_folder(&folder, "one", |_| Ok(())).unwrap();
        assert!(build_folder(&folder, "two", |_| anyhow::bail!("no")).is_err());
        assert!(is_stamped(&folder, "one"));
    }
}
