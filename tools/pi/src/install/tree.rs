//! Finds the libsycl libraries of an environment. Each loads its plugins or adapters from its own folder.
//!
//! A package manager may have made each file a link into its cache, in which each package has another folder. Programs
//! load the files under the environment's names, so links between folders are followed, and links to files are not.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::kind::FileKind;
use super::links;
use crate::shell;

/// A folder that contains a libsycl.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LibsyclFolder {
    /// The folder of the name, with links between folders resolved.
    pub folder: PathBuf,
    /// The library in this folder: a file, or a link out of the folder.
    pub libsycl: PathBuf,
    /// The number in its soname.
    pub major: u32,
    /// Whether a link of the environment leads to this folder, which is outside of it.
    pub outside: bool,
}

impl LibsyclFolder {
    /// Returns the name, e.g. `libsycl.so.7`.
    pub fn name(&self) -> String {
        format!("libsycl.so.{}", self.major)
    }

    /// Refuses a folder outside the environment in `root`, because other environments may use it too.
    ///
    /// # Errors
    /// Fails if it is outside.
    pub fn check_inside(&self, root: &Path, command: &str) -> Result<()> {
        if !self.outside {
            return Ok(());
        }
        let folder = self.folder.display();
        bail!(
            "a link in {} leads to {folder}, which is outside it, so others may use it too: pi {command} {} is for all of them",
            root.display(),
            shell::path(&self.folder)
        )
    }

    /// Returns whether it loads Unified Runtime adapters. Otherwise it loads PI plugins.
    pub fn speaks_ur(&self) -> bool {
        self.kind() == FileKind::Adapter
    }

    /// Returns the kind of files that it loads.
    pub fn kind(&self) -> FileKind {
        if self.major >= FIRST_UR_LIBSYCL { FileKind::Adapter } else { FileKind::Plugin }
    }
}

/// Returns the folders of Python packages below the library folder `folder`, in the environment of an interpreter.
pub fn site_packages(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = expand(folder, "*/site-packages")
        .into_iter()
        // In conda, python3.1 is a link to python3.12.
        .filter_map(|folder| folder.canonicalize().ok())
        .collect();
    found.sort();
    found.dedup();
    found
}

/// Returns those that are below the folder. A link may lead to packages that other environments use too.
pub fn own_site_packages(folder: &Path) -> Vec<PathBuf> {
    let mut found = site_packages(folder);
    found.retain(|packages| packages.starts_with(folder));
    found
}

/// The major versions of libsycl with a known interface.
pub const MAJORS: std::ops::RangeInclusive<u32> = 5..=9;

/// The first libsycl that uses Unified Runtime is libsycl.so.8, of 2025.0.
const FIRST_UR_LIBSYCL: u32 = 8;

/// The folders of libraries in the known layouts, relative to the folder that users name. `*` is any one folder.
const LAYOUTS: [&str; 12] = [
    "",
    "lib",
    "lib64",
    "lib/x86_64-linux-gnu",
    "linux/lib",
    "latest/lib",
    "latest/linux/lib",
    "*/lib",
    "*/linux/lib",
    "compiler/*/lib",
    "compiler/*/linux/lib",
    "Library/lib",
];

/// Returns all folders below `root` that may contain libraries, with links resolved and without duplicates.
pub fn places(root: &Path) -> Result<Vec<PathBuf>> {
    let root = folder_of(root)?;
    let mut places: Vec<PathBuf> = Vec::new();
    for folder in LAYOUTS.iter().flat_map(|layout| expand(&root, layout)) {
        if let Some(folder) = folder.canonicalize().ok().filter(|folder| !places.contains(folder)) {
            places.push(folder);
        }
    }
    Ok(places)
}

/// Returns the folder of `root`, which may also be a library or a link to one.
fn folder_of(root: &Path) -> Result<PathBuf> {
    let named = std::path::absolute(root)?;
    let folder = if root.is_file() { named.parent().unwrap_or(&named) } else { &named };
    folder.canonicalize().with_context(|| format!("{} cannot be opened", root.display()))
}

/// Returns all folders below `root` that contain a libsycl with PI or Unified Runtime.
///
/// # Errors
/// Fails if there is none. The message says what was found instead, if anything.
pub fn folders(root: &Path) -> Result<Vec<LibsyclFolder>> {
    let root = folder_of(root)?;
    let mut folders: Vec<LibsyclFolder> = Vec::new();
    for folder in LAYOUTS.iter().flat_map(|layout| expand(&root, layout)) {
        for (major, file) in libraries(&folder) {
            // A pipe or a folder with that name is no library.
            if !file.is_file() {
                continue;
            }
            if let Some(home) = home(&root, major, &file).filter(|home| !known(&folders, home)) {
                folders.push(home);
            }
        }
    }
    if !folders.is_empty() {
        return Ok(folders);
    }
    bail!(
        "there is no libsycl.so.5 to .9 in {} (looked in it, lib, lib64, linux/lib and compiler/*/lib); \
         name the virtual environment, conda environment or oneAPI folder",
        root.display()
    )
}

fn home(root: &Path, major: u32, file: &Path) -> Option<LibsyclFolder> {
    let folder = file.parent()?.canonicalize().ok()?;
    let libsycl = folder.join(links::last_name(&folder, file.file_name()?));
    let outside = !folder.starts_with(root);
    Some(LibsyclFolder { folder, libsycl, major, outside })
}

/// Returns whether the library is already listed. Wheels contain copies of one library under several names.
fn known(folders: &[LibsyclFolder], home: &LibsyclFolder) -> bool {
    folders.iter().any(|other| other.folder == home.folder && other.major == home.major)
}

fn expand(root: &Path, layout: &str) -> Vec<PathBuf> {
    let mut folders = vec![root.to_path_buf()];
    for part in layout.split('/').filter(|part| !part.is_empty()) {
        folders = match part {
            "*" => folders.iter().flat_map(|folder| children(folder)).collect(),
            name => folders.iter().map(|folder| folder.join(name)).collect(),
        };
    }
    folders.retain(|folder| folder.is_dir());
    folders
}

fn children(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

/// Returns the `libsycl.so.N` and `libsycl.so.N.M.P` files of a folder, shortest names first.
pub fn libraries(folder: &Path) -> Vec<(u32, PathBuf)> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<(usize, u32, PathBuf)> = entries
        .filter_map(|entry| {
            let name = entry.file_name();
            let numbers = version_of(&name)?;
            Some((numbers.len(), *numbers.first()?, entry.path()))
        })
        .collect();
    found.sort();
    found.into_iter().map(|(_, major, path)| (major, path)).collect()
}

/// Returns the numbers of a name like `libsycl.so.7.2.0`.
pub fn version_of(name: &OsStr) -> Option<Vec<u32>> {
    let numbers = name.to_str()?.strip_prefix("libsycl.so.")?;
    numbers.split('.').map(|number| number.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    /// uv creates such environments of links, in whose cache each package has a separate folder.
    #[test]
    fn a_link_to_a_file_elsewhere_stays_in_its_folder_and_a_link_to_a_folder_is_followed() {
        let root = tempfile::tempdir().unwrap();
        let base = root.path().canonicalize().unwrap();
        let (cache, lib) = (base.join("cache/one"), base.join("venv/lib"));
        std::fs::create_dir_all(&cache).unwrap();
        std::fs::create_dir_all(&lib).unwrap();
        std::fs::write(cache.join("libsycl.so.8"), "x").unwrap();
        symlink(cache.join("libsycl.so.8"), lib.join("libsycl.so.8")).unwrap();
        let found = folders(&base.join("venv")).unwrap();
        assert_eq!((found.len(), found[0].outside), (1, false));
        assert_eq!((&found[0].folder, &found[0].libsycl), (&lib, &lib.join("libsycl.so.8")));
        assert_eq!(folders(&lib.join("libsycl.so.8")).unwrap(), found, "named itself");

        // A link to another name in the same folder is followed.
        std::fs::rename(lib.join("libsycl.so.8"), lib.join("libsycl.so.8.0.0")).unwrap();
        symlink("libsycl.so.8.0.0", lib.join("libsycl.so.8")).unwrap();
        assert_eq!(folders(&base.join("venv")).unwrap()[0].libsycl, lib.join("libsycl.so.8.0.0"));

        std::fs::create_dir(base.join("other")).unwrap();
        symlink(&lib, base.join("other/lib")).unwrap();
        let found = folders(&base.join("other")).unwrap();
        assert_eq!((&found[0].folder, found[0].outside), (&lib, true));
    }

    /// A link may lead to another environment's packages.
    #[test]
    fn packages_behind_a_link_are_not_the_environments_own() {
        let root = tempfile::tempdir().unwrap();
        let base = root.path().canonicalize().unwrap();
        let (lib, other) = (base.join("venv/lib"), base.join("other/python3.11"));
        let own = lib.join("python3.12/site-packages");
        std::fs::create_dir_all(&own).unwrap();
        std::fs::create_dir_all(other.join("site-packages")).unwrap();
        symlink(&other, lib.join("python3.11")).unwrap();
        assert_eq!(site_packages(&lib), [other.join("site-packages"), own.clone()]);
        assert_eq!(own_site_packages(&lib), [own]);
    }

    #[test]
    fn versions_of_names() {
        assert_eq!(version_of(OsStr::new("libsycl.so.7.2.0")), Some(vec![7, 2, 0]));
        assert_eq!(version_of(OsStr::new("libsycl.so.7")), Some(vec![7]));
        assert_eq!(version_of(OsStr::new("libsycl.so.7.2.0-gdb.py")), None);
        assert_eq!(version_of(OsStr::new("libsycl.so")), None);
        assert_eq!(version_of(OsStr::new("libsycl-preview.so.7")), None);
    }

    #[test]
    fn finds_the_layouts_once_each() {
        let root = tempfile::tempdir().unwrap();
        for (folder, name) in [
            ("lib", "libsycl.so.7"),
            ("lib", "libsycl.so.7.2.0"),
            ("compiler/2023.2/linux/lib", "libsycl.so.6"),
        ] {
            std::fs::create_dir_all(root.path().join(folder)).unwrap();
            std::fs::write(root.path().join(folder).join(name), "x").unwrap();
        }
        std::os::unix::fs::symlink("lib", root.path().join("lib64")).unwrap();
        let names: Vec<String> = folders(root.path()).unwrap().iter().map(LibsyclFolder::name).collect();
        assert_eq!(names, ["libsycl.so.7", "libsycl.so.6"]);
    }

    #[test]
    fn says_what_there_is_instead() {
        let root = tempfile::tempdir().unwrap();
        let error = folders(root.path()).unwrap_err().to_string();
        assert!(error.contains("there is no libsycl"), "{error}");
        assert!(folders(&root.path().join("none")).is_err());
    }
}
