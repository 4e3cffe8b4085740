//! Folders that appear whole or not at all, and stamps that say what is in them.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

const STAMP: &str = ".stamp";

/// Whether `folder` was completed with exactly this content.
pub(crate) fn is_stamped(folder: &Path, content: &str) -> bool {
    fs::read_to_string(folder.join(STAMP)).is_ok_and(|found| found.trim() == digest(content))
}

/// Makes `folder` by `build`, which is given an empty folder beside it. The result takes its place by a rename, stamped
/// with its content, so that a run that is interrupted or has company leaves no half-made folder behind.
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
    let partial = tempfile::Builder::new().prefix(".partial-").tempdir_in(parent)?;
    let inside = partial.path().join("new");
    fs::create_dir(&inside)?;
    build(&inside)?;
    fs::write(inside.join(STAMP), digest(content))?;
    if is_stamped(folder, content) {
        return Ok(());
    }
    if folder.exists() {
        fs::rename(folder, partial.path().join("old"))
            .with_context(|| format!("cannot replace {}", folder.display()))?;
    }
    fs::rename(&inside, folder).with_context(|| format!("cannot put {} in its place", folder.display()))
}

/// FNV-1a in 64 bits: stable across Rust releases, which the standard library's hasher is not.
fn digest(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
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
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1, "nothing half-made stays behind");
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
