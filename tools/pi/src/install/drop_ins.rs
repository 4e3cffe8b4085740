//! The folder with the drop-ins for oneMKL and oneDNN, and whether this system can load them.
//!
//! `libpi_math.so`, `libmkl_sycl_blas.so.5` and similar files are in one of three folders: `math` next to pi, a
//! checkout's `target/math`, or the folder named by `PI_MATH`. They are C++ for a newer C library than everything else.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use memchr::memmem;
use sycl_pi_host_process::trusted_variable;
use sycl_pi_loader::search::executable_folder;

use crate::regular;

/// The library that all of them need.
pub(super) const LIBRARY: &str = "libpi_math.so";

/// The libraries with versions that a drop-in may need, and how the names of these versions begin.
const SYSTEM: [(&str, &str); 2] = [("libc.so.6", "GLIBC_"), ("libstdc++.so.6", "GLIBCXX_")];

/// The drop-ins that this `pi` can install into an environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DropIns {
    /// There are none.
    Absent,
    /// They cannot be loaded here, for this reason.
    TooNew(String),
    /// They are in this folder.
    In(PathBuf),
}

impl DropIns {
    /// Finds them for the environment whose libraries are in `folder`.
    ///
    /// # Errors
    /// Fails if a file of them cannot be read.
    pub fn find(folder: &Path) -> Result<Self> {
        let Some(sources) = sources() else { return Ok(Self::Absent) };
        let libraries = SYSTEM.map(|(name, _)| library(folder, name));
        Ok(match lacking(&sources, &libraries)? {
            Some(why) => Self::TooNew(why),
            None => Self::In(sources),
        })
    }
}

/// Returns the folder with our files, if there is one.
fn sources() -> Option<PathBuf> {
    let there = |folder: &PathBuf| folder.join(LIBRARY).is_file();
    if let Some(named) = trusted_variable("PI_MATH") {
        return Some(PathBuf::from(named)).filter(there);
    }
    let own = executable_folder()?;
    // `target/release/pi` and `target/math`.
    let folders = [Some(own.join("math")), own.parent().map(|above| above.join("math"))];
    folders.into_iter().flatten().find(there)
}

/// Returns the file that programs of an environment load under this name, which is its own or the system's.
fn library(folder: &Path, name: &str) -> Option<PathBuf> {
    let own = folder.join(name);
    if own.exists() {
        return Some(own);
    }
    // This program has loaded the system's C library. The C++ library is next to it.
    let maps = fs::read_to_string("/proc/self/maps").ok()?;
    let libc = maps.lines().find_map(|line| line.get(line.find('/')?..).filter(|file| is_c_library(file)))?;
    Some(Path::new(libc).with_file_name(name)).filter(|file| file.exists())
}

/// Returns whether a file is the C library: before glibc 2.34, `libc.so.6` is a link to a file such as `libc-2.31.so`.
fn is_c_library(file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or(file);
    name == "libc.so.6" || (name.starts_with("libc-") && name.ends_with(".so"))
}

/// Returns what the files in `sources` need and the system lacks. A library that was not found is not judged.
fn lacking(sources: &Path, libraries: &[Option<PathBuf>; 2]) -> Result<Option<String>> {
    let mut needed: [Vec<Version>; 2] = Default::default();
    for entry in fs::read_dir(sources)? {
        let file = entry?.path();
        if file.is_file() {
            let bytes = regular::read(&file)?;
            for (found, (_, prefix)) in needed.iter_mut().zip(SYSTEM) {
                found.extend(newest(&bytes, prefix));
            }
        }
    }
    for ((needed, library), (_, prefix)) in needed.into_iter().zip(libraries).zip(SYSTEM) {
        let (Some(needed), Some(library)) = (needed.into_iter().max(), library) else { continue };
        let there = newest(&regular::read(library)?, prefix);
        if there.is_none_or(|there| there < needed) {
            let version = needed.iter().map(u32::to_string).collect::<Vec<_>>().join(".");
            return Ok(Some(format!("they need {prefix}{version}, which {} lacks", library.display())));
        }
    }
    Ok(None)
}

/// The numbers of a version, such as those of `GLIBC_2.34`.
type Version = Vec<u32>;

/// Returns the newest version with a prefix in a library's bytes. A library contains the names of the versions that it
/// has, and of those that it needs.
fn newest(bytes: &[u8], prefix: &str) -> Option<Version> {
    let versions = memmem::find_iter(bytes, prefix).filter_map(|at| {
        let name = bytes.get(at + prefix.len()..)?.split(|byte| *byte == 0).next()?;
        std::str::from_utf8(name).ok()?.split('.').map(|part| part.parse().ok()).collect::<Option<Version>>()
    });
    versions.max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_c_library_of_an_old_system_is_found() {
        for file in ["/lib/x86_64-linux-gnu/libc.so.6", "/lib/x86_64-linux-gnu/libc-2.31.so"] {
            assert!(is_c_library(file), "{file}");
        }
        for file in [
            "/lib/libc++.so.1",
            "/lib/libcap.so.2",
            "/usr/lib/libc-client.so.2007",
            "/lib/libc-2.31.so.debug",
        ] {
            assert!(!is_c_library(file), "{file}");
        }
    }

    /// Creates a folder with files that contain these texts.
    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        folder
    }

    #[test]
    fn a_system_that_is_older_than_a_drop_in_needs_is_named_with_the_version() {
        let needs = "\0GLIBC_2.2.5\0GLIBC_2.34\0GLIBCXX_3.4.29\0GLIBC_PRIVATE\0";
        let sources = folder(&[(LIBRARY, "\0GLIBC_2.17\0"), ("libmkl_sycl_blas.so.6", needs)]);
        let judged = |libc: &str, libstdcxx: &str| {
            let system = folder(&[("c", libc), ("c++", libstdcxx)]);
            let libraries = [Some(system.path().join("c")), Some(system.path().join("c++"))];
            lacking(sources.path(), &libraries)
                .unwrap()
                .map(|why| why.replace(&system.path().display().to_string(), ""))
        };
        assert_eq!(judged("GLIBC_2.4\0GLIBC_2.34\0", "GLIBCXX_3.4.29\0"), None);
        assert_eq!(judged("GLIBC_2.36\0", "GLIBCXX_3.4.30\0GLIBCXX_3.4.3\0"), None);
        let old = judged("GLIBC_2.4\0GLIBC_2.31\0", "GLIBCXX_3.4.28\0");
        assert_eq!(old.as_deref(), Some("they need GLIBC_2.34, which /c lacks"));
        let old = judged("GLIBC_2.34\0", "GLIBCXX_3.4.9\0GLIBCXX_3.4.28\0");
        assert_eq!(old.as_deref(), Some("they need GLIBCXX_3.4.29, which /c++ lacks"));
    }

    #[test]
    fn a_library_that_is_not_found_is_not_judged() {
        let sources = folder(&[(LIBRARY, "GLIBC_2.34\0GLIBCXX_3.4.29\0")]);
        assert_eq!(lacking(sources.path(), &[None, None]).unwrap(), None);
    }

    #[test]
    fn the_environment_s_own_library_comes_before_the_system_s() {
        let environment = folder(&[("libstdc++.so.6", "")]);
        let own = environment.path().join("libstdc++.so.6");
        assert_eq!(library(environment.path(), "libstdc++.so.6"), Some(own));
        let system = library(environment.path(), "libc.so.6").unwrap();
        assert!(newest(&fs::read(system).unwrap(), "GLIBC_").unwrap() >= vec![2, 17]);
    }
}
