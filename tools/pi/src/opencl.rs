//! OpenCL libraries, and the variables by which they find drivers. docs/guide/drivers.md lists which library reads
//! which variable.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use memchr::memmem;
use sycl_pi_loader::Environment;

use crate::{regular, shell};

/// Names the files of drivers. ocl-icd reads it only from 2.3.4 on.
pub const FILENAMES: &str = "OCL_ICD_FILENAMES";
/// Names a folder of `.icd` files. Every library reads it.
pub const VENDORS: &str = "OCL_ICD_VENDORS";
/// ocl-icd's second name for that folder.
const VENDOR_PATH: &str = "OPENCL_VENDOR_PATH";
/// The folder of `.icd` files if no variable names another.
pub const SYSTEM_VENDORS: &str = "/etc/OpenCL/vendors";

/// The library of Intel's CPU runtime.
pub const INTEL_DRIVER: &str = "libintelocl.so";
/// The names of an OpenCL library.
pub const LIBRARIES: [&str; 2] = ["libOpenCL.so.1", "libOpenCL.so"];

/// The file of an OpenCL library.
#[derive(Clone, Debug)]
pub struct OpenClLibrary {
    pub file: PathBuf,
    /// Whether it reads `OCL_ICD_FILENAMES`.
    pub reads_filenames: bool,
}

impl OpenClLibrary {
    /// Finds the first one in these folders.
    pub fn find(folders: &[PathBuf]) -> Option<Self> {
        let files = folders.iter().flat_map(|folder| LIBRARIES.map(|name| folder.join(name)));
        let file = files.into_iter().find(|file| file.exists())?;
        let bytes = regular::read(&file).unwrap_or_default();
        let reads_filenames = memmem::find(&bytes, FILENAMES.as_bytes()).is_some();
        Some(Self { file, reads_filenames })
    }

    /// Describes the library.
    pub fn kind(&self) -> &'static str {
        if self.reads_filenames { "reads OCL_ICD_FILENAMES" } else { "ocl-icd, without OCL_ICD_FILENAMES" }
    }
}

/// Returns whether a variable determines the drivers.
pub fn is_told(environment: &Environment) -> bool {
    [FILENAMES, VENDORS, VENDOR_PATH].into_iter().any(|name| environment.raw(name).is_some())
}

/// Returns the variables with which programs find Intel's CPU runtime in a folder of libraries. Returns none if the
/// user's variables determine the drivers, or if the folder does not contain that runtime. If the environment's own
/// library does not read the first variable, it has `.icd` files next to it (e.g. conda's).
pub fn variables(folder: &Path, environment: &Environment) -> Vec<(&'static str, OsString)> {
    let driver = folder.join(INTEL_DRIVER);
    if is_told(environment) || !driver.is_file() {
        return vec![];
    }
    let mut variables = vec![(FILENAMES, driver.into_os_string())];
    let own = OpenClLibrary::find(&[folder.to_path_buf()]);
    let vendors = folder.join("../etc/OpenCL/vendors");
    if own.is_some_and(|own| !own.reads_filenames) && names_a_driver(&vendors) {
        variables.push((VENDORS, vendors.canonicalize().unwrap_or(vendors).into_os_string()));
    }
    variables
}

/// Returns whether a file of the folder names an existing driver. The files in wheels name a folder of the machine
/// that built them.
fn names_a_driver(vendors: &Path) -> bool {
    icd_files(vendors).iter().any(|file| first_line(file).is_some_and(|driver| Path::new(&driver).exists()))
}

/// Lists the `.icd` files. OCL_ICD_VENDORS is a folder of them, or a single one.
pub fn icd_files(place: &Path) -> Vec<PathBuf> {
    if place.is_file() {
        return vec![place.to_path_buf()];
    }
    let entries = std::fs::read_dir(place).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "icd"));
    files.sort();
    files
}

/// Returns the driver that an `.icd` file names.
pub fn first_line(file: &Path) -> Option<String> {
    let text = regular::text(file).ok()?;
    text.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned)
}

/// Returns the shell command that makes a driver known to programs that use this library.
pub fn typed(driver: &Path, library: Option<&OpenClLibrary>) -> String {
    if library.is_none_or(|library| library.reads_filenames) {
        return shell::export(FILENAMES, &driver.to_string_lossy());
    }
    // A folder works with every library, and the system's drivers remain available.
    let folder = "~/.cache/sycl-pi/OpenCL/vendors";
    format!(
        "mkdir -p {folder} && cp {SYSTEM_VENDORS}/*.icd {folder} 2>/dev/null; echo {} > {folder}/intel-cpu.icd; export {VENDORS}={folder}",
        shell::path(driver)
    )
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_library_tells_which_variable_it_reads() {
        let folder = tempfile::tempdir().unwrap();
        let folders = [folder.path().to_path_buf()];
        assert!(OpenClLibrary::find(&folders).is_none());
        fs::write(folder.path().join("libOpenCL.so.1"), "\0OCL_ICD_VENDORS\0").unwrap();
        assert!(!OpenClLibrary::find(&folders).unwrap().reads_filenames);
        fs::write(folder.path().join("libOpenCL.so.1"), "\0OCL_ICD_FILENAMES\0").unwrap();
        assert!(OpenClLibrary::find(&folders).unwrap().reads_filenames);
    }

    #[test]
    fn variables_name_the_environment_s_driver_unless_the_user_says_otherwise() {
        let root = tempfile::tempdir().unwrap();
        let lib = root.path().join("lib");
        let vendors = root.path().join("etc/OpenCL/vendors");
        fs::create_dir_all(&lib).unwrap();
        fs::create_dir_all(&vendors).unwrap();
        let none = Environment::default();
        assert!(variables(&lib, &none).is_empty());
        let driver = lib.join(INTEL_DRIVER);
        fs::write(&driver, "").unwrap();
        assert_eq!(variables(&lib, &none), [(FILENAMES, driver.clone().into_os_string())]);
        for name in [FILENAMES, VENDORS, VENDOR_PATH] {
            assert!(variables(&lib, &Environment::from_pairs([(name, "/x")])).is_empty(), "{name}");
        }
        // As in conda, the library does not read the first variable, and the files are right.
        fs::write(lib.join("libOpenCL.so.1"), "\0OCL_ICD_VENDORS\0").unwrap();
        fs::write(vendors.join("intel.icd"), "/opt/anaconda1anaconda2/lib/libintelocl.so\n").unwrap();
        assert_eq!(variables(&lib, &none).len(), 1, "the file of a wheel names its maker's folder");
        fs::write(vendors.join("intel.icd"), format!("{}\n", driver.display())).unwrap();
        assert_eq!(variables(&lib, &none)[1], (VENDORS, vendors.canonicalize().unwrap().into_os_string()));
    }

    #[test]
    fn what_is_typed_makes_the_driver_known() {
        let home = tempfile::tempdir().unwrap();
        let library = |reads_filenames| OpenClLibrary { file: "/x/libOpenCL.so.1".into(), reads_filenames };
        let driver = Path::new("/a b/libintelocl.so");
        assert_eq!(typed(driver, Some(&library(true))), "export OCL_ICD_FILENAMES='/a b/libintelocl.so'");
        let line =
            format!("{}; cat \"$OCL_ICD_VENDORS/intel-cpu.icd\"", typed(driver, Some(&library(false))));
        let mut shell = std::process::Command::new("sh");
        let output = shell.args(["-c", &line]).env("HOME", home.path()).output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), "/a b/libintelocl.so\n");
    }
}
