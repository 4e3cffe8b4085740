//! Runs a kernel on each device through the environment's own libsycl: the environment's Python adds two vectors with
//! dpctl or dpnp.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::Result;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::finding::Finding;
use super::nvidia;
use super::remedy;
use crate::child::{self, ChildEnvironment};
use crate::install::Seen;
use crate::install::tree::{self, LibsyclFolder};
use crate::waiting::Waiting;

/// The program that Python runs.
const PROGRAM: &str = include_str!("kernel.py");

/// The time limit for one device. A driver that compiles the package's kernels for the first time takes many seconds.
const LIMIT: Duration = Duration::from_secs(120);

/// The devices of Python's programs.
#[derive(Deserialize)]
struct Listed {
    /// The package that has arrays.
    package: Option<String>,
    devices: Vec<PythonDevice>,
}

#[derive(Deserialize)]
struct PythonDevice {
    backend: String,
    /// Its number among the devices of its backend.
    number: u32,
    /// Its name for selectors, e.g. `opencl:cpu:0`.
    tag: String,
    name: String,
    vendor: String,
}

/// The result of one device.
#[derive(Deserialize)]
struct Computed {
    error: Option<String>,
}

/// The Python of an environment with a libsycl.
struct Python {
    program: PathBuf,
    environment: ChildEnvironment,
}

impl Python {
    /// Returns the environment's Python if it has dpctl.
    fn of(libsycl: &LibsyclFolder, root: &Path) -> Option<Self> {
        let packages = tree::site_packages(&libsycl.folder);
        let program = root.join("bin/python");
        let there = program.exists() && packages.iter().any(|folder| folder.join("dpctl").is_dir());
        there.then(|| Self { program, environment: ChildEnvironment::default() })
    }

    fn ask<T: DeserializeOwned>(&self, device: Option<usize>) -> Result<T> {
        let mut command = Command::new(&self.program);
        // In isolated mode, so that nothing is imported from the current folder.
        command.args(["-I", "-c", PROGRAM]).args(device.map(|index| index.to_string()));
        child::answer(command, &self.environment, LIMIT)
    }
}

/// Adds two vectors on each device except the `bad` ones, which are known by their names.
pub fn check(seen: &Seen, bad: &[String], waiting: &Waiting, findings: &mut Vec<Finding>) {
    for libsycl in &seen.libsycls {
        let root = remedy::root_of(seen, &libsycl.folder);
        let file = libsycl.libsycl.display();
        let python = Python::of(libsycl, root);
        waiting.on("Python's devices");
        let listed = match python.as_ref().map(|python| python.ask::<Listed>(None)).transpose() {
            Ok(listed) => listed,
            Err(error) => {
                findings.extend(no_answer(seen, libsycl, &error, findings));
                continue;
            }
        };
        let (Some(python), Some(Listed { package: Some(package), devices })) = (&python, listed) else {
            findings.push(Finding::info(format!("No kernel was run through {file}")).why(
                "that needs Python's dpctl, and dpnp from 2026 on; pi called plugins and adapters itself",
            ));
            continue;
        };
        let no_compiler = nvidia::lacks_compiler(seen, libsycl);
        for (index, device) in devices.iter().enumerate() {
            if bad.contains(&device.name) || no_compiler && device.vendor.contains("NVIDIA") {
                continue;
            }
            let label = format!("{} {}", device.tag, device.name);
            waiting.on(format!("a kernel on {label}"));
            let error = match python.ask::<Computed>(Some(index)) {
                Ok(Computed { error }) => error,
                Err(error) => Some(format!("{error:#}")),
            };
            if let Some(finding) = error.as_ref().and_then(|error| not_imported(error, &package, seen)) {
                findings.push(finding);
                break;
            }
            findings.push(match error {
                None => Finding::ok(format!("{label}: {package} added two vectors in a kernel, through {file}")),
                Some(error) => Finding::error(
                    format!("{label} runs no kernel of {package}, through {file}"),
                    remedy::hide(&device.backend, device.number),
                )
                .why(format!("adding two vectors, in a process of its own: {error}"))
                .fix("update or reinstall this driver; PI_LOG=debug shows the call that failed; until then hide the device"),
            });
        }
    }
}

/// Reports a package that Python does not import, for which no device is to blame. Some have kernels that are linked with
/// Python's shared library, which Debian's Python does not need.
fn not_imported(error: &str, package: &str, seen: &Seen) -> Option<Finding> {
    let why = ["ImportError: ", "ModuleNotFoundError: "].iter().find_map(|kind| error.strip_prefix(kind))?;
    let what = format!("Python's {package} cannot be imported");
    let library = why.strip_prefix("libpython").and_then(|rest| rest.split_once(".so"));
    let finding = match library {
        Some((version, _)) => Finding::error(what, format!("apt install libpython{version}"))
            .fix("install Python's shared library, which the package is linked with"),
        None => {
            let name = package.split('.').next().unwrap_or(package);
            Finding::error(what, format!("{} --force-reinstall {name}", remedy::pip_install(seen)))
        }
    };
    Some(finding.why(why))
}

/// Reports a dpctl that does not list its devices, unless the libraries that it needs have been reported missing.
fn no_answer(
    seen: &Seen,
    libsycl: &LibsyclFolder,
    error: &anyhow::Error,
    findings: &[Finding],
) -> Option<Finding> {
    let reported = findings.iter().any(|finding| finding.what == super::libsycl::DPCTL_LACKS_LIBRARIES);
    let again = format!("{} --force-reinstall dpctl", remedy::pip_install(seen));
    let what = format!("Python's dpctl does not list its devices, through {}", libsycl.libsycl.display());
    (!reported).then(|| Finding::error(what, again).why(format!("{error:#}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_that_is_not_imported_is_no_fault_of_a_device() {
        let lacks =
            "ImportError: libpython3.13.so.1.0: cannot open shared object file: No such file or directory";
        let found =
            |error| not_imported(error, "dpctl.tensor", &Seen { active: Vec::new(), libsycls: Vec::new() });
        assert_eq!(found(lacks).unwrap().command.as_deref(), Some("apt install libpython3.13"));
        let broken = found("ModuleNotFoundError: No module named 'numpy'").unwrap();
        assert!(broken.command.unwrap().ends_with(" --force-reinstall dpctl"));
        assert!(found("RuntimeError: the device is lost").is_none());
    }
}
