//! The folders where the system looks for shared libraries.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use sycl_pi_loader::Environment;
use sycl_pi_loader::search::executable_folder;

use crate::install::Seen;
use crate::regular;

const DEFAULTS: [&str; 7] = [
    "/lib/x86_64-linux-gnu",
    "/usr/lib/x86_64-linux-gnu",
    "/lib64",
    "/usr/lib64",
    "/lib",
    "/usr/lib",
    "/usr/local/lib",
];

/// Returns the folders in the order in which our plugins search them: LD_LIBRARY_PATH, the environments', the
/// plugins' own, those of the linker's configuration, and the defaults.
pub fn folders(environment: &Environment, seen: &Seen, plugins: &[PathBuf]) -> Vec<PathBuf> {
    let mut folders = environment.paths("LD_LIBRARY_PATH");
    folders.extend(seen.libsycls.iter().map(|libsycl| libsycl.folder.clone()));
    folders.extend(seen.active.iter().map(|root| root.join("lib")));
    folders.extend(plugins.iter().filter_map(|plugin| Some(plugin.parent()?.to_path_buf())));
    folders.extend(executable_folder());
    configured(Path::new("/etc/ld.so.conf"), &mut folders, 4);
    folders.extend(DEFAULTS.map(PathBuf::from));
    let mut known = BTreeSet::new();
    folders.retain(|folder| folder.is_dir() && known.insert(folder.clone()));
    folders
}

/// Returns the first file with one of these names.
pub fn find(folders: &[PathBuf], names: &[&str]) -> Option<PathBuf> {
    let files = folders.iter().flat_map(|folder| names.iter().map(|name| folder.join(name)));
    files.into_iter().find(|file| file.exists())
}

fn configured(file: &Path, folders: &mut Vec<PathBuf>, depth: u32) {
    let Some(depth) = depth.checked_sub(1) else { return };
    for line in regular::text(file).unwrap_or_default().lines().map(str::trim) {
        match line.strip_prefix("include ") {
            // FOLDER/*.conf is the only pattern in use.
            Some(pattern) => {
                let parent = Path::new(pattern.trim()).parent().unwrap_or(Path::new("/"));
                let mut files: Vec<PathBuf> =
                    fs::read_dir(parent).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
                files.sort();
                files.retain(|file| file.extension().is_some_and(|extension| extension == "conf"));
                files.iter().for_each(|file| configured(file, folders, depth));
            }
            None if line.starts_with('/') => folders.push(PathBuf::from(line)),
            None => {}
        }
    }
}
