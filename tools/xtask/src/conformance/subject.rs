//! A plugin on a driver, with the environment in which it finds only that driver.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::backend::Backend;
use crate::provision::adapter;
use crate::provision::environment::{self, Flavour};
use crate::provision::level_zero;
use crate::provision::opencl::{self, Driver};
use crate::provision::software_cuda;
use crate::release;
use crate::releases;
use crate::workspace;

/// A plugin on a driver, with the names for documents.
pub(crate) struct Subject {
    pub(crate) plugin: String,
    pub(crate) driver: String,
    pub(crate) file: PathBuf,
    /// The vendor's library folder, if it is a vendor's plugin.
    pub(crate) libraries: Option<PathBuf>,
    pub(crate) variables: Vec<(&'static str, OsString)>,
    /// The words before a command that runs on the driver.
    launcher: Vec<OsString>,
    /// The source of the library that counts the driver's objects, in `testing/robustness/object-counters`.
    pub(crate) object_counter: &'static str,
}

impl Subject {
    /// A program that runs on the driver.
    pub(crate) fn command(&self, program: &Path) -> Command {
        let mut words = self.launcher.iter().map(OsString::as_os_str).chain([program.as_os_str()]);
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words).envs(self.variables.iter().cloned());
        command
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {}", self.file.file_name().unwrap_or_default().display(), self.driver)
    }
}

/// Everything that our plugins need, and the programs that test them.
const PACKAGES: [&str; 7] = [
    "pi_opencl",
    "pi_level_zero",
    "pi_cuda",
    "software-level-zero",
    "software-cuda",
    "pi-conformance",
    "testing-robustness",
];

/// Builds our plugins, the software drivers and the programs that test them.
pub(crate) fn build() -> Result<()> {
    release::build(&PACKAGES)
}

/// Returns our OpenCL plugin on each driver.
pub(crate) fn opencl() -> Result<Vec<Subject>> {
    let drivers = [Driver::Intel2023, Driver::IntelCurrent, Driver::Pocl];
    let plugin = |driver: Driver| ours(driver, driver.to_string(), "libpi_opencl.so", "opencl.c");
    drivers.into_iter().map(plugin).collect()
}

/// Our OpenCL plugin on the drivers that have a root file system; those whose file system has not been made are named.
pub(crate) fn in_roots() -> Result<(Vec<Subject>, Vec<Driver>)> {
    let (made, missing) = opencl::in_roots(&[Driver::Pocl6, Driver::Pocl7]);
    let plugin = |driver: Driver| ours(driver, driver.to_string(), "libpi_opencl.so", "opencl.c");
    Ok((made.into_iter().map(plugin).collect::<Result<_>>()?, missing))
}

/// Returns each of our adapters on one driver.
pub(crate) fn adapters() -> Result<Vec<Subject>> {
    let driver = Driver::IntelCurrent;
    let opencl = ours(driver, driver.to_string(), "libur_adapter_opencl.so", "opencl.c")?;
    let mut level_zero = software_level_zero()?;
    level_zero.file = release::file("libur_adapter_level_zero.so");
    let mut cuda = software_cuda()?;
    cuda.file = release::file("libur_adapter_cuda.so");
    let mut adapters = vec![opencl, level_zero, cuda];
    for adapter in &mut adapters {
        adapter.plugin = "our adapter".into();
    }
    Ok(adapters)
}

/// Returns our adapters wrapped as plugins of PI, for programs that only support plugins.
pub(crate) fn adapters_as_plugins() -> Result<Vec<Subject>> {
    release::build(&[release::PI_OVER_UR])?;
    let folder = workspace::target().join("pi-over-ur");
    let mut adapters = adapters()?;
    for adapter in &mut adapters {
        // `libur_adapter_BACKEND.so`.
        let name = adapter.file.file_stem().and_then(|name| name.to_str());
        let backend =
            name.and_then(|name| name.strip_prefix("libur_adapter_")).context("an adapter's name")?;
        // The name determines the layout and the backend.
        let plugin = folder.join(format!("libpi_over_ur-2026.2-{backend}.so"));
        adapter::put(&release::test_file("examples/libpi_over_ur.so"), &plugin)?;
        let adapter_file = std::mem::replace(&mut adapter.file, plugin);
        adapter.variables.push(("PI_OVER_UR_ADAPTER", adapter_file.into_os_string()));
    }
    Ok(adapters)
}

fn ours(driver: Driver, name: String, file: &str, object_counter: &'static str) -> Result<Subject> {
    let environment = opencl::ensure(driver)?;
    let variables = environment.variables().map(|(name, value)| (name, value.clone())).collect();
    Ok(Subject {
        plugin: "ours".into(),
        driver: name,
        file: release::file(file),
        libraries: None,
        variables,
        launcher: environment.launcher(),
        object_counter,
    })
}

/// Returns our Level Zero plugin on the software driver, with two devices of two sub-devices.
pub(crate) fn software_level_zero() -> Result<Subject> {
    let name = "software Level Zero".to_owned();
    let file = Backend::LevelZero.file_name();
    let mut subject = ours(Driver::Intel2023, name, file, "level_zero.c")?;
    subject.variables.extend(level_zero::software_variables()?);
    subject.variables.extend([("PI_SOFT_ZE_DEVICES", "2".into()), ("PI_SOFT_ZE_SUBDEVICES", "2".into())]);
    Ok(subject)
}

/// Returns our CUDA plugin on the software driver, which has two devices.
pub(crate) fn software_cuda() -> Result<Subject> {
    Ok(Subject {
        plugin: "ours".into(),
        driver: "software CUDA".into(),
        file: release::file("libpi_cuda.so"),
        libraries: None,
        variables: vec![("LD_LIBRARY_PATH", software_cuda::driver()?.into_os_string())],
        launcher: Vec::new(),
        object_counter: "cuda.c",
    })
}

/// Returns each of our plugins on each of its drivers.
pub(crate) fn all() -> Result<Vec<Subject>> {
    let mut all = opencl()?;
    all.push(software_level_zero()?);
    all.push(software_cuda()?);
    Ok(all)
}

/// Returns the vendor's OpenCL plugin of a release on Intel's CPU runtime of 2023.
pub(crate) fn vendor(version: &str) -> Result<Subject> {
    let Ok(release) = releases::find(version) else { bail!("release {version} is not known") };
    let vendor = environment::ensure(release, Flavour::Vendor)?;
    let environment = opencl::ensure(Driver::Intel2023)?;
    let mut variables: Vec<(&'static str, OsString)> =
        environment.variables().map(|(name, value)| (name, value.clone())).collect();
    variables.push(("LD_LIBRARY_PATH", joined(&vendor.lib(), environment.folder())?));
    Ok(Subject {
        plugin: format!("vendor {version}"),
        driver: Driver::Intel2023.to_string(),
        file: vendor.plugin().to_path_buf(),
        libraries: Some(vendor.lib()),
        variables,
        launcher: environment.launcher(),
        object_counter: "opencl.c",
    })
}

fn joined(first: &Path, second: &Path) -> Result<OsString> {
    std::env::join_paths([first, second]).context("a folder's name has a colon")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_on_a_driver_in_a_root_file_system_starts_behind_the_words_for_it() {
        let mut subject = Subject {
            plugin: "ours".into(),
            driver: "pocl-7".into(),
            file: PathBuf::from("libpi_opencl.so"),
            libraries: None,
            variables: vec![("OCL_ICD_VENDORS", "/icd".into())],
            launcher: vec!["unshare".into(), "--mount".into()],
            object_counter: "opencl.c",
        };
        let words = |subject: &Subject| {
            let command = subject.command(Path::new("/harness"));
            assert_eq!(command.get_envs().count(), 1);
            let mut words = vec![command.get_program().to_owned()];
            words.extend(command.get_args().map(ToOwned::to_owned));
            words
        };
        assert_eq!(words(&subject), ["unshare", "--mount", "/harness"]);
        subject.launcher.clear();
        assert_eq!(words(&subject), ["/harness"]);
    }
}
