//! Level Zero without a GPU: the stock loader, the software driver for it, and Intel's real driver without a
//! device.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::fsutil;
use crate::process;
use crate::provision::{opencl, python};
use crate::release;
use crate::ui::Step;
use crate::workspace;

/// Debian's location of the loader and its validation layer.
const LOADER: &str = "/usr/lib/x86_64-linux-gnu/libze_loader.so.1";
/// Intel's driver of Debian 12 with its compiler and libraries.
const DRIVER_PACKAGES: [&str; 6] =
    ["intel-opencl-icd", "libigc1", "libigdfcl1", "libigdgmm12", "libopencl-clang14", "libllvmspirvlib14"];
/// Libraries that have dependencies, and are therefore installed instead of unpacked.
const SHARED_PACKAGES: [&str; 2] = ["libclang-cpp14", "libllvm14"];

/// Installs the stock loader if it is missing.
pub(crate) fn ensure_loader() -> Result<()> {
    if !Path::new(LOADER).exists() {
        python::install_debian_packages(&["libze1"])?;
    }
    Ok(())
}

/// Returns the variables with which a program finds only the software driver. The OpenCL runtime that it uses needs
/// its own variables. It builds each module only once, and a later process takes it from a folder: most of the time of
/// its tests would be spent on a few modules.
pub(crate) fn software_variables() -> Result<Vec<(&'static str, OsString)>> {
    ensure_loader()?;
    let driver = release::test_file("libsoftware_level_zero.so");
    if !driver.exists() {
        bail!("there is no {}; build it first: cargo build", driver.display());
    }
    let modules = workspace::built_modules();
    fs::create_dir_all(&modules).with_context(|| format!("cannot create {}", modules.display()))?;
    Ok(vec![
        ("ZE_ENABLE_ALT_DRIVERS", driver.into_os_string()),
        ("ZES_ENABLE_SYSMAN", "1".into()),
        ("PI_SOFT_ZE_CACHE", modules.into_os_string()),
    ])
}

/// Returns the variables with which adapters find the software driver. It also replaces the loader, because Intel's
/// adapters from 2025.2 on contain a part of the loader that does not work with Debian 12's. It runs lists in order,
/// like current drivers.
pub(crate) fn adapter_variables(lib: &Path) -> Result<Vec<(&'static str, OsString)>> {
    let mut variables = software_variables()?;
    variables.push(("LD_LIBRARY_PATH", opencl::library_path(&[&ensure_stand_in()?, lib])));
    variables.push((KEEPS_ORDER.0, KEEPS_ORDER.1.into()));
    Ok(variables)
}

/// Creates a folder in which the software driver has the loader's name.
pub(crate) fn ensure_stand_in() -> Result<PathBuf> {
    let folder = workspace::target().join("level-zero").join("stand-in");
    fs::create_dir_all(&folder)?;
    let link = folder.join("libze_loader.so.1");
    let driver = release::test_file("libsoftware_level_zero.so");
    if !fs::read_link(&link).is_ok_and(|leads_to| leads_to == driver) {
        let fresh = tempfile::tempdir_in(&folder)?;
        std::os::unix::fs::symlink(&driver, fresh.path().join("link"))?;
        fs::rename(fresh.path().join("link"), &link)?;
    }
    Ok(folder)
}

/// With this minor version of the specification the software driver runs lists in order, like current drivers.
pub(crate) const KEEPS_ORDER: (&str, &str) = ("PI_SOFT_ZE_API_MINOR", "8");

/// Enables the loader's validation layer. Debian's layer does not support lists that run in order, so that its
/// parameter checks stay disabled for such a driver.
pub(crate) fn validation_variables() -> Vec<(&'static str, OsString)> {
    let mut names = vec!["ZE_ENABLE_VALIDATION_LAYER", "ZE_ENABLE_HANDLE_LIFETIME"];
    if std::env::var_os(KEEPS_ORDER.0).is_none() {
        names.push("ZE_ENABLE_PARAMETER_VALIDATION");
    }
    names.into_iter().map(|name| (name, OsString::from("1"))).collect()
}

/// Intel's Level Zero driver, unpacked. It starts without a GPU and compiles, but executes nothing.
#[derive(Debug)]
pub(crate) struct IntelDriver {
    lib: PathBuf,
}

impl IntelDriver {
    /// Returns the variables with which a program finds this driver with `product` as its device. `more` are the
    /// driver's own settings.
    pub(crate) fn variables(
        &self,
        product: &str,
        more: &[(&'static str, &str)],
    ) -> Vec<(&'static str, OsString)> {
        let mut variables: Vec<(&'static str, OsString)> = vec![
            ("LD_LIBRARY_PATH", self.lib.clone().into_os_string()),
            ("ZE_ENABLE_ALT_DRIVERS", self.lib.join("libze_intel_gpu.so.1").into_os_string()),
            ("NEOReadDebugKeys", "1".into()),
            ("SetCommandStreamReceiver", "1".into()),
            ("AUBDumpCaptureFileName", "/dev/null".into()),
            ("ProductFamilyOverride", product.into()),
        ];
        variables.extend(more.iter().map(|(name, value)| (*name, OsString::from(value))));
        variables
    }
}

/// Unpacks Intel's driver of Debian 12 in `target/`, if necessary. The machine's own packages are not changed.
pub(crate) fn ensure_intel() -> Result<IntelDriver> {
    ensure_loader()?;
    let folder = workspace::target().join("level-zero").join("intel");
    let lib = folder.join("usr/lib/x86_64-linux-gnu");
    let content = format!("1 {}", DRIVER_PACKAGES.join(" "));
    if !fsutil::is_stamped(&folder, &content) {
        let installed = |name: &str| process::succeeds(Command::new("dpkg").args(["--status", name]));
        if !SHARED_PACKAGES.iter().all(|name| installed(name)) {
            python::install_debian_packages(&SHARED_PACKAGES)?;
        }
        let step = Step::start("unpacking Intel's Level Zero driver from Debian's packages");
        fsutil::build_folder(&folder, &content, unpack)?;
        step.done("");
    }
    let driver = IntelDriver { lib };
    if !driver.lib.join("libze_intel_gpu.so.1").exists() {
        bail!("{} has no libze_intel_gpu.so.1", driver.lib.display());
    }
    Ok(driver)
}

fn unpack(inside: &Path) -> Result<()> {
    let archives = tempfile::tempdir_in(inside)?;
    // apt-get drops its privileges for the download, which needs a folder that all users can write to. As root it
    // only prints a warning.
    let download = || {
        let mut apt = Command::new("apt-get");
        apt.current_dir(archives.path()).arg("download").args(DRIVER_PACKAGES);
        process::output(&mut apt)
    };
    if download().is_err() {
        process::output(Command::new("apt-get").arg("update"))?;
        download().context("apt-get download")?;
    }
    for archive in fs::read_dir(archives.path())?.flatten() {
        process::output(Command::new("dpkg-deb").arg("--extract").arg(archive.path()).arg(inside))?;
    }
    Ok(())
}
