//! The CUDA plugin on the software driver: its tests, the conformance harness, stock releases of DPC++.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::gpu_bundle::stock;
use crate::process;
use crate::release;
use crate::test::harness;
use crate::test::tally::Tally;
use crate::ui::Step;
use crate::workspace;

/// Runs all three.
pub(crate) fn run() -> Result<Tally> {
    let mut total = tests()?;
    let driver = driver()?;
    total += harness::conformance(
        "the CUDA plugin on the software driver",
        &release::file("libpi_cuda.so"),
        [("LD_LIBRARY_PATH", library_path(&[&driver])?)],
    )?;
    total += stock_releases(&driver)?;
    Ok(total)
}

/// Puts the software driver under the name of NVIDIA's into a folder of its own.
fn driver() -> Result<PathBuf> {
    let folder = workspace::target().join("software-cuda");
    fs::create_dir_all(&folder)?;
    fs::copy(release::file("libsoftware_cuda.so"), folder.join("libcuda.so.1"))
        .context("the software driver")?;
    Ok(folder)
}

/// `LD_LIBRARY_PATH` with these folders in front.
fn library_path(folders: &[&Path]) -> Result<OsString> {
    let rest = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let rest: Vec<PathBuf> = std::env::split_paths(&rest).collect();
    let all = folders.iter().copied().chain(rest.iter().map(PathBuf::as_path));
    std::env::join_paths(all).context("a folder's name has a colon")
}

fn tests() -> Result<Tally> {
    let step = Step::start("the CUDA plugin's tests on the software driver");
    let mut command = process::cargo();
    let tally = Tally::of_tests(command.args(["test", "--package", "testing-cuda"]))?;
    step.done(&tally.to_string());
    Ok(tally)
}

/// Each stock libsycl loads the plugin, copies and waits.
fn stock_releases(driver: &Path) -> Result<Tally> {
    let folder = workspace::target().join("software-cuda/stock");
    stock::add(&folder)?;
    let step = Step::start("stock releases on the CUDA plugin");
    let mut tally = Tally::default();
    for version in stock::RELEASES {
        let own = folder.join(version);
        fs::copy(release::file("libpi_cuda.so"), own.join("libpi_cuda.so")).context("libpi_cuda.so")?;
        let mut program = Command::new(own.join("copies"));
        program.env("LD_LIBRARY_PATH", library_path(&[&own, &folder.join("common"), driver])?);
        let output = process::tested(&mut program)?;
        let loaded = String::from_utf8_lossy(&output.stdout).contains("libpi_cuda.so");
        if output.status.success() && loaded {
            tally.passed += 1;
        } else {
            println!("{version}: {}\n{}", output.status, process::tail(&output, 30));
            tally.failed += 1;
        }
    }
    step.done(&tally.to_string());
    Ok(tally)
}
