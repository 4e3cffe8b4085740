//! OpenCL drivers that need no GPU: Intel's CPU runtime of 2023 and 2026 and its FPGA emulator, from wheels, and
//! PoCL, from Debian.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;

use crate::fsutil;
use crate::process;
use crate::provision::roots::{self, Suite};
use crate::provision::{python, wheels};
use crate::releases::{Pin, pin};
use crate::ui::Step;
use crate::workspace;

/// An OpenCL driver that this project is tested with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Driver {
    /// Intel's CPU runtime of 2023.2.4
    #[value(name = "intel-2023")]
    Intel2023,
    /// Intel's current CPU runtime
    IntelCurrent,
    /// Intel's current CPU runtime behind a layer that leaves coarse-grained shared virtual memory only, as GPUs have
    IntelCoarse,
    /// PoCL 3.1 of Debian 12: no SPIR-V, no Intel extensions
    Pocl,
    /// Intel's FPGA emulator: OpenCL 1.2, with SPIR-V and USM
    IntelFpgaEmulator,
    /// PoCL 6.0 of Debian 13, in a root file system of it
    #[value(name = "pocl-6")]
    Pocl6,
    /// PoCL 7.1 of Debian forky: no sub-groups
    #[value(name = "pocl-7")]
    Pocl7,
    /// Mesa 25.0's rusticl on a CPU, of Debian 13
    #[value(name = "rusticl-25")]
    Rusticl25,
    /// Mesa 26.1's rusticl on a CPU, of Debian forky
    #[value(name = "rusticl-26")]
    Rusticl26,
}

impl Driver {
    /// The release of Debian in whose root file system it runs.
    pub(crate) fn suite(self) -> Option<Suite> {
        match self {
            Driver::Intel2023
            | Driver::IntelCurrent
            | Driver::IntelCoarse
            | Driver::Pocl
            | Driver::IntelFpgaEmulator => None,
            Driver::Pocl6 | Driver::Rusticl25 => Some(Suite::Trixie),
            Driver::Pocl7 | Driver::Rusticl26 => Some(Suite::Forky),
        }
    }
}

/// Separates drivers whose root file systems exist here from those whose do not.
pub(crate) fn in_roots(drivers: &[Driver]) -> (Vec<Driver>, Vec<Driver>) {
    drivers.iter().partition(|driver| driver.suite().is_some_and(Suite::is_made))
}

impl fmt::Display for Driver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Driver::Intel2023 => "intel-2023",
            Driver::IntelCurrent => "intel-current",
            Driver::IntelCoarse => "intel-coarse",
            Driver::Pocl => "pocl",
            Driver::IntelFpgaEmulator => "intel-fpga-emulator",
            Driver::Pocl6 => "pocl-6",
            Driver::Pocl7 => "pocl-7",
            Driver::Rusticl25 => "rusticl-25",
            Driver::Rusticl26 => "rusticl-26",
        })
    }
}

/// An OpenCL driver that is ready for use.
#[derive(Debug, Clone)]
pub(crate) struct OpenClEnvironment {
    folder: PathBuf,
    variables: Vec<(&'static str, OsString)>,
    /// The root file system in which it runs, if it is not the machine's.
    root: Option<PathBuf>,
}

impl OpenClEnvironment {
    /// Returns the variables with which a program finds only this driver.
    pub(crate) fn variables(&self) -> impl Iterator<Item = (&'static str, &OsString)> {
        self.variables.iter().map(|(name, value)| (*name, value))
    }

    /// Returns the folder with the driver's libraries, or for PoCL with its ICD file.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The variables with which programs on the libraries of `lib` find this driver and no other.
    pub(crate) fn variables_on(&self, lib: &Path) -> Vec<(&'static str, OsString)> {
        let mut variables = self.variables.clone();
        variables.retain(|(name, _)| *name != "LD_LIBRARY_PATH");
        variables.push(("LD_LIBRARY_PATH", library_path(&[lib, &self.folder])));
        variables
    }

    /// The words before a command that runs on this driver.
    pub(crate) fn launcher(&self) -> Vec<OsString> {
        self.root.as_deref().map(roots::launcher).unwrap_or_default()
    }
}

/// Installs a driver if necessary, and returns its environment.
pub(crate) fn ensure(driver: Driver) -> Result<OpenClEnvironment> {
    match driver {
        Driver::Intel2023 => cpu_runtime("2023.2.4", "2023.2.4", "2021.13.1"),
        Driver::IntelCurrent => cpu_runtime("2026.2.0", "2026.2.0", "2023.2.0"),
        Driver::IntelCoarse => coarse(ensure(Driver::IntelCurrent)?),
        Driver::Pocl => pocl(),
        Driver::IntelFpgaEmulator => fpga_emulator("2025.0.5", "2022.3.1"),
        Driver::Pocl6 | Driver::Pocl7 => of_debian(driver, "libpocl.so.2"),
        Driver::Rusticl25 | Driver::Rusticl26 => of_debian(driver, "libRusticlOpenCL.so.1"),
    }
}

/// Returns the variables with which a program finds only Intel's CPU runtime in `lib`.
pub(crate) fn intel_variables(lib: &Path) -> Result<Vec<(&'static str, OsString)>> {
    variables_of(lib, "libintelocl.so")
}

/// Returns the variables with which a program finds only one of Intel's drivers in `lib`.
fn variables_of(lib: &Path, file: &str) -> Result<Vec<(&'static str, OsString)>> {
    let driver = lib.join(file);
    if !driver.exists() {
        bail!("{} has no {file}", lib.display());
    }
    Ok(vec![
        ("LD_LIBRARY_PATH", library_path(&[lib])),
        ("OCL_ICD_FILENAMES", driver.into_os_string()),
        ("OCL_ICD_VENDORS", empty_folder()?.into_os_string()),
        // Releases of 2023 generate wrong code for the conversion of int64 to float on processors with AVX-512 that
        // are not Intel's.
        ("CL_CONFIG_CPU_TARGET_ARCH", OsString::from("core-avx2")),
    ])
}

/// Installs a version of Intel's CPU runtime.
fn cpu_runtime(
    version: &'static str,
    compiler: &'static str,
    tbb: &'static str,
) -> Result<OpenClEnvironment> {
    let pins = [pin("intel-opencl-rt", version), pin("intel-cmplr-lib-rt", compiler), pin("tbb", tbb)];
    let lib = of_intel("opencl", "Intel's CPU OpenCL runtime", version, &pins)?;
    Ok(OpenClEnvironment { variables: intel_variables(&lib)?, folder: lib, root: None })
}

/// Installs a version of Intel's FPGA emulator, which needs files of the CPU runtime.
fn fpga_emulator(version: &'static str, tbb: &'static str) -> Result<OpenClEnvironment> {
    let pins = [
        pin("intel-opencl-fpga-emu-rt", version),
        pin("intel-opencl-rt", version),
        pin("intel-cmplr-lib-rt", version),
        pin("tbb", tbb),
    ];
    let lib = of_intel("opencl-fpga-emulator", "Intel's emulator of FPGAs", version, &pins)?;
    let variables = variables_of(&lib, "libintelocl_emu.so")?;
    Ok(OpenClEnvironment { variables, folder: lib, root: None })
}

/// Returns the folder with the libraries of one of Intel's drivers, unpacked from wheels.
fn of_intel(folder: &str, name: &str, version: &str, pins: &[Pin]) -> Result<PathBuf> {
    let folder = workspace::environments().join(format!("{folder}-{version}"));
    let texts: Vec<String> = pins.iter().map(|pin| pin.to_string()).collect();
    let content = format!("2 {}", texts.join(" "));
    if !fsutil::is_stamped(&folder, &content) {
        let files = wheels::ensure(pins, 9)?;
        let step = Step::start(format!("unpacking {name} {version}"));
        fsutil::build_folder(&folder, &content, |inside| fill(inside, pins, &files))?;
        fsutil::share_equal_files(&workspace::environments());
        step.done("");
    }
    Ok(folder.join("lib"))
}

/// Unpacks the driver, TBB, and those parts of the compiler's runtime that drivers need. That package also contains
/// a libpi_opencl.so, which programs under test must not find by accident.
fn fill(inside: &Path, pins: &[Pin], files: &[PathBuf]) -> Result<()> {
    let lib = inside.join("lib");
    for (pin, file) in pins.iter().zip(files) {
        let scratch = tempfile::tempdir_in(inside)?;
        wheels::unpack(std::slice::from_ref(file), scratch.path())?;
        fs::create_dir_all(&lib)?;
        for entry in fs::read_dir(scratch.path().join("lib"))?.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let needed = ["libimf.", "libsvml.", "libirng.", "libintlc.", "libonnxruntime."];
            if pin.name != "intel-cmplr-lib-rt" || needed.iter().any(|start| name.starts_with(start)) {
                fs::rename(entry.path(), lib.join(name))?;
            }
        }
    }
    Ok(())
}

/// Puts the layer before a driver that leaves coarse-grained shared virtual memory of it.
fn coarse(mut driver: OpenClEnvironment) -> Result<OpenClEnvironment> {
    let source = workspace::root().join("testing").join("drivers").join("coarse-svm").join("layer.c");
    let content = fs::read_to_string(&source)?;
    let folder = workspace::target().join("opencl").join("coarse-svm");
    fsutil::build_folder(&folder, &content, |inside| {
        if !Path::new("/usr/include/CL/cl.h").exists() {
            python::install_debian_packages(&["opencl-c-headers"])?;
        }
        let mut cc = Command::new("cc");
        cc.args(["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O1", "-fPIC", "-shared", "-pthread"]);
        cc.arg(&source).arg("-o").arg(inside.join("liblayer.so"));
        process::output(&mut cc).context("the C compiler could not build the layer")?;
        Ok(())
    })?;
    // The OpenCL library puts layers before the drivers that it opens itself, which are not those of OCL_ICD_FILENAMES
    // in each library.
    let vendors = workspace::target().join("opencl").join("coarse-vendors");
    let library = driver.folder.join("libintelocl.so").display().to_string();
    fsutil::build_folder(&vendors, &library, |inside| {
        Ok(fs::write(inside.join("driver.icd"), format!("{library}\n"))?)
    })?;
    driver.variables.retain(|(name, _)| !name.starts_with("OCL_ICD_"));
    driver.variables.extend([
        ("OCL_ICD_VENDORS", vendors.into_os_string()),
        ("OCL_ICD_FILENAMES", OsString::new()),
        ("OPENCL_LAYERS", folder.join("liblayer.so").into_os_string()),
    ]);
    Ok(driver)
}

/// Returns Debian's PoCL as the only driver.
fn pocl() -> Result<OpenClEnvironment> {
    let vendors = Path::new("/etc/OpenCL/vendors");
    if pocl_icd(vendors).is_none() {
        python::install_debian_packages(&["pocl-opencl-icd", "ocl-icd-libopencl1"])?;
    }
    let icd = pocl_icd(vendors).context("there is no PoCL in /etc/OpenCL/vendors")?;
    system_driver(Driver::Pocl, fs::read_to_string(icd)?.trim(), None)
}

/// A driver of another release of Debian, which the loader finds by `library`.
fn of_debian(driver: Driver, library: &str) -> Result<OpenClEnvironment> {
    let root = driver.suite().map(roots::ensure).transpose()?;
    system_driver(driver, library, root)
}

/// A driver that the system has, alone.
fn system_driver(driver: Driver, library: &str, root: Option<PathBuf>) -> Result<OpenClEnvironment> {
    let folder = workspace::target().join("opencl").join(driver.to_string());
    fsutil::build_folder(&folder, library, |inside| {
        Ok(fs::write(inside.join("driver.icd"), format!("{library}\n"))?)
    })?;
    let cache = ensure_folder(workspace::target().join("opencl").join(format!("{driver}-cache")))?;
    let mut variables =
        vec![("OCL_ICD_VENDORS", folder.clone().into_os_string()), ("OCL_ICD_FILENAMES", OsString::new())];
    match driver {
        Driver::Rusticl25 | Driver::Rusticl26 => {
            variables.push(("MESA_SHADER_CACHE_DIR", cache.into_os_string()));
            variables.push(("RUSTICL_ENABLE", OsString::from("llvmpipe")));
            variables.push(("RUSTICL_FEATURES", OsString::from("fp64")));
        }
        _ => variables.push(("POCL_CACHE_DIR", cache.into_os_string())),
    }
    Ok(OpenClEnvironment { folder, variables, root })
}

fn pocl_icd(vendors: &Path) -> Option<PathBuf> {
    let entries = fs::read_dir(vendors).ok()?.flatten();
    entries.map(|entry| entry.path()).find(|path| {
        path.to_string_lossy().contains("pocl") && path.extension().is_some_and(|end| end == "icd")
    })
}

/// Returns `folders` followed by the caller's search path.
pub(super) fn library_path(folders: &[&Path]) -> OsString {
    let before = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let build = std::env::current_exe().ok().and_then(|program| program.parent().map(Path::to_path_buf));
    joined(folders, &before, build.as_deref())
}

/// Returns `folders` followed by those of a search path that are not in `build`. For a program that it runs, cargo puts
/// the folders of the build there. A program under test would load our libraries from them instead of from its own
/// package.
fn joined(folders: &[&Path], path: &OsStr, build: Option<&Path>) -> OsString {
    let is_kept = |folder: &PathBuf| {
        !folder.as_os_str().is_empty() && build.is_none_or(|build| !folder.starts_with(build))
    };
    let before: Vec<PathBuf> = std::env::split_paths(path).filter(is_kept).collect();
    let all = folders.iter().copied().chain(before.iter().map(PathBuf::as_path));
    all.map(Path::as_os_str).collect::<Vec<_>>().join(":".as_ref())
}

/// Returns an empty folder for `OCL_ICD_VENDORS`.
fn empty_folder() -> Result<PathBuf> {
    ensure_folder(workspace::target().join("opencl").join("no-vendors"))
}

fn ensure_folder(folder: PathBuf) -> Result<PathBuf> {
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_do_not_look_for_libraries_in_the_folders_of_the_build() {
        let path =
            "/w/target/debug/build/a-1/out:/w/target/debug/deps:/w/target/debug::/own:/w/target/release";
        let build = Path::new("/w/target/debug");
        let [first, second] = ["/driver", "/lib"].map(Path::new);
        let found = joined(&[first, second], path.as_ref(), Some(build));
        assert_eq!(found, "/driver:/lib:/own:/w/target/release");
        assert_eq!(joined(&[first], "".as_ref(), Some(build)), "/driver");
    }
}
