//! Locations of libnvvm and libdevice.

use std::path::{Path, PathBuf};

use sycl_pi_host_process::trusted_variable;

use crate::error::NvvmError;

/// The files of libnvvm and of the libdevice that belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NvvmLibrary {
    /// The absolute path of `libnvvm.so`.
    pub libnvvm: PathBuf,
    /// The absolute path of `libdevice.10.bc`, which contains the device's math functions.
    pub libdevice: PathBuf,
}

/// Folders in site-packages that contain libnvvm, in the wheels for CUDA 12 and CUDA 13.
const PACKAGES: [&str; 2] = ["nvidia/cuda_nvcc", "nvidia/cu13"];
/// Paths of libnvvm in a toolkit, in a wheel for CUDA 12 or 13, and in Debian's package.
const LIBNVVM: [&str; 8] = [
    "nvvm/lib64/libnvvm.so",
    "nvvm/lib64/libnvvm.so.4",
    "lib/libnvvm.so.4",
    "lib64/libnvvm.so.4",
    "lib64/libnvvm.so",
    "libnvvm.so",
    "libnvvm.so.4",
    "../x86_64-linux-gnu/libnvvm.so.4",
];
/// Paths of libdevice in the same folders.
const LIBDEVICE: [&str; 3] =
    ["nvvm/libdevice/libdevice.10.bc", "libdevice/libdevice.10.bc", "libdevice.10.bc"];

impl NvvmLibrary {
    /// Finds libnvvm as named by `PI_NVVM` (a file, or a toolkit's folder), or else the first one in the process's
    /// Python environment and the CUDA toolkits.
    ///
    /// # Errors
    ///
    /// There is none. The error lists every place with a reason, and what to install.
    pub fn find() -> Result<Self, NvvmError> {
        Self::find_in(sycl_pi_nvidia_files::site_packages)
    }

    /// Finds libnvvm for a process with the given folders of Python packages.
    ///
    /// # Errors
    ///
    /// Same as for [`NvvmLibrary::find`].
    pub fn find_in(packages: impl FnOnce() -> Vec<PathBuf>) -> Result<Self, NvvmError> {
        let found = match trusted_variable("PI_NVVM") {
            Some(asked) => {
                Self::named(Path::new(&asked)).map_err(|why| format!("PI_NVVM is {asked:?}, but {why}"))
            }
            None => {
                let packages = packages();
                let of_packages = packages.iter().flat_map(|packages| PACKAGES.map(|one| packages.join(one)));
                let places: Vec<_> = of_packages.chain(sycl_pi_nvidia_files::toolkits()).collect();
                Self::first_of(&places)
            }
        };
        found.map_err(|tried| NvvmError::NoLibrary { tried })
    }

    /// Returns the library in a folder, or that of libnvvm's own file.
    ///
    /// # Errors
    ///
    /// A description of what is missing.
    fn named(place: &Path) -> Result<Self, String> {
        if !place.is_file() {
            return Self::in_folder(place);
        }
        // nvvm/lib64/libnvvm.so has nvvm/libdevice next to it; the wheels for CUDA 13 have lib/libnvvm.so.4 and
        // nvvm/libdevice.
        let above = place.ancestors().skip(1).take(3);
        let libdevice =
            above.flat_map(|folder| LIBDEVICE.map(|file| folder.join(file))).find(|file| file.is_file());
        let libdevice = libdevice.ok_or_else(|| format!("{} has no libdevice near it", place.display()))?;
        Ok(Self { libnvvm: absolute(place), libdevice: absolute(&libdevice) })
    }

    fn in_folder(folder: &Path) -> Result<Self, String> {
        let first = |files: &[&str]| files.iter().map(|file| folder.join(file)).find(|file| file.is_file());
        if !folder.is_dir() {
            return Err(format!("{} does not exist", folder.display()));
        }
        let libnvvm = first(&LIBNVVM).ok_or_else(|| format!("{} has no libnvvm", folder.display()))?;
        match first(&LIBDEVICE) {
            Some(libdevice) => Ok(Self { libnvvm: absolute(&libnvvm), libdevice: absolute(&libdevice) }),
            None => Self::named(&libnvvm),
        }
    }

    fn first_of(places: &[PathBuf]) -> Result<Self, String> {
        let mut reasons = Vec::new();
        for place in places {
            match Self::in_folder(place) {
                Ok(library) => return Ok(library),
                // A folder that does not exist is not worth reporting.
                Err(why) if place.is_dir() => reasons.push(why),
                Err(_) => {}
            }
        }
        reasons.push("no package nvidia-cuda-nvcc in the Python environment of the process".to_owned());
        reasons.push("no CUDA toolkit in CUDA_HOME or /usr/local/cuda".to_owned());
        Err(reasons.join("; "))
    }
}

/// Makes a path absolute, because a worker has another working directory.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let file = folder.path().join(file);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, "").unwrap();
        }
        folder
    }

    /// A user has few of the places, and the others would hide what is wrong with those.
    #[test]
    fn only_places_that_exist_are_told() {
        let empty = folder(&[]);
        let places = [empty.path().join("nowhere"), empty.path().to_owned()];
        let why = NvvmLibrary::first_of(&places).unwrap_err();
        assert!(why.starts_with(&format!("{} has no libnvvm; ", empty.path().display())), "{why}");
        assert!(!why.contains("nowhere"), "{why}");
    }

    #[test]
    fn toolkits_and_wheels_of_both_generations_are_known() {
        for files in [
            ["nvvm/lib64/libnvvm.so", "nvvm/libdevice/libdevice.10.bc"],
            ["lib/libnvvm.so.4", "nvvm/libdevice/libdevice.10.bc"],
        ] {
            let toolkit = folder(&files);
            let [libnvvm, libdevice] = files.map(|file| toolkit.path().join(file));
            let expected = NvvmLibrary { libnvvm: libnvvm.clone(), libdevice };
            assert_eq!(NvvmLibrary::named(toolkit.path()).as_ref(), Ok(&expected));
            assert_eq!(NvvmLibrary::named(&libnvvm), Ok(expected), "by the file of libnvvm");
        }
    }

    #[test]
    fn the_first_folder_that_has_both_is_taken() {
        let (half, whole) =
            (folder(&["nvvm/lib64/libnvvm.so"]), folder(&["nvvm/lib64/libnvvm.so", "libdevice.10.bc"]));
        let places = [half.path().to_owned(), whole.path().to_owned()];
        assert!(NvvmLibrary::first_of(&places).unwrap().libnvvm.starts_with(whole.path()));
    }

    #[test]
    fn the_reason_names_the_folder_that_lacks_something() {
        let half = folder(&["nvvm/lib64/libnvvm.so"]);
        let why = NvvmLibrary::first_of(&[half.path().to_owned()]).unwrap_err();
        assert!(why.contains("no libdevice near it") && why.contains(half.path().to_str().unwrap()), "{why}");
        let error = NvvmError::NoLibrary { tried: why }.to_string();
        assert!(error.contains("pip install nvidia-cuda-nvcc-cu12") && error.contains("PI_NVVM"), "{error}");
    }
}
