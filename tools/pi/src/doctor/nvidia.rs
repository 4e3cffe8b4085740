//! Checks the requirements of SPIR-V and of dpnp's products, solvers and transforms on NVIDIA's GPUs. In an environment
//! that was installed with `--spirv-on-nvidia`, missing parts are errors, even without a driver (e.g. in a container
//! image).

use std::path::{Path, PathBuf};

use sycl_pi_nvidia_files::{CUBLAS, CUFFT, CUSOLVER, CUSPARSE, Library, packages_of};
use sycl_pi_nvvm_compiler::{NvvmError, NvvmLibrary};

use super::finding::{Finding, Severity};
use super::remedy;
use crate::install::dnn;
use crate::install::drop_ins::DropIns;
use crate::install::math::{self, MathState};
use crate::install::tree::LibsyclFolder;
use crate::install::with_libraries::COMPILER;
use crate::install::{Seen, nvidia};
use crate::ls::DeviceReport;
use crate::own_package::OwnPackage;
use crate::shell;

/// The CUDA version whose packages are named if no driver reports the version that it supports.
const WITHOUT_DRIVER: i32 = 12_090;

/// The operations that need the drop-ins for oneMKL, and those that need the one for oneDNN.
const ONEMKL: &str = "dpnp's products, solvers and transforms on NVIDIA GPUs";
const ONEDNN: &str = "oneDNN's products on NVIDIA GPUs";

/// The drop-ins for oneMKL and the one for oneDNN, with the operations that fail without them.
const LACKING: [(&str, &str); 2] =
    [("oneMKL", "dpnp's products, solvers and transforms do not run on"), ("oneDNN", "it has no engine for")];

/// Checks the compiler and the math libraries. oneMKL's libraries do not support NVIDIA's GPUs, so drop-ins call
/// NVIDIA's own.
pub fn check(seen: &Seen, devices: &[DeviceReport], findings: &mut Vec<Finding>) {
    let in_mode = |libsycl: &&LibsyclFolder| nvidia::is_in(&libsycl.folder);
    let mode = seen.libsycls.iter().any(|libsycl| in_mode(&libsycl));
    let of_driver = devices.iter().find_map(|device| cuda_version(&device.driver_version));
    let Some(cuda) = of_driver.or(mode.then_some(WITHOUT_DRIVER)) else { return };
    let pip_install = remedy::pip_install(seen);
    let packages = || packages_in(seen);
    for libsycl in seen.libsycls.iter().filter(in_mode) {
        let root = shell::path(remedy::root_of(seen, &libsycl.folder));
        findings.push(compiler(&libsycl.folder, NvvmLibrary::find_in(packages), &root, &pip_install));
    }
    for libsycl in &seen.libsycls {
        let root = shell::path(remedy::root_of(seen, &libsycl.folder));
        let states = [math::state(&libsycl.folder), dnn::state(&libsycl.folder)];
        for (_, lacking) in states.into_iter().zip(LACKING).filter(|(state, _)| *state == MathState::Vendor) {
            let finding = intels(lacking, &root, DropIns::find(&libsycl.folder), &pip_install);
            // It is not an error if there is no command that would change it.
            let is_error = in_mode(&libsycl) && finding.command.is_some();
            findings.push(if is_error { finding.made_an_error() } else { finding });
        }
    }
    let is_ours = |state: fn(&Path) -> MathState| {
        seen.libsycls.iter().any(|libsycl| state(&libsycl.folder) == MathState::Ours)
    };
    let (what, wanted): (_, &[&'static Library]) = match (is_ours(math::state), is_ours(dnn::state)) {
        (true, _) => (ONEMKL, &[&CUBLAS, &CUSOLVER, &CUSPARSE, &CUFFT]),
        (false, true) => (ONEDNN, &[&CUBLAS]),
        (false, false) => return,
    };
    let packages = packages();
    let first = |library: &'static Library| {
        let of_environment = library.files_in(cuda, &[], &packages, &[]);
        (library, of_environment.into_iter().chain(library.files(cuda)).next())
    };
    let libraries: Vec<_> = wanted.iter().copied().map(first).collect();
    let finding = ours(what, &libraries, cuda, &pip_install);
    findings.push(if mode && finding.severity == Severity::Warning {
        finding.made_an_error()
    } else {
        finding
    });
}

/// Returns the folders of NVIDIA's Python packages in the active environments.
fn packages_in(seen: &Seen) -> Vec<PathBuf> {
    seen.active.iter().flat_map(|root| packages_of(root)).collect()
}

/// Returns whether SPIR-V cannot be compiled for NVIDIA GPUs although the folder was installed for it. [`check`]
/// reports that.
pub fn lacks_compiler(seen: &Seen, libsycl: &LibsyclFolder) -> bool {
    let there = || NvvmLibrary::find_in(|| packages_in(seen)).is_ok() && worker_in(&libsycl.folder).is_file();
    nvidia::is_in(&libsycl.folder) && !there()
}

/// Returns the program that compiles SPIR-V.
fn worker_in(folder: &Path) -> PathBuf {
    folder.join("pi-nvvm")
}

/// Reports the compiler of SPIR-V for programs of the environment.
fn compiler(
    folder: &Path,
    library: Result<NvvmLibrary, NvvmError>,
    root: &str,
    pip_install: &str,
) -> Finding {
    let what = format!("SPIR-V on NVIDIA GPUs for programs of {}", folder.display());
    let worker = worker_in(folder);
    match library {
        Ok(_) if !worker.is_file() => {
            Finding::error(format!("{what} lacks pi-nvvm"), format!("pi install --spirv-on-nvidia {root}"))
                .fix("install it again")
        }
        Ok(library) => {
            Finding::ok(format!("{what}: {}, run by {}", library.libnvvm.display(), worker.display()))
        }
        Err(error) => Finding::error(format!("{what} lacks libnvvm"), format!("{pip_install} {COMPILER}"))
            .why(error.to_string())
            .fix("install the package that has it, or CUDA's toolkit"),
    }
}

/// Returns the newest CUDA version that a driver supports, as a number: 12040 for `CUDA 12.4`. In an environment that was
/// installed with `--spirv-on-nvidia`, our own version follows.
fn cuda_version(driver: &str) -> Option<i32> {
    let (major, minor) = driver.strip_prefix("CUDA ")?.split(' ').next()?.split_once('.')?;
    Some(major.parse::<i32>().ok()? * 1000 + minor.parse::<i32>().ok()? * 10)
}

fn intels(
    (name, lacking): (&str, &str),
    folder: &str,
    drop_ins: anyhow::Result<DropIns>,
    pip_install: &str,
) -> Finding {
    let what = format!("{name} in {folder} is Intel's: {lacking} NVIDIA GPUs");
    match drop_ins {
        Ok(DropIns::In(_)) => Finding::info(what)
            .fix("install the drop-ins")
            .typed(format!("pi install --spirv-on-nvidia {folder}")),
        Ok(DropIns::Absent) => Finding::info(what)
            .fix("bring the drop-ins, then put them in place")
            .typed(OwnPackage::find().add_drop_ins(pip_install, folder)),
        Ok(DropIns::TooNew(why)) => Finding::warning(what)
            .why(format!("the drop-ins cannot be loaded here: {why}"))
            .fix("use a newer system, such as Debian 12, Ubuntu 22.04 or RHEL 9"),
        Err(error) => Finding::warning(what).why(format!("the drop-ins cannot be read: {error:#}")),
    }
}

fn ours(what: &str, libraries: &[(&Library, Option<PathBuf>)], cuda: i32, pip_install: &str) -> Finding {
    let there = libraries
        .iter()
        .filter_map(|(library, file)| Some(format!("{} is {}", library.name, file.as_ref()?.display())));
    let there: Vec<String> = there.collect();
    let missing: Vec<&Library> =
        libraries.iter().filter(|(_, file)| file.is_none()).map(|(library, _)| *library).collect();
    if missing.is_empty() {
        return Finding::ok(format!("{what}: {}", there.join(", ")));
    }
    let names: Vec<&str> = missing.iter().map(|library| library.name).collect();
    let packages: Vec<String> = missing.iter().map(|library| library.package(cuda)).collect();
    let finding = Finding::warning(format!("{what} lack {}", names.join(", ")))
        .fix("install the packages, or CUDA's toolkit")
        .typed(format!("{pip_install} {}", packages.join(" ")));
    if there.is_empty() { finding } else { finding.why(format!("{} there", there.join(", "))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drivers_of_cuda_say_which_version_they_serve() {
        assert_eq!(cuda_version("CUDA 12.4"), Some(12_040));
        assert_eq!(cuda_version("CUDA 13.0"), Some(13_000));
        assert_eq!(cuda_version("CUDA 13.0 (sycl-pi 0.1.0)"), Some(13_000));
        assert_eq!(cuda_version("2026.22.10.0.01_160000"), None);
    }

    #[test]
    fn a_missing_compiler_is_an_error_with_a_line_for_the_environment() {
        let folder = tempfile::tempdir().unwrap();
        let found =
            || Ok(NvvmLibrary { libnvvm: "/a/libnvvm.so".into(), libdevice: "/a/libdevice.10.bc".into() });
        let asked = |library| compiler(folder.path(), library, "/venv", "/venv/bin/python -m pip install");
        let none = asked(Err(NvvmError::NoLibrary { tried: "nothing is there".into() }));
        assert_eq!(none.severity, Severity::Error);
        assert_eq!(none.command.as_deref(), Some("/venv/bin/python -m pip install nvidia-cuda-nvcc-cu12"));
        assert_eq!(asked(found()).command.as_deref(), Some("pi install --spirv-on-nvidia /venv"));
        std::fs::write(folder.path().join("pi-nvvm"), "").unwrap();
        assert_eq!(asked(found()).severity, Severity::Ok);
    }

    #[test]
    fn an_old_system_gets_the_reason_and_no_line_that_cannot_help() {
        let asked = |drop_ins| intels(LACKING[0], "/venv", Ok(drop_ins), "pip install");
        let old = asked(DropIns::TooNew("they need GLIBC_2.34, which /lib/libc.so.6 lacks".into()));
        assert_eq!((old.severity, old.command), (Severity::Warning, None));
        assert!(old.why.unwrap().ends_with("they need GLIBC_2.34, which /lib/libc.so.6 lacks"));
        let new = asked(DropIns::In("/srv/math".into()));
        assert_eq!(new.command.as_deref(), Some("pi install --spirv-on-nvidia /venv"));
    }

    #[test]
    fn the_line_to_type_installs_what_is_missing_only() {
        let there = |library: &'static Library| (library, Some(PathBuf::from("/a/lib.so")));
        let all = ours(ONEMKL, &[there(&CUBLAS), there(&CUSOLVER), there(&CUFFT)], 13_000, "pip install");
        assert_eq!(all.command, None);
        let some = ours(ONEMKL, &[there(&CUBLAS), (&CUSOLVER, None), (&CUFFT, None)], 12_040, "pip install");
        assert_eq!(some.command.as_deref(), Some("pip install nvidia-cusolver-cu12 nvidia-cufft-cu12"));
        assert!(some.what.ends_with("cuSOLVER, cuFFT"), "{}", some.what);
    }
}
