//! Folders with NVIDIA's files: Python packages of the process's environment, and CUDA toolkits.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use sycl_pi_host_process::{is_own_or_of_root, is_privileged, trusted_variable};

/// Returns the possible folders of CUDA toolkits, best first. Folders that variables name come first, then the system's
/// default, then its other ones, newest version first.
pub fn toolkits() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        ["CONDA_PREFIX", "CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(variable).collect();
    found.push(PathBuf::from("/usr/local/cuda"));
    found.extend(versions_of_toolkit(Path::new("/usr/local")));
    found.extend(["/opt/cuda", "/usr/lib/cuda", "/usr/lib/nvidia-cuda-toolkit"].map(PathBuf::from));
    without_repetitions(found)
}

/// Returns the folders of Python packages in the process's environment. They are found from the code that the process
/// has mapped, from its own program, from the file that contains this code, and from the active environment.
pub fn site_packages() -> Vec<PathBuf> {
    let mut found =
        fs::read_to_string("/proc/self/maps").map(|maps| of_mapped_code(&maps)).unwrap_or_default();
    found.retain(|folder| is_own_or_of_root(folder));
    // The code that starts a program chooses its first argument.
    let program = env::args_os().next().map(PathBuf::from);
    let program = program.filter(|program| program.is_absolute() && !is_privileged());
    let prefixes = [
        program.as_deref().and_then(grand_parent),
        sycl_pi_dynload::own_file().as_deref().and_then(grand_parent),
        variable("VIRTUAL_ENV"),
        variable("CONDA_PREFIX"),
    ];
    for prefix in prefixes.into_iter().flatten() {
        found.extend(packages_of(&prefix));
    }
    without_repetitions(found)
}

fn variable(name: &str) -> Option<PathBuf> {
    trusted_variable(name).map(PathBuf::from)
}

fn grand_parent(file: &Path) -> Option<PathBuf> {
    file.parent()?.parent().map(Path::to_owned)
}

/// Returns the path in a line of `/proc/self/maps` if it contains code. A program that reads a data file does not trust
/// the files next to it.
fn code_path(line: &str) -> Option<&str> {
    let rights = line.split_ascii_whitespace().nth(1)?;
    let path = line.get(line.find('/')?..)?;
    rights.contains('x').then_some(path)
}

/// Returns the `site-packages` and `dist-packages` folders that contain mapped code of root or the user. `maps` is
/// `/proc/self/maps`.
fn of_mapped_code(maps: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in maps.lines().filter_map(code_path).filter(|path| is_own_or_of_root(Path::new(path))) {
        for folder in ["/site-packages/", "/dist-packages/"] {
            if let Some(at) = path.find(folder) {
                found.extend(path.get(..at + folder.len() - 1).map(PathBuf::from));
            }
        }
    }
    without_repetitions(found)
}

/// Returns the `site-packages` folders of an environment.
pub fn packages_of(prefix: &Path) -> Vec<PathBuf> {
    let libraries = fs::read_dir(prefix.join("lib")).into_iter().flatten().flatten();
    let pythons = libraries.filter(|entry| entry.file_name().to_string_lossy().starts_with("python3"));
    let mut found: Vec<_> = pythons.map(|entry| entry.path().join("site-packages")).collect();
    found.sort();
    found
}

/// Returns `cuda-12.9`, `cuda-12.4` and so on in a folder, newest first.
fn versions_of_toolkit(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<_> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name();
            let (major, minor) = name.to_str()?.strip_prefix("cuda-")?.split_once('.')?;
            Some((major.parse::<u32>().ok()?, minor.parse::<u32>().ok()?, entry.path()))
        })
        .collect();
    found.sort();
    found.into_iter().rev().map(|(_, _, path)| path).collect()
}

fn without_repetitions(paths: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut unique = Vec::with_capacity(paths.len());
    for path in paths {
        if !unique.contains(&path) {
            unique.push(path);
        }
    }
    unique
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the lines of `/proc/self/maps` for files of an environment, each given by its permissions and its name
    /// in the folder `lib`.
    fn maps_of(environment: &Path, files: &[(&str, &str)]) -> String {
        let mut lines = "7f07-7f08 rw-p 0 00:00 0  [heap]\n".to_owned();
        for (rights, file) in files {
            let file = environment.join("lib").join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, "").unwrap();
            lines += &format!("7f01-7f02 {rights} 0 08:01 1  {}\n", file.display());
        }
        lines
    }

    #[test]
    fn packages_are_found_beside_the_ones_whose_code_is_mapped() {
        let folder = tempfile::tempdir().unwrap();
        let environment = folder.path().join("an env");
        let maps = maps_of(
            &environment,
            &[
                ("r-xp", "python3.12/site-packages/dpctl/_x.so"),
                ("r-xp", "python3/dist-packages/numpy/a.so"),
                ("r--p", "python3.12/site-packages/dpnp/_y.so"),
                ("r-xp", "python3.12/site-packages/dpnp/_y.so"),
                ("r-xp", "libc.so.6"),
            ],
        );
        let expected = ["lib/python3.12/site-packages", "lib/python3/dist-packages"];
        assert_eq!(of_mapped_code(&maps), expected.map(|folder| environment.join(folder)));
    }

    #[test]
    fn a_data_file_that_is_mapped_names_no_packages() {
        let folder = tempfile::tempdir().unwrap();
        let files =
            ["r--p", "rw-s", "---p"].map(|rights| (rights, "python3.12/site-packages/data/table.bin"));
        assert!(of_mapped_code(&maps_of(folder.path(), &files)).is_empty());
    }

    #[test]
    fn code_of_other_users_names_no_packages() {
        let folder = tempfile::tempdir().unwrap();
        let maps = maps_of(folder.path(), &[("r-xp", "python3.12/site-packages/theirs/x.so")]);
        let file = folder.path().join("lib/python3.12/site-packages/theirs/x.so");
        assert_eq!(of_mapped_code(&maps).len(), 1);
        std::os::unix::fs::chown(&file, Some(65534), None).expect("needs root");
        assert!(of_mapped_code(&maps).is_empty());
        fs::remove_file(&file).unwrap();
        assert!(of_mapped_code(&maps).is_empty(), "a file that is not there any more");
    }

    #[test]
    fn an_environment_has_packages_for_each_of_its_pythons() {
        let prefix = tempfile::tempdir().unwrap();
        for folder in ["python3.9/site-packages", "python3.12/site-packages", "tcl8.6"] {
            fs::create_dir_all(prefix.path().join("lib").join(folder)).unwrap();
        }
        assert_eq!(packages_of(prefix.path()).len(), 2);
        assert!(packages_of(Path::new("/no/such/folder")).is_empty());
    }

    #[test]
    fn the_newest_toolkit_comes_first() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["cuda-9.2", "cuda-12.4", "cuda-12.10", "cuda-old", "other"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        let names: Vec<_> = versions_of_toolkit(folder.path())
            .into_iter()
            .map(|path| path.file_name().unwrap().to_owned())
            .collect();
        assert_eq!(names, ["cuda-12.10", "cuda-12.4", "cuda-9.2"]);
    }
}
