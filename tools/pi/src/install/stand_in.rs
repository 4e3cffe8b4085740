//! A folder that replaces a libsycl's own: links to its files, to our plugins, and a copy of libsycl.
//!
//! A libsycl that loads plugins opens those next to itself. It asks the system for its own path, with links resolved,
//! and released versions read no variable that names plugins. A program is therefore made to load the copy, which finds
//! ours.

use std::fs;
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result};
use rustix::fs::CWD;
use sycl_pi_host_process::{check_folders_above, open_own_folder};
use sycl_pi_loader::Backend;

use super::files;
use super::tree::{self, LibsyclFolder};

/// Creates the folder in the user's cache if it does not exist, and returns it.
///
/// # Errors
/// Fails if there is no cache folder, or it cannot be written.
pub fn ensure(libsycl: &LibsyclFolder, ours: &[(Backend, PathBuf)]) -> Result<PathBuf> {
    let plan = Plan::new(libsycl, ours)?;
    let parent = cache_folder()?;
    make_own(&parent).with_context(|| format!("{} cannot be used", parent.display()))?;
    let folder = parent.join(&plan.key);
    if !folder.exists() {
        let scratch = tempfile::tempdir_in(&parent)?;
        fs::set_permissions(scratch.path(), fs::Permissions::from_mode(0o700))?;
        plan.carry_out(scratch.path())?;
        let made = scratch.keep();
        // Another process may have been faster.
        if fs::rename(&made, &folder).is_err() {
            fs::remove_dir_all(&made)?;
        }
    }
    open_own_folder(CWD, folder.as_os_str(), &folder)?;
    Ok(folder)
}

/// Creates the folder for files that programs load. With `sudo -E`, root has another user's home.
fn make_own(folder: &Path) -> io::Result<()> {
    match check_folders_above(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        other => other?,
    }
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    open_own_folder(CWD, folder.as_os_str(), folder).map(drop)
}

fn cache_folder() -> Result<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")));
    let cache = cache.filter(|folder| folder.is_absolute());
    Ok(cache.context("neither XDG_CACHE_HOME nor HOME names a folder")?.join("sycl-pi/run"))
}

/// The contents of the folder.
struct Plan {
    /// Names and their targets.
    links: Vec<(PathBuf, PathBuf)>,
    /// The file to copy.
    libsycl: PathBuf,
    key: String,
}

impl Plan {
    fn new(libsycl: &LibsyclFolder, ours: &[(Backend, PathBuf)]) -> Result<Self> {
        let own = |name: &Path| {
            tree::version_of(name.as_os_str()).is_some_and(|all| all.first() == Some(&libsycl.major))
        };
        let copy = PathBuf::from(libsycl.libsycl.file_name().context("libsycl has no name")?);
        let plugin = |name: &Path| ours.iter().find(|(backend, _)| name == Path::new(backend.file_name()));
        let mut links: Vec<(PathBuf, PathBuf)> = Vec::new();
        for entry in fs::read_dir(&libsycl.folder)
            .with_context(|| format!("{} cannot be read", libsycl.folder.display()))?
        {
            let name = PathBuf::from(entry?.file_name());
            let there = libsycl.folder.join(&name);
            if name == copy || plugin(&name).is_some() || !there.is_file() {
                continue;
            }
            // The other names of libsycl link to the copy.
            links.push(if own(&name) { (name, copy.clone()) } else { (name, there) });
        }
        links.extend(ours.iter().map(|(backend, file)| (backend.file_name().into(), file.clone())));
        links.sort();
        let about = fs::metadata(&libsycl.libsycl)?;
        let since = about.modified()?.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let text = format!("1 {} {} {since:?} {links:?}", libsycl.libsycl.display(), about.len());
        let key = files::sha256_of(text.as_bytes()).chars().take(16).collect();
        Ok(Self { links, libsycl: libsycl.libsycl.clone(), key })
    }

    fn carry_out(&self, folder: &Path) -> Result<()> {
        for (name, target) in &self.links {
            symlink(target, folder.join(name))?;
        }
        let copy = folder.join(self.libsycl.file_name().unwrap_or_default());
        fs::copy(&self.libsycl, &copy)
            .with_context(|| format!("{} cannot be copied", self.libsycl.display()))?;
        Ok(())
    }
}
