//! Folders in which libnvvm may lie: Python packages of the process's environment, then CUDA toolkits.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders in site-packages that have libnvvm: of CUDA 12's wheels, and of CUDA 13's.
const PACKAGES: [&str; 2] = ["nvidia/cuda_nvcc", "nvidia/cu13"];

/// Every folder to look in, best first, without repetitions.
pub(crate) fn places() -> Vec<PathBuf> {
    let mut places = Vec::new();
    for site_packages in site_packages() {
        places.extend(PACKAGES.iter().map(|package| site_packages.join(package)));
    }
    places.extend(variable("CONDA_PREFIX"));
    places.extend(["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(variable));
    places.push(PathBuf::from("/usr/local/cuda"));
    places.extend(versions_of_toolkit(Path::new("/usr/local")));
    places.extend(["/opt/cuda", "/usr/lib/cuda", "/usr/lib/nvidia-cuda-toolkit"].map(PathBuf::from));
    without_repetitions(places)
}

/// The Python packages of the process's environment: of the files that it has mapped, of its own program, of the plugin, and of the
/// active environment.
fn site_packages() -> Vec<PathBuf> {
    let mut found =
        fs::read_to_string("/proc/self/maps").map(|maps| of_mapped_files(&maps)).unwrap_or_default();
    let program = env::args_os().next().map(PathBuf::from).filter(|program| program.is_absolute());
    let prefixes = [
        program.as_deref().and_then(grand_parent),
        sycl_pi_dynload::own_file().as_deref().and_then(grand_parent),
        variable("VIRTUAL_ENV"),
        variable("CONDA_PREFIX"),
    ];
    for prefix in prefixes.into_iter().flatten() {
        found.extend(of_prefix(&prefix));
    }
    found
}

fn variable(name: &str) -> Option<PathBuf> {
    env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

fn grand_parent(file: &Path) -> Option<PathBuf> {
    file.parent()?.parent().map(Path::to_owned)
}

/// The folders `site-packages` and `dist-packages` that mapped files lie in. `maps` is `/proc/self/maps`.
fn of_mapped_files(maps: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in maps.lines().filter_map(|line| line.find('/').and_then(|at| line.get(at..))) {
        for folder in ["/site-packages/", "/dist-packages/"] {
            if let Some(at) = path.find(folder) {
                found.extend(path.get(..at + folder.len() - 1).map(PathBuf::from));
            }
        }
    }
    without_repetitions(found)
}

/// The folders `site-packages` of an environment.
fn of_prefix(prefix: &Path) -> Vec<PathBuf> {
    let libraries = fs::read_dir(prefix.join("lib")).into_iter().flatten().flatten();
    let pythons = libraries.filter(|entry| entry.file_name().to_string_lossy().starts_with("python3"));
    let mut found: Vec<_> = pythons.map(|entry| entry.path().join("site-packages")).collect();
    found.sort();
    found
}

/// `cuda-12.9`, `cuda-12.4` and so on in a folder, newest first.
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

    #[test]
    fn packages_are_found_beside_the_ones_that_the_process_has_mapped() {
        let maps = "7f01-7f02 r-xp 0 08:01 1  /home/a user/env/lib/python3.12/site-packages/dpctl/_x.so\n\
            7f03-7f04 r-xp 0 08:01 1  /usr/lib/python3/dist-packages/numpy/a.so\n\
            7f05-7f06 r-xp 0 08:01 1  /home/a user/env/lib/python3.12/site-packages/dpnp/_y.so\n\
            7f07-7f08 rw-p 0 00:00 0  [heap]\n";
        let expected = ["/home/a user/env/lib/python3.12/site-packages", "/usr/lib/python3/dist-packages"];
        assert_eq!(of_mapped_files(maps), expected.map(PathBuf::from));
    }

    #[test]
    fn an_environment_has_packages_for_each_of_its_pythons() {
        let prefix = tempfile::tempdir().unwrap();
        for folder in ["python3.9/site-packages", "python3.12/site-packages", "tcl8.6"] {
            fs::create_dir_all(prefix.path().join("lib").join(folder)).unwrap();
        }
        assert_eq!(of_prefix(prefix.path()).len(), 2);
        assert!(of_prefix(Path::new("/no/such/folder")).is_empty());
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
