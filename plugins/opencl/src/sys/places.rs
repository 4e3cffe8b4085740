//! The location of the OpenCL library, and the drivers that are opened in addition to those that it knows.
//!
//! No OpenCL library reads every variable, and most do not consider the environment that a program runs in:
//!
//! | library | drivers that it opens |
//! | --- | --- |
//! | Khronos's, Intel's build of it too | the files of `OCL_ICD_FILENAMES`, then those that `.icd` files in the folder `OCL_ICD_VENDORS` name, else in `/etc/OpenCL/vendors` |
//! | ocl-icd until 2.3.3 (Debian's, Ubuntu's, conda-forge's) | as above, without `OCL_ICD_FILENAMES`; `OCL_ICD_VENDORS` may be one `.icd` file or one driver too; `OPENCL_VENDOR_PATH` is a second name for the folder |
//! | ocl-icd after 2.3.3 | `OCL_ICD_FILENAMES` too |
//!
//! All of them ignore the variables in a set-user-ID program. Drivers that `OCL_ICD_FILENAMES` names are therefore
//! opened here if the library did not open them. If no variable specifies the drivers, Intel's CPU runtime of the
//! environment is opened, because it is part of a wheel, and nothing reads the `.icd` file that a virtual environment
//! gets with it.

use std::env;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use sycl_pi_dynload::{loaded_files, own_file};
use sycl_pi_host_process::{folders, is_own_or_of_root, trusted_variable};

const LIBRARY: &str = "libOpenCL.so.1";
/// Intel's CPU runtime.
const INTEL_DRIVER: &str = "libintelocl.so";
/// The maximum number of levels that the root of the environment may be above this file:
/// `lib/python3.12/site-packages/sycl_pi/bin`.
const DEPTH: usize = 6;

/// Drivers to open if the OpenCL library did not open them.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Drivers {
    /// The drivers that the user specifies.
    Named(Vec<PathBuf>),
    /// Intel's CPU runtime of the environment.
    OfEnvironment(PathBuf),
    /// No drivers, because the user specifies them by another variable, or because there are none.
    None,
}

/// Returns the files to try for the OpenCL library: first one that the program has loaded, then those found by
/// `LD_LIBRARY_PATH`, then those of the environment, then those of the system.
pub(super) fn libraries() -> Vec<PathBuf> {
    let bare = [LIBRARY, "libOpenCL.so"].map(PathBuf::from);
    let loaded = loaded_files();
    if loaded.iter().any(|file| file_name(file.as_bytes()).starts_with(b"libOpenCL.so")) {
        return bare.into();
    }
    let path = trusted_variable("LD_LIBRARY_PATH").unwrap_or_default();
    let found = folders(&path).chain(environment()).map(|folder| folder.join(LIBRARY));
    found.filter(|file| file.is_file()).chain(bare).collect()
}

/// Returns the drivers that must be opened here.
pub(super) fn drivers() -> Drivers {
    let is_set = |name| env::var_os(name).is_some();
    if let Some(list) = trusted_variable("OCL_ICD_FILENAMES") {
        return Drivers::Named(folders(&list).collect());
    }
    if ["OCL_ICD_FILENAMES", "OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"].into_iter().any(is_set) {
        return Drivers::None;
    }
    let mut files = environment().into_iter().map(|folder| folder.join(INTEL_DRIVER));
    files.find(|file| file.is_file()).map_or(Drivers::None, Drivers::OfEnvironment)
}

/// Returns the library folders of the process's environment. They are the folders of this file and of the libsycl that
/// the program has loaded, and those of the environment around this file and of the active one.
fn environment() -> Vec<PathBuf> {
    let own = own_file().and_then(|file| std::fs::canonicalize(file).ok());
    let own = own.as_deref().and_then(Path::parent);
    let around = |folder: &&Path| ["pyvenv.cfg", "conda-meta"].iter().any(|mark| folder.join(mark).exists());
    let mut places: Vec<PathBuf> = own.map(PathBuf::from).into_iter().collect();
    places.extend(libsycl_folders());
    places.extend(own.and_then(|own| own.ancestors().take(DEPTH).find(around)).map(|root| root.join("lib")));
    let active = ["VIRTUAL_ENV", "CONDA_PREFIX"].into_iter().filter_map(trusted_variable);
    places.extend(active.map(|root| Path::new(&root).join("lib")).filter(|folder| folder.is_absolute()));
    places
}

/// Returns the folders of the loaded libsycl files, if root or the user owns them.
fn libsycl_folders() -> Vec<PathBuf> {
    let files = loaded_files();
    let files = files.iter().filter(|file| file_name(file.as_bytes()).starts_with(b"libsycl.so"));
    let files = files.filter_map(|file| std::fs::canonicalize(OsStr::from_bytes(file.as_bytes())).ok());
    files.filter(|file| is_own_or_of_root(file)).filter_map(|file| Some(file.parent()?.into())).collect()
}

fn file_name(path: &[u8]) -> &[u8] {
    path.rsplit(|byte| *byte == b'/').next().unwrap_or(path)
}
