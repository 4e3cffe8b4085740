//! Stock releases of DPC++ without Python: libsycl, dpctl's C API, and a C program on it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, anyhow};

use crate::process;
use crate::provision::environment::{self, Environment, Flavour};
use crate::releases;
use crate::ui::Step;
use crate::workspace;

/// The oldest release, the last of PI 12, and the newest.
pub(crate) const RELEASES: [&str; 3] = ["2022.2.1", "2023.2.4", "2024.2.2"];

/// Libraries of Intel's that libsycl and dpctl are linked with; the newest serve all releases.
const COMMON: [&str; 4] = ["libintlc.so.5", "libimf.so", "libirng.so", "libsvml.so"];

/// Puts each release into a folder of its name; what they share into `common`.
pub(crate) fn add(folder: &Path) -> Result<()> {
    let common = folder.join("common");
    fs::create_dir_all(&common)?;
    for version in RELEASES {
        let release = releases::find(version).map_err(|error| anyhow!(error))?;
        let vendor = environment::ensure(release, Flavour::Vendor)?;
        let step = Step::start(format!("stock release {version}"));
        let own = folder.join(version);
        fs::create_dir_all(&own)?;
        program(&vendor, &own)?;
        for name in COMMON {
            copy(&vendor.lib().join(name), &common.join(name))?;
        }
        // dpctl of 2022 is linked with it.
        let loader = vendor.lib().join("libOpenCL.so.1");
        if loader.exists() {
            copy(&loader, &common.join("libOpenCL.so.1"))?;
        }
        copy(&libsycl(&vendor)?, &own.join(file_name(&libsycl(&vendor)?)))?;
        step.done("");
    }
    Ok(())
}

/// `libsycl.so.N`, by which dpctl knows it.
fn libsycl(vendor: &Environment) -> Result<PathBuf> {
    let numbers = 5..=9;
    let names = numbers.map(|number| vendor.lib().join(format!("libsycl.so.{number}")));
    names.into_iter().find(|path| path.exists()).context("a release without libsycl.so.N")
}

fn file_name(path: &Path) -> PathBuf {
    path.file_name().map(PathBuf::from).unwrap_or_default()
}

/// The program, compiled with the release's own headers, and dpctl's library.
fn program(vendor: &Environment, folder: &Path) -> Result<()> {
    let dpctl = vendor.site_packages().join("dpctl");
    let library = "libDPCTLSyclInterface.so.0";
    copy(&dpctl.join(library), &folder.join(library))?;
    process::output(
        Command::new("cc")
            .args(["-O1", "-w", "-I"])
            .arg(dpctl.join("include"))
            .arg(workspace::root().join("testing/cuda/libsycl/copies.c"))
            .arg("-L")
            .arg(&dpctl)
            .arg(format!("-l:{library}"))
            .arg("-Wl,--allow-shlib-undefined")
            .arg("-o")
            .arg(folder.join("copies")),
    )?;
    Ok(())
}

/// Copies what a link points to.
fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).map(|_| ()).with_context(|| from.display().to_string())
}
