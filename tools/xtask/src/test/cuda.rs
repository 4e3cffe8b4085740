//! The CUDA plugin on the software driver: its tests, the conformance harness, stock releases of DPC++, stock dpnp.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::conformance;
use crate::process;
use crate::provision::libnvvm;
use crate::release;
use crate::script;
use crate::test::harness;
use crate::totals::{self, Totals};
use crate::workspace;

/// Runs all of them.
pub(crate) fn run() -> Result<Totals> {
    let mut sum = tests()?;
    sum += libnvvm_tests()?;
    let driver = driver()?;
    sum += harness::conformance(
        "the CUDA plugin on the software driver",
        &release::file("libpi_cuda.so"),
        &conformance::SAMPLE,
        [("LD_LIBRARY_PATH", library_path(&[&driver])?)],
    )?;
    sum += script::run("testing/gpu-bundle/stock.py", &["--test"])?;
    sum += script::run("testing/cuda/dpctl/dpnp_suite.py", &["--every", "80"])?;
    Ok(sum)
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

fn tests() -> Result<Totals> {
    totals::step("the CUDA plugin's tests on the software driver", || {
        Totals::of_tests(process::cargo().args(["test", "--package", "testing-cuda"]))
    })
}

/// Workers with NVIDIA's own library.
fn libnvvm_tests() -> Result<Totals> {
    let libnvvm = libnvvm::ensure()?;
    totals::step("workers that run libnvvm", || {
        let mut command = process::cargo();
        command.args(["test", "--package", "pi-nvvm", "--", "--include-ignored"]).env("PI_NVVM", &libnvvm);
        Totals::of_tests(&mut command)
    })
}
