//! NVIDIA's math libraries, and the file of each that matches a driver.

use std::path::{Path, PathBuf};

use sycl_pi_host_process::{folders, trusted_variable};

use crate::places::{site_packages, toolkits};

/// The variable with folders of NVIDIA's libraries, for machines where they are in an unusual place.
pub const VARIABLE: &str = "PI_NVIDIA_LIBRARIES";

/// One of NVIDIA's libraries.
#[derive(Debug)]
pub struct Library {
    /// NVIDIA's name of the library.
    pub name: &'static str,
    /// The stem of its file name, such as `cublas` in `libcublas.so.13`.
    stem: &'static str,
    /// The middle part of its package's name, which is also its folder in the packages of CUDA 12.
    package: &'static str,
    /// Its major versions for CUDA 13 and 12.
    majors: [u32; 2],
    /// Other libraries that this one opens or needs, which have separate folders in the packages.
    pub needs: &'static [&'static Library],
}

/// Matrix products.
pub const CUBLAS: Library =
    Library { name: "cuBLAS", stem: "cublas", package: "cublas", majors: [13, 12], needs: &[&CUBLAS_LT] };
const CUBLAS_LT: Library =
    Library { name: "cuBLASLt", stem: "cublasLt", package: "cublas", majors: [13, 12], needs: &[] };
/// Transforms.
pub const CUFFT: Library =
    Library { name: "cuFFT", stem: "cufft", package: "cufft", majors: [12, 11], needs: &[] };
/// Solvers.
pub const CUSOLVER: Library = Library {
    name: "cuSOLVER",
    stem: "cusolver",
    package: "cusolver",
    majors: [12, 11],
    needs: &[&NVJITLINK, &CUSPARSE, &CUBLAS],
};
/// Sparse matrices.
pub const CUSPARSE: Library = Library {
    name: "cuSPARSE",
    stem: "cusparse",
    package: "cusparse",
    majors: [12, 12],
    needs: &[&NVJITLINK],
};
const NVJITLINK: Library =
    Library { name: "nvJitLink", stem: "nvJitLink", package: "nvjitlink", majors: [13, 12], needs: &[] };

impl Library {
    /// Returns the files of the library that work with a driver, best first. `driver` is the newest CUDA version that
    /// the driver supports, as reported by `cuDriverGetVersion`, such as 12040 for 12.4.
    pub fn files(&self, driver: i32) -> Vec<PathBuf> {
        let named = trusted_variable(VARIABLE);
        let named: Vec<PathBuf> = named.iter().flat_map(|list| folders(list)).collect();
        // They may also be folders of Python packages.
        let packages: Vec<PathBuf> = named.iter().cloned().chain(site_packages()).collect();
        self.files_in(driver, &named, &packages, &toolkits())
    }

    /// Returns the files in the given folders, which may contain the library itself, or be Python's `site-packages` or
    /// toolkits.
    pub fn files_in(
        &self,
        driver: i32,
        plain: &[PathBuf],
        packages: &[PathBuf],
        toolkits: &[PathBuf],
    ) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for (generation, file) in self.names(driver) {
            let file = Path::new(&file);
            found.extend(plain.iter().map(|folder| folder.join(file)));
            for folder in packages {
                let of = |package: &str| folder.join("nvidia").join(package).join("lib").join(file);
                found.extend([of(self.package), of(&format!("cu{generation}"))]);
            }
            for folder in toolkits {
                found.extend(
                    ["lib64", "lib", "targets/x86_64-linux/lib"].map(|lib| folder.join(lib).join(file)),
                );
            }
        }
        found.retain(|file| file.is_file());
        found
    }

    /// Returns the names by which the system may find it, best first.
    pub fn file_names(&self, driver: i32) -> Vec<PathBuf> {
        self.names(driver).map(|(_, file)| file.into()).collect()
    }

    /// Returns the Python package that contains it, for the given driver.
    pub fn package(&self, driver: i32) -> String {
        // The packages for CUDA 13 have plain names, and earlier ones state the CUDA version.
        let suffix = if driver < 13_000 { "-cu12" } else { "" };
        format!("nvidia-{}{suffix}", self.package)
    }

    /// Returns the CUDA generations that the driver supports, with the file name for each.
    fn names(&self, driver: i32) -> impl Iterator<Item = (i32, String)> {
        let served =
            [13, 12].into_iter().zip(self.majors).filter(move |(generation, _)| driver >= generation * 1000);
        served.map(|(generation, major)| (generation, format!("lib{}.so.{major}", self.stem)))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn put(folder: &Path, file: &str) -> PathBuf {
        let file = folder.join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, "").unwrap();
        file
    }

    #[test]
    fn the_newest_generation_that_the_driver_serves_comes_first() {
        let folder = tempfile::tempdir().unwrap();
        let packages = [folder.path().to_owned()];
        let of_13 = put(folder.path(), "nvidia/cu13/lib/libcufft.so.12");
        let of_12 = put(folder.path(), "nvidia/cufft/lib/libcufft.so.11");
        let found = |driver| CUFFT.files_in(driver, &[], &packages, &[]);
        assert_eq!(found(13_010), [of_13, of_12.clone()]);
        assert_eq!(found(12_080), [of_12]);
        assert!(found(11_080).is_empty());
    }

    #[test]
    fn toolkits_come_after_packages_and_named_folders_before() {
        let folder = tempfile::tempdir().unwrap();
        let [named, packages, toolkit] =
            ["named", "packages", "toolkit"].map(|name| folder.path().join(name));
        let of_toolkit = put(&toolkit, "targets/x86_64-linux/lib/libcublas.so.12");
        let of_packages = put(&packages, "nvidia/cublas/lib/libcublas.so.12");
        let of_named = put(&named, "libcublas.so.12");
        let found = CUBLAS.files_in(12_040, &[named], &[packages], &[toolkit]);
        assert_eq!(found, [of_named, of_packages, of_toolkit]);
    }

    /// The major versions in CUDA 13 and 12.
    #[test]
    fn each_library_has_the_versions_of_cudas_releases() {
        for (library, of_13, of_12) in [
            (&CUBLAS, "libcublas.so.13", "libcublas.so.12"),
            (&CUBLAS_LT, "libcublasLt.so.13", "libcublasLt.so.12"),
            (&CUFFT, "libcufft.so.12", "libcufft.so.11"),
            (&CUSOLVER, "libcusolver.so.12", "libcusolver.so.11"),
            (&CUSPARSE, "libcusparse.so.12", "libcusparse.so.12"),
            (&NVJITLINK, "libnvJitLink.so.13", "libnvJitLink.so.12"),
        ] {
            assert_eq!(library.file_names(13_000), [of_13, of_12].map(PathBuf::from));
            assert_eq!(library.file_names(12_999), [PathBuf::from(of_12)]);
            assert!(library.file_names(11_999).is_empty());
        }
        let needs = |library: &Library| library.needs.iter().map(|one| one.name).collect::<Vec<_>>();
        assert_eq!(needs(&CUSOLVER), ["nvJitLink", "cuSPARSE", "cuBLAS"]);
        assert_eq!((needs(&CUBLAS), needs(&CUSPARSE)), (vec!["cuBLASLt"], vec!["nvJitLink"]));
    }

    /// A toolkit has one of these folders, or links from one to another.
    #[test]
    fn a_toolkit_is_searched_in_each_of_its_folders() {
        let folder = tempfile::tempdir().unwrap();
        let toolkit = [folder.path().to_owned()];
        let files = ["targets/x86_64-linux/lib", "lib", "lib64"]
            .map(|lib| put(folder.path(), &format!("{lib}/libcublas.so.12")));
        let [targets, lib, lib64] = files;
        assert_eq!(CUBLAS.files_in(12_040, &[], &[], &toolkit), [lib64, lib, targets]);
    }

    #[test]
    fn the_package_to_install_is_the_one_of_the_drivers_cuda() {
        assert_eq!(CUSOLVER.package(12_090), "nvidia-cusolver-cu12");
        assert_eq!(CUSOLVER.package(13_000), "nvidia-cusolver");
    }
}
