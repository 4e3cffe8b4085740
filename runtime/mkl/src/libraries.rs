//! NVIDIA's libraries: where they are, and how they are opened.
#![expect(unsafe_code, reason = "NVIDIA's functions, and C functions of our own")]

use std::collections::BTreeSet;
use std::env;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use sycl_pi_dynload::{DriverLibrary, loaded_files, own_file};
use sycl_pi_host_process::trusted_variable;

use crate::driver::driver;
use crate::failure::Result;

/// One of NVIDIA's libraries.
pub(crate) struct Wanted {
    /// In messages.
    pub(crate) name: &'static str,
    /// `cublas`: the library's name, and the wheel's folder.
    pub(crate) stem: &'static str,
    /// The library's major versions with CUDA 13 and 12.
    pub(crate) majors: [u32; 2],
    /// Other libraries that this one opens or needs, which the wheels have in folders of their own.
    pub(crate) needs: &'static [&'static Wanted],
}

pub(crate) const CUBLAS: Wanted =
    Wanted { name: "cuBLAS", stem: "cublas", majors: [13, 12], needs: &[&CUBLAS_LT] };
const CUBLAS_LT: Wanted = Wanted { name: "cuBLASLt", stem: "cublasLt", majors: [13, 12], needs: &[] };
pub(crate) const CUFFT: Wanted = Wanted { name: "cuFFT", stem: "cufft", majors: [12, 11], needs: &[] };
pub(crate) const CUSOLVER: Wanted =
    Wanted { name: "cuSOLVER", stem: "cusolver", majors: [12, 11], needs: &[&NVJITLINK, &CUSPARSE, &CUBLAS] };
const CUSPARSE: Wanted =
    Wanted { name: "cuSPARSE", stem: "cusparse", majors: [12, 12], needs: &[&NVJITLINK] };
const NVJITLINK: Wanted = Wanted { name: "nvJitLink", stem: "nvJitLink", majors: [13, 12], needs: &[] };

/// A folder with NVIDIA's libraries, for machines that have them at no usual place.
const VARIABLE: &str = "PI_NVIDIA_LIBRARIES";

/// A library with its functions, opened when first needed.
pub(crate) struct Opened<T>(OnceLock<(DriverLibrary, T)>);

impl<T> Opened<T> {
    pub(crate) const fn new() -> Self {
        Self(OnceLock::new())
    }

    /// Its functions, which `resolve` finds. A failure is tried again by the next call.
    pub(crate) fn functions(&self, wanted: &Wanted, resolve: impl FnOnce(&DriverLibrary) -> T) -> Result<&T> {
        if let Some((_, functions)) = self.0.get() {
            return Ok(functions);
        }
        let library = open(wanted)?;
        let functions = resolve(&library);
        Ok(&self.0.get_or_init(|| (library, functions)).1)
    }
}

/// Opens the library, and first those that it needs.
fn open(wanted: &Wanted) -> Result<DriverLibrary> {
    for needed in wanted.needs {
        // The library itself tells what is missing.
        let _ = open(needed);
    }
    let mut version = 0;
    driver()?.cuDriverGetVersion(&mut version)?;
    let (mut candidates, mut names, folders) = (Vec::new(), Vec::new(), folders());
    for (generation, major) in [13, 12].into_iter().zip(wanted.majors) {
        if version < generation * 1000 {
            // The driver is too old for it.
            continue;
        }
        let file = format!("lib{}.so.{major}", wanted.stem);
        let wheels = [wheel_of(wanted.stem).to_owned(), format!("cu{generation}")];
        for folder in &folders {
            candidates.push(folder.join(&file));
            candidates
                .extend(wheels.iter().map(|wheel| folder.join("nvidia").join(wheel).join("lib").join(&file)));
        }
        names.push(PathBuf::from(file));
    }
    candidates.retain(|file| file.is_file());
    // What the system's loader finds by name.
    candidates.extend(names);
    // SAFETY: NVIDIA's libraries may be opened at any time.
    unsafe { DriverLibrary::open_first(&candidates) }.map_err(|error| {
        format!(
            "{} is needed for this on an NVIDIA GPU: pip install nvidia-{}-cu12 (without -cu12 for CUDA 13), install CUDA's toolkit, or set \
             {VARIABLE} to a folder with it (the driver serves CUDA {}.{}; {error})",
            wanted.name,
            wheel_of(wanted.stem),
            version / 1000,
            version % 1000 / 10
        )
    })
}

fn wheel_of(stem: &str) -> &str {
    match stem {
        "cublasLt" => "cublas",
        "nvJitLink" => "nvjitlink",
        other => other,
    }
}

/// Where to look: what the variable names, Python's packages, and the toolkit.
fn folders() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = Vec::new();
    if let Some(named) = trusted_variable(VARIABLE) {
        folders.extend(env::split_paths(&named));
    }
    folders.extend(loaded_packages());
    let own = own_file().unwrap_or_default();
    folders.extend(site_packages(own.parent().unwrap_or(Path::new(""))));
    folders.extend(trusted_variable("CONDA_PREFIX").map(|root| Path::new(&root).join("lib")));
    for root in [trusted_variable("CUDA_PATH"), trusted_variable("CUDA_HOME"), Some("/usr/local/cuda".into())]
    {
        folders.extend(root.map(|root| Path::new(&root).join("lib64")));
    }
    folders
}

/// The folders of packages that the process has loaded modules from.
fn loaded_packages() -> BTreeSet<PathBuf> {
    let files = loaded_files();
    let folders = files.iter().filter_map(|file| {
        let file = Path::new(file.to_str().ok()?);
        let is_packages = |folder: &&Path| {
            folder.file_name().is_some_and(|name| name == "site-packages" || name == "dist-packages")
        };
        file.ancestors().find(is_packages).map(Path::to_owned)
    });
    folders.collect()
}

/// `python3.*/site-packages` in a folder of libraries.
fn site_packages(lib: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(lib).into_iter().flatten().flatten();
    let packages = entries.map(|entry| entry.path().join("site-packages"));
    packages.filter(|folder| folder.is_dir()).collect()
}
