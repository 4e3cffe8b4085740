//! NVIDIA's libraries: where they are, and how they are opened.

use std::env;
use std::path::{Path, PathBuf};

use sycl_pi_dynload::{DriverLibrary, own_file};

use crate::call::Result;

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

/// A folder with NVIDIA's libraries, for machines that have them at no usual place.
const VARIABLE: &str = "PI_NVIDIA_LIBRARIES";

/// Opens the library, and first those that it needs.
pub(crate) fn open(wanted: &Wanted) -> Result<DriverLibrary> {
    for needed in wanted.needs {
        // The library itself tells what is missing.
        let _ = open(needed);
    }
    let (mut candidates, folders) = (Vec::new(), folders());
    for (generation, major) in ["cu13", "cu12"].iter().zip(wanted.majors) {
        let file = format!("lib{}.so.{major}", wanted.stem);
        let wheel = wheel_of(wanted.stem);
        for folder in &folders {
            candidates.push(folder.join(&file));
            candidates.push(folder.join("nvidia").join(wheel).join("lib").join(&file));
            candidates.push(folder.join("nvidia").join(generation).join("lib").join(&file));
        }
    }
    candidates.retain(|file| file.is_file());
    // What the system's loader finds by name.
    candidates.extend(wanted.majors.map(|major| PathBuf::from(format!("lib{}.so.{major}", wanted.stem))));
    // SAFETY: NVIDIA's libraries may be opened at any time.
    unsafe { DriverLibrary::open_first(&candidates) }.map_err(|error| {
        let wheel = wheel_of(wanted.stem);
        format!(
            "{} is needed for this on an NVIDIA GPU and cannot be opened: pip install nvidia-{wheel}-cu12, install CUDA's toolkit, or \
             set {VARIABLE} to the folder that has it ({error})",
            wanted.name
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

/// Where to look: what the variable names, Python's packages beside us, and the toolkit.
fn folders() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = Vec::new();
    if let Some(named) = env::var_os(VARIABLE) {
        folders.extend(env::split_paths(&named));
    }
    let own = own_file().unwrap_or_default();
    let beside = own.parent().unwrap_or(Path::new(""));
    folders.extend(site_packages(beside));
    folders.extend(env::var_os("VIRTUAL_ENV").iter().flat_map(|root| site_packages(&Path::new(root).join("lib"))));
    folders.extend(env::var_os("CONDA_PREFIX").map(|root| Path::new(&root).join("lib")));
    for root in [env::var_os("CUDA_PATH"), env::var_os("CUDA_HOME"), Some("/usr/local/cuda".into())] {
        folders.extend(root.map(|root| Path::new(&root).join("lib64")));
    }
    folders
}

/// `python3.*/site-packages` in a folder of libraries.
fn site_packages(lib: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(lib).into_iter().flatten().flatten();
    let packages = entries.map(|entry| entry.path().join("site-packages"));
    packages.filter(|folder| folder.is_dir()).collect()
}
