//! The folders where compilers may be.

use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use sycl_pi_host_process::folders;

use crate::error::CompileError;

/// Folders that are searched last. They are the only ones in a process with more privileges than its user.
const SYSTEM: [&str; 3] = ["/usr/local/bin", "/usr/bin", "/opt/intel/oneapi/compiler/latest/bin"];

/// The oldest clang whose SPIR-V is suitable for the drivers.
pub(crate) const OLDEST: u32 = 15;

/// A program that was found, with the version in its name: `clang-15`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Program {
    pub(crate) path: PathBuf,
    pub(crate) version: Option<u32>,
}

/// The variables that name environments. The launcher of our Python package sets the first one.
const ENVIRONMENTS: [&str; 3] = ["SYCL_PI_ENVIRONMENT", "VIRTUAL_ENV", "CONDA_PREFIX"];

/// Returns every folder to search, best first: the folders of environments, those of `PATH`, and the system's.
/// `variable` returns the variables that the process may use.
pub(crate) fn places(variable: &dyn Fn(&str) -> Option<OsString>) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for prefix in ENVIRONMENTS.into_iter().filter_map(variable).map(PathBuf::from) {
        found.push(prefix.join("bin"));
        // The wheel dpcpp-llvm-spirv contains a translator.
        found.extend(site_packages(&prefix).map(|packages| packages.join("dpcpp_llvm_spirv/bin")));
    }
    found.extend(variable("PATH").iter().flat_map(|path| folders(path)));
    found.extend(SYSTEM.map(PathBuf::from));
    // A relative path would refer to different folders as the process changes its folder.
    found.retain(|folder| folder.is_absolute());
    // oneAPI has its clang and llvm-spirv there.
    let inner: Vec<PathBuf> = found.iter().map(|folder| folder.join("compiler")).collect();
    found.extend(inner);
    let mut unique: Vec<PathBuf> = Vec::new();
    for folder in found.iter().filter_map(|folder| folder.canonicalize().ok()) {
        if !unique.contains(&folder) {
            unique.push(folder);
        }
    }
    unique
}

fn site_packages(prefix: &Path) -> impl Iterator<Item = PathBuf> {
    let libraries = fs::read_dir(prefix.join("lib")).into_iter().flatten().flatten();
    let pythons = libraries.filter(|entry| entry.file_name().to_string_lossy().starts_with("python3"));
    pythons.map(|entry| entry.path().join("site-packages"))
}

/// Returns the programs `NAME` and `NAME-VERSION` in the folders, in their order. Within a folder, the one without a
/// version comes first, then the newest.
///
/// # Errors
/// Fails if the system cannot list a folder that exists and is readable.
pub(crate) fn programs(name: &str, places: &[PathBuf]) -> Result<Vec<Program>, CompileError> {
    let mut all = Vec::new();
    for folder in places {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if is_passed_over(&error) => continue,
            Err(error) => {
                let (folder, problem) = (folder.display().to_string(), error.to_string());
                return Err(CompileError::Folder { folder, problem });
            }
        };
        let mut found: Vec<Program> = entries
            .flatten()
            .filter_map(|entry| {
                let version = match entry.file_name().to_str()?.strip_prefix(name)? {
                    "" => None,
                    rest => Some(rest.strip_prefix('-')?.parse().ok()?),
                };
                let path = entry.path();
                let usable = path.is_file() && version.is_none_or(|version| version >= OLDEST);
                usable.then_some(Program { path, version })
            })
            .collect();
        found.sort_by_key(|program| program.version.map_or(0, |version| u32::MAX - version));
        all.extend(found);
    }
    Ok(all)
}

/// Returns whether a folder does not exist or is not accessible to this user.
fn is_passed_over(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::PermissionDenied)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_come_in_the_order_of_folders_then_versions_and_old_ones_are_left_out() {
        let root = tempfile::tempdir().unwrap();
        let [one, two] = ["one", "two"].map(|name| root.path().join(name));
        for (folder, files) in [
            (&one, &["clang-15", "clang-21", "clang-14", "clang-cl", "clang++"][..]),
            (&two, &["clang-16", "clang"]),
        ] {
            fs::create_dir(folder).unwrap();
            files.iter().for_each(|file| fs::write(folder.join(file), "").unwrap());
        }
        fs::create_dir(one.join("clang")).unwrap();
        let found = programs("clang", &[one.clone(), two.clone(), root.path().join("none")]).unwrap();
        let found: Vec<PathBuf> = found.into_iter().map(|program| program.path).collect();
        assert_eq!(
            found,
            [one.join("clang-21"), one.join("clang-15"), two.join("clang"), two.join("clang-16")]
        );
    }

    #[test]
    fn folders_of_path_count_but_for_relative_ones() {
        let root = tempfile::tempdir().unwrap();
        let bin = root.path().canonicalize().unwrap();
        let path = OsString::from(format!(".::src:../compiler:{}", bin.display()));
        let found = places(&|name| (name == "PATH").then(|| path.clone()));
        assert!(found.contains(&bin));
        let current = std::env::current_dir().unwrap().canonicalize().unwrap();
        assert!(!found.contains(&current) && !found.contains(&current.join("src")), "{found:?}");
    }

    #[test]
    fn an_environment_offers_its_programs_and_the_translator_of_a_wheel() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let wheel = root.join("lib/python3.12/site-packages/dpcpp_llvm_spirv/bin");
        fs::create_dir_all(&wheel).unwrap();
        fs::create_dir(root.join("bin")).unwrap();
        let found = places(&|name| (name == "VIRTUAL_ENV").then(|| root.clone().into()));
        let at = |folder: &Path| found.iter().position(|one| one == folder);
        assert!(at(&root.join("bin")).unwrap() < at(&wheel).unwrap());
        assert!(at(&wheel).unwrap() < at(Path::new("/usr/bin")).unwrap());
    }
}
